import { addressOf, at, put } from '../series';

/** Slots of `state`: next candle, swing high, swing low (NaN-free only when their flags are 1), the two flags, direction. */
export const FIB_STATE = 6;

/**
 * Fibonacci retracement of the last leg between two CONFIRMED swings.
 *
 * Candle j is a swing high when no high within `reach` candles on either side is above it and none before it equals
 * it; that is known, and used, only `reach` candles later. Swings alternate: a new swing on the same side replaces the
 * old one only when it is further out, and one that would put the high at or below the low is ignored.
 * @param high   f64[length], with `low` in quote currency
 * @param reach  candles on each side, 1..PERIOD_MAX
 * @param planes eight planes of f64[stride]: swingHigh, swingLow, direction (1 leg up, -1 leg down), and the levels at
 *               23.6, 38.2, 50, 61.8 and 78.6 % of the way back from the leg's end to its start; NaN until both swings
 *               are confirmed, which is at candle 2 * reach + 1 at the earliest
 * @param state  f64[FIB_STATE], cleared before the first call
 */
export function fib(high: usize, low: usize, length: i32, reach: i32, planes: usize, stride: i32, state: usize): void {
  let i = <i32>at(state, 0);
  let top = at(state, 1);
  let bottom = at(state, 2);
  let hasTop = at(state, 3) > 0;
  let hasBottom = at(state, 4) > 0;
  let direction = at(state, 5);
  for (; i < length; i++) {
    const j = i - reach;
    if (j >= reach && isSwingHigh(high, j, reach)) {
      const price = at(high, j);
      const isFurther = !hasTop || direction <= 0 || price > top;
      if (isFurther && (!hasBottom || price > bottom)) {
        top = price;
        hasTop = true;
        direction = 1;
      }
    }
    if (j >= reach && isSwingLow(low, j, reach)) {
      const price = at(low, j);
      const isFurther = !hasBottom || direction >= 0 || price < bottom;
      if (isFurther && (!hasTop || price < top)) {
        bottom = price;
        hasBottom = true;
        direction = -1;
      }
    }
    putLevels(planes, stride, i, hasTop && hasBottom, top, bottom, direction);
  }
  put(state, 0, <f64>i);
  put(state, 1, top);
  put(state, 2, bottom);
  put(state, 3, hasTop ? 1 : 0);
  put(state, 4, hasBottom ? 1 : 0);
  put(state, 5, direction);
}

function isSwingHigh(high: usize, j: i32, reach: i32): bool {
  const price = at(high, j);
  for (let k = 1; k <= reach; k++) {
    if (at(high, j - k) >= price || at(high, j + k) > price) return false;
  }
  return true;
}

function isSwingLow(low: usize, j: i32, reach: i32): bool {
  const price = at(low, j);
  for (let k = 1; k <= reach; k++) {
    if (at(low, j - k) <= price || at(low, j + k) < price) return false;
  }
  return true;
}

function putLevels(planes: usize, stride: i32, i: i32, isKnown: bool, top: f64, bottom: f64, direction: f64): void {
  const end = direction > 0 ? top : bottom;
  const way = isKnown ? (direction > 0 ? bottom : top) - end : NaN; // back towards the start of the leg
  putPlane(planes, stride, 0, i, isKnown ? top : NaN);
  putPlane(planes, stride, 1, i, isKnown ? bottom : NaN);
  putPlane(planes, stride, 2, i, isKnown ? direction : NaN);
  putPlane(planes, stride, 3, i, end + 0.236 * way);
  putPlane(planes, stride, 4, i, end + 0.382 * way);
  putPlane(planes, stride, 5, i, end + 0.5 * way);
  putPlane(planes, stride, 6, i, end + 0.618 * way);
  putPlane(planes, stride, 7, i, end + 0.786 * way);
}

function putPlane(planes: usize, stride: i32, plane: i32, i: i32, value: f64): void {
  put(addressOf(planes, plane * stride), i, value);
}
