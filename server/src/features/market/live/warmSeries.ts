import { liveSignalCandles } from '@sextant/workers/src/signals/signalRules.ts';
import type { Outcome } from '../../../platform/errors.ts';
import { type CandleCache, seriesKey } from '../candleCache.ts';
import { ourselves } from '../fetchShare.ts';
import { lastClosedOpen } from '../intervals.ts';
import { intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import type { ExchangeId, Interval } from '../port.ts';
import { inBackground } from '../../../platform/readPriority.ts';
import { warmWindow } from './readWarm.ts';
import { gapsAreDue, type Series, type Span } from '../series.ts';

export interface WarmSeriesOptions {
  cache: Pick<CandleCache, 'read' | 'recheck'>;
  peek: (key: string) => Series | undefined;
  now: () => number;
  /** Whether the stream of a series is silent. */
  isSilent?: (series: Wanted) => boolean;
}

export interface Wanted {
  exchange: ExchangeId;
  symbol: string;
  interval: Interval;
}

interface Entry extends Wanted {
  tryAtMs: number;
  failureCount: number;
  isBusy: boolean;
  /** A bar contradicted the cached ones. */
  isDoubtful: boolean;
  recheckedAtMs: number;
}

/** Candles of a scan, and those fetched of each series: allows for a late bar or two. */
export const readyBars = 500;
export const warmBars = 560;
/** Candles of a streamed series that stay when memory is short: signals of short intervals read two UTC days. */
export const shortenedBars = (interval: Interval): number =>
  liveSignalCandles(intervalMs[interval]) + warmBars - readyBars;
/**
 * Candles of the first fetch. Binance weighs a page of 499 at 2 and one of 500 at 5: the first page and the short rest together cost 3
 * instead of 5 for one page.
 */
const firstBars = 499;
/** A bar still missing this long after its close is requested; sooner when its stream is known to be silent. */
const overdueMs = 5000;
const overdueSilentMs = 1000;
const fetchesAtOnce = 6;
/** A gap that persists is a gap of the exchange: it is requested less and less often. */
const retry = { firstMs: 2000, rejectedMs: 60_000, incompleteMs: 30 * 60_000 };
const recheckEveryMs = 60_000;
/** The initial history, the missing part, or all of it again. */
type Need = 'load' | 'rest' | 'recheck';

/**
 * Keeps series complete and current: loads their history once, and requests what a stream did not deliver, whatever the cause.
 */
export class WarmSeries {
  readonly #options: WarmSeriesOptions;
  readonly #entries = new Map<string, Entry>();
  readonly #pausedUntilMs = new Map<ExchangeId, number>();
  #laneCount = 0;

  constructor(options: WarmSeriesOptions) {
    this.#options = options;
  }

  /** Sets the series to keep complete and current; all others are dropped. */
  want(wanted: readonly Wanted[]): void {
    const keys = new Set<string>();
    for (const { exchange, symbol, interval } of wanted) {
      const key = seriesKey(exchange, symbol, interval);
      keys.add(key);
      if (this.#entries.has(key)) continue;
      const start = { tryAtMs: 0, failureCount: 0, isBusy: false, isDoubtful: false, recheckedAtMs: 0 };
      this.#entries.set(key, { exchange, symbol, interval, ...start });
    }
    for (const key of this.#entries.keys()) if (!keys.has(key)) this.#entries.delete(key);
  }

  has(key: string): boolean {
    return this.#entries.has(key);
  }

  /** Marks a series for a recheck with the exchange, after a bar that contradicts the cached ones. */
  doubt(key: string): void {
    const entry = this.#entries.get(key);
    if (entry !== undefined) entry.isDoubtful = true;
  }

  counts(): { wantedCount: number; readyCount: number } {
    const entries = [...this.#entries.values()];
    return { wantedCount: entries.length, readyCount: entries.filter((entry) => this.#isReady(entry)).length };
  }

  /** Starts due fetches, as far as slots are free; resolves when they have ended. */
  async round(): Promise<void> {
    const queue = [...this.#entries][Symbol.iterator]();
    const roomCount = Math.max(0, fetchesAtOnce - this.#laneCount);
    await Promise.all(Array.from({ length: roomCount }, () => this.#lane(queue)));
  }

  async #lane(queue: Iterator<[string, Entry]>): Promise<void> {
    this.#laneCount++;
    try {
      for (let next = queue.next(); next.done !== true; next = queue.next()) {
        const [key, entry] = next.value;
        const nowMs = this.#options.now();
        const isQuiet = nowMs < entry.tryAtMs || nowMs < (this.#pausedUntilMs.get(entry.exchange) ?? 0);
        const need = entry.isBusy || isQuiet ? undefined : this.#need(key, entry);
        if (need !== undefined) await this.#work(entry, need);
      }
    } finally {
      this.#laneCount--;
    }
  }

  #span({ exchange, symbol, interval }: Wanted, bars: number): Span {
    const toMs = lastClosedOpen(interval, this.#options.now());
    return { exchange, symbol, interval, fromMs: toMs - (bars - 1) * intervalMs[interval], toMs };
  }

  #isReady({ exchange, symbol, interval }: Wanted): boolean {
    const series = this.#options.peek(seriesKey(exchange, symbol, interval));
    return series !== undefined && warmWindow(series, interval, readyBars, this.#options.now()) !== null;
  }

  /** The fetch that a series needs, if any. */
  #need(key: string, entry: Entry): Need | undefined {
    const nowMs = this.#options.now();
    const series = this.#options.peek(key);
    if (series === undefined) return 'load';
    const isSilent = this.#options.isSilent?.(entry) === true;
    const overdueOpenMs = lastClosedOpen(entry.interval, nowMs - (isSilent ? overdueSilentMs : overdueMs));
    if (series.toMs < overdueOpenMs || gapsAreDue(series, this.#span(entry, warmBars), nowMs)) return 'rest';
    if (entry.isDoubtful && nowMs - entry.recheckedAtMs >= recheckEveryMs) return 'recheck';
    return series.fromMs > this.#span(entry, readyBars + 1).fromMs ? 'rest' : undefined;
  }

  async #fetch(entry: Entry, need: Need): Promise<Outcome<unknown>> {
    const { cache, now } = this.#options;
    if (need === 'recheck') {
      // A bar that is doubted meanwhile needs the next recheck.
      entry.isDoubtful = false;
      entry.recheckedAtMs = now();
      const checked = await cache.recheck(this.#span(entry, warmBars), ourselves);
      entry.isDoubtful ||= !checked.ok;
      return checked;
    }
    if (need === 'rest') return cache.read(this.#span(entry, warmBars), ourselves);
    const loaded = await cache.read(this.#span(entry, firstBars), ourselves);
    return loaded.ok ? cache.read(this.#span(entry, warmBars), ourselves) : loaded;
  }

  async #work(entry: Entry, need: Need): Promise<void> {
    entry.isBusy = true;
    try {
      const outcome = await inBackground(() => this.#fetch(entry, need));
      const nowMs = this.#options.now();
      entry.failureCount = this.#isReady(entry) ? 0 : entry.failureCount + 1;
      const mostMs = outcome.ok ? retry.incompleteMs : retry.rejectedMs;
      entry.tryAtMs = nowMs + Math.min(mostMs, retry.firstMs * 2 ** Math.min(12, Math.max(0, entry.failureCount - 1)));
      if (!outcome.ok && outcome.error.retryAfterS !== undefined) {
        // The exchange, or the priority of users' reads, requires a pause: for all series of the exchange.
        this.#pausedUntilMs.set(entry.exchange, nowMs + Math.min(60, outcome.error.retryAfterS) * 1000);
      }
    } finally {
      entry.isBusy = false;
    }
  }
}
