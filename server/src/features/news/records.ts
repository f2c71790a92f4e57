import { NEWS_WINDOW_MS, recordWeight, RECORD_MIN } from '@sextant/workers/src/signals/newsVote.ts';
import { sql } from 'kysely';
import type { MarketMode } from '../../config.ts';
import type { SystemTx, UserTx } from '../../platform/db/scope.ts';

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

/** Each story counts for the source that published it first. */
export async function readSourceRecords(tx: UserTx, mode: MarketMode): Promise<NewsRecord[]> {
  const { rows } = await sql<Row>`select n.source as name, ${figures} from ${measured(mode)}
    group by n.source order by 2 desc, 1`.execute(tx);
  return rows.map(toRecord);
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

const RECORD_DAYS = 180;
const OUTCOMES_MAX = 50_000;
export async function readOutcomes(tx: SystemTx, mode: MarketMode): Promise<Outcome[]> {
  const { rows } = await sql<{ source: string; known_at: Date; is_hit: boolean }>`
    select n.source, r.known_at, r.return_fraction * n.sentiment > 0 as is_hit from ${measured(mode)}
      and r.known_at > now() - make_interval(days => ${RECORD_DAYS}) order by r.known_at desc limit ${OUTCOMES_MAX}`.execute(
    tx,
  );
  return rows.map(({ source, known_at, is_hit }) => ({ source, knownAtMs: known_at.getTime(), isHit: is_hit }));
}
