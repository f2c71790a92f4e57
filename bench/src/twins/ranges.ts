import type { Candles } from '@sextant/workers/src/protocol/backtest.ts';
import { wilder } from './averages.ts';

/** The larger of the candle's range and its distance from the previous close; candle 0 has only its range. */
export function trueRange({ high, low, close }: Candles, out: Float64Array): void {
  for (let i = 0; i < close.length; i++) {
    const previous = i > 0 ? (close[i - 1] as number) : (close[0] as number);
    const top = i > 0 ? Math.max(high[i] as number, previous) : (high[i] as number);
    const bottom = i > 0 ? Math.min(low[i] as number, previous) : (low[i] as number);
    out[i] = top - bottom;
  }
}

/** Wilder's average true range; the first range counted is that of candle 1. First value at `period`. */
export function atr(candles: Candles, period: number, out: Float64Array, scratch: Float64Array): void {
  trueRange(candles, scratch);
  wilder(scratch, period, out, 1);
}

/** Middle is the simple mean; the deviation is the population's, by running sums about the first close. */
export function bollinger(
  closes: Float64Array,
  period: number,
  width: number,
  upper: Float64Array,
  middle: Float64Array,
  lower: Float64Array,
): void {
  const origin = closes[0] as number; // sums of squares of large prices would lose the digits that matter
  let sum = 0;
  let squares = 0;
  for (let i = 0; i < closes.length; i++) {
    const value = (closes[i] as number) - origin;
    sum += value;
    squares += value * value;
    if (i >= period) {
      const old = (closes[i - period] as number) - origin;
      sum -= old;
      squares -= old * old;
    }
    const mean = i >= period - 1 ? sum / period : NaN;
    const deviation = Math.sqrt(Math.max(squares / period - mean * mean, 0));
    middle[i] = origin + mean;
    upper[i] = origin + mean + width * deviation;
    lower[i] = origin + mean - width * deviation;
  }
}
