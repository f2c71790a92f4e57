import { DAY_MS, MINUTE_MS } from '@sextant/engine-as/abi/intervals.ts';
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
/** Required share of checked stories that were first seen in time after their date. */
export const IN_TIME_SHARE = 0.9;
export const IN_TIME_MINUTES = 10;
const LOOK_BACK_MS = 30 * DAY_MS;
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

/** The sources of the last 30 days. A read after a pause says nothing about the dates: its stories are not checked. */
export async function readSourceTimes(tx: SystemTx | UserTx, market: MarketMode): Promise<Map<string, SourceTimes>> {
  const own = sql`market = ${market} and kind = 'article'
    and first_seen_at > now() - make_interval(secs => ${LOOK_BACK_MS / 1000})`;
  const { rows } = await sql<{ source: string; is_simulated: boolean; delays: number[] }>`
    select s.source, s.is_simulated, array(
      select (extract(epoch from n.first_seen_at - n.pub_date) * 1000)::float8 from news n
      where ${own} and n.source = s.source and n.is_dated
        and n.first_seen_at - n.previous_read_at <= make_interval(mins => ${IN_TIME_MINUTES})
      order by n.first_seen_at desc, n.id limit ${CHECKS_LATEST}) as delays
    from (select source, bool_and(is_simulated) as is_simulated from news where ${own} group by source) s`.execute(tx);
  return new Map(rows.map(({ source, is_simulated, delays }) => [source, judgeTimes(delays, is_simulated)]));
}

/** Delay in ms of each source whose dates can be trusted. */
export const trustedOf = (times: ReadonlyMap<string, SourceTimes>): Map<string, number> =>
  new Map([...times].flatMap(([source, { delayMs }]) => (delayMs === null ? [] : [[source, delayMs] as const])));
