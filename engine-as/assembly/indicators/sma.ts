import { windowSum } from '../rolling/windowSum';

/**
 * Simple moving average.
 * @param x      f64[length], finite
 * @param period candles, 1..PERIOD_MAX
 * @param out    f64[length], unit of x; NaN below period - 1
 * @param from   first candle wanted: those before it are known already
 * @returns      STATUS_OK or STATUS_OUT_OF_MEMORY
 */
export function sma(x: usize, length: i32, period: i32, out: usize, from: i32): i32 {
  return windowSum(x, length, period, true, out, from);
}
