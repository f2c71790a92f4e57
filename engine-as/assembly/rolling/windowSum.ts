import { STATUS_OK, STATUS_OUT_OF_MEMORY } from '../../abi/status';
import { at2, first, high, low, put2, runningSum, runningSumBack } from '../lanes';
import { arenaMark, arenaRelease, arenaReserve } from '../memory';
import { addressOf, at, fillUndefined, put } from '../series';

/** Up to this period a window is simply added up. */
const SHORT_PERIOD = 6;
/** Elements that a step of four may touch beyond either end of the tails. */
const MARGIN = 4;

/**
 * Sums over the last `period` elements without ever subtracting an element that leaves (docs/adr/0004).
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
  // Block 0 writes its partial sums there, for any `from`.
  const warmup = min(length, period - 1);
  if (length < period) {
    fillUndefined(out, 0, warmup);
    return STATUS_OK;
  }
  if (period <= SHORT_PERIOD) {
    shortSums(x, length, period, isMean, out, max(from, period - 1));
  } else {
    const mark = arenaMark();
    const bytes = (<usize>(period + 2 * MARGIN)) << 3;
    const tails = arenaReserve(bytes);
    if (tails === 0) return STATUS_OUT_OF_MEMORY;
    memory.fill(tails, 0, bytes);
    blocks(x, length, period, isMean, out, (max(from, period - 1) / period) * period, tails + (MARGIN << 3));
    arenaRelease(mark);
  }
  if (from < period) fillUndefined(out, 0, warmup);
  return STATUS_OK;
}

/** Sums a few elements again for each window, relative to its last one: for windows this short, blocks would cost more. */
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

/** Every block from the one that starts at candle `begin`. `tails` has room for MARGIN elements at both ends. */
function blocks(x: usize, length: i32, period: i32, isMean: bool, out: usize, begin: i32, tails: usize): void {
  const scale = f64x2.splat(isMean ? 1.0 / <f64>period : 1.0);
  const bytes = (<usize>period) << 3;
  const end = addressOf(x, length);
  const shift = out - x;
  for (let start = addressOf(x, begin); start < end; start += bytes) {
    const origin = isMean ? v128.load64_splat(start) : f64x2.splat(0);
    if (start > x) sumTails(start, origin, tails, bytes);
    sumHeads(start, min(start + bytes, end), end, shift, origin, scale, tails + 8);
  }
}

/**
 * The element t of `tails` becomes the sum of x - origin over the last period - t elements before `start`, t >= 1; its
 * element `period` stays 0. Four a step from the right; the last step may go beyond the left end, where nothing is read.
 */
function sumTails(start: usize, origin: v128, tails: usize, bytes: usize): void {
  let sum = f64x2.splat(0);
  let target = tails + bytes - 32;
  for (let source = start - 32; target + 24 > tails; source -= 32) {
    const near = runningSumBack(f64x2.sub(v128.load(source, 16), origin));
    const far = f64x2.add(runningSumBack(f64x2.sub(v128.load(source), origin)), low(near));
    const whole = f64x2.add(sum, far);
    v128.store(target, f64x2.add(sum, near), 16);
    v128.store(target, whole);
    sum = low(whole);
    target -= 32;
  }
}

/** Four candles a step, counted from `start`. A step may run past `blockEnd`: the next block writes those candles again. */
function sumHeads(
  start: usize,
  blockEnd: usize,
  end: usize,
  shift: usize,
  origin: v128,
  scale: v128,
  tails: usize,
): void {
  let sum = f64x2.splat(0);
  let tail = tails;
  let source = start;
  for (; source < blockEnd && source + 32 <= end; source += 32) {
    const head = runningSum(f64x2.sub(v128.load(source), origin));
    const next = f64x2.add(runningSum(f64x2.sub(v128.load(source, 16), origin)), high(head));
    const whole = f64x2.add(sum, next);
    const near = f64x2.add(v128.load(tail), f64x2.add(sum, head));
    const far = f64x2.add(v128.load(tail, 16), whole);
    v128.store(source + shift, f64x2.add(origin, f64x2.mul(scale, near)));
    v128.store(source + shift, f64x2.add(origin, f64x2.mul(scale, far)), 16);
    sum = high(whole);
    tail += 32;
  }
  // The last one to three candles of the series, with the operations of the lanes above in the same order.
  let rest: f64 = 0;
  for (; source < blockEnd; source += 8) {
    rest = load<f64>(source) - first(origin) + rest;
    store<f64>(source + shift, first(origin) + first(scale) * (load<f64>(tail) + (first(sum) + rest)));
    tail += 8;
  }
}
