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
import { delistedText } from '../../history/describeEnd.ts';
import type { ExchangeId, Market, TopQuote } from '../../market/port.ts';
import type { ValueSink, ValueSource, WantedValue } from './source.ts';

const POLL_MS = 1000;
const ROWS_MS = 4000;
/** Largest difference of the timestamps of two best prices that make a spread. */
const SKEW_MS = 2000;
const TOP_AGE_MS = 5000;
/** A story is stored this long after it was read, at most. */
const LATE_COMMIT_MS = 60_000;
/** Stories of one query. */
const STORIES_AT_ONCE = 200;
const ZERO_ID = '00000000-0000-0000-0000-000000000000';

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
  /** Up to when stories were read, epoch ms, and those that may be read again. */
  readMs: number;
  stories: Map<string, number>;
  /** Time of the newest delivered story, epoch ms. */
  storyMs: number;
  releases: (() => void)[];
}

interface Position {
  exchange: ExchangeId;
  symbol: string;
  liquidationPrice: number | null;
}

interface PositionRow {
  id: string;
  exchange: ExchangeId;
  symbol: string;
  liquidation: number | null;
  isOpen: boolean;
  /** UTC day on which it was settled because its contract ended. */
  delistedOn: string | null;
}

const closedText = (row: PositionRow | undefined): string =>
  row?.delistedOn == null ? 'The position is closed.' : delistedText(row, row.delistedOn);

interface Story {
  id: string;
  title: string;
  link: string;
  source: string;
  symbols: string[];
  atMs: number;
  /** The same time as the database has it. */
  at: string;
  isHigh: boolean;
}

/** Spreads, distances to liquidation and news: values that are computed once a second, or read from the database. */
export class PolledSource implements ValueSource {
  readonly #deps: PolledSourceDeps;
  readonly #values = new Map<string, Value>();
  readonly #positions = new Map<string, Position>();
  readonly #kernel: () => Engine;
  readonly #stops: (() => void)[];
  #isClosed = false;
  #reading: Promise<unknown> = Promise.resolve();

