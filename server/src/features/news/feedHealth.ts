import { sql } from 'kysely';
import type { MarketMode } from '../../config.ts';
import { type Db, withSystem } from '../../platform/db/scope.ts';

/** A feed whose next read is overdue by this much does not count as ok. */
const overdueMs = 10 * 60_000;

/**
 * Whether the last reads of these feeds succeeded: `ok` when at least one did, undefined before the first read of any. Sends no request:
 * the hosts expect reads every few minutes.
 */
export function readFeedsState(
  db: Db,
  market: MarketMode,
  names: readonly string[],
): Promise<'ok' | 'failing' | undefined> {
  return withSystem(db, async (tx) => {
    const { rows } = await sql<{ is_read: boolean; is_ok: boolean }>`
      select coalesce(bool_or(last_ok_at is not null or failure is not null), false) as is_read,
        coalesce(bool_or(failure is null and last_ok_at is not null
          and next_read_at > now() - make_interval(secs => ${overdueMs / 1000})), false) as is_ok
      from news_feeds where market = ${market} and name = any (${names}::text[])`.execute(tx);
    const [row] = rows;
    if (row?.is_read !== true) return undefined;
    return row.is_ok ? 'ok' : 'failing';
  });
}
