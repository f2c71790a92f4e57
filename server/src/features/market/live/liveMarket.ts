import { byVenue } from '@sextant/workers/src/core/byVenue.ts';
import { signalIntervals } from '@sextant/engine-as/abi/intervals.ts';
import { ok } from '@sextant/workers/src/core/result.ts';
import type { Outcome } from '../../../platform/errors.ts';
import { type CandleCache, seriesKey } from '../candleCache.ts';
import type { CandleStore } from '../candleStore.ts';
import type {
  ClosedBar,
  ExchangeId,
  Interval,
  Market,
  Turnover,
  Venue,
  VenueFeed,
  WarmCandles,
  WarmPlace,
  WarmRequest,
  Warmth,
} from '../port.ts';
import { inBackground } from '../../../platform/readPriority.ts';
import type { LiveQuotes } from './liveQuotes.ts';
import { warmPlace, warmWindow } from './readWarm.ts';
import { type Wanted, WarmSeries } from './warmSeries.ts';

/** Streams of one exchange that are always open. */
export interface ExchangePlan {
  /** Symbols with the largest turnover. */
  symbolCount: number;
  candles: readonly Interval[];
}
export type StreamPlan = Record<ExchangeId, ExchangePlan>;

/**
 * Candles of the default exchange of signals, prices of all, which arbitrage needs. A series of another exchange is streamed while
 * a caller holds it.
 */
export const usualPlan: StreamPlan = {
  ...byVenue(() => ({ symbolCount: 120, candles: [] })),
  binance: { symbolCount: 120, candles: signalIntervals },
};

export interface LiveOptions {
  venues: Record<ExchangeId, Venue>;
  cache: CandleCache;
  store: CandleStore;
  turnovers: (exchange: ExchangeId) => Promise<Outcome<Turnover[]>>;
  now: () => number;
  plan?: StreamPlan;
  quotes: LiveQuotes;
}

const roundMs = 1000;
/** The ranking by turnover changes slowly; a failed request is repeated sooner. */
const renewMs = { done: 30 * 60_000, failed: 5000 };

interface Desk {
  feed: VenueFeed;
  symbols: string[];
  renewAtMs: number;
  isRenewing: boolean;
}

/** Streams the plan's universe into the cache and fetches what the streams miss. */
export class Live {
  readonly #options: LiveOptions;
  readonly #plan: StreamPlan;
  readonly #warm: WarmSeries;
  readonly #desks = new Map<ExchangeId, Desk>();
  readonly #retained = new Map<string, Wanted & { count: number }>();
  #timer: NodeJS.Timeout | undefined;
  #startedAtMs = 0;
  #readyAfterMs: number | null = null;

  constructor(options: LiveOptions) {
    this.#options = options;
    this.#plan = options.plan ?? usualPlan;
    const isSilent = (series: Wanted): boolean => this.#isSilent(series);
    this.#warm = new WarmSeries({ cache: options.cache, peek: options.store.peek, now: options.now, isSilent });
  }

