import { sql } from 'kysely';
import type { SystemTx, UserTx } from '../../platform/db/scope.ts';
import { IDEMPOTENCY_HOURS } from '../credits/idempotency.ts';
import type { ArbitrageParams, ArbitrageResults, ArbitrageScanWire } from './contract.ts';

type Status = ArbitrageScanWire['status'];

export async function insertScan(
  tx: SystemTx,
  scan: { id: string; userId: string; params: ArbitrageParams; holdId: string; steps: number },
): Promise<void> {
  const { id, userId, params, holdId, steps } = scan;
  const row = { id, user_id: userId, params: JSON.stringify(params), credit_ref: holdId, progress_total: steps };
  await tx.insertInto('arbitrage_scans').values(row).execute();
}

/**
 * Steps end at the same time, and their transactions in any order. @returns false when the scan is further already, or no longer running:
 * its credit was released
 */
export async function writeProgress(tx: SystemTx, id: string, done: number, total: number): Promise<boolean> {
  const changed = await tx
    .updateTable('arbitrage_scans')
    .set({ progress_done: done, progress_total: total })
    .where('id', '=', id)
    .where('status', '=', 'running')
    .where('progress_done', '<', done)
    .executeTakeFirst();
  return changed.numUpdatedRows === 1n;
}

/** Ends a scan. Returns its owner; undefined when it had already ended. Results are stored as long as the call may be repeated. */
export async function endScan(
  tx: SystemTx,
  id: string,
  end: { status: Exclude<Status, 'running'>; results?: ArbitrageResults; failure?: string },
): Promise<string | undefined> {
  const { status, results = null, failure = null } = end;
  const row = await tx
    .updateTable('arbitrage_scans')
    .set({
      status,
      results: results === null ? null : JSON.stringify(results),
      failure,
      finished_at: sql`now()`,
      progress_done: status === 'failed' ? sql`progress_done` : sql`progress_total`,
    })
    .where('id', '=', id)
    .where('status', '=', 'running')
    .returning('user_id')
    .executeTakeFirst();
  if (row === undefined) return undefined;
  if (status === 'done') {
    await tx
      .updateTable('arbitrage_scans')
      .set({ results: null })
      .where('user_id', '=', row.user_id)
      .where('id', '<>', id)
      .where('results', 'is not', null)
      .where('finished_at', '<', sql<Date>`now() - make_interval(hours => ${IDEMPOTENCY_HOURS})`)
      .execute();
  }
  return row.user_id;
}

const columns = [
  'id',
  'status',
  'created_at',
  'finished_at',
  'params',
  'results',
  'failure',
  'progress_done',
  'progress_total',
] as const;

export async function readScan(tx: UserTx | SystemTx, id: string): Promise<ArbitrageScanWire | null> {
  const row = await tx.selectFrom('arbitrage_scans').select(columns).where('id', '=', id).executeTakeFirst();
  return row === undefined ? null : scanOf(row);
}

/** The newest scan in one of these states. */
export async function readNewest(tx: UserTx, status: Status): Promise<ArbitrageScanWire | null> {
  const row = await tx
    .selectFrom('arbitrage_scans')
    .select(columns)
    .where('status', '=', status)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? null : scanOf(row);
}

interface ScanRow {
  id: string;
  status: string;
  created_at: Date;
  finished_at: Date | null;
  params: unknown;
  results: unknown;
  failure: string | null;
  progress_done: number;
  progress_total: number;
}

const scanOf = (row: ScanRow): ArbitrageScanWire => ({
  scanId: row.id,
  status: row.status as Status,
  createdAt: row.created_at.toISOString(),
  finishedAt: row.finished_at?.toISOString() ?? null,
  params: row.params as ArbitrageScanWire['params'],
  progress: { done: row.progress_done, total: row.progress_total },
  results: row.results as ArbitrageScanWire['results'],
  failure: row.failure,
});
