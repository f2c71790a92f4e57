import { DAY_MS, HOUR_MS } from '@sextant/engine-as/abi/intervals.ts';
import { recordWeight } from '@sextant/workers/src/signals/newsVote.ts';
import { sql } from 'kysely';
import type { MarketMode } from '../../config.ts';
import type { SystemTx, UserTx } from '../../platform/db/scope.ts';
import { inRecord, type Outcome, OUTCOMES_MAX } from './outcomes.ts';

/** Days (UTC) that replayed outcomes must cover to weigh: stories of one trending day say little about others. */
export const REPLAYED_DAYS_MIN = 5;

/** Outcome of a report of an archive. `knownAtMs`: also measured by then. */
export interface ReplayedOutcome extends Outcome {
  symbol: string;
  /** When a reader of the source could have seen it, epoch ms; `delayMs` after its date. */
  seenMs: number;
  delayMs: number;
  /** Reports of the story with an earlier date, by first sight, epoch ms: one of a source that is trusted counts instead. */
  earlier: { source: string; seenMs: number }[];
  /** In the judged direction. */
  z: number;
  p: number;
}

interface Row {
  source: string;
  symbol: string;
  seen_at: Date;
  pub_date: Date;
  known_at: Date;
  earlier: [source: string, seenMs: number][];
  is_hit: boolean;
  z: number;
  p: number;
}

/** First seen first. Of sources that are not trusted too: that depends on the moment. */
export async function readReplayedOutcomes(tx: SystemTx | UserTx, mode: MarketMode): Promise<ReplayedOutcome[]> {
  const { rows } = await sql<Row>`
    select n.source, r.symbol, r.seen_at, n.pub_date, greatest(r.known_at, r.measured_at) as known_at,
      r.return_fraction * n.sentiment > 0 as is_hit, r.z * sign(n.sentiment) as z, r.p, array_to_json(array(
        select json_build_array(e.source, extract(epoch from min(e.first_seen_at)) * 1000) from news e
        where e.story_id = n.story_id and e.kind = 'article' and e.is_dated and (e.pub_date, e.id) < (n.pub_date, n.id)
        group by e.source)) as earlier
    from news_replays r join news n on n.id = r.news_id
    where n.market = ${mode} and ${inRecord} order by r.seen_at desc, n.id desc limit ${OUTCOMES_MAX}`.execute(tx);
  return rows.reverse().map(({ source, symbol, seen_at, pub_date, known_at, earlier, is_hit, z, p }) => ({
    source,
    symbol,
    seenMs: seen_at.getTime(),
    delayMs: seen_at.getTime() - pub_date.getTime(),
    knownAtMs: known_at.getTime(),
    earlier: earlier.map(([name, seenMs]) => ({ source: name, seenMs })),
    isHit: is_hit,
    z,
    p,
  }));
}

/**
 * The outcomes of one source that counted at a moment, while its dates were trusted. One per symbol and hour (UTC), the first seen: moves of
 * one hour are not independent.
 * @param trusted sources whose dates were trusted at `atMs` (`trustedDelays`)
 */
export function replayedAt(
  outcomes: readonly ReplayedOutcome[],
  source: string,
  trusted: ReadonlyMap<string, number>,
  atMs: number,
): ReplayedOutcome[] {
  if (!trusted.has(source)) return [];
  // Dates that nothing confirms end no outcome: a feed that dates everything at midnight would be the first with every story.
  const isEndedBy = ({ source: name, seenMs }: ReplayedOutcome['earlier'][number]): boolean =>
    trusted.has(name) && seenMs <= atMs;
  const first = new Map<string, ReplayedOutcome>();
  for (const outcome of outcomes) {
    const hour = `${outcome.symbol} ${Math.floor(outcome.seenMs / HOUR_MS)}`;
    if (outcome.knownAtMs <= atMs && !first.has(hour) && !outcome.earlier.some(isEndedBy)) first.set(hour, outcome);
  }
  return [...first.values()];
}

export const daysOf = (outcomes: readonly ReplayedOutcome[]): number =>
  new Set(outcomes.map(({ seenMs }) => Math.floor(seenMs / DAY_MS))).size;

/** Weight in the vote, 0 to 1. @param outcomes independent ones of one source */
export const replayedWeight = (outcomes: readonly ReplayedOutcome[]): number =>
  daysOf(outcomes) < REPLAYED_DAYS_MIN
    ? 0
    : recordWeight(outcomes.filter(({ isHit }) => isHit).length, outcomes.length);
