import { intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import { sql } from 'kysely';
import type { MarketMode } from '../../config.ts';
import { type Db, type SystemTx, withSystem } from '../../platform/db/scope.ts';
import type { Interval, Market } from '../market/port.ts';
import { inBackground } from '../../platform/readPriority.ts';
import { HORIZON_CANDLES, type VisionResult } from './contract.ts';
import type { ViewCount } from './decideView.ts';

/** Views of charts that are due, and their outcomes. Rows cover all users, so only counts of them leave this file. */

/** Older patterns were over when the view was given. */
const FRESH_CANDLES = 3;

interface CachedRecords {
  analysisId: string;
  userId: string;
  market: MarketMode;
}

/** Stores the views with a direction. Those of an old picture are not stored: its future could be known. */
export async function keepViews(tx: SystemTx, of: CachedRecords, result: VisionResult): Promise<void> {
  const { symbol, timeframe, grounding, candles } = result;
  const candleAtMs = candles?.time?.at(-1);
  const price = candles?.close.at(-1);
  if (grounding?.state !== 'verified' || !grounding.is_current || symbol === null || timeframe === null) return;
  if (candles === null || candleAtMs === undefined || price === undefined) return;
  const patterns = result.patterns
    .filter(({ index, direction }) => direction !== 'neutral' && index >= candles.close.length - FRESH_CANDLES)
    .map(({ id, direction }) => `${id}:${direction}`);
  const step = intervalMs[timeframe as Interval];
  const rows = result.views.flatMap(({ by, model, direction, sentiment }) =>
    direction === 'NEUTRAL'
      ? []
      : [
          {
            user_id: of.userId,
            analysis_id: of.analysisId,
            market: of.market,
            viewed_by: by,
            model,
            symbol,
            interval: timeframe,
            direction,
            sentiment,
            patterns,
            candle_at: new Date(candleAtMs),
            close_price: price,
            due_at: new Date(candleAtMs + (HORIZON_CANDLES + 1) * step),
          },
        ],
  );
  if (rows.length > 0) await tx.insertInto('vision_views').values(rows).execute();
}

/** A view that could not be judged for this long is given up. */
const GIVE_UP = sql`interval '14 days'`;
const DUE_MAX = 200;

export interface GradeDeps {
  db: Db;
  market: Market;
  config: { market: MarketMode };
  now?: () => number;
}

interface DueRow {
  symbol: string;
  interval: Interval;
  due_at: Date;
}

/** One round: reads the close that judges each due view. Returns how many views were judged. */
export async function gradeViews({ db, market, config, now = Date.now }: GradeDeps): Promise<number> {
  const at = new Date(now());
  const { rows } = await withSystem(db, (tx) =>
    sql<DueRow>`select distinct symbol, interval, due_at from vision_views
      where graded_at is null and market = ${config.market} and due_at <= ${at} and due_at > ${at}::timestamptz - ${GIVE_UP}
      order by due_at limit ${DUE_MAX}`.execute(tx),
  );
  let gradedCount = 0;
  // Sequential, to leave the exchange's limits to users' requests.
  for (const { symbol, interval, due_at: dueAt } of rows) {
    const endTimeMs = dueAt.getTime();
    const outcome = await inBackground(() => market.candles({ symbol, interval, limit: 2, endTimeMs }));
    if (!outcome.ok) continue;
    const { time, close } = outcome.value.value.candles;
    const price = close[time.indexOf(endTimeMs - intervalMs[interval])];
    if (price === undefined) continue;
    const done = await withSystem(db, (tx) =>
      tx
        .updateTable('vision_views')
        .set({ graded_at: at, later_price: price })
        .where('graded_at', 'is', null)
        .where('market', '=', config.market)
        .where('symbol', '=', symbol)
        .where('interval', '=', interval)
        .where('due_at', '=', dueAt)
        .executeTakeFirst(),
    );
    gradedCount += Number(done.numUpdatedRows);
  }
  return gradedCount;
}

/** Judged views of the installation, counted by kind, model and interval. */
export async function readViewCounts(tx: SystemTx, market: MarketMode): Promise<ViewCount[]> {
  const { rows } = await sql<ViewCount>`
    select viewed_by as by, model, interval, count(*)::int as count,
      (count(*) filter (where case direction when 'LONG' then later_price > close_price else later_price < close_price end))::int
        as "rightCount",
      (count(*) filter (where direction = 'LONG'))::int as "longCount",
      (count(*) filter (where later_price > close_price))::int as "roseCount"
    from (select distinct on (viewed_by, model, symbol, interval, candle_at, direction) * from vision_views
      where market = ${market} and graded_at is not null
      order by viewed_by, model, symbol, interval, candle_at, direction, created_at) as views
    group by viewed_by, model, interval order by viewed_by, model, interval`.execute(tx);
  return rows;
}

export interface FollowedCount {
  name: string;
  direction: 'bullish' | 'bearish';
  count: number;
  rightCount: number;
}

/** Hit rate of each pattern (`name` is its id) and of each sentiment (`name` is `sentiment`), over all users. */
export async function readFollowed(tx: SystemTx, market: MarketMode): Promise<FollowedCount[]> {
  const { rows } = await sql<FollowedCount>`
    select name, direction, count(*)::int as count,
      (count(*) filter (where case direction when 'bullish' then later_price > close_price else later_price < close_price end))::int
        as "rightCount"
    from (
      select distinct symbol, interval, candle_at, close_price, later_price, split_part(said, ':', 1) as name, split_part(said, ':', 2) as direction
      from vision_views, unnest(patterns || case when sentiment is null then '{}' else array['sentiment:' || sentiment] end) as said
      where market = ${market} and graded_at is not null and viewed_by = 'rules'
    ) as views
    group by name, direction order by count desc, name, direction`.execute(tx);
  return rows;
}
