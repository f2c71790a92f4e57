import { STATUS_OK, STATUS_OUT_OF_MEMORY } from '../../abi/status';
import { at2, high, put2, runningSum } from '../lanes';
import { arenaMark, arenaRelease, arenaReserve } from '../memory';
import { addressOf, at, fillUndefined, put } from '../series';

const last = memory.data(32, 16); // closes of the unfinished step at the end of a series

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
 * @returns      STATUS_OK or STATUS_OUT_OF_MEMORY
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
    const bytes = (<usize>period + 8) << 3;
    const tails = arenaReserve(2 * bytes);
    if (tails === 0) return STATUS_OUT_OF_MEMORY;
    const squares = tails + bytes;
    memory.fill(tails, 0, 2 * bytes);
    for (let start = (max(from, period - 1) / period) * period; start < length; start += period) {
      const origin = at(x, start);
      if (start > 0) sumTails(x, start, period, origin, tails, squares);
      block(x, start, min(start + period, length), length, period, width, tails, squares, upper, middle, lower);
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

/** Sums of the differences and squares of the last period - t candles before `start`, t = 1 .. period - 1. */
function sumTails(x: usize, start: i32, period: i32, origin: f64, tails: usize, squares: usize): void {
  let sum: f64 = 0;
  let square: f64 = 0;
  for (let t = period - 1; t >= 1; t--) {
    const d = at(x, start - period + t) - origin;
    sum += d;
    square += d * d;
    put(tails, t, sum);
    put(squares, t, square);
  }
}

/** Candles [start, end), two a step. A step may run past `end`: the next block writes that candle again. */
function block(
  x: usize,
  start: i32,
  end: i32,
  length: i32,
  period: i32,
  width: f64,
  tails: usize,
  squares: usize,
  upper: usize,
  middle: usize,
  lower: usize,
): void {
  const origin = f64x2.splat(at(x, start));
  const share = f64x2.splat(1.0 / <f64>period);
  const reach = f64x2.splat(width);
  let sum = f64x2.splat(0);
  let square = f64x2.splat(0);
  for (let i = start; i < end; i += 2) {
    const t = i - start + 1;
    const isWhole = i + 2 <= length;
    if (!isWhole) put(last, 0, at(x, i));
    const d = f64x2.sub(isWhole ? at2(x, i) : at2(last, 0), origin);
    const sums = f64x2.add(sum, runningSum(d));
    const both = f64x2.add(square, runningSum(f64x2.mul(d, d)));
    sum = high(sums);
    square = high(both);
    const total = f64x2.add(at2(tails, t), sums);
    const mean = f64x2.mul(total, share);
    const spread = f64x2.mul(f64x2.sub(f64x2.add(at2(squares, t), both), f64x2.mul(total, mean)), share);
    const deviation = f64x2.mul(reach, f64x2.sqrt(f64x2.pmax(f64x2.splat(0), spread)));
    const centre = f64x2.add(origin, mean);
    putCandles(upper, i, f64x2.add(centre, deviation), isWhole);
    putCandles(middle, i, centre, isWhole);
    putCandles(lower, i, f64x2.sub(centre, deviation), isWhole);
  }
}

/** Both candles, or only the first when the series ends with it. */
function putCandles(out: usize, i: i32, values: v128, isBoth: bool): void {
  if (isBoth) put2(out, i, values);
  else v128.store64_lane(addressOf(out, i), values, 0);
}
