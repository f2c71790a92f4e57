import { ok, type Outcome, refuse } from '../../platform/errors.ts';
import type { CandleStore } from './candleStore.ts';
import { agreeAt } from './columns.ts';
import type { Caller } from './fetchShare.ts';
import { intervalMs, lastClosedOpen } from './intervals.ts';
import type { ExchangeId, Venue } from './port.ts';
import {
  type CachedWindow,
  covers,
  cut,
  gapsAreDue,
  isFar,
  merged,
  type Series,
  seriesOf,
  type Span,
  trimmed,
} from './series.ts';
import { createTurns } from './shared.ts';

export interface CandleCacheOptions {
  venues: Record<ExchangeId, Venue>;
  store: CandleStore;
  now: () => number;
  /** Whether a close can belong to this symbol, judged by its price; undefined when the price is not known. */
  isPlausible: (span: Span, close: number) => Promise<boolean | undefined>;
}

export type ReadCandles = (span: Span, caller: Caller) => Promise<Outcome<CachedWindow>>;

interface Ask {
  span: Span;
  caller: Caller;
}

/** About what one request to an exchange brings. */
const barsPerFetch = 1000;

/** Closed candles from memory; only the bars that are missing at either end are fetched, once for all who wait. */
export function createCandleCache({ venues, store, now, isPlausible }: CandleCacheOptions): ReadCandles {
  const inTurn = createTurns();

  async function fetch(ask: Ask, fromMs: number, toMs: number): Promise<Outcome<Series>> {
    const { exchange, symbol, interval } = ask.span;
    const charged = ask.caller.charge(Math.ceil((toMs - fromMs) / intervalMs[interval] / barsPerFetch) || 1);
    if (!charged.ok) return charged;
    const fetched = await venues[exchange].candles({ symbol, interval, fromMs, toMs });
    return fetched.ok ? ok(seriesOf(fetched.value, fromMs, toMs, now())) : fetched;
  }

  async function fresh(ask: Ask): Promise<Outcome<Series>> {
    const { span } = ask;
    const fetched = await fetch(ask, span.fromMs, span.toMs);
    if (!fetched.ok) return fetched;
    const close = fetched.value.candles.close.at(-1);
    const isRecent = span.toMs >= lastClosedOpen(span.interval, now()) - intervalMs[span.interval];
    // Most exchanges do not name the symbol beside its candles, so the price is the only witness.
    if (close !== undefined && isRecent && (await isPlausible(span, close)) === false) {
      const what = `${span.exchange} sent candles of ${span.symbol} that do not fit its price.`;
      return refuse('upstream_unavailable', what);
    }
    return fetched;
  }

  /** One bar is asked for again at each seam: if it is another bar now, what is kept cannot be trusted. */
  async function extended(ask: Ask, kept: Series): Promise<Outcome<Series>> {
    const { span } = ask;
    let series = kept;
    if (span.fromMs < series.fromMs) {
      const head = await fetch(ask, span.fromMs, series.fromMs);
      if (!head.ok) return head;
      if (!agreeAt(head.value.candles, series.candles, series.fromMs)) return fresh(ask);
      series = { ...merged(head.value, series), fetchedAtMs: kept.fetchedAtMs };
    }
    const isDue = gapsAreDue(series, span, now());
    if (span.toMs <= series.toMs && !isDue) return ok(series);
    const seamMs = isDue ? Math.min(series.toMs, firstGap(series) - intervalMs[span.interval]) : series.toMs;
    const tail = await fetch(ask, seamMs, Math.max(span.toMs, series.toMs));
    if (!tail.ok) return tail;
    if (!agreeAt(series.candles, tail.value.candles, seamMs)) return fresh(ask);
    return ok({ ...merged(series, tail.value), gapsTriedAtMs: isDue ? now() : series.gapsTriedAtMs });
  }

  async function load(key: string, ask: Ask): Promise<Outcome<Series>> {
    const { span } = ask;
    const kept = store.get(key);
    if (kept !== undefined && covers(kept, span, now())) return ok(kept);
    if (kept !== undefined && isFar(kept, span)) return fresh(ask);
    const loaded = await (kept === undefined ? fresh(ask) : extended(ask, kept));
    if (loaded.ok) store.set(key, trimmed(loaded.value, intervalMs[span.interval]));
    return loaded;
  }

  return async (span, caller) => {
    const key = `${span.exchange} ${span.symbol} ${span.interval}`;
    const kept = store.get(key);
    if (kept !== undefined && covers(kept, span, now())) return ok(cut(kept, span));
    // In turn: who waits behind a fetch of the same series mostly finds all it wants in memory.
    // The place comes before the turn: who waits for its own fetches must not hold up others at the same series.
    const loaded = await caller.inPlace(() => inTurn(key, () => load(key, { span, caller })));
    return loaded.ok ? ok(cut(loaded.value, span)) : loaded;
  };
}

const firstGap = (series: Series): number => Math.max(series.fromMs, series.gaps[0]?.fromMs ?? series.toMs);
