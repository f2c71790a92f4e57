import { sql } from 'kysely';
import type { SystemTx } from '../../platform/db/scope.ts';

const batchMax = 2000;

/**
 * Deletes some old verdicts and the costs of old requests, and returns how many. A verdict is found again by its input, which has a closed
 * candle in it; costs count for the day they were made on.
 * @param retentionDays at least 2
 */
export async function deleteOldVerdicts(tx: SystemTx, retentionDays: number): Promise<number> {
  let count = 0;
  for (const table of ['ai_verdicts', 'ai_calls'] as const) {
    const { numAffectedRows } = await sql`
      delete from ${sql.table(table)} where id in (
        select id from ${sql.table(table)} where created_at < now() - make_interval(days => ${retentionDays})
        limit ${batchMax})`.execute(tx);
    count += Number(numAffectedRows ?? 0n);
  }
  return count;
}
