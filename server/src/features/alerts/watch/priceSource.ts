import { MINUTE_MS } from '@sextant/engine-as/abi/intervals.ts';
import type { ConditionOf } from '@sextant/workers/src/alerts/conditions.ts';
import { changePct, directedChange } from '@sextant/workers/src/alerts/recompute.ts';
import type { ClosedBar, ExchangeId, LiveQuote, Market } from '../../market/port.ts';
import type { ValueSink, ValueSource, WantedValue } from './source.ts';

/** A candle that is missing this long after its close is fetched. */
const OVERDUE_MS = 8000;
const CHECK_MS = 4000;
const RETRY_MS_MAX = 2 * MINUTE_MS;
const PAGE = 1000;
/** Longest downtime whose minutes are judged afterwards. */
const GAP_MS_MAX = 7 * 24 * 60 * MINUTE_MS;

interface Series {
  exchange: ExchangeId;
  symbol: string;
  /** Values that this series serves. */
  price: string | undefined;
  funding: string | undefined;
  changes: Map<string, ConditionOf<'change'>>;
  /** Closes of the last minutes by their open, for changes. */
  closes: Map<number, number>;
  /** Open of the next minute to judge; earlier ones are judged. */
  nextMs: number;
  lastTickMs: number;
  /** The minutes before the first tick are judged: ticks count. */
  isReady: boolean;
  filling: Promise<void> | undefined;
  /** A candle arrived while the fill ran, which may not have seen it. */
  isFillDue: boolean;
  /** Fetches since the last candle that arrived, and when the next one is due, epoch ms. */
  tries: number;
  retryAtMs: number;
  release: () => void;
}

export interface PriceSourceDeps {
  market: Pick<Market, 'onPrice' | 'onCandle' | 'keep' | 'candles'>;
  sink: ValueSink;
  /** Open of the next minute to judge, by `exchange symbol`, as stored. */
  watermarks: ReadonlyMap<string, number>;
}

const minuteBefore = (ms: number): number => Math.floor(ms / MINUTE_MS) * MINUTE_MS;

const longestOf = ({ changes }: Series): number => Math.max(0, ...[...changes.values()].map(({ minutes }) => minutes));

/**
 * Last prices, their changes over minutes, and funding rates, from the streams. Minutes that no tick showed, such as those of a downtime,
 * are judged by their candles.
 */
export class PriceSource implements ValueSource {
  readonly #deps: PriceSourceDeps;
  readonly #all = new Map<string, Series>();
  readonly #byKey = new Map<string, Series>();
  readonly #advanced = new Set<Series>();
  readonly #stops: (() => void)[];
  readonly #timer: NodeJS.Timeout;
  #isClosed = false;

