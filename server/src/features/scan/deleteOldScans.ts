import { sql } from 'kysely';
import type { SystemTx } from '../../platform/db/scope.ts';

/** Rows of one transaction: some tens of milliseconds. */
const batchMax = { scans: 200, candidates: 2000, checks: 2000 };

/** Takes the place of a rationale that was deleted. In the partial index of migration 0580. */
export const DELETED_RATIONALE = 'Deleted after its retention.';

const olderThan = (days: number) => sql`created_at < now() - make_interval(days => ${days})`;
const countOf = ({ numAffectedRows }: { numAffectedRows?: bigint }): number => Number(numAffectedRows ?? 0n);

/** Reduces some old scans of before migration 0580 to best result and counts. Later ones have them apart, and lose a day at a time. */
export async function reduceOldResults(tx: SystemTx, retentionDays: number): Promise<number> {
  return countOf(
    await sql`
    with old as (
      select id from scans where results is not null and ${olderThan(retentionDays)}
      order by created_at limit ${batchMax.scans} for update skip locked)
    update scans s set summary = s.results - 'all' - 'missing', results = null from old where s.id = old.id`.execute(
      tx,
    ),
  );
}

/** Deletes the candidates of some old scans of before migration 0580; which signals they found stays. Returns the number of scans. */
export async function deleteOldCandidates(tx: SystemTx, retentionDays: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with old as materialized (
      select distinct scan_id from (
        select scan_id from scan_candidates where ${olderThan(retentionDays)}
        order by created_at limit ${batchMax.candidates}) c),
    gone as (
      delete from scan_candidates where scan_id in (select scan_id from old)
      returning scan_id, user_id, signal_id, created_at),
    found as (
      insert into found_signals (user_id, created_at, scan_id, signal_ids)
      select user_id, min(created_at), scan_id, array_agg(distinct signal_id) from gone
      where signal_id is not null group by user_id, scan_id)
    select count(*)::int as count from old`.execute(tx);
  return rows[0]?.count ?? 0;
}

/** Deletes the rationale and tags of some old AI checks; decision and numbers are part of the record. */
export async function reduceOldChecks(tx: SystemTx, retentionDays: number): Promise<number> {
  const reduced = JSON.stringify({ rationale: DELETED_RATIONALE, tags: [] });
  return countOf(
    await sql`
    with old as (
      select scan_id, symbol, interval from scan_ai_checks
      where ${olderThan(retentionDays)} and verdict ->> 'rationale' <> ${sql.lit(DELETED_RATIONALE)}
      limit ${batchMax.checks} for update skip locked)
    update scan_ai_checks c set verdict = c.verdict || ${reduced}::jsonb from old
    where (c.scan_id, c.symbol, c.interval) = (old.scan_id, old.symbol, old.interval)`.execute(tx),
  );
}
