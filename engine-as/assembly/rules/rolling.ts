import { OP_HIGHEST, OP_LOWEST, OP_MEAN, OP_RISING, OP_STDEV, OP_SUM } from '../../abi/ruleProgram';
import { addressOf, at, fillUndefined, put } from '../series';

// Operations over the last n candles, O(1) a candle: the series is cut into blocks of n at absolute indices, and a window that ends in block
// k is a tail of block k - 1 and a head of block k. So nothing is subtracted, nothing drifts, and a value that is not defined spreads to
// exactly the windows that hold it.

/**
 * Sum, mean, deviation, highest or lowest. Order of the arithmetic: abi/ruleProgram.ts.
 * @param scratch f64[2 * period]
 */
export function rollingOp(op: i32, x: usize, length: i32, period: i32, out: usize, scratch: usize): void {
  fillUndefined(out, 0, min(length, period - 1));
  for (let start = 0; start < length; start += period) {
    const end = min(start + period, length);
    if (op === OP_SUM) sums(x, start, end, period, out, scratch);
    else if (op === OP_MEAN) means(x, start, end, period, out, scratch);
    else if (op === OP_STDEV) deviations(x, start, end, period, out, scratch);
    else if (op === OP_HIGHEST) highest(x, start, end, period, out, scratch);
    else if (op === OP_LOWEST) lowest(x, start, end, period, out, scratch);
  }
}

/** Tails have index j - (start - period) for the candle j they start with; that of no candle at all, index `period`, is 0. */
function sums(x: usize, start: i32, end: i32, period: i32, out: usize, tails: usize): void {
  const before = addressOf(x, start - period);
  let tail: f64 = 0;
  put(tails, period, 0);
  if (start > 0) for (let t = period - 1; t > 0; t--) put(tails, t, (tail += at(before, t)));
  let head: f64 = 0;
  for (let i = start; i < end; i++) {
    head += at(x, i);
    if (i >= period - 1) put(out, i, at(tails, i - start + 1) + head);
  }
}

function means(x: usize, start: i32, end: i32, period: i32, out: usize, tails: usize): void {
  const origin = at(x, start);
  const size = <f64>period;
  const before = addressOf(x, start - period);
  let tail: f64 = 0;
  put(tails, period, 0);
  if (start > 0) for (let t = period - 1; t > 0; t--) put(tails, t, (tail += at(before, t) - origin));
  let head: f64 = 0;
  for (let i = start; i < end; i++) {
    head += at(x, i) - origin;
    if (i >= period - 1) put(out, i, origin + (at(tails, i - start + 1) + head) / size);
  }
}

function deviations(x: usize, start: i32, end: i32, period: i32, out: usize, tails: usize): void {
  const origin = at(x, start);
  const size = <f64>period;
  const before = addressOf(x, start - period);
  const squares = addressOf(tails, period + 1);
  let tail: f64 = 0;
  let square: f64 = 0;
  put(tails, period, 0);
  put(squares, period, 0);
  if (start > 0) {
    for (let t = period - 1; t > 0; t--) {
      const d = at(before, t) - origin;
      put(tails, t, (tail += d));
      put(squares, t, (square += d * d));
    }
  }
  let head: f64 = 0;
  let headSquare: f64 = 0;
  for (let i = start; i < end; i++) {
    const d = at(x, i) - origin;
    head += d;
    headSquare += d * d;
    if (i < period - 1) continue;
    const sum = at(tails, i - start + 1) + head;
    const both = at(squares, i - start + 1) + headSquare;
    put(out, i, Math.sqrt(Math.max(0, (both - (sum * sum) / size) / size)));
  }
}

function highest(x: usize, start: i32, end: i32, period: i32, out: usize, tails: usize): void {
  const before = addressOf(x, start - period);
  let tail: f64 = -Infinity;
  put(tails, period, tail);
  if (start > 0) for (let t = period - 1; t > 0; t--) put(tails, t, (tail = Math.max(tail, at(before, t))));
  let head: f64 = -Infinity;
  for (let i = start; i < end; i++) {
    head = Math.max(head, at(x, i));
    if (i >= period - 1) put(out, i, Math.max(at(tails, i - start + 1), head));
  }
}

function lowest(x: usize, start: i32, end: i32, period: i32, out: usize, tails: usize): void {
  const before = addressOf(x, start - period);
  let tail: f64 = Infinity;
  put(tails, period, tail);
  if (start > 0) for (let t = period - 1; t > 0; t--) put(tails, t, (tail = Math.min(tail, at(before, t))));
  let head: f64 = Infinity;
  for (let i = start; i < end; i++) {
    head = Math.min(head, at(x, i));
    if (i >= period - 1) put(out, i, Math.min(at(tails, i - start + 1), head));
  }
}

/** RISING and FALLING: the value against the extreme of the `period` values before it. */
export function runs(op: i32, x: usize, length: i32, period: i32, out: usize, extremes: usize, scratch: usize): void {
  const isRising = op === OP_RISING;
  rollingOp(isRising ? OP_HIGHEST : OP_LOWEST, x, length, period, extremes, scratch);
  fillUndefined(out, 0, min(length, period));
  for (let i = period; i < length; i++) {
    const value = at(x, i);
    const edge = at(extremes, i - 1);
    const isKnown = value === value && edge === edge;
    put(out, i, isKnown ? f64(isRising ? value > edge : value < edge) : NaN);
  }
}

/** Share in percent of the `period` values before each that are at most it. O(period) a candle, two a step. */
export function percentRanks(x: usize, length: i32, period: i32, out: usize): void {
  fillUndefined(out, 0, min(length, period));
  const size = <f64>period;
  for (let i = period; i < length; i++) {
    const value = at(x, i);
    const values = f64x2.splat(value);
    let counts = i64x2.splat(0);
    let known = f64x2.eq(values, values);
    let j = i - period;
    for (; j + 2 <= i; j += 2) {
      const before = v128.load(addressOf(x, j));
      counts = i64x2.sub(counts, f64x2.le(before, values));
      known = v128.and(known, f64x2.eq(before, before));
    }
    let count = i64x2.extract_lane(counts, 0) + i64x2.extract_lane(counts, 1);
    let isKnown = i64x2.all_true(known);
    if (j < i) {
      const before = at(x, j);
      count += i64(before <= value);
      isKnown = isKnown && before === before;
    }
    put(out, i, isKnown ? (100.0 * <f64>count) / size : NaN);
  }
}
