import { STATUS_OK, STATUS_OUT_OF_MEMORY } from '../../abi/status';
import { arenaMark, arenaRelease, arenaReserve } from '../memory';
import { at, fillUndefined, put } from '../series';

/**
 * Bollinger bands: mean plus and minus `width` population deviations over the last `period` candles.
 *
 * Sums of differences and of squares to the first candle of the block (see rolling/windowSum.ts). That candle is inside
 * the window, so |difference| <= range <= sqrt(2 * period) * deviation, which bounds the cancellation in the variance
 * by 2 * period roundings; a window that does not move has a deviation of exactly 0.
 * @param x      f64[length], finite
 * @param period candles, 1..PERIOD_MAX
 * @param upper  f64[length], with `middle` and `lower` in the unit of x; NaN below period - 1
 * @param from   first candle wanted
 */
export function boll(
  x: usize,
  length: i32,
  period: i32,
  width: f64,
  upper: usize,
  middle: usize,
  lower: usize,
  from: i32,
): i32 {
  if (length >= period) {
    const mark = arenaMark();
    const tails = arenaReserve((<usize>period + 1) << 4);
    if (tails === 0) return STATUS_OUT_OF_MEMORY;
    const squares = tails + ((<usize>period + 1) << 3);
    for (let start = (max(from, period - 1) / period) * period; start < length; start += period) {
      const origin = at(x, start);
      if (start > 0) sumTails(x, start, period, origin, tails, squares);
      else memory.fill(tails, 0, (<usize>period + 1) << 4);
      let sum: f64 = 0;
      let square: f64 = 0;
      const end = min(start + period, length);
      for (let i = start; i < end; i++) {
        const d = at(x, i) - origin;
        sum += d;
        square += d * d;
        const t = i - start + 1;
        const total = at(tails, t) + sum;
        const mean = total / <f64>period;
        const variance = (at(squares, t) + square - total * mean) / <f64>period;
        const reach = width * sqrt(max(variance, 0));
        const centre = origin + mean;
        put(upper, i, centre + reach);
        put(middle, i, centre);
        put(lower, i, centre - reach);
      }
    }
    arenaRelease(mark);
  }
  if (from < period) {
    const warmup = min(length, period - 1);
    fillUndefined(upper, 0, warmup);
    fillUndefined(middle, 0, warmup);
    fillUndefined(lower, 0, warmup);
  }
  return STATUS_OK;
}

function sumTails(x: usize, start: i32, period: i32, origin: f64, tails: usize, squares: usize): void {
  let sum: f64 = 0;
  let square: f64 = 0;
  put(tails, period, 0);
  put(squares, period, 0);
  for (let t = period - 1; t >= 1; t--) {
    const d = at(x, start - period + t) - origin;
    sum += d;
    square += d * d;
    put(tails, t, sum);
    put(squares, t, square);
  }
}
