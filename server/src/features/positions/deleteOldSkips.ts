import { sql } from 'kysely';
import type { SystemTx } from '../../platform/db/scope.ts';

/** Rows of each kind deleted per run; the next run continues. */
const batchMax = 20_000;

/**
 * Deletes some old records of positions that were not opened: skips, the lines of automatic runs that opened nothing, runs without
 * remaining lines, and all but the newest away-scan slot of each user. Returns the number of deleted rows.
 * @param retentionDays at least 30, as allowed by db/migrations/0070_positions.sql
 */
export async function deleteOldSkips(tx: SystemTx, retentionDays: number): Promise<number> {
  const old = sql`created_at < now() - make_interval(days => ${retentionDays})`;
  const statements = [
    sql`delete from position_events where id in (
      select id from position_events where kind = 'skipped' and ${old} limit ${batchMax})`,
    sql`delete from auto_run_items where (run_id, symbol, interval) in (
      select run_id, symbol, interval from auto_run_items where position_id is null and ${old} limit ${batchMax})`,
    sql`delete from auto_runs where id in (
      select id from auto_runs r where ${old}
        and not exists (select from auto_run_items i where i.run_id = r.id)
        and not exists (select from position_events e where e.run_id = r.id) limit ${batchMax})`,
    sql`delete from away_scans where (user_id, slot_at) in (
      select user_id, slot_at from away_scans a where ${old}
        and exists (select from away_scans n where n.user_id = a.user_id and n.created_at > a.created_at) limit ${batchMax})`,
  ];
  let count = 0;
  for (const statement of statements) count += Number((await statement.execute(tx)).numAffectedRows ?? 0n);
  return count;
}
