import { NEWS_WINDOW_MS, recordWeight, RECORD_MIN } from '@sextant/workers/src/signals/newsVote.ts';
import { type RawBuilder, sql } from 'kysely';
import type { MarketMode } from '../../config.ts';
import type { SystemTx, UserTx } from '../../platform/db/scope.ts';
import { judgeTimes, readSourceTimes, type SourceTimes, trustedOf } from './sourceTimes.ts';

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
  where n.market = ${mode} and n.kind = 'article' and n.sentiment <> 0
    and n.first_seen_at - n.pub_date <= make_interval(secs => ${NEWS_WINDOW_MS / 1000})`;
const figures = sql`count(*)::int as count,
  count(*) filter (where r.return_fraction * n.sentiment > 0)::int as hits,
  avg(r.z * sign(n.sentiment)) as mean_z,
  count(*) filter (where r.p <= 0.05)::int as significant`;

/** The same of stories from the archives of trusted sources, measured as of their dates. */
const replayed = (mode: MarketMode, trusted: readonly string[]) => sql`news n join news_replays r on r.news_id = n.id
  where n.market = ${mode} and n.source = any (${[...trusted]}::text[])`;

/** Each story counts for the source that published it first. */
async function readRecordsOf(tx: UserTx, of: RawBuilder<unknown>): Promise<NewsRecord[]> {
  const { rows } =
    await sql<Row>`select n.source as name, ${figures} from ${of} group by n.source order by 2 desc, 1`.execute(tx);
  return rows.map(toRecord);
}

/** A source with both of its records and the one that gives its weight in the vote. */
export interface SourceRow {
  live: NewsRecord;
  /** Null without replayed stories. */
  replayed: NewsRecord | null;
  weighingOrigin: keyof Outcomes;
  weight: number;
  times: SourceTimes;
}

/** Every source with stories of the last 30 days or a record, most live stories first. */
export async function readSourceTable(tx: UserTx, mode: MarketMode): Promise<SourceRow[]> {
  const times = await readSourceTimes(tx, mode);
  const trusted = [...trustedOf(times).keys()];
  const live = await readRecordsOf(tx, measured(mode));
  const replays = new Map((await readRecordsOf(tx, replayed(mode, trusted))).map((record) => [record.name, record]));
  const known = new Set(live.map(({ name }) => name));
  const others = [...times.keys()].filter((name) => !known.has(name)).sort();
  const rows = [...live, ...others.map((name) => toRecord({ name, count: 0, hits: 0, mean_z: 0, significant: 0 }))];
  return rows.map((record) => {
    const replay = replays.get(record.name) ?? null;
    const origin = weighingOrigin(record.count);
    const weight = (origin === 'live' ? record : replay)?.weight ?? 0;
    const ownTimes = times.get(record.name) ?? judgeTimes([], false);
    return { live: record, replayed: replay, weighingOrigin: origin, weight, times: ownTimes };
  });
}

const KEYWORDS_MAX = 100;
export async function readKeywordRecords(tx: UserTx, mode: MarketMode): Promise<NewsRecord[]> {
  const { rows } = await sql<Row>`select k.name, ${figures}
    from (select n.id as kid, unnest(n.keywords) as name from news n) k, ${measured(mode)} and n.id = k.kid
    group by k.name order by 2 desc, 1 limit ${KEYWORDS_MAX}`.execute(tx);
  return rows.map(toRecord);
}

/** One judged story of a source with its measured outcome. */
export interface Outcome {
  source: string;
  knownAtMs: number;
  isHit: boolean;
}

/** Outcomes of live stories, and of stories of archives; never summed. */
export interface Outcomes {
  live: Outcome[];
  replayed: Outcome[];
}

/** The record that gives a source its weight: live stories once there are enough, before that replayed ones. */
export const weighingOrigin = (liveCount: number): keyof Outcomes => (liveCount < RECORD_MIN ? 'replayed' : 'live');

const RECORD_DAYS = 180;
const OUTCOMES_MAX = 50_000;
export async function readOutcomes(tx: SystemTx, mode: MarketMode): Promise<Outcomes> {
  const trusted = [...trustedOf(await readSourceTimes(tx, mode)).keys()];
  const read = async (of: RawBuilder<unknown>): Promise<Outcome[]> => {
    const { rows } = await sql<{ source: string; known_at: Date; is_hit: boolean }>`
      select n.source, r.known_at, r.return_fraction * n.sentiment > 0 as is_hit from ${of}
        and r.known_at > now() - make_interval(days => ${RECORD_DAYS}) order by r.known_at desc limit ${OUTCOMES_MAX}`.execute(
      tx,
    );
    return rows.map(({ source, known_at, is_hit }) => ({ source, knownAtMs: known_at.getTime(), isHit: is_hit }));
  };
  return { live: await read(measured(mode)), replayed: await read(replayed(mode, trusted)) };
}
