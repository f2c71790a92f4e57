import { STATUS_OK, STATUS_OUT_OF_MEMORY } from '../../abi/status';
import { at2, first, high, low, put2, runningSum, runningSumBack } from '../lanes';
import { arenaMark, arenaRelease, arenaReserve } from '../memory';
import { at, fillUndefined, put } from '../series';

/** Up to this period a window is simply added up. */
const SHORT_PERIOD = 6;

/**
 * Sums over the last `period` elements without ever subtracting an element that leaves (docs/adr/0010).
 *
 * The series is cut into blocks of `period` at absolute indices. A window that ends in block k is the tail of block
 * k - 1 plus the head of block k, so two running sums of at most `period` terms give every window. Nothing drifts, a
 * sum of zeros is zero, and a value depends on no later element.
 *
 * out[i] = origin + scale * sum(x - origin) over the window ending at i; `origin` is 0, or with `isMean` an element that
 * is always inside the window (the first of the block of i), which makes the mean of equal elements exactly that element.
 *
 * @param x    f64[length]
 * @param from first candle wanted; earlier ones are left as they are, or rewritten with the same bits
 * @param out  f64[length], NaN below period - 1; may not be x
 */
export function windowSum(x: usize, length: i32, period: i32, isMean: bool, out: usize, from: i32): i32 {
  // Block 0 writes its partial sums there, whichever candle is wanted first.
  const warmup = min(length, period - 1);
  if (length < period) {
    fillUndefined(out, 0, warmup);
    return STATUS_OK;
  }
  if (period <= SHORT_PERIOD) {
    shortSums(x, length, period, isMean, out, max(from, period - 1));
  } else {
    const mark = arenaMark();
    const tails = arenaReserve((<usize>period + 8) << 3);
    if (tails === 0) return STATUS_OUT_OF_MEMORY;
    const scale: f64 = isMean ? 1.0 / <f64>period : 1.0;
    memory.fill(tails, 0, (<usize>period + 8) << 3);
    for (let start = (max(from, period - 1) / period) * period; start < length; start += period) {
      const origin: f64 = isMean ? at(x, start) : 0.0;
      if (start > 0) sumTails(x, start, period, origin, tails);
      sumHeads(x, start, min(start + period, length), length, origin, scale, tails, out);
    }
    arenaRelease(mark);
  }
  if (from < period) fillUndefined(out, 0, warmup);
  return STATUS_OK;
}

/** A few elements are added anew for each window, measured from its last one: blocks that short would cost more. */
function shortSums(x: usize, length: i32, period: i32, isMean: bool, out: usize, from: i32): void {
  const scale: f64 = isMean ? 1.0 / <f64>period : 1.0;
  const keep: f64 = isMean ? 1.0 : 0.0;
  const k = f64x2.splat(scale);
  const keeps = f64x2.splat(keep);
  let i = from;
  for (; i + 2 <= length; i += 2) {
    const origin = f64x2.mul(keeps, at2(x, i));
    let sum = f64x2.sub(at2(x, i), origin);
    for (let j = 1; j < period; j++) sum = f64x2.add(sum, f64x2.sub(at2(x, i - j), origin));
    put2(out, i, f64x2.add(origin, f64x2.mul(k, sum)));
  }
  if (i < length) {
    const origin = keep * at(x, i);
    let sum = at(x, i) - origin;
    for (let j = 1; j < period; j++) sum += at(x, i - j) - origin;
    put(out, i, origin + scale * sum);
  }
}

/** tails[t] = sum of x - origin over the last period - t elements before `start`; tails[period] = 0. */
function sumTails(x: usize, start: i32, period: i32, origin: f64, tails: usize): void {
  const base = start - period;
  const o = f64x2.splat(origin);
  let sum = f64x2.splat(0);
  let t = period - 1;
  for (; t >= 4; t -= 4) {
    const near = runningSumBack(f64x2.sub(at2(x, base + t - 1), o));
    const far = f64x2.add(runningSumBack(f64x2.sub(at2(x, base + t - 3), o)), low(near));
    put2(tails, t - 1, f64x2.add(sum, near));
    const whole = f64x2.add(sum, far);
    put2(tails, t - 3, whole);
    sum = low(whole);
  }
  let rest = first(sum);
  for (; t >= 1; t--) {
    rest += at(x, base + t) - origin;
    put(tails, t, rest);
  }
}

/** Four candles a step, counted from `start`. A step may run past `end`: the next block writes those candles again. */
function sumHeads(
  x: usize,
  start: i32,
  end: i32,
  length: i32,
  origin: f64,
  scale: f64,
  tails: usize,
  out: usize,
): void {
  const o = f64x2.splat(origin);
  const k = f64x2.splat(scale);
  let sum = f64x2.splat(0);
  let i = start;
  for (; i < end && i + 4 <= length; i += 4) {
    const t = i - start + 1;
    const head = runningSum(f64x2.sub(at2(x, i), o));
    const next = f64x2.add(runningSum(f64x2.sub(at2(x, i + 2), o)), high(head));
    put2(out, i, f64x2.add(o, f64x2.mul(k, f64x2.add(at2(tails, t), f64x2.add(sum, head)))));
    const whole = f64x2.add(sum, next);
    put2(out, i + 2, f64x2.add(o, f64x2.mul(k, f64x2.add(at2(tails, t + 2), whole))));
    sum = high(whole);
  }
  if (i < end) sumLast(x, i, end, origin, scale, first(sum), tails, i - start + 1, out);
}

/** The last one to three candles of the series, with the operations of the lanes above in the same order. */
function sumLast(
  x: usize,
  i: i32,
  end: i32,
  origin: f64,
  scale: f64,
  sum: f64,
  tails: usize,
  t: i32,
  out: usize,
): void {
  const d0 = at(x, i) - origin;
  put(out, i, origin + scale * (at(tails, t) + (sum + d0)));
  if (i + 1 >= end) return;
  const d1 = at(x, i + 1) - origin + d0;
  put(out, i + 1, origin + scale * (at(tails, t + 1) + (sum + d1)));
  if (i + 2 >= end) return;
  const d2 = at(x, i + 2) - origin + d1;
  put(out, i + 2, origin + scale * (at(tails, t + 2) + (sum + d2)));
}