  constructor(deps: PolledSourceDeps) {
    this.#deps = deps;
    this.#kernel = once(deps.newEngine);
    const { warn } = deps.sink;
    this.#stops = [
      repeat(POLL_MS, () => this.#poll(), warn),
      repeat(ROWS_MS, () => (this.#reading = this.#readRows()), warn),
    ];
  }

  want({ key, condition, sinceMs }: WantedValue): void {
    if (!isPolled(condition)) return;
    const { market } = this.#deps;
    const exchanges = condition.kind === 'spread' ? [condition.buy, condition.sell] : [];
    const symbol = condition.kind === 'spread' ? condition.symbol : '';
    const releases = exchanges.map((exchange) => market.keep({ exchange, symbol, interval: '1m' }));
    const news = { readMs: sinceMs, stories: new Map<string, number>(), storyMs: sinceMs };
    this.#values.set(key, { condition, sinceMs, ...news, releases });
  }

  drop(key: string): void {
    const value = this.#values.get(key);
    if (value === undefined) return;
    this.#values.delete(key);
    for (const release of value.releases) release();
    if (value.condition.kind === 'liquidation') this.#positions.delete(value.condition.position_id);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const stop of this.#stops) stop();
    await this.#reading.catch(() => undefined);
    for (const { releases } of this.#values.values()) for (const release of releases) release();
    this.#values.clear();
  }

  #poll(): Promise<void> {
    for (const [key, { condition }] of this.#values) {
      if (condition.kind === 'spread') this.#readSpread(key, condition);
      if (condition.kind === 'liquidation') this.#readDistance(key, condition);
    }
    return Promise.resolve();
  }

  #readSpread(key: string, condition: ConditionOf<'spread'>): void {
    const { market, sink } = this.#deps;
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
    const kernel = this.#kernel();
    const net = netAtBest(kernel, { ask: buy.ask, bid: sell.bid, terms });
    kernel.raw.arenaReset();
    sink.value(key, net * 100, atMs, () => ({ kind: 'prices', buy_price: buy.ask, sell_price: sell.bid }));
  }

  #readDistance(key: string, { position_id: id }: ConditionOf<'liquidation'>): void {
    const position = this.#positions.get(id);
    if (position === undefined || position.liquidationPrice === null) return;
    const { exchange, symbol, liquidationPrice } = position;
    const quote = this.#deps.market.readQuote({ exchange, symbol, maxAgeMs: SERVER_PRICE_AGE_MS_MAX });
    if (quote === null) return;
    const price = quote.mark ?? quote.last;
    const distance = liquidationDistancePct(price, liquidationPrice);
    this.#deps.sink.value(key, distance, quote.atMs, () => ({
      kind: 'position',
      price,
      liquidation_price: liquidationPrice,
    }));
  }

  async #readRows(): Promise<void> {
    await this.#readPositions();
    await this.#readStories();
  }

  async #readPositions(): Promise<void> {
    const wanted = [...this.#values].flatMap(([key, value]) =>
      value.condition.kind === 'liquidation' ? [{ key, value, id: value.condition.position_id }] : [],
    );
    if (wanted.length === 0) return;
    const { db, market, sink } = this.#deps;
    const ids = wanted.map(({ id }) => id);
    const { rows } = await withSystem(db, (tx) =>
      sql<PositionRow>`
        select id, exchange, symbol, liquidation_approx::float8 as liquidation, closed_at is null as "isOpen",
          case when close_reason = 'DELISTED' then to_char(closed_at at time zone 'UTC', 'YYYY-MM-DD') end as "delistedOn" from positions
        where id = any (${ids}::uuid[])`.execute(tx),
    );
    if (this.#isClosed) return;
    const byId = new Map(rows.map((row) => [row.id, row]));
    for (const { key, value, id } of wanted) {
      const row = byId.get(id);
      if (row?.isOpen !== true) {
        sink.stop(key, closedText(row));
        continue;
      }
      const { exchange, symbol } = row;
      this.#positions.set(id, { exchange, symbol, liquidationPrice: row.liquidation });
      if (value.releases.length === 0) value.releases.push(market.keep({ exchange, symbol, interval: '1m' }));
    }
  }

  /** Reads on from the last round for all values, whether or not a story was about one: a quiet symbol holds back no other. */
  async #readStories(): Promise<void> {
    const wanted = [...this.#values].flatMap(([key, value]) =>
      value.condition.kind === 'news' ? [{ key, value, condition: value.condition }] : [],
    );
    if (wanted.length === 0) return;
    const newestMs = await this.#newestStoryMs();
    const bySymbol = Map.groupBy(wanted, ({ condition }) => condition.symbol);
    const fromMs = Math.min(...wanted.map(({ value }) => value.readMs)) - LATE_COMMIT_MS;
    let after = { atMs: fromMs, at: new Date(fromMs).toISOString(), id: ZERO_ID };
    for (let count = STORIES_AT_ONCE; count === STORIES_AT_ONCE;) {
      const stories = await this.#storiesAfter(after, [...bySymbol.keys()]);
      if (this.#isClosed) return;
      for (const story of stories)
        for (const symbol of story.symbols)
          for (const { key, value, condition } of bySymbol.get(symbol) ?? [])
            if (this.#values.get(key) === value) this.#takeStory(key, value, condition, story);
      after = stories.at(-1) ?? after;
      count = stories.length;
    }
    for (const { value } of wanted) markRead(value, Math.max(after.atMs, newestMs));
  }

  /** Newest time of all stories: what is stored later is newer, or late. */
  async #newestStoryMs(): Promise<number> {
    const { db, config } = this.#deps;
    const { rows } = await withSystem(db, (tx) =>
      sql<{ atMs: number | null }>`
        select floor(extract(epoch from max(first_seen_at)) * 1000)::float8 as "atMs" from news
        where market = ${config.market}`.execute(tx),
    );
    return rows[0]?.atMs ?? 0;
  }

  /** In the order of their time and id. @param after time with microseconds, and id, of the last one before */
  async #storiesAfter({ at, id }: Pick<Story, 'at' | 'id'>, symbols: readonly string[]): Promise<Story[]> {
    const { db, config } = this.#deps;
    const { rows } = await withSystem(db, (tx) =>
      sql<Story>`
        select id, title, link, source, symbols, floor(extract(epoch from first_seen_at) * 1000)::float8 as "atMs",
          first_seen_at::text as at, is_high_impact as "isHigh"
        from news where market = ${config.market} and id = story_id and (first_seen_at, id) > (${at}::timestamptz, ${id}::uuid)
          and symbols && ${[...symbols]}::text[]
        order by first_seen_at, id limit ${STORIES_AT_ONCE}`.execute(tx),
    );
    return rows;
  }

  #takeStory(key: string, value: Value, condition: ConditionOf<'news'>, story: Story): void {
    const { id, title, link, source, atMs: seenMs, isHigh } = story;
    if (seenMs <= value.sinceMs || value.stories.has(id)) return;
    if (condition.high_impact && !isHigh) return;
    value.stories.set(id, seenMs);
    const atMs = Math.max(seenMs, value.storyMs);
    value.storyMs = atMs;
    const { sink } = this.#deps;
    sink.value(key, 1, atMs, () => ({ kind: 'story', title, link, source }));
    // Each story is an event: the next one fires again.
    sink.value(key, 0, atMs);
  }
}

/** Later reads start a while before, for stories that were stored late; earlier ones are forgotten. */
function markRead(value: Value, readMs: number): void {
  value.readMs = Math.max(value.readMs, readMs);
  for (const [id, seenMs] of value.stories) if (seenMs < value.readMs - LATE_COMMIT_MS) value.stories.delete(id);
}
