import { first, high, low, pair, second } from '../lanes';
import { addressOf, at, put } from '../series';

/** Slots of `state`: first element of the next step (0: not started), the carried distance and the element it is measured from. */
const NEXT = 0;
const CARRY = 1;
const BEFORE = 2;
/** Number of f64 values that a smoothing stores between calls. */
export const SMOOTHING_STATE = 3;

const tail = memory.data(32, 16); // the unfinished step at the end of a series

/**
 * Exponential smoothing y[i] = y[i-1] + weight * (x[i] - y[i-1]) for i >= start, y[start-1] given.
 *
 * Carried is the distance e = y - x, for which the definition reads e[i] = keep * (e[i-1] - (x[i] - x[i-1])), keep = 1 - weight: when x is
 * constant the distance fades to 0 and the mean is exactly x. Four elements a step: the chain from step to step is one multiplication and
 * one addition. Steps are counted from `start`, never from the end.
 *
 * @param x      f64[length]; may be `out`
 * @param seed   y[start - 1]; read only when `state` has not started, x[start - 1] must then be in place
 * @param state  f64[SMOOTHING_STATE], cleared for a whole series
 * @param out    f64[length]; elements before `start` are not touched
 */
export function smooth(x: usize, length: i32, start: i32, seed: f64, weight: f64, state: usize, out: usize): void {
  if (length <= start) return;
  let i = <i32>at(state, NEXT);
  let carry = f64x2.splat(at(state, CARRY));
  let before = f64x2.splat(at(state, BEFORE));
  if (i === 0) {
    i = start;
    const last = at(x, start - 1);
    carry = f64x2.splat(seed - last);
    before = f64x2.splat(last);
  }
  const keep = 1.0 - weight;
  const near = pair(keep, keep * keep);
  const far = pair(keep * keep * keep, keep * keep * keep * keep);
  const gain = f64x2.splat(-keep);
  const once = pair(0, keep);
  const end = addressOf(x, length - 4);
  let source = addressOf(x, i);
  let target = addressOf(out, i);
  for (; source <= end; source += 32) {
    const a = v128.load(source);
    const b = v128.load(source, 16);
    const head = scan(f64x2.mul(gain, f64x2.sub(a, neighbours(before, a))), once);
    const rest = f64x2.add(
      scan(f64x2.mul(gain, f64x2.sub(b, v128.load(source, 8))), once),
      f64x2.mul(near, high(head)),
    );
    const whole = f64x2.add(f64x2.mul(far, carry), rest);
    v128.store(target, f64x2.add(a, f64x2.add(f64x2.mul(near, carry), head)));
    v128.store(target, f64x2.add(b, whole), 16);
    carry = high(whole);
    before = b;
    target += 32;
  }
  i = <i32>((source - x) >> 3);
  put(state, NEXT, <f64>i);
  put(state, CARRY, first(carry));
  put(state, BEFORE, second(before));
  if (i < length) smoothLast(source, length - i, gain, once, near, far, carry, before, target);
}

/** The elements just before the two of `b`: the last of `a` and the first of `b`. */
function neighbours(a: v128, b: v128): v128 {
  return i8x16.shuffle(a, b, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23);
}

/** (u0, u1 + keep * u0) */
function scan(u: v128, once: v128): v128 {
  return f64x2.add(u, f64x2.mul(once, low(u)));
}

/** The last one to three elements: the same step, padded after the end; the padding is discarded. */
function smoothLast(
  source: usize,
  count: i32,
  gain: v128,
  once: v128,
  near: v128,
  far: v128,
  carry: v128,
  before: v128,
  target: usize,
): void {
  memory.fill(tail, 0, 32);
  memory.copy(tail, source, (<usize>count) << 3);
  const a = v128.load(tail);
  const b = v128.load(tail, 16);
  const head = scan(f64x2.mul(gain, f64x2.sub(a, neighbours(before, a))), once);
  const rest = f64x2.add(scan(f64x2.mul(gain, f64x2.sub(b, neighbours(a, b))), once), f64x2.mul(near, high(head)));
  v128.store(tail, f64x2.add(a, f64x2.add(f64x2.mul(near, carry), head)));
  v128.store(tail, f64x2.add(b, f64x2.add(f64x2.mul(far, carry), rest)), 16);
  memory.copy(target, tail, (<usize>count) << 3);
}

/** Mean of x[from, from + count), measured from its last element so that the mean of equal elements is exact. */
export function meanOf(x: usize, from: i32, count: i32): f64 {
  const origin = at(x, from + count - 1);
  const origins = f64x2.splat(origin);
  const end = addressOf(x, from + count);
  let even = f64x2.splat(0);
  let odd = f64x2.splat(0);
  let source = addressOf(x, from);
  for (; source + 32 <= end; source += 32) {
    even = f64x2.add(even, f64x2.sub(v128.load(source), origins));
    odd = f64x2.add(odd, f64x2.sub(v128.load(source, 16), origins));
  }
  const sums = f64x2.add(even, odd);
  let sum = first(sums) + second(sums);
  for (; source < end; source += 8) sum += load<f64>(source) - origin;
  return origin + sum / <f64>count;
}