  /** Opens the streams and starts to load; runs a round every second from then on. */
  start(everyMs = roundMs, onError: (error: unknown) => void = () => undefined): void {
    const { venues, quotes, now } = this.#options;
    this.#startedAtMs = now();
    for (const exchange of Object.keys(this.#plan) as ExchangeId[]) {
      const feed = venues[exchange].feed({
        bar: (bar) => this.#take(exchange, bar),
        quote: (quote) => quotes.take(exchange, quote),
      });
      this.#desks.set(exchange, { feed, symbols: [], renewAtMs: 0, isRenewing: false });
    }
    if (everyMs === 0) return;
    // Expected failures are handled inside; any other must not end the process, and the next round tries again.
    const run = () => void this.round().catch(onError);
    this.#timer = setInterval(run, everyMs).unref();
    run();
  }

  stop(): void {
    clearInterval(this.#timer);
    for (const { feed } of this.#desks.values()) feed.close();
    this.#desks.clear();
    this.#warm.want([]);
  }

  /** Starts the fetches that are due. */
  async round(): Promise<void> {
    const { now } = this.#options;
    const due = [...this.#desks].filter(([, desk]) => !desk.isRenewing && desk.renewAtMs <= now());
    await Promise.all(due.map(([exchange, desk]) => this.#renew(exchange, desk)));
    await this.#warm.round();
    if (this.#readyAfterMs !== null) return;
    const { wantedCount, readyCount } = this.#warm.counts();
    if (wantedCount > 0 && readyCount === wantedCount) this.#readyAfterMs = now() - this.#startedAtMs;
  }

  #isSilent({ exchange, ...series }: Wanted): boolean {
    return this.#desks.get(exchange)?.feed.isSilent(series) ?? false;
  }

  /** Whether a stream delivers this series now: it is streamed, and its topic is not silent. */
  isBrought(key: string): boolean {
    const [exchange, symbol, interval] = key.split(' ') as [ExchangeId, string, Interval];
    return this.#warm.has(key) && !this.#isSilent({ exchange, symbol, interval });
  }

  isStreamed(key: string): boolean {
    return this.#warm.has(key);
  }

  readWarm({ exchange = 'binance', symbol, interval, limit }: WarmRequest): WarmCandles | null {
    const { store, now } = this.#options;
    const series = store.peek(seriesKey(exchange, symbol, interval));
    const window = series === undefined ? null : warmWindow(series, interval, limit, now());
    return window === null ? null : { exchange, ...window };
  }

  findWarm({ exchange = 'binance', symbol, interval, limit }: WarmRequest): WarmPlace | null {
    const { store, now } = this.#options;
    const series = store.peek(seriesKey(exchange, symbol, interval));
    return series === undefined ? null : warmPlace(series, interval, limit, now());
  }

  keep({ exchange = 'binance', symbol, interval }: Parameters<Market['keep']>[0]): () => void {
    const key = seriesKey(exchange, symbol, interval);
    const entry = this.#retained.get(key) ?? { exchange, symbol, interval, count: 0 };
    entry.count++;
    this.#retained.set(key, entry);
    if (entry.count === 1) this.#respread(exchange);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      if (--entry.count > 0) return;
      this.#retained.delete(key);
      this.#respread(exchange);
    };
  }

  warmth(): Warmth {
    const feeds = Object.fromEntries([...this.#desks].map(([exchange, { feed }]) => [exchange, feed.health()]));
    const candleBytes = this.#options.store.bytes();
    return { ...this.#warm.counts(), readyAfterMs: this.#readyAfterMs, candleBytes, feeds };
  }

  /** Epoch ms of the newest data of the streams, by exchange and topic. */
  dataAtMs(): Partial<Record<ExchangeId, ReturnType<VenueFeed['dataAtMs']>>> {
    return Object.fromEntries([...this.#desks].map(([exchange, { feed }]) => [exchange, feed.dataAtMs()]));
  }

  #take(exchange: ExchangeId, bar: ClosedBar): void {
    const key = seriesKey(exchange, bar.symbol, bar.interval);
    if (this.#warm.has(key) && this.#options.cache.append(exchange, bar) === 'doubtful') this.doubt(key);
  }

  /** A bar contradicted the cached ones. */
  doubt(key: string): void {
    this.#warm.doubt(key);
  }

  #wantedOf(exchange: ExchangeId, symbols: readonly string[]): Wanted[] {
    const ours = [...this.#retained.values()].filter((each) => each.exchange === exchange);
    const keys = new Set(ours.map((each) => seriesKey(exchange, each.symbol, each.interval)));
    const universe = symbols.flatMap((symbol) =>
      this.#plan[exchange].candles.map((interval) => ({ exchange, symbol, interval })),
    );
    // Series held by a caller come first: they are in use now.
    return [...ours, ...universe.filter((each) => !keys.has(seriesKey(exchange, each.symbol, each.interval)))];
  }

  /** Updates the subscriptions and the cache of an exchange; false when the exchange could not be reached. */
  async #spread(exchange: ExchangeId, desk: Desk): Promise<boolean> {
    this.#warm.want([...this.#desks].flatMap(([each, { symbols }]) => this.#wantedOf(each, symbols)));
    const candles = this.#wantedOf(exchange, desk.symbols);
    if (candles.length === 0 && desk.symbols.length === 0 && desk.feed.health().connectionCount === 0) return true;
    const prices = [...new Set([...desk.symbols, ...candles.map(({ symbol }) => symbol)])];
    return (await desk.feed.want({ prices, candles })).ok;
  }

  async #renew(exchange: ExchangeId, desk: Desk): Promise<void> {
    desk.isRenewing = true;
    try {
      const { symbolCount } = this.#plan[exchange];
      const result =
        symbolCount === 0 ? ok<Turnover[]>([]) : await inBackground(() => this.#options.turnovers(exchange));
      if (result.ok) desk.symbols = result.value.slice(0, symbolCount).map(({ symbol }) => symbol);
      const isSpread = await this.#spread(exchange, desk);
      desk.renewAtMs = this.#options.now() + (result.ok && isSpread ? renewMs.done : renewMs.failed);
    } finally {
      desk.isRenewing = false;
    }
  }

  #respread(exchange: ExchangeId): void {
    const desk = this.#desks.get(exchange);
    if (desk === undefined) return;
    void this.#spread(exchange, desk).then((isSpread) => {
      // A failed subscription is repeated by the next round.
      if (!isSpread) desk.renewAtMs = 0;
    });
  }
}

/** Listeners for appended candles. */
export function createCandleListeners() {
  const listeners = new Set<(exchange: ExchangeId, bar: ClosedBar) => void>();
  return {
    notify: (exchange: ExchangeId, bar: ClosedBar) => {
      for (const listener of listeners) listener(exchange, bar);
    },
    onCandle: (listener: (exchange: ExchangeId, bar: ClosedBar) => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
