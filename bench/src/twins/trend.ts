import type { Candles } from '@sextant/workers/src/protocol/backtest.ts';
import { atr } from './ranges.ts';

/** Wilder's ADX with both directional indicators: sums seeded over the first period - 1 changes, DI from `period`, ADX from 2 * period - 1. */
export function adx(
  { high, low, close }: Candles,
  period: number,
  line: Float64Array,
  plusDi: Float64Array,
  minusDi: Float64Array,
): void {
  const { length } = close;
  const keep = 1 - 1 / period;
  let range = 0;
  let plus = 0;
  let minus = 0;
  let mean = 0;
  line.fill(NaN, 0, Math.min(2 * period - 1, length));
  plusDi.fill(NaN, 0, Math.min(period, length));
  minusDi.fill(NaN, 0, Math.min(period, length));
  for (let i = 1; i < length; i++) {
    const up = (high[i] as number) - (high[i - 1] as number);
    const down = (low[i - 1] as number) - (low[i] as number);
    const previous = close[i - 1] as number;
    const decay = i < period ? 1 : keep;
    range = range * decay + (Math.max(high[i] as number, previous) - Math.min(low[i] as number, previous));
    plus = plus * decay + (up > down && up > 0 ? up : 0);
    minus = minus * decay + (down > up && down > 0 ? down : 0);
    if (i < period) continue;
    plusDi[i] = range > 0 ? (100 * plus) / range : 0;
    minusDi[i] = range > 0 ? (100 * minus) / range : 0;
    const dx = plus + minus > 0 ? (100 * Math.abs(plus - minus)) / (plus + minus) : 0;
    mean = i < 2 * period ? mean + dx / period : mean + (dx - mean) / period;
    if (i >= 2 * period - 1) line[i] = mean;
  }
}

/** A stop line `multiple` ATRs away that only tightens, until a close crosses it. Direction 1: the line is below price. */
export function supertrend(
  candles: Candles,
  { period, multiple }: { period: number; multiple: number },
  line: Float64Array,
  direction: Float64Array,
  scratch: Float64Array,
): void {
  const { high, low, close } = candles;
  atr(candles, period, line, scratch);
  let upper = Infinity;
  let lower = -Infinity;
  let side = 0;
  for (let i = 0; i < close.length; i++) {
    if (i < period) {
      direction[i] = NaN;
      continue;
    }
    const middle = 0.5 * ((high[i] as number) + (low[i] as number));
    const reach = multiple * (line[i] as number);
    const before = close[i - 1] as number;
    const price = close[i] as number;
    if (side === 0) side = price >= middle ? 1 : -1;
    upper = before > upper ? middle + reach : Math.min(middle + reach, upper);
    lower = before < lower ? middle - reach : Math.max(middle - reach, lower);
    if (side > 0 && price < lower) side = -1;
    else if (side < 0 && price > upper) side = 1;
    line[i] = side > 0 ? lower : upper;
    direction[i] = side;
  }
}
