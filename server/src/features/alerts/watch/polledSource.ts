import { HOUR_MS } from '@sextant/engine-as/abi/intervals.ts';
import { SERVER_PRICE_AGE_MS_MAX } from '@sextant/workers/src/core/limits.ts';
import { once } from '../../../platform/once.ts';
import type { AlertCondition, ConditionOf } from '@sextant/workers/src/alerts/conditions.ts';
import { liquidationDistancePct } from '@sextant/workers/src/alerts/recompute.ts';
import type { Engine } from '@sextant/workers/src/engine/engine.ts';
import { netAtBest } from '@sextant/workers/src/tasks/spread.ts';
import { sql } from 'kysely';
import type { MarketMode } from '../../../config.ts';
import { type Db, withSystem } from '../../../platform/db/scope.ts';
import { repeat } from '../../../platform/repeat.ts';
import { takerFeesOf } from '../../arbitrage/takerFees.ts';
import type { ExchangeId, Market, TopQuote } from '../../market/port.ts';
import type { ValueSink, ValueSource, WantedValue } from './source.ts';

const POLL_MS = 1000;
const ROWS_MS = 4000;
/** Largest difference of the timestamps of two best prices that make a spread. */
const SKEW_MS = 2000;
const TOP_AGE_MS = 5000;
/** A story is stored this long after it was read, at most. */
const LATE_COMMIT_MS = 60_000;

type Polled = ConditionOf<'spread'> | ConditionOf<'liquidation'> | ConditionOf<'news'>;
const isPolled = (condition: AlertCondition): condition is Polled =>
  condition.kind === 'spread' || condition.kind === 'liquidation' || condition.kind === 'news';

export interface PolledSourceDeps {
  db: Db;
  config: { market: MarketMode };
  market: Pick<Market, 'keep' | 'readQuote' | 'readTop'>;
  newEngine: () => Engine;
  sink: ValueSink;
}

interface Value {
  condition: Polled;
  sinceMs: number;
  /** Stories that were delivered, and the time of the newest one, epoch ms. */
  stories: Set<string>;
  storyMs: number;
  releases: (() => void)[];
}

interface Position {
  exchange: ExchangeId;
  symbol: string;
  liquidationPrice: number | null;
}

