import { fillUndefined, put } from '../series';
import { meanOf, smooth } from '../rolling/smoothing';

/**
 * Exponential moving average, weight 2 / (period + 1), seeded by the mean of its first `period` elements (TA-Lib).
 * @param x      f64[length], finite
 * @param period candles, 1..PERIOD_MAX
 * @param out    f64[length], unit of x; NaN below period - 1; may be x only when nothing is resumed
 * @param state  f64[SMOOTHING_STATE], cleared before the first call
 */
export function ema(x: usize, length: i32, period: i32, out: usize, state: usize): void {
  if (load<f64>(state) === 0) {
    fillUndefined(out, 0, min(length, period - 1));
    if (length < period) return;
    put(out, period - 1, meanOf(x, 0, period));
  }
  smooth(x, length, period, load<f64>(out + ((<usize>period - 1) << 3)), 2.0 / <f64>(period + 1), state, out);
}