  constructor(deps: PriceSourceDeps) {
    this.#deps = deps;
    const { market } = deps;
    this.#stops = [
      market.onPrice((exchange, quote) => this.#onPrice(exchange, quote)),
      market.onCandle((exchange, bar) => this.#onCandle(exchange, bar)),
    ];
    this.#timer = setInterval(() => this.#check(), CHECK_MS);
  }

  want({ key, condition, sinceMs }: WantedValue): void {
    if (condition.kind !== 'price' && condition.kind !== 'funding' && condition.kind !== 'change') return;
    const series = this.#open(condition, sinceMs);
    this.#byKey.set(key, series);
    if (condition.kind === 'price') series.price = key;
    if (condition.kind === 'funding') series.funding = key;
    if (condition.kind === 'change') {
      series.changes.set(key, condition);
      // Its history may reach further back than what is there.
      series.isReady = false;
    }
    if (!series.isReady) this.#startFill(series);
  }

  drop(key: string): void {
    const series = this.#byKey.get(key);
    if (series === undefined) return;
    this.#byKey.delete(key);
    if (series.price === key) series.price = undefined;
    if (series.funding === key) series.funding = undefined;
    series.changes.delete(key);
    if (series.price !== undefined || series.funding !== undefined || series.changes.size > 0) return;
    series.release();
    this.#all.delete(`${series.exchange} ${series.symbol}`);
  }

  /** Watermarks that advanced since the last call. */
  takeMarks(): { exchange: string; symbol: string; next_ms: number }[] {
    const marks = [...this.#advanced].map(({ exchange, symbol, nextMs }) => ({ exchange, symbol, next_ms: nextMs }));
    this.#advanced.clear();
    return marks;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    for (const stop of this.#stops) stop();
    for (const { filling } of this.#all.values()) await filling;
    for (const { release } of this.#all.values()) release();
    this.#all.clear();
  }

  #open({ exchange, symbol }: { exchange: ExchangeId; symbol: string }, sinceMs: number): Series {
    const { market, watermarks } = this.#deps;
    const place = `${exchange} ${symbol}`;
    const known = this.#all.get(place);
    if (known !== undefined) return known;
    const series: Series = {
      exchange,
      symbol,
      price: undefined,
      funding: undefined,
      changes: new Map(),
      closes: new Map(),
      nextMs: Math.max(watermarks.get(place) ?? 0, minuteBefore(sinceMs)),
      lastTickMs: 0,
      isReady: false,
      filling: undefined,
      isFillDue: false,
      tries: 0,
      retryAtMs: 0,
      release: market.keep({ exchange, symbol, interval: '1m' }),
    };
    this.#all.set(place, series);
    return series;
  }

  #takeBar(series: Series, bar: Pick<ClosedBar, 'time' | 'high' | 'low' | 'close'>): void {
    series.closes.set(bar.time, bar.close);
    if (bar.time < series.nextMs) return;
    series.nextMs = bar.time + MINUTE_MS;
    series.tries = 0;
    this.#advanced.add(series);
    if (series.price !== undefined) this.#deps.sink.candle(series.price, bar.time, bar.time + MINUTE_MS, bar);
  }

  /** Judges the minutes from the next one until now, oldest first. */
  async #fill(series: Series): Promise<void> {
    const endMs = minuteBefore(Math.max(series.lastTickMs, Date.now()));
    const longest = longestOf(series);
    const historyMs = longest === 0 ? endMs : endMs - (longest + 2) * MINUTE_MS;
    const firstMs = Math.max(endMs - GAP_MS_MAX, Math.min(series.nextMs, historyMs));
    for (let fromMs = firstMs; fromMs < endMs; fromMs += PAGE * MINUTE_MS) {
      const isRead = await this.#fillPage(series, fromMs, Math.min(endMs, fromMs + PAGE * MINUTE_MS));
      if (!isRead) return;
    }
    series.isReady = true;
    this.#prune(series);
  }

  /** False when the candles could not be read, or the source is closed. */
  async #fillPage(series: Series, fromMs: number, untilMs: number): Promise<boolean> {
    const { exchange, symbol } = series;
    const limit = Math.round((untilMs - fromMs) / MINUTE_MS);
    const { market } = this.#deps;
    const response = await market.candles({ exchange, symbol, interval: '1m', limit, endTimeMs: untilMs });
    if (!response.ok || this.#isClosed) return false;
    const { time, high, low, close } = response.value.value.candles;
    for (let i = 0; i < time.length; i++) {
      const bar = { time: time[i] ?? 0, high: high[i] ?? 0, low: low[i] ?? 0, close: close[i] ?? 0 };
      if (bar.time >= fromMs) this.#takeBar(series, bar);
    }
    return true;
  }

  #startFill(series: Series): void {
    if (series.filling !== undefined) {
      series.isFillDue = true;
      return;
    }
    series.isFillDue = false;
    // A halted symbol has no candles: it is fetched less and less often.
    series.retryAtMs = Date.now() + Math.min(RETRY_MS_MAX, CHECK_MS * 2 ** series.tries);
    series.tries += 1;
    series.filling = this.#fill(series)
      .catch(this.#deps.sink.warn)
      .finally(() => {
        series.filling = undefined;
        if (series.isFillDue && !this.#isClosed) this.#startFill(series);
      });
  }

  #prune(series: Series): void {
    const oldestMs = minuteBefore(series.lastTickMs || Date.now()) - (longestOf(series) + 5) * MINUTE_MS;
    for (const openMs of series.closes.keys()) if (openMs < oldestMs) series.closes.delete(openMs);
  }

  #onPrice(exchange: ExchangeId, { symbol, last, atMs, fundingRate }: LiveQuote): void {
    const series = this.#all.get(`${exchange} ${symbol}`);
    if (series === undefined || atMs < series.lastTickMs) return;
    series.lastTickMs = atMs;
    // The candles before it are judged first.
    if (!series.isReady) return;
    const { sink } = this.#deps;
    if (series.price !== undefined) sink.value(series.price, last, atMs);
    if (series.funding !== undefined && fundingRate !== null) sink.value(series.funding, fundingRate * 100, atMs);
    for (const [key, change] of series.changes) this.#takeChange(series, key, change, { value: last, atMs });
  }

  #takeChange(
    { closes }: Series,
    key: string,
    condition: ConditionOf<'change'>,
    { value: price, atMs }: { value: number; atMs: number },
  ): void {
    const fromMs = minuteBefore(atMs - condition.minutes * MINUTE_MS);
    const from = closes.get(fromMs - MINUTE_MS);
    if (from === undefined) return;
    const value = directedChange(condition, changePct(from, price));
    this.#deps.sink.value(key, value, atMs, () => ({ kind: 'change', from: { value: from, atMs: fromMs }, price }));
  }

  #onCandle(exchange: ExchangeId, { symbol, interval, ...bar }: ClosedBar): void {
    if (interval !== '1m') return;
    const series = this.#all.get(`${exchange} ${symbol}`);
    if (series === undefined) return;
    // A fill judges the candles between in their order, this one included.
    const isNext = series.isReady && series.filling === undefined && bar.time <= series.nextMs;
    if (isNext) this.#takeBar(series, bar);
    else this.#startFill(series);
    if (bar.time % (5 * MINUTE_MS) === 0) this.#prune(series);
  }

  #check(): void {
    for (const series of this.#all.values()) {
      const nowMs = Math.max(series.lastTickMs, Date.now());
      const isDue = !series.isReady || nowMs - series.nextMs - MINUTE_MS > OVERDUE_MS;
      if (isDue && series.filling === undefined && nowMs >= series.retryAtMs) this.#startFill(series);
    }
  }
}
