import { sql } from 'kysely';
import type { z } from 'zod';
import type { SystemTx, UserTx } from '../../platform/db/scope.ts';
import { withChecks } from './aicheck/aiFields.ts';
import { readChecks } from './aicheck/checkRepository.ts';
import { CHECKS_MAX } from './aicheck/contract.ts';
import { resultsToCheck } from './candidates.ts';
import { type CheckedResults, type Scan, ScanParams } from './contract.ts';
import type { ScanSummary } from './packed/packScan.ts';
import { type DetailRow, fullResults, withDetails } from './scanDetails.ts';

export interface ClaimedScan {
  userId: string;
  holdId: string;
  params: ScanParams;
}

/** A scan with its checks; verdicts.ts adds whether its results may open. */
export type CheckedScan = Omit<z.input<typeof Scan>, 'results'> & { results: CheckedResults | null };

export async function insertScan(
  tx: SystemTx,
  scan: { id: string; userId: string; params: ScanParams; holdId: string },
): Promise<void> {
  const { id, userId, params, holdId } = scan;
  await tx
    .insertInto('scans')
    .values({ id, user_id: userId, params: JSON.stringify(params), credit_ref: holdId })
    .execute();
}

/** Marks the scan as running and returns its inputs; undefined when it has ended. Also works again after a crash. */
export async function claimScan(tx: SystemTx, id: string): Promise<ClaimedScan | undefined> {
  const row = await tx
    .updateTable('scans')
    .set({ status: 'running', started_at: sql`coalesce(started_at, now())` })
    .where('id', '=', id)
    .where('status', 'in', ['queued', 'running'])
    .returning(['user_id', 'params', 'credit_ref'])
    .executeTakeFirst();
  if (row === undefined) return undefined;
  return { userId: row.user_id, holdId: row.credit_ref, params: ScanParams.parse(row.params) };
}

export async function isRunning(tx: SystemTx, id: string): Promise<boolean> {
  const row = await tx.selectFrom('scans').select('status').where('id', '=', id).executeTakeFirst();
  return row?.status === 'running';
}

/** False when it was cancelled or failed in the meantime: its results are then discarded. */
export async function finishScan(tx: SystemTx, id: string, summary: ScanSummary): Promise<boolean> {
  const done = await tx
    .updateTable('scans')
    .set({ status: 'done', summary: JSON.stringify(summary), finished_at: sql`now()` })
    .where('id', '=', id)
    .where('status', '=', 'running')
    .executeTakeFirst();
  return done.numUpdatedRows === 1n;
}

/** Ends a scan without a result. Returns its owner; undefined when it had already ended. */
export async function endScan(
  tx: SystemTx,
  id: string,
  end: { status: 'failed' | 'cancelled'; failure: string | null },
): Promise<{ userId: string } | undefined> {
  const row = await tx
    .updateTable('scans')
    .set({ status: end.status, failure: end.failure, finished_at: sql`now()` })
    .where('id', '=', id)
    .where('status', 'in', ['queued', 'running'])
    .returning('user_id')
    .executeTakeFirst();
  return row === undefined ? undefined : { userId: row.user_id };
}

/** The hold of a scan that has not ended, optionally of one user only. Takes no lock. */
export async function readHold(tx: SystemTx, id: string, userId?: string): Promise<string | undefined> {
  const row = await tx
    .selectFrom('scans')
    .select('credit_ref')
    .where('id', '=', id)
    .where('status', 'in', ['queued', 'running'])
    .$if(userId !== undefined, (query) => query.where('user_id', '=', userId ?? ''))
    .executeTakeFirst();
  return row?.credit_ref;
}

/** Whether this scan had started, how many others were cancelled after their start within an hour, and when the oldest of them expires. */
export async function countCancelled(
  tx: SystemTx,
  userId: string,
  id: string,
): Promise<{ hasStarted: boolean; others: number; retryAfterS: number }> {
  const { rows } = await sql<{ has_started: boolean; others: number; retry_after_s: number }>`
    select coalesce(bool_or(id = ${id}), false) as has_started, (count(*) filter (where id <> ${id}))::int as others,
      greatest(1, ceil(extract(epoch from min(finished_at) + interval '1 hour' - now())))::int as retry_after_s
    from scans where user_id = ${userId} and status = 'cancelled' and started_at is not null
      and finished_at > now() - interval '1 hour'`.execute(tx);
  const [row] = rows;
  return { hasStarted: row?.has_started ?? false, others: row?.others ?? 0, retryAfterS: row?.retry_after_s ?? 1 };
}

const columns = ['s.id', 's.status', 's.created_at', 's.finished_at', 's.params', 's.failure'] as const;

export async function readScan(tx: UserTx, id: string): Promise<CheckedScan | null> {
  const row = await withDetails(tx).select(columns).where('s.id', '=', id).executeTakeFirst();
  return row === undefined ? null : checkedScan(tx, row);
}

/** The newest scan in one of these states. */
export async function readNewest(tx: UserTx, states: readonly CheckedScan['status'][]): Promise<CheckedScan | null> {
  const newest = tx
    .selectFrom('scans')
    .select('id')
    .where('status', 'in', [...states])
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(1);
  const row = await withDetails(tx).select(columns).where('s.id', '=', newest).executeTakeFirst();
  return row === undefined ? null : checkedScan(tx, row);
}

interface ScanRow extends DetailRow {
  id: string;
  status: string;
  created_at: Date;
  finished_at: Date | null;
  params: unknown;
  failure: string | null;
}

/** A scan as shown: its results, with the AI checks requested since. */
async function checkedScan(tx: UserTx, row: ScanRow): Promise<CheckedScan> {
  const scan = scanOf(row);
  const stored = await fullResults(tx, row);
  if (stored === null) return { ...scan, results: null };
  const { results, isComplete } = stored;
  const all = withChecks(results.all, await readChecks(tx, scan.scan_id));
  const toCheck = resultsToCheck(all, CHECKS_MAX).map(({ signal_id: id }) => id);
  return { ...scan, results: { ...results, all, to_check: toCheck, is_complete: isComplete } };
}

const scanOf = (row: ScanRow): Omit<CheckedScan, 'results'> => ({
  scan_id: row.id,
  status: row.status as CheckedScan['status'],
  created_at: row.created_at.toISOString(),
  finished_at: row.finished_at?.toISOString() ?? null,
  params: row.params as CheckedScan['params'],
  failure: row.failure,
});
