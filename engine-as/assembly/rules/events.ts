import { OP_CROSSOVER, RULE_OCCURRENCE_MAX } from '../../abi/ruleProgram';
import { one, undefinedPair } from '../constants';
import { addressOf, at, fillUndefined, put } from '../series';
import { verdict } from './elements';

// Operations that carry something from candle to candle.

/** The value `steps` candles before. */
export function shift(x: usize, length: i32, steps: i32, out: usize): void {
  const gone = min(steps, length);
  memory.copy(addressOf(out, gone), x, (<usize>(length - gone)) << 3);
  fillUndefined(out, 0, gone);
}

export function change(x: usize, length: i32, steps: i32, out: usize): void {
  const gone = min(steps, length);
  fillUndefined(out, 0, gone);
  for (let i = gone; i < length; i++) put(out, i, at(x, i) - at(x, i - steps));
}

/**
 * CROSSOVER and CROSSUNDER, two candles a step. False where the second comparison or the first is, so a first one that is false decides
 * alone.
 * @param bytes of a column, a multiple of 16
 */
export function crossings(op: i32, a: usize, b: usize, out: usize, bytes: usize): void {
  const unit = one();
  const none = undefinedPair();
  const isOver = op === OP_CROSSOVER;
  const above = isOver ? a : b;
  const below = isOver ? b : a;
  let lastAbove = none;
  let lastBelow = none;
  for (let k: usize = 0; k < bytes; k += 16) {
    const x = v128.load(above + k);
    const y = v128.load(below + k);
    const beforeX = neighbours(lastAbove, x);
    const beforeY = neighbours(lastBelow, y);
    const isAbove = f64x2.gt(x, y);
    const wasBelow = f64x2.le(beforeX, beforeY);
    const isFalse = v128.or(f64x2.le(x, y), f64x2.gt(beforeX, beforeY));
    const isTrue = v128.and(isAbove, wasBelow);
    v128.store(out + k, verdict(isTrue, v128.or(isTrue, isFalse), unit, none));
    lastAbove = x;
    lastBelow = y;
  }
}

/** The elements just before the two of `b`: the last of `a` and the first of `b`. */
function neighbours(a: v128, b: v128): v128 {
  return i8x16.shuffle(a, b, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23);
}

function isTrueAt(condition: usize, i: i32): bool {
  const value = at(condition, i);
  return value < 0 || value > 0;
}

export function barsSince(condition: usize, length: i32, out: usize): void {
  let since: f64 = NaN;
  for (let i = 0; i < length; i++) {
    since = isTrueAt(condition, i) ? 0 : since + 1;
    put(out, i, since);
  }
}

/** Values of the last times, a ring. */
const ring = memory.data((RULE_OCCURRENCE_MAX + 1) << 3, 16);

export function valueWhen(condition: usize, x: usize, length: i32, back: i32, out: usize): void {
  const size = back + 1;
  let seen = 0;
  let place = 0; // of the next value: where the oldest of the last `size` is
  let value: f64 = NaN;
  for (let i = 0; i < length; i++) {
    if (isTrueAt(condition, i)) {
      put(ring, place, at(x, i));
      place = place === back ? 0 : place + 1;
      if (seen < size) seen++;
      if (seen === size) value = at(ring, place);
    }
    put(out, i, value);
  }
}
