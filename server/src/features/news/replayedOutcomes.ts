import { DAY_MS, HOUR_MS } from '@sextant/engine-as/abi/intervals.ts';
import { recordWeight } from '@sextant/workers/src/signals/newsVote.ts';
import { sql } from 'kysely';
import type { MarketMode } from '../../config.ts';
import type { SystemTx, UserTx } from '../../platform/db/scope.ts';
import { inRecord, type Outcome, OUTCOMES_MAX } from './outcomes.ts';
import { type SourceChecks, timesAt } from './sourceTimes.ts';

/** Days (UTC) that replayed outcomes must cover to weigh: stories of one trending day say little about others. */
export const REPLAYED_DAYS_MIN = 5;

/** Outcome of a report of an archive. `knownAtMs`: also measured by then. */
export interface ReplayedOutcome extends Outcome {
  symbol: string;
  /** When a reader of the source could have seen it, epoch ms; `delayMs` after its date. */
  seenMs: number;
  delayMs: number;
  /** Since when a report with an earlier date counts instead, epoch ms. */
  untilMs: number;
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
  until: Date | null;
  is_hit: boolean;
  z: number;
  p: number;
}

/** First seen first. Of sources that are not trusted too: that depends on the moment. */
export async function readReplayedOutcomes(tx: SystemTx | UserTx, mode: MarketMode): Promise<ReplayedOutcome[]> {
  const { rows } = await sql<Row>`
    select n.source, r.symbol, r.seen_at, n.pub_date, greatest(r.known_at, r.measured_at) as known_at, earlier.until,
      r.return_fraction * n.sentiment > 0 as is_hit, r.z * sign(n.sentiment) as z, r.p
    from news_replays r join news n on n.id = r.news_id cross join lateral (
      select min(e.first_seen_at) as until from news e where e.story_id = n.story_id and e.kind = 'article' and e.is_dated
        and (e.pub_date, e.id) < (n.pub_date, n.id)) earlier
    where n.market = ${mode} and ${inRecord} order by r.seen_at, n.id limit ${OUTCOMES_MAX}`.execute(tx);
  return rows.map(({ source, symbol, seen_at, pub_date, known_at, until, is_hit, z, p }) => ({
    source,
    symbol,
    seenMs: seen_at.getTime(),
    delayMs: seen_at.getTime() - pub_date.getTime(),
    knownAtMs: known_at.getTime(),
    untilMs: until?.getTime() ?? Infinity,
    isHit: is_hit,
    z,
    p,
  }));
}

/**
 * The outcomes of one source that counted at a moment, while its dates were trusted. One per symbol and hour (UTC), the first seen: moves of
 * one hour are not independent.
 */
export function replayedAt(
  outcomes: readonly ReplayedOutcome[],
  checks: SourceChecks | undefined,
  atMs: number,
): ReplayedOutcome[] {
  if (checks === undefined || timesAt(checks, atMs).delayMs === null) return [];
  const first = new Map<string, ReplayedOutcome>();
  for (const outcome of outcomes) {
    const hour = `${outcome.symbol} ${Math.floor(outcome.seenMs / HOUR_MS)}`;
    if (outcome.knownAtMs <= atMs && atMs < outcome.untilMs && !first.has(hour)) first.set(hour, outcome);
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
