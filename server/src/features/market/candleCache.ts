import { candlesOf, indexFrom } from '@sextant/workers/src/candles/candleColumns.ts';
import type { Candles } from '@sextant/workers/src/protocol/backtest.ts';
import { ok } from '@sextant/workers/src/core/result.ts';
import { type Outcome, reject } from '../../platform/errors.ts';
import type { CandleStore } from './candleStore.ts';
import { agreeAt, candleAt, joinCandles, sliceCandles } from './columns.ts';
import type { Caller } from './fetchShare.ts';
import { lastClosedOpen } from './intervals.ts';
import { intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import type { CandleArchive, CandleWindow, ClosedBar, ExchangeId, Interval, PriceKind, Venue } from './port.ts';
import { archiveTo, missingOf, windowOf } from './archive.ts';
import {
  type CachedWindow,
  covers,
  cutWindow,
  gapsAreDue,
  isFar,
  merged,
  type Series,
  seriesOf,
  type Span,
  trimSeries,
  withBar,
} from './series.ts';
import { createTurns } from './shared.ts';

export interface CandleCacheOptions {
  venues: Record<ExchangeId, Pick<Venue, 'candles'>>;
  store: CandleStore;
  now: () => number;
  /** Whether a close can belong to this symbol, by its price; undefined when the price is unknown. */
  isPlausible: (span: Span, close: number) => Promise<boolean | undefined>;
  /** Whether a stream delivers this series: its latest closed bar need not be requested yet. */
  isStreamed?: (key: string) => boolean;
  /** Called for each candle appended to the recent end of a stored series. */
  onJoined?: (exchange: ExchangeId, bar: ClosedBar) => void;
  /** Called for a bar that was received during a fetch and contradicts the result. */
  onDoubtful?: (key: string) => void;
  /** Read before the exchange, and given each fetched or streamed candle. */
  archive?: { store: CandleArchive; price: PriceKind };
}

export const seriesKey = (exchange: ExchangeId, symbol: string, interval: Interval): string =>
  `${exchange} ${symbol} ${interval}`;

interface Download {
  window: CandleWindow;
  fromMs: number;
  toMs: number;
}

interface Fetched {
  series: Series;
  /** Parts from the exchange; none when everything was stored. */
  downloads: Download[];
}

interface CandleQuery {
  span: Span;
  caller: Caller;
}

/** Approximate candles per exchange request. */
const barsPerFetch = 1000;
/** Exchanges need a moment to finalise and send a bar: until then the previous bar is the latest. */
export const settleMs = 3000;

/** Closed candles from memory. Fetches only the bars missing at either end, once for all waiting callers. */
export class CandleCache {
  readonly #options: CandleCacheOptions;
  readonly #inTurn = createTurns();
  /** Bars received while their series is fetched; appended to the fetched series. */
  readonly #waiting = new Map<string, ClosedBar[]>();

  constructor(options: CandleCacheOptions) {
    this.#options = options;
  }

  async read(span: Span, caller: Caller): Promise<Outcome<CachedWindow>> {
    const { store, now } = this.#options;
    const key = seriesKey(span.exchange, span.symbol, span.interval);
    const cached = store.get(key);
    const inMemory = cached === undefined ? span : (this.#settling(key, cached, span) ?? span);
    if (cached !== undefined && covers(cached, inMemory, now())) return ok(cutWindow(cached, inMemory));
    // Serialised: a caller that waits for a fetch of the same series mostly finds its candles in memory. The slot is acquired first,
    // so that a caller waiting for its own fetches does not block others at the same series.
    const request = { span, caller };
    const loaded = await caller.inPlace(() => this.#fetching(key, request, () => this.#load(key, request)));
    return loaded.ok ? ok(cutWindow(loaded.value, span)) : loaded;
  }

  /** Fetches the span again and replaces the cached series with the result. */
  async recheck(span: Span, caller: Caller): Promise<Outcome<CachedWindow>> {
    const key = seriesKey(span.exchange, span.symbol, span.interval);
    const request = { span, caller };
    const loaded = await this.#fetching(key, request, async () => {
      const cached = this.#options.store.peek(key);
      const fetched = await this.#fresh(request, true);
      if (!fetched.ok) return fetched;
      this.#options.store.set(key, fetched.value);
      // The bar that was doubted is not in the cached series: only now is it known to be true.
      if (cached !== undefined) this.#announce(span, fetched.value, cached.toMs);
      return fetched;
    });
    return loaded.ok ? ok(cutWindow(loaded.value, span)) : loaded;
  }

  /**
   * Appends a closed bar from a stream. `absent`: the series has no history yet; `waiting`: it is being fetched, the bar is appended after
   * that; `doubtful`: it contradicts the cached bars and must be checked with the exchange.
   */
  append(exchange: ExchangeId, bar: ClosedBar): 'joined' | 'known' | 'doubtful' | 'waiting' | 'absent' {
    const { store, now, onJoined } = this.#options;
    const key = seriesKey(exchange, bar.symbol, bar.interval);
    const queue = this.#waiting.get(key);
    if (queue !== undefined) {
      queue.push(bar);
      return 'waiting';
    }
    const cached = store.peek(key);
    if (cached === undefined) return 'absent';
    const joined = withBar(cached, bar, now());
    if (joined.kind !== 'joined') return joined.kind;
    store.set(key, trimSeries(joined.series, intervalMs[bar.interval]));
    this.#save(
      { exchange, ...bar, fromMs: bar.time, toMs: bar.time },
      candlesOf((name) => Float64Array.of(bar[name])),
    );
    if (bar.time > cached.toMs) onJoined?.(exchange, bar);
    return 'joined';
  }

  /** Runs fetches of a series one after the other; bars received meanwhile are appended to the result. */
  #fetching(key: string, { span }: CandleQuery, fetch: () => Promise<Outcome<Series>>): Promise<Outcome<Series>> {
    return this.#inTurn(key, async () => {
      this.#waiting.set(key, []);
      try {
        return await fetch();
      } finally {
        const bars = this.#waiting.get(key) ?? [];
        this.#waiting.delete(key);
        for (const bar of bars) if (this.append(span.exchange, bar) === 'doubtful') this.#options.onDoubtful?.(key);
      }
    });
  }

  async #load(key: string, request: CandleQuery): Promise<Outcome<Series>> {
    const { store, now } = this.#options;
    const { span } = request;
    const cached = store.get(key);
    if (cached !== undefined && covers(cached, span, now())) return ok(cached);
    if (cached !== undefined && isFar(cached, span)) {
      const fresh = await this.#fresh(request);
      // A series that was not read for long: reads continue with the newer one.
      if (fresh.ok && span.fromMs > cached.toMs) store.set(key, trimSeries(fresh.value, intervalMs[span.interval]));
      return fresh;
    }
    const loaded = await (cached === undefined ? this.#fresh(request) : this.#extended(request, cached));
    if (!loaded.ok) return loaded;
    store.set(key, trimSeries(loaded.value, intervalMs[span.interval]));
    if (cached !== undefined) this.#announce(span, loaded.value, cached.toMs);
    return loaded;
  }

  async #download({ span, caller }: CandleQuery, fromMs: number, toMs: number): Promise<Outcome<CandleWindow>> {
    const { venues } = this.#options;
    const { exchange, symbol, interval } = span;
    const cost = Math.ceil((toMs - fromMs) / intervalMs[interval] / barsPerFetch) || 1;
    const charged = await caller.charge(cost, exchange);
    if (!charged.ok) return charged;
    return venues[exchange].candles({ symbol, interval, fromMs, toMs });
  }

  /** Stores the candles of downloads, once they were compared with what is known. */
  #saveAll(span: Span, { downloads }: Fetched): void {
    for (const { window, fromMs, toMs } of downloads) {
      const closedMs = archiveTo(window, { toMs, stepMs: intervalMs[span.interval], nowMs: this.#options.now() });
      if (closedMs >= fromMs) this.#save({ ...span, fromMs, toMs: closedMs }, window.candles);
    }
  }

  #save(span: Span, candles: Candles): void {
    const { archive } = this.#options;
    const { exchange, symbol, interval, fromMs, toMs } = span;
    archive?.store.save({ exchange, symbol, interval, fromMs, toMs, price: archive.price }, candles);
  }

  /** The span from the store, with what it lacks from the exchange; undefined when it has too little, or contradicts the exchange. */
  async #stored(request: CandleQuery, fromMs: number, toMs: number): Promise<Outcome<Fetched> | undefined> {
    const { archive, now } = this.#options;
    const { exchange, symbol, interval } = request.span;
    const span = { exchange, symbol, interval, fromMs, toMs };
    const stored = await archive?.store.read({ ...span, price: archive.price });
    if (stored === undefined || stored === null) return undefined;
    const stepMs = intervalMs[interval];
    const missing = missingOf(stored, span, stepMs);
    if (missing === undefined) return undefined;
    let { candles } = stored;
    const downloads: Download[] = [];
    for (const each of missing) {
      const part = await this.#download(request, each.fromMs, each.toMs);
      if (!part.ok) return part;
      const seams = [each.fromMs, each.toMs];
      if (!seams.every((seamMs) => agreeAt(candles, part.value.candles, seamMs))) return undefined;
      downloads.push({ ...each, window: part.value });
      const older = sliceCandles(candles, -Infinity, each.toMs);
      const younger = sliceCandles(candles, each.toMs + 1, Infinity);
      candles = joinCandles(joinCandles(older, part.value.candles), younger);
    }
    const series = seriesOf(windowOf(candles, span, stepMs), fromMs, toMs, now());
    return ok({ series, downloads });
  }

  async #fetch(request: CandleQuery, fromMs: number, toMs: number, isForced = false): Promise<Outcome<Fetched>> {
    const stored = isForced ? undefined : await this.#stored(request, fromMs, toMs);
    if (stored !== undefined) return stored;
    const fetched = await this.#download(request, fromMs, toMs);
    if (!fetched.ok) return fetched;
    const series = seriesOf(fetched.value, fromMs, toMs, this.#options.now());
    return ok({ series, downloads: [{ window: fetched.value, fromMs, toMs }] });
  }

  /** @param isForced reads the exchange even where the candles are stored */
  async #fresh(request: CandleQuery, isForced = false): Promise<Outcome<Series>> {
    const { now, isPlausible } = this.#options;
    const { span } = request;
    const fetched = await this.#fetch(request, span.fromMs, span.toMs, isForced);
    if (!fetched.ok) return fetched;
    const { series, downloads } = fetched.value;
    const close = series.candles.close.at(-1);
    const isRecent = span.toMs >= lastClosedOpen(span.interval, now()) - intervalMs[span.interval];
    // Most exchanges do not name the symbol beside its candles: only the price can show that they belong to it.
    // Stored ones were compared with it when they were fetched.
    if (close !== undefined && isRecent && downloads.length > 0 && (await isPlausible(span, close)) === false) {
      const what = `${span.exchange} sent candles of ${span.symbol} that contradict its price.`;
      return reject('upstream_unavailable', what);
    }
    this.#saveAll(span, fetched.value);
    return ok(series);
  }

  /** Fetches one bar again at each seam: if it has changed, the cached series is discarded. */
  async #extended(request: CandleQuery, stored: Series): Promise<Outcome<Series>> {
    const { now } = this.#options;
    const { span } = request;
    let series = stored;
    if (span.fromMs < series.fromMs) {
      const head = await this.#fetch(request, span.fromMs, series.fromMs);
      if (!head.ok) return head;
      if (!agreeAt(head.value.series.candles, series.candles, series.fromMs)) return this.#fresh(request, true);
      this.#saveAll(span, head.value);
      series = { ...merged(head.value.series, series), fetchedAtMs: stored.fetchedAtMs };
    }
    const isDue = gapsAreDue(series, span, now());
    if (span.toMs <= series.toMs && !isDue) return ok(series);
    const seamMs = isDue ? Math.min(series.toMs, firstGap(series) - intervalMs[span.interval]) : series.toMs;
    // A gap is requested from the exchange again: the store has it, too.
    const tail = await this.#fetch(request, seamMs, Math.max(span.toMs, series.toMs), isDue);
    if (!tail.ok) return tail;
    if (!agreeAt(series.candles, tail.value.series.candles, seamMs)) return this.#fresh(request, true);
    this.#saveAll(span, tail.value);
    return ok({ ...merged(series, tail.value.series), gapsTriedAtMs: isDue ? now() : series.gapsTriedAtMs });
  }

  /** Reports the candles that are newer than the cached ones. */
  #announce({ exchange, symbol, interval }: Span, { candles }: Series, afterMs: number): void {
    for (let i = indexFrom(candles.time, afterMs + 1); i < candles.time.length; i++) {
      this.#options.onJoined?.(exchange, { symbol, interval, ...candleAt(candles, i) });
    }
  }

  /** The span shifted back by one bar, when the latest bar has just closed and a stream is about to deliver it. */
  #settling(key: string, stored: Series, span: Span): Span | undefined {
    const { now, isStreamed } = this.#options;
    const step = intervalMs[span.interval];
    const isRecent = now() - (span.toMs + step) < settleMs;
    if (!isRecent || stored.toMs !== span.toMs - step || isStreamed?.(key) !== true) return undefined;
    return { ...span, fromMs: Math.max(span.fromMs - step, stored.fromMs), toMs: span.toMs - step };
  }
}

const firstGap = (series: Series): number => Math.max(series.fromMs, series.gaps[0]?.fromMs ?? series.toMs);
