import { indexFrom } from '@sextant/workers/src/candleColumns.ts';
import { ok } from '@sextant/workers/src/result.ts';
import { type Outcome, refuse } from '../../platform/errors.ts';
import type { CandleStore } from './candleStore.ts';
import { agreeAt, candleAt } from './columns.ts';
import type { Caller } from './fetchShare.ts';
import { lastClosedOpen } from './intervals.ts';
import { intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import type { ClosedBar, ExchangeId, Interval, Venue } from './port.ts';
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
  /** Whether a close can belong to this symbol, judged by its price; undefined when the price is not known. */
  isPlausible: (span: Span, close: number) => Promise<boolean | undefined>;
  /** Whether a stream brings this series its bars: the one that has just ended need not be asked for yet. */
  isStreamed?: (key: string) => boolean;
  /** Candles that have joined the young end of a series that was there. */
  onJoined?: (exchange: ExchangeId, bar: ClosedBar) => void;
}

export const seriesKey = (exchange: ExchangeId, symbol: string, interval: Interval): string =>
  `${exchange} ${symbol} ${interval}`;

interface Ask {
  span: Span;
  caller: Caller;
}

/** About what one request to an exchange brings. */
const barsPerFetch = 1000;
/** Exchanges need a moment to settle a bar and to send it: until then the bar before is the youngest. */
export const settleMs = 3000;

/** Closed candles from memory; only the bars that are missing at either end are fetched, once for all who wait. */
export class CandleCache {
  readonly #options: CandleCacheOptions;
  readonly #inTurn = createTurns();
  /** Bars that came while their series was being fetched: they join what the fetch brings. */
  readonly #waiting = new Map<string, ClosedBar[]>();

  constructor(options: CandleCacheOptions) {
    this.#options = options;
  }

  async read(span: Span, caller: Caller): Promise<Outcome<CachedWindow>> {
    const { store, now } = this.#options;
    const key = seriesKey(span.exchange, span.symbol, span.interval);
    const kept = store.get(key);
    const inMemory = kept === undefined ? span : (this.#settling(key, kept, span) ?? span);
    if (kept !== undefined && covers(kept, inMemory, now())) return ok(cutWindow(kept, inMemory));
    // In turn: who waits behind a fetch of the same series mostly finds all it wants in memory.
    // The place comes before the turn: who waits for its own fetches must not hold up others at the same series.
    const ask = { span, caller };
    const loaded = await caller.inPlace(() => this.#fetching(key, ask, () => this.#load(key, ask)));
    return loaded.ok ? ok(cutWindow(loaded.value, span)) : loaded;
  }

  /** Fetches the span again and replaces the cached series with the answer. */
  async recheck(span: Span, caller: Caller): Promise<Outcome<CachedWindow>> {
    const key = seriesKey(span.exchange, span.symbol, span.interval);
    const ask = { span, caller };
    const loaded = await this.#fetching(key, ask, async () => {
      const fetched = await this.#fresh(ask);
      if (fetched.ok) this.#options.store.set(key, fetched.value);
      return fetched;
    });
    return loaded.ok ? ok(cutWindow(loaded.value, span)) : loaded;
  }

  /**
   * A closed bar from a stream. `absent`: the series has no history yet; `waiting`: it is being fetched, the bar joins after that;
   * `doubtful`: it contradicts what is known, only the exchange can say.
   */
  append(exchange: ExchangeId, bar: ClosedBar): 'joined' | 'known' | 'doubtful' | 'waiting' | 'absent' {
    const { store, now, onJoined } = this.#options;
    const key = seriesKey(exchange, bar.symbol, bar.interval);
    const queue = this.#waiting.get(key);
    if (queue !== undefined) {
      queue.push(bar);
      return 'waiting';
    }
    const kept = store.peek(key);
    if (kept === undefined) return 'absent';
    const joined = withBar(kept, bar, now());
    if (joined.kind !== 'joined') return joined.kind;
    store.set(key, trimSeries(joined.series, intervalMs[bar.interval]));
    if (bar.time > kept.toMs) onJoined?.(exchange, bar);
    return 'joined';
  }

