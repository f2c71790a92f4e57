import { at2, first, high, low, pair, put2, second } from '../lanes';
import { at, put } from '../series';

/** Slots of `state`: index of the block to compute next (0: not begun), and the carried mean minus that block's origin. */
const ANCHOR = 0;
const CARRY = 1;
/** f64 values a smoothing keeps between calls. */
export const SMOOTHING_STATE = 2;

const tail = memory.data(32, 16); // the unfinished block at the end of a series

/**
 * Exponential smoothing y[i] = y[i-1] + weight * (x[i] - y[i-1]) for i >= start, y[start-1] given.
 *
 * Four candles a step: with b = 1 - weight, y[i+3] = b^4 * y[i-1] + (a sum over the block), so the chain from candle to
 * candle is one multiplication and one addition per four. Blocks are counted from `start`, never from the end, and
 * inside one everything is measured from the block's first element: the mean of equal elements is exactly that element.
 *
 * @param x      f64[length]; may be `out`
 * @param seed   y[start - 1]; read only when `state` has not begun
 * @param state  f64[SMOOTHING_STATE], cleared for a whole series
 * @param out    f64[length]; candles before `start` are not touched
 */
export function smooth(x: usize, length: i32, start: i32, seed: f64, weight: f64, state: usize, out: usize): void {
  if (length <= start) return;
  let i = <i32>at(state, ANCHOR);
  let carry = f64x2.splat(at(state, CARRY));
  if (i === 0) {
    i = start;
    carry = f64x2.splat(seed - at(x, start));
  }
  const b = 1.0 - weight;
  const gain = f64x2.splat(weight);
  const once = pair(0, b);
  const near = pair(b, b * b);
  const far = pair(b * b * b, b * b * b * b);
  let origin = f64x2.splat(at(x, i));
  for (; i + 4 < length; i += 4) {
    const nextOrigin = f64x2.splat(at(x, i + 4)); // read before `out` may replace it
    const head = localPart(f64x2.mul(gain, f64x2.sub(at2(x, i), origin)), once);
    const next = localPart(f64x2.mul(gain, f64x2.sub(at2(x, i + 2), origin)), once);
    const whole = f64x2.add(next, f64x2.mul(near, high(head)));
    const faded = f64x2.mul(far, carry);
    put2(out, i, f64x2.add(origin, f64x2.add(f64x2.mul(near, carry), head)));
    put2(out, i + 2, f64x2.add(origin, f64x2.add(faded, whole)));
    carry = high(f64x2.add(faded, f64x2.add(whole, f64x2.sub(origin, nextOrigin))));
    origin = nextOrigin;
  }
  put(state, ANCHOR, <f64>i);
  put(state, CARRY, first(carry));
  smoothLast(x, i, length, gain, once, near, far, carry, origin, out);
}

/** (u0, u1 + b * u0) */
function localPart(u: v128, once: v128): v128 {
  return f64x2.add(u, f64x2.mul(once, low(u)));
}

/** The last one to four candles: the same block with made-up elements after the end, of which nothing is kept. */
function smoothLast(
  x: usize,
  i: i32,
  length: i32,
  gain: v128,
  once: v128,
  near: v128,
  far: v128,
  carry: v128,
  origin: v128,
  out: usize,
): void {
  const count = length - i;
  for (let j = 0; j < 4; j++) put(tail, j, j < count ? at(x, i + j) : first(origin));
  const head = localPart(f64x2.mul(gain, f64x2.sub(at2(tail, 0), origin)), once);
  const next = localPart(f64x2.mul(gain, f64x2.sub(at2(tail, 2), origin)), once);
  const whole = f64x2.add(next, f64x2.mul(near, high(head)));
  const y01 = f64x2.add(origin, f64x2.add(f64x2.mul(near, carry), head));
  const y23 = f64x2.add(origin, f64x2.add(f64x2.mul(far, carry), whole));
  put(out, i, first(y01));
  if (count > 1) put(out, i + 1, second(y01));
  if (count > 2) put(out, i + 2, first(y23));
  if (count > 3) put(out, i + 3, second(y23));
}

/** Mean of x[from, from + count), measured from its last element so that the mean of equal elements is exact. */
export function meanOf(x: usize, from: i32, count: i32): f64 {
  const origin = at(x, from + count - 1);
  let sum: f64 = 0;
  for (let i = from; i < from + count; i++) sum += at(x, i) - origin;
  return origin + sum / <f64>count;
}
