import { intervalMs } from '../wire.ts';
import type { Candle, Market } from './seededMarket.ts';
import { DAY_MS } from './skeleton.ts';

const HOUR_MS = 3_600_000;

export interface Pin {
  /** Market time, the start of a UTC day, that is shown in the hour of `startedAtMs`. */
  marketMs: number;
  startedAtMs: number;
}

/**
 * A market that starts at the same moment of market time at any hour: two starts, hours or months apart, show the same candles up to the
 * full hour of their start, and continue in the same way. Candles are aligned to clock hours, so those longer than an hour are aggregated
 * from hourly candles.
 */
export function pinnedMarket(market: Market, { marketMs, startedAtMs }: Pin): Market {
  if (marketMs % DAY_MS !== 0) throw new RangeError('a market is pinned to the start of a UTC day');
  const shiftMs = Math.floor(startedAtMs / HOUR_MS) * HOUR_MS - marketMs;
  const own = (atMs: number): number => atMs - shiftMs;
  const candles: Market['candles'] = (listing, interval, fromMs, toMs, nowMs) =>
    market.candles(listing, interval, own(fromMs), own(toMs), own(nowMs)).map((candle) => ({
      ...bar(candle),
      openTimeMs: candle.openTimeMs + shiftMs,
    }));
  return {
    candles(listing, interval, fromMs, toMs, nowMs) {
      const spanMs = intervalMs[interval] ?? 0;
      if (spanMs <= HOUR_MS || shiftMs % spanMs === 0) return candles(listing, interval, fromMs, toMs, nowMs);
      const firstMs = Math.ceil(fromMs / spanMs) * spanMs;
      const endMs = Math.ceil(toMs / spanMs) * spanMs;
      return joined(candles(listing, '1h', firstMs, endMs, nowMs), spanMs);
    },
    quote: (listing, nowMs) => market.quote(listing, own(nowMs)),
    fundingRate: (listing, fundingAtMs, nowMs) => market.fundingRate(listing, own(fundingAtMs), own(nowMs)),
    listedAtMs: (listing) => market.listedAtMs(listing) + shiftMs,
  };
}

/** Without the cached JSON of a venue, which contains another time. */
const bar = ({ openTimeMs, open, high, low, close, lots }: Candle): Candle => ({
  openTimeMs,
  open,
  high,
  low,
  close,
  lots,
});

function joined(hours: readonly Candle[], spanMs: number): Candle[] {
  const out: Candle[] = [];
  for (const hour of hours) {
    const openTimeMs = Math.floor(hour.openTimeMs / spanMs) * spanMs;
    const last = out.at(-1);
    if (last?.openTimeMs !== openTimeMs) {
      out.push({ ...bar(hour), openTimeMs });
      continue;
    }
    last.high = Math.max(last.high, hour.high);
    last.low = Math.min(last.low, hour.low);
    last.close = hour.close;
    last.lots += hour.lots;
  }
  return out;
}