/** Spreads, distances to liquidation and news: values that are computed once a second, or read from the database. */
export function createPolledSource({ db, config, market, newEngine, sink }: PolledSourceDeps): ValueSource {
  const values = new Map<string, Value>();
  const positions = new Map<string, Position>();
  const kept = new Map<string, () => void>();
  const kernel = once(newEngine);
  let isClosed = false;
  let reading: Promise<unknown> = Promise.resolve();

  function readSpread(key: string, condition: ConditionOf<'spread'>): void {
    const { symbol, hold_hours: holdHours } = condition;
    const [buy, sell] = [condition.buy, condition.sell].map((exchange) =>
      market.readTop({ exchange, symbol, maxAgeMs: TOP_AGE_MS }),
    );
    if (buy == null || sell == null || Math.abs(buy.atMs - sell.atMs) > SKEW_MS) return;
    const fees = takerFeesOf();
    const atMs = Math.max(buy.atMs, sell.atMs);
    const leg = (exchange: ExchangeId, { fundingRate, nextFundingAtMs, fundingIntervalHours }: TopQuote) => ({
      takerFeeFraction: fees[exchange],
      fundingRate,
      hoursToFunding: nextFundingAtMs === null ? null : Math.max(0, nextFundingAtMs - atMs) / HOUR_MS,
      fundingIntervalHours,
    });
    const terms = { buy: leg(condition.buy, buy), sell: leg(condition.sell, sell), holdHours };
    const net = netAtBest(kernel(), { ask: buy.ask, bid: sell.bid, terms });
    kernel().raw.arenaReset();
    sink.value(key, net * 100, atMs, () => ({ kind: 'prices', buy_price: buy.ask, sell_price: sell.bid }));
  }

  function readDistance(key: string, { position_id: id }: ConditionOf<'liquidation'>): void {
    const position = positions.get(id);
    if (position === undefined || position.liquidationPrice === null) return;
    const { exchange, symbol, liquidationPrice } = position;
    const quote = market.readQuote({ exchange, symbol, maxAgeMs: SERVER_PRICE_AGE_MS_MAX });
    if (quote === null) return;
    const price = quote.mark ?? quote.last;
    const distance = liquidationDistancePct(price, liquidationPrice);
    sink.value(key, distance, quote.atMs, () => ({ kind: 'position', price, liquidation_price: liquidationPrice }));
  }

  function poll(): Promise<void> {
    for (const [key, { condition }] of values) {
      if (condition.kind === 'spread') readSpread(key, condition);
      if (condition.kind === 'liquidation') readDistance(key, condition);
    }
    return Promise.resolve();
  }

  async function readRows(): Promise<void> {
    await Promise.all([readPositions(), readStories()]);
  }

  async function readPositions(): Promise<void> {
    const wanted = [...values].flatMap(([key, { condition }]) =>
      condition.kind === 'liquidation' ? [{ key, id: condition.position_id }] : [],
    );
    if (wanted.length === 0) return;
    const ids = wanted.map(({ id }) => id);
    const { rows } = await withSystem(db, (tx) =>
      sql<{ id: string; exchange: string; symbol: string; liquidation: number | null; isOpen: boolean }>`
        select id, exchange, symbol, liquidation_approx::float8 as liquidation, closed_at is null as "isOpen" from positions
        where id = any (${ids}::uuid[])`.execute(tx),
    );
    if (isClosed) return;
    const byId = new Map(rows.map((row) => [row.id, row]));
    for (const { key, id } of wanted) {
      const row = byId.get(id);
      if (row?.isOpen !== true) {
        sink.stop(key, 'The position is closed.');
        continue;
      }
      const exchange = row.exchange as ExchangeId;
      positions.set(id, { exchange, symbol: row.symbol, liquidationPrice: row.liquidation });
      if (!kept.has(id)) kept.set(id, market.keep({ exchange, symbol: row.symbol, interval: '1m' }));
    }
  }

  async function readStories(): Promise<void> {
    const wanted = [...values].flatMap(([key, value]) =>
      value.condition.kind === 'news' ? [{ key, value, condition: value.condition }] : [],
    );
    if (wanted.length === 0) return;
    const since = new Date(Math.min(...wanted.map(({ value }) => value.storyMs)) - LATE_COMMIT_MS);
    const symbols = [...new Set(wanted.map(({ condition }) => condition.symbol))];
    const { rows } = await withSystem(db, (tx) =>
      sql<{ id: string; title: string; link: string; source: string; symbols: string[]; atMs: number; isHigh: boolean }>`
        select id, title, link, source, symbols, floor(extract(epoch from first_seen_at) * 1000)::float8 as "atMs", is_high_impact as "isHigh"
        from news where market = ${config.market} and id = story_id and first_seen_at > ${since} and symbols && ${symbols}::text[]
        order by first_seen_at, id limit 200`.execute(tx),
    );
    if (isClosed) return;
    for (const { id, title, link, source, symbols: about, atMs: seenMs, isHigh } of rows) {
      for (const { key, value, condition } of wanted) {
        if (seenMs <= value.sinceMs || value.stories.has(id)) continue;
        if (!about.includes(condition.symbol) || (condition.high_impact && !isHigh)) continue;
        value.stories.add(id);
        const atMs = Math.max(seenMs, value.storyMs);
        value.storyMs = atMs;
        sink.value(key, 1, atMs, () => ({ kind: 'story', title, link, source }));
        // Each story is an event: the next one fires again.
        sink.value(key, 0, atMs);
      }
    }
  }

  const stops = [
    repeat(POLL_MS, poll, sink.warn),
    repeat(ROWS_MS, () => (reading = readRows()), sink.warn),
  ];

  return {
    want({ key, condition, sinceMs }: WantedValue) {
      if (!isPolled(condition)) return;
      const releases =
        condition.kind === 'spread'
          ? [condition.buy, condition.sell].map((exchange) =>
              market.keep({ exchange, symbol: condition.symbol, interval: '1m' }),
            )
          : [];
      values.set(key, { condition, sinceMs, stories: new Set(), storyMs: sinceMs, releases });
    },
    drop(key) {
      const value = values.get(key);
      values.delete(key);
      for (const release of value?.releases ?? []) release();
      if (value?.condition.kind !== 'liquidation') return;
      const { position_id: id } = value.condition;
      kept.get(id)?.();
      kept.delete(id);
      positions.delete(id);
    },
    async close() {
      isClosed = true;
      for (const stop of stops) stop();
      await reading.catch(() => undefined);
      for (const { releases } of values.values()) for (const release of releases) release();
      for (const release of kept.values()) release();
    },
  };
}
