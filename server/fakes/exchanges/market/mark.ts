import { hash, toUniform } from './hash.ts';
import type { Candle } from './seededMarket.ts';
import type { Listing } from './venues.ts';

const HOUR_MS = 3_600_000;
/** The mark price stays this near to the last one, as a fraction. */
const APART_MAX = 0.0004;
/** Part of a wick that the mark price follows: it is made of several exchanges. */
const WICK_SHARE = 0.7;

/** How far the mark price is from the last one; straight between full hours. */
function apart({ instrument }: Listing, atMs: number): number {
  const hour = Math.floor(atMs / HOUR_MS);
  const at = (each: number): number => (2 * toUniform(hash(instrument.seed, 71, each)) - 1) * APART_MAX;
  return at(hour) + (at(hour + 1) - at(hour)) * (atMs / HOUR_MS - hour);
}

export interface MarkBar {
  openTimeMs: number;
  /** Per listed unit, not rounded. */
  open: number;
  high: number;
  low: number;
  close: number;
}

/** The bar of the mark price beside a candle: near its prices, with shorter wicks. */
export function markBarOf(listing: Listing, candle: Candle, spanMs: number): MarkBar {
  const unit = 10 ** listing.priceDecimals;
  const { openTimeMs } = candle;
  const open = (candle.open / unit) * (1 + apart(listing, openTimeMs));
  const close = (candle.close / unit) * (1 + apart(listing, openTimeMs + spanMs));
  const above = (candle.high - Math.max(candle.open, candle.close)) / unit;
  const below = (Math.min(candle.open, candle.close) - candle.low) / unit;
  return {
    openTimeMs,
    open,
    high: Math.max(open, close) + WICK_SHARE * above,
    low: Math.min(open, close) - WICK_SHARE * below,
    close,
  };
}
