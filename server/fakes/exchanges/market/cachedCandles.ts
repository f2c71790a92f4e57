import { intervalMs } from '../wire.ts';
import type { Candle, Market } from './seededMarket.ts';
import type { Listing } from './venues.ts';

/** Closed candles of one series without a gap: each that opens at `fromMs` or later and before `toMs`. */
interface CachedCandles {
  fromMs: number;
  toMs: number;
  candles: Candle[];
}

/** A span this far from the cached one replaces it: joining them would compute all candles in between. */
const bridgeBarsMax = 2000;
const seriesBarsMax = 6000;
/** Bars of all series together; the oldest entry is dropped first. */
const barsMax = 600_000;

/**
 * A market that computes each closed candle once, as an exchange reads its own from a table, so that a client's latency is the round trip
 * and not this fake's arithmetic. The results equal those of `market`, candle by candle.
 */
export function keepingCandles(market: Market): Market {
  const cache = new Map<Listing, Map<string, CachedCandles>>();
  const order = new Map<CachedCandles, () => void>();
  let barCount = 0;

  function forget(series: CachedCandles | undefined): void {
    if (series === undefined) return;
    barCount -= series.candles.length;
    order.get(series)?.();
    order.delete(series);
  }

  function keep(listing: Listing, interval: string, series: CachedCandles): void {
    const own = cache.get(listing) ?? new Map<string, CachedCandles>();
    cache.set(listing, own);
    forget(own.get(interval));
    own.set(interval, series);
    order.set(series, () => void own.delete(interval));
    barCount += series.candles.length;
    for (const oldest of order.keys()) {
      if (barCount <= barsMax || oldest === series) break;
      forget(oldest);
    }
  }

  return {
    ...market,
    candles(listing, interval, fromMs, toMs, nowMs) {
      const span = intervalMs[interval] ?? NaN;
      const runningMs = Math.floor(nowMs / span) * span;
      const closedMs = Math.min(Math.ceil(toMs / span) * span, runningMs);
      // A question between two opens is rare, and each market below rounds it in its own way.
      if (fromMs % span !== 0 || fromMs >= closedMs) return market.candles(listing, interval, fromMs, toMs, nowMs);
      const before = cache.get(listing)?.get(interval);
      const compute = (from: number, to: number): Candle[] => market.candles(listing, interval, from, to, runningMs);
      const series = covering(before, { fromMs, toMs: closedMs, span }, compute);
      if (series !== before) keep(listing, interval, series);
      const closed = series.candles.slice(atOrAfter(series.candles, fromMs), atOrAfter(series.candles, closedMs));
      return closedMs >= toMs ? closed : [...closed, ...market.candles(listing, interval, closedMs, toMs, nowMs)];
    },
  };
}

/** The cached candles, extended at either end to cover the span. */
function covering(
  stored: CachedCandles | undefined,
  { fromMs, toMs, span }: { fromMs: number; toMs: number; span: number },
  compute: (fromMs: number, toMs: number) => Candle[],
): CachedCandles {
  const bridge = bridgeBarsMax * span;
  if (stored === undefined || toMs < stored.fromMs - bridge || fromMs > stored.toMs + bridge)
    return { fromMs, toMs, candles: compute(fromMs, toMs) };
  if (fromMs >= stored.fromMs && toMs <= stored.toMs) return stored;
  const longest = { fromMs: Math.min(fromMs, stored.fromMs), toMs: Math.max(toMs, stored.toMs) };
  if (longest.toMs - longest.fromMs > seriesBarsMax * span) return { fromMs, toMs, candles: compute(fromMs, toMs) };
  const head = fromMs < stored.fromMs ? compute(fromMs, stored.fromMs) : [];
  const tail = toMs > stored.toMs ? compute(stored.toMs, toMs) : [];
  return { ...longest, candles: [...head, ...stored.candles, ...tail] };
}

/** Index of the first candle that opens at `timeMs` or later. */
function atOrAfter(candles: readonly Candle[], timeMs: number): number {
  let low = 0;
  let high = candles.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((candles[middle] as Candle).openTimeMs < timeMs) low = middle + 1;
    else high = middle;
  }
  return low;
}
