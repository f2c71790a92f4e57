import { NEWS_WINDOW_MS, recordWeight, RECORD_MIN } from '@sextant/workers/src/signals/newsVote.ts';
import { sql } from 'kysely';
import type { MarketMode } from '../../config.ts';
import { databaseNowMs } from '../../platform/db/databaseNow.ts';
import type { SystemTx, UserTx } from '../../platform/db/scope.ts';
import { inRecord, type Outcome, OUTCOMES_MAX } from './outcomes.ts';
import { daysOf, readReplayedOutcomes, replayedAt, type ReplayedOutcome, replayedWeight } from './replayedOutcomes.ts';
import {
  judgeTimes,
  readSourceChecks,
  type SourceChecks,
  type SourceTimes,
  timesAt,
  trustedDelays,
} from './sourceTimes.ts';

/** The horizon for judging a source. */
export const RECORD_HORIZON_MINUTES = 60;

/** Track record of a source or keyword: market moves after its stories, compared with their direction. */
export interface NewsRecord {
  name: string;
  /** Judged stories with a measured move after 1 hour. */
  count: number;
  /** Stories whose move had the judged direction. */
  hitCount: number;
  /** Null below 30. */
  hitShare: number | null;
  /** Mean z in the judged direction; null below 30. */
  meanZ: number | null;
  /** Share of moves beyond 95 % of the usual ones, either way; null below 30. About 0.05 when the stories have no effect. */
  significantShare: number | null;
  isBelowMin: boolean;
  /** Weight of its stories in the news vote, 0 to 1. */
  weight: number;
}

interface Row {
  name: string;
  count: number;
  hits: number;
  mean_z: number;
  significant: number;
}

function toRecord({ name, count, hits, mean_z, significant }: Row): NewsRecord {
  const isBelowMin = count < RECORD_MIN;
  return {
    name,
    count,
    hitCount: hits,
    hitShare: isBelowMin ? null : hits / count,
    meanZ: isBelowMin ? null : mean_z,
    significantShare: isBelowMin ? null : significant / count,
    isBelowMin,
    weight: recordWeight(hits, count),
  };
}

/**
 * Only the first symbol of each story counts: moves of several symbols in one hour are not independent. Stories that were first seen when
 * they could no longer vote do not count.
 */
const measured = (mode: MarketMode) => sql`news n join news_reactions r
  on r.news_id = n.id and r.symbol = n.symbols[1] and r.horizon_minutes = ${RECORD_HORIZON_MINUTES}
  where n.market = ${mode} and n.kind = 'article' and n.sentiment <> 0 and ${inRecord}
    and n.first_seen_at - n.pub_date <= make_interval(secs => ${NEWS_WINDOW_MS / 1000})`;
const SIGNIFICANT_P = 0.05;
const figures = sql`count(*)::int as count,
  count(*) filter (where r.return_fraction * n.sentiment > 0)::int as hits,
  avg(r.z * sign(n.sentiment)) as mean_z,
  count(*) filter (where r.p <= ${SIGNIFICANT_P})::int as significant`;

/** Each story counts for the source that published it first. */
async function readLiveRecords(tx: UserTx, mode: MarketMode): Promise<NewsRecord[]> {
  const { rows } =
    await sql<Row>`select n.source as name, ${figures} from ${measured(mode)} group by n.source order by 2 desc, 1`.execute(
      tx,
    );
  return rows.map(toRecord);
}

/** Record of stories of an archive. */
export interface ReplayedRecord extends NewsRecord {
  /** Days (UTC) of its stories. */
  dayCount: number;
  /** Least and largest delay after the dates that its stories were measured with. */
  delaysMs: [number, number];
}

function replayedRecord(name: string, outcomes: readonly ReplayedOutcome[]): ReplayedRecord | null {
  if (outcomes.length === 0) return null;
  const count = outcomes.length;
  const delays = outcomes.map(({ delayMs }) => delayMs);
  return {
    ...toRecord({
      name,
      count,
      hits: outcomes.filter(({ isHit }) => isHit).length,
      mean_z: outcomes.reduce((sum, { z }) => sum + z, 0) / count,
      significant: outcomes.filter(({ p }) => p <= SIGNIFICANT_P).length,
    }),
    weight: replayedWeight(outcomes),
    dayCount: daysOf(outcomes),
    delaysMs: [delays.reduce((a, b) => Math.min(a, b)), delays.reduce((a, b) => Math.max(a, b))],
  };
}

/** A source with both of its records and the one that gives its weight in the vote. */
export interface SourceRow {
  live: NewsRecord;
  /** Null without replayed stories. */
  replayed: ReplayedRecord | null;
  weighingOrigin: 'live' | 'replayed';
  weight: number;
  times: SourceTimes;
}

/** Every source with stories, most live ones first. */
export async function readSourceTable(tx: UserTx, mode: MarketMode): Promise<SourceRow[]> {
  const nowMs = await databaseNowMs(tx);
  const checks = await readSourceChecks(tx, mode);
  const trusted = trustedDelays(checks, nowMs);
  const live = await readLiveRecords(tx, mode);
  const replays = Map.groupBy(await readReplayedOutcomes(tx, mode), ({ source }) => source);
  const known = new Set(live.map(({ name }) => name));
  const others = [...checks.keys()].filter((name) => !known.has(name)).sort();
  const rows = [...live, ...others.map((name) => toRecord({ name, count: 0, hits: 0, mean_z: 0, significant: 0 }))];
  return rows.map((record) => {
    const own = checks.get(record.name);
    const replayed = replayedRecord(
      record.name,
      replayedAt(replays.get(record.name) ?? [], record.name, trusted, nowMs),
    );
    const origin = weighingOrigin(record.count);
    const weight = (origin === 'live' ? record : replayed)?.weight ?? 0;
    const times = own === undefined ? judgeTimes([], false) : timesAt(own, nowMs);
    return { live: record, replayed, weighingOrigin: origin, weight, times };
  });
}

const KEYWORDS_MAX = 100;
export async function readKeywordRecords(tx: UserTx, mode: MarketMode): Promise<NewsRecord[]> {
  const { rows } = await sql<Row>`select k.name, ${figures}
    from (select n.id as kid, unnest(n.keywords) as name from news n) k, ${measured(mode)} and n.id = k.kid
    group by k.name order by 2 desc, 1 limit ${KEYWORDS_MAX}`.execute(tx);
  return rows.map(toRecord);
}

/** Outcomes of live stories, and of stories of archives with the checks of their dates; never summed. */
export interface Outcomes {
  live: Outcome[];
  replayed: ReplayedOutcome[];
  checks: ReadonlyMap<string, SourceChecks>;
}

/** The record that gives a source its weight: live stories once there are enough, before that replayed ones. */
export const weighingOrigin = (liveCount: number): SourceRow['weighingOrigin'] =>
  liveCount < RECORD_MIN ? 'replayed' : 'live';

export async function readOutcomes(tx: SystemTx, mode: MarketMode): Promise<Outcomes> {
  const { rows } = await sql<{ source: string; known_at: Date; is_hit: boolean }>`
    select n.source, r.known_at, r.return_fraction * n.sentiment > 0 as is_hit from ${measured(mode)}
    order by r.known_at desc limit ${OUTCOMES_MAX}`.execute(tx);
  return {
    live: rows.map(({ source, known_at, is_hit }) => ({ source, knownAtMs: known_at.getTime(), isHit: is_hit })),
    replayed: await readReplayedOutcomes(tx, mode),
    checks: await readSourceChecks(tx, mode),
  };
}
