import { HOUR_MS } from '@sextant/engine-as/abi/intervals.ts';
import { sql } from 'kysely';
import type { MarketMode } from '../../../config.ts';
import type { SystemTx } from '../../../platform/db/scope.ts';
import { notifyUser } from '../../../platform/events/notify.ts';
import { queueNotification } from '../../notifications/queueNotification.ts';
import type { ExchangeId } from '../../market/port.ts';
import type { Settled } from '../readFunding.ts';
import type { FinishedEpisode } from './episodes.ts';
import { EPISODE_DAYS, EPISODES_AN_HOUR, SPREAD_DAYS } from './limits.ts';
import type { Gathered } from './sampler.ts';
import type { Crossing } from './watchLevels.ts';

const dayMs = 24 * HOUR_MS;
const dayOf = (atMs: number): number => Math.floor(atMs / dayMs) * dayMs;
const ROWS_AT_ONCE = 500;

/** Stores the data of a sampler. Episodes beyond the hourly limit are only counted. */
export async function storeGathered(
  tx: SystemTx,
  market: MarketMode,
  { episodes, rows, sampledS }: Gathered,
): Promise<void> {
  const days = new Map([...sampledS].map(([day, seconds]) => [day, { seconds, stored: 0, notStored: 0 }]));
  const counted = (atMs: number) => {
    const day = dayOf(atMs);
    const known = days.get(day) ?? { seconds: 0, stored: 0, notStored: 0 };
    days.set(day, known);
    return known;
  };
  for (const [startMs, ofHour] of Map.groupBy(
    episodes,
    ({ startedAtMs }) => Math.floor(startedAtMs / HOUR_MS) * HOUR_MS,
  )) {
    const room = Math.max(0, EPISODES_AN_HOUR - (await countEpisodes(tx, market, startMs)));
    await insertEpisodes(tx, market, ofHour.slice(0, room));
    counted(startMs).stored += Math.min(room, ofHour.length);
    counted(startMs).notStored += Math.max(0, ofHour.length - room);
  }
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
    const values = rows.slice(from, from + ROWS_AT_ONCE).map(({ coin, atMs, minutes }) => ({
      market,
      symbol: `${coin}USDT`,
      at: new Date(atMs),
      minutes,
    }));
    await tx
      .insertInto('arbitrage_spreads')
      .values(values)
      // A previous leader may have stored these minutes.
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  for (const [day, { seconds, stored, notStored }] of days) {
    await sql`
      insert into arbitrage_days (market, day, sampled_s, episodes, not_stored)
      values (${market}, ${new Date(day)}, ${seconds}, ${stored}, ${notStored})
      on conflict (market, day) do update set sampled_s = arbitrage_days.sampled_s + excluded.sampled_s,
        episodes = arbitrage_days.episodes + excluded.episodes,
        not_stored = arbitrage_days.not_stored + excluded.not_stored`.execute(tx);
  }
}

async function countEpisodes(tx: SystemTx, market: MarketMode, hourStartMs: number): Promise<number> {
  const { count } = await tx
    .selectFrom('arbitrage_episodes')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('market', '=', market)
    .where('started_at', '>=', new Date(hourStartMs))
    .where('started_at', '<', new Date(hourStartMs + HOUR_MS))
    .executeTakeFirstOrThrow();
  return Number(count);
}

async function insertEpisodes(tx: SystemTx, market: MarketMode, episodes: readonly FinishedEpisode[]): Promise<void> {
  if (episodes.length === 0) return;
  const values = episodes.map((episode) => ({
    market,
    symbol: `${episode.coin}USDT`,
    buy: episode.buy,
    sell: episode.sell,
    started_at: new Date(episode.startedAtMs),
    lifetime_s: episode.lifetimeS,
    followed_s: episode.followedS,
    net_pct: episode.netPct,
    peak_pct: episode.peakPct,
    left_1s: episode.left[0],
    left_5s: episode.left[1],
    left_30s: episode.left[2],
  }));
  await tx.insertInto('arbitrage_episodes').values(values).execute();
}

export async function deleteOldSamples(tx: SystemTx, nowMs: number): Promise<void> {
  await tx
    .deleteFrom('arbitrage_episodes')
    .where('started_at', '<', new Date(nowMs - EPISODE_DAYS * dayMs))
    .execute();
  await tx
    .deleteFrom('arbitrage_spreads')
    .where('at', '<', new Date(nowMs - SPREAD_DAYS * dayMs))
    .execute();
  await tx
    .deleteFrom('arbitrage_days')
    .where('day', '<', new Date(nowMs - (EPISODE_DAYS + 1) * dayMs))
    .execute();
}

/** Stores crossings and notifies the owner's pages and targets of each upward one in the same transaction. */
export async function storeCrossings(tx: SystemTx, crossings: readonly Crossing[]): Promise<void> {
  for (const crossing of crossings) {
    const { watch } = crossing;
    const row = await tx
      .updateTable('arbitrage_watches')
      .set(
        crossing.isAbove
          ? { is_above: true, crossings: sql<number>`crossings + 1`, last_crossed_at: sql<Date>`now()` }
          : { is_above: false },
      )
      .where('id', '=', watch.id)
      .where('is_above', '=', !crossing.isAbove)
      .returning('crossings')
      .executeTakeFirst();
    // The watch was removed meanwhile.
    if (row === undefined) continue;
    await notifyUser(tx, watch.userId, 'arbitrage', { change: 'watches' });
    if (!crossing.isAbove) continue;
    await queueNotification(tx, watch.userId, 'arbitrage_spread', {
      watch_id: watch.id,
      crossing: row.crossings,
      symbol: watch.symbol,
      buy: watch.buy,
      sell: watch.sell,
      buy_price: crossing.buyPrice,
      sell_price: crossing.sellPrice,
      net_pct: crossing.netPct,
      level_pct: watch.netPct,
    });
  }
}

/** When the settlements of a contract were last fetched, by `symbol exchange`, epoch ms. */
export async function readSettledTimes(tx: SystemTx, market: MarketMode): Promise<Map<string, number>> {
  const rows = await tx
    .selectFrom('arbitrage_fundings')
    .select(['symbol', 'exchange', 'read_at'])
    .where('market', '=', market)
    .execute();
  return new Map(rows.map(({ symbol, exchange, read_at: at }) => [`${symbol} ${exchange}`, at.getTime()]));
}

export async function storeSettlements(
  tx: SystemTx,
  market: MarketMode,
  {
    symbol,
    exchange,
    settled,
    nowMs,
  }: { symbol: string; exchange: ExchangeId; settled: readonly Settled[]; nowMs: number },
): Promise<void> {
  const times = settled.map(({ atMs }) => new Date(atMs));
  const rates = settled.map(({ rate }) => rate);
  const values = { times, rates, read_at: new Date(nowMs) };
  await tx
    .insertInto('arbitrage_fundings')
    .values({ market, symbol, exchange, ...values })
    .onConflict((conflict) => conflict.columns(['market', 'symbol', 'exchange']).doUpdateSet(values))
    .execute();
}