  /** Runs a fetch of a series when its turn has come; bars that come meanwhile join what it brings. */
  #fetching(key: string, { span }: Ask, fetch: () => Promise<Outcome<Series>>): Promise<Outcome<Series>> {
    return this.#inTurn(key, async () => {
      this.#waiting.set(key, []);
      try {
        return await fetch();
      } finally {
        const bars = this.#waiting.get(key) ?? [];
        this.#waiting.delete(key);
        for (const bar of bars) this.append(span.exchange, bar);
      }
    });
  }

  async #load(key: string, ask: Ask): Promise<Outcome<Series>> {
    const { store, now } = this.#options;
    const { span } = ask;
    const kept = store.get(key);
    if (kept !== undefined && covers(kept, span, now())) return ok(kept);
    if (kept !== undefined && isFar(kept, span)) return this.#fresh(ask);
    const loaded = await (kept === undefined ? this.#fresh(ask) : this.#extended(ask, kept));
    if (!loaded.ok) return loaded;
    store.set(key, trimSeries(loaded.value, intervalMs[span.interval]));
    if (kept !== undefined) this.#announce(span, loaded.value, kept.toMs);
    return loaded;
  }

  async #fetch({ span, caller }: Ask, fromMs: number, toMs: number): Promise<Outcome<Series>> {
    const { venues, now } = this.#options;
    const { exchange, symbol, interval } = span;
    const cost = Math.ceil((toMs - fromMs) / intervalMs[interval] / barsPerFetch) || 1;
    const charged = await caller.charge(cost, exchange);
    if (!charged.ok) return charged;
    const fetched = await venues[exchange].candles({ symbol, interval, fromMs, toMs });
    return fetched.ok ? ok(seriesOf(fetched.value, fromMs, toMs, now())) : fetched;
  }

  async #fresh(ask: Ask): Promise<Outcome<Series>> {
    const { now, isPlausible } = this.#options;
    const { span } = ask;
    const fetched = await this.#fetch(ask, span.fromMs, span.toMs);
    if (!fetched.ok) return fetched;
    const close = fetched.value.candles.close.at(-1);
    const isRecent = span.toMs >= lastClosedOpen(span.interval, now()) - intervalMs[span.interval];
    // Most exchanges do not name the symbol beside its candles: the price is the only check that they belong to it.
    if (close !== undefined && isRecent && (await isPlausible(span, close)) === false) {
      const what = `${span.exchange} sent candles of ${span.symbol} that do not fit its price.`;
      return refuse('upstream_unavailable', what);
    }
    return fetched;
  }

  /** One bar is asked for again at each seam: if it is another bar now, what is kept cannot be trusted. */
  async #extended(ask: Ask, kept: Series): Promise<Outcome<Series>> {
    const { now } = this.#options;
    const { span } = ask;
    let series = kept;
    if (span.fromMs < series.fromMs) {
      const head = await this.#fetch(ask, span.fromMs, series.fromMs);
      if (!head.ok) return head;
      if (!agreeAt(head.value.candles, series.candles, series.fromMs)) return this.#fresh(ask);
      series = { ...merged(head.value, series), fetchedAtMs: kept.fetchedAtMs };
    }
    const isDue = gapsAreDue(series, span, now());
    if (span.toMs <= series.toMs && !isDue) return ok(series);
    const seamMs = isDue ? Math.min(series.toMs, firstGap(series) - intervalMs[span.interval]) : series.toMs;
    const tail = await this.#fetch(ask, seamMs, Math.max(span.toMs, series.toMs));
    if (!tail.ok) return tail;
    if (!agreeAt(series.candles, tail.value.candles, seamMs)) return this.#fresh(ask);
    return ok({ ...merged(series, tail.value), gapsTriedAtMs: isDue ? now() : series.gapsTriedAtMs });
  }

  /** Says which candles are younger than what there was. */
  #announce({ exchange, symbol, interval }: Span, { candles }: Series, afterMs: number): void {
    for (let i = indexFrom(candles.time, afterMs + 1); i < candles.time.length; i++) {
      this.#options.onJoined?.(exchange, { symbol, interval, ...candleAt(candles, i) });
    }
  }

  /** The span a bar earlier, when the youngest bar has only just ended and a stream is about to bring it. */
  #settling(key: string, kept: Series, span: Span): Span | undefined {
    const { now, isStreamed } = this.#options;
    const step = intervalMs[span.interval];
    const isRecent = now() - (span.toMs + step) < settleMs;
    if (!isRecent || kept.toMs !== span.toMs - step || isStreamed?.(key) !== true) return undefined;
    return { ...span, fromMs: Math.max(span.fromMs - step, kept.fromMs), toMs: span.toMs - step };
  }
}

const firstGap = (series: Series): number => Math.max(series.fromMs, series.gaps[0]?.fromMs ?? series.toMs);
