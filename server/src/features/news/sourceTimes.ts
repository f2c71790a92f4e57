import { MINUTE_MS } from '@sextant/engine-as/abi/intervals.ts';
import { sql } from 'kysely';
import type { MarketMode } from '../../config.ts';
import type { SystemTx, UserTx } from '../../platform/db/scope.ts';

/**
 * Whether the publishing dates of a source can be trusted: the stories that it added while it was read every few minutes show how its dates
 * compare with our clock. Stories of its archive are replayed only then.
 */

/** Stories to check before a source is trusted. */
export const CHECKS_MIN = 10;
const CHECKS_LATEST = 50;
/** Votes are computed for closes of the last hours: of earlier checks those of the oldest close are enough. */
const REACH_HOURS = 6;
const CHECKS_OF_REACH = 450;
/** Feeds that are judged, the latest read first. Bounds a read to 100,000 checks. */
const SOURCES_MAX = 200;
/** Required share of checked stories that were first seen in time after their date. */
export const IN_TIME_SHARE = 0.9;
export const IN_TIME_MINUTES = 10;
/** Rhythm of reading simulated feeds: the delay until enough of their stories are checked. */
const SIMULATED_DELAY_MS = 15_000;

/**
 * `same_machine`: a simulated feed, dated by the clock that reads it, until enough stories are checked. `checked`: dates are confirmed.
 * `unchecked`: too few stories so far. `untrusted`: dates differ from the first sight.
 */
export const timeBases = ['same_machine', 'checked', 'unchecked', 'untrusted'] as const;

export interface SourceTimes {
  basis: (typeof timeBases)[number];
  checkedCount: number;
  inTimeCount: number;
  /** Delay after the date at which nine of ten stories had been seen; null where the dates are not trusted. */
  delayMs: number | null;
}

/** @param delaysMs from the date of each checked story to its first sight */
export function judgeTimes(delaysMs: readonly number[], isSimulated: boolean): SourceTimes {
  const checkedCount = delaysMs.length;
  const inTimeCount = delaysMs.filter((delay) => delay <= IN_TIME_MINUTES * MINUTE_MS).length;
  const counts = { checkedCount, inTimeCount };
  if (checkedCount < CHECKS_MIN)
    return isSimulated
      ? { ...counts, basis: 'same_machine', delayMs: SIMULATED_DELAY_MS }
      : { ...counts, basis: 'unchecked', delayMs: null };
  if (inTimeCount < IN_TIME_SHARE * checkedCount) return { ...counts, basis: 'untrusted', delayMs: null };
  const sorted = delaysMs.toSorted((a, b) => a - b);
  return { ...counts, basis: 'checked', delayMs: sorted[Math.ceil(IN_TIME_SHARE * checkedCount) - 1] ?? null };
}

/** A story that its source added while it was read every few minutes. */
interface Check {
  /** Times of its first sight, of the read before, and its date; epoch ms. */
  seenMs: number;
  previousReadMs: number;
  dateMs: number;
}

/** Dates and first sights of a source's stories. `timesAt` computes from them whether its dates could be trusted at a moment. */
export interface SourceChecks {
  isSimulated: boolean;
  /** Since when its feed has the present address, epoch ms. */
  urlSinceMs: number;
  /** Newest first. */
  checks: Check[];
}

/**
 * As they were judged at `atMs`: nothing seen later counts, so that no earlier vote changes. Of a feed with another address only the stories
 * of that address are checked. A silent source keeps its last verdict.
 */
export function timesAt({ isSimulated, urlSinceMs, checks }: SourceChecks, atMs: number): SourceTimes {
  const ofAddress = checks.filter(
    ({ seenMs, previousReadMs }) => seenMs <= atMs && (atMs < urlSinceMs || previousReadMs >= urlSinceMs),
  );
  const delaysMs = ofAddress.slice(0, CHECKS_LATEST).map(({ seenMs, dateMs }) => seenMs - dateMs);
  return judgeTimes(delaysMs, isSimulated);
}

/** Delay after the date of each source whose dates could be trusted at `atMs`, milliseconds. Infinity: by all that is known. */
export function trustedDelays(checks: ReadonlyMap<string, SourceChecks>, atMs: number): Map<string, number> {
  const trusted = new Map<string, number>();
  for (const [source, own] of checks) {
    const { delayMs } = timesAt(own, atMs);
    if (delayMs !== null) trusted.set(source, delayMs);
  }
  return trusted;
}

/** Reads the stories of each source, at most 500 of each. After a pause of the reads stories are not checked: the pause hides their delay. */
export async function readSourceChecks(tx: SystemTx | UserTx, market: MarketMode): Promise<Map<string, SourceChecks>> {
  const since = sql`now() - make_interval(hours => ${REACH_HOURS})`;
  const checked = sql`n.market = f.market and n.source = f.name and n.kind = 'article' and n.is_dated
    and n.first_seen_at - n.previous_read_at <= make_interval(mins => ${IN_TIME_MINUTES})`;
  const { rows } = await sql<{ name: string; url_since: Date; is_simulated: boolean; checks: number[][] }>`
    select f.name, f.url_since, f.is_simulated, array_to_json(array(
      select array[extract(epoch from c.first_seen_at) * 1000, extract(epoch from c.previous_read_at) * 1000,
        extract(epoch from c.pub_date) * 1000]
      from (
        (select n.id, n.first_seen_at, n.previous_read_at, n.pub_date from news n
          where ${checked} and n.first_seen_at >= ${since} order by n.first_seen_at desc, n.id limit ${CHECKS_OF_REACH})
        union all
        (select n.id, n.first_seen_at, n.previous_read_at, n.pub_date from news n
          where ${checked} and n.first_seen_at < ${since} order by n.first_seen_at desc, n.id limit ${CHECKS_LATEST})
      ) c order by c.first_seen_at desc, c.id)) as checks
    from (
      select * from news_feeds where market = ${market} order by last_ok_at desc nulls last, name limit ${SOURCES_MAX}
    ) f
    where exists (select 1 from news n where n.market = f.market and n.source = f.name and n.kind = 'article')`.execute(
    tx,
  );
  return new Map(
    rows.map(({ name, url_since, is_simulated, checks }) => [
      name,
      {
        isSimulated: is_simulated,
        urlSinceMs: url_since.getTime(),
        checks: checks.map(([seenMs = 0, previousReadMs = 0, dateMs = 0]) => ({ seenMs, previousReadMs, dateMs })),
      },
    ]),
  );
}
