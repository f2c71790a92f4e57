import { sql } from 'kysely';
import type { SystemTx, UserTx } from './scope.ts';

/** The database clock in epoch ms, shared by all nodes, so that ages are never negative when a node's clock is wrong. */
export async function databaseNowMs(tx: SystemTx | UserTx): Promise<number> {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(tx);
  return rows[0]?.now.getTime() ?? Number.NaN;
}
