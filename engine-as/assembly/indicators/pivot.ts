import { at2, first, larger, second, smaller } from '../lanes';
import { addressOf, at, fillStretch, put } from '../series';

/** Slots of `state`: next candle, end of its UTC day, the day's high, low, close, 1 when it is whole so far, then the levels' source. */
export const PIVOT_STATE = 10;

const DAY_MS: f64 = 86400000;
const LEVELS = 7;

const levels = memory.data(56, 16); // of the day being written

/**
 * Classic pivot points from the previous UTC day that has candles. A first day that does not start at midnight is incomplete and gives no
 * levels, so NaN lasts until the first day after a complete one.
 * @param time   f64[length], open of the candle, epoch ms; a candle belongs to the day of its open
 * @param planes seven planes of f64[stride]: pivot, r1, s1, r2, s2, r3, s3 in quote currency
 * @param state  f64[PIVOT_STATE], cleared before the first call
 */
export function pivot(
  time: usize,
  high: usize,
  low: usize,
  close: usize,
  length: i32,
  planes: usize,
  stride: i32,
  state: usize,
): void {
  let i = <i32>at(state, 0);
  while (i < length) {
    if (i === 0 || at(time, i) >= at(state, 1)) beginDay(at(time, i), i, state);
    setLevels(at(state, 6) > 0, at(state, 7), at(state, 8), at(state, 9));
    const dayEnd = at(state, 1);
    let tops = f64x2.splat(at(state, 2));
    let bottoms = f64x2.splat(at(state, 3));
    const begin = i;
    for (; i + 2 <= length && at(time, i + 1) < dayEnd; i += 2) {
      tops = f64x2.pmax(tops, at2(high, i));
      bottoms = f64x2.pmin(bottoms, at2(low, i));
    }
    let top = larger(first(tops), second(tops));
    let bottom = smaller(first(bottoms), second(bottoms));
    // A time so large that its day has no end in a double must not hold the loop.
    if (i < length && (at(time, i) < dayEnd || i === begin)) {
      top = larger(top, at(high, i));
      bottom = smaller(bottom, at(low, i));
      i++;
    }
    put(state, 2, top);
    put(state, 3, bottom);
    put(state, 4, at(close, i - 1));
    for (let k = 0; k < LEVELS; k++) fillStretch(addressOf(planes, k * stride), begin, i, length, at(levels, k));
  }
  put(state, 0, <f64>i);
}

/** The completed day becomes the source of the levels, unless the start of the data cut it off. */
function beginDay(time: f64, i: i32, state: usize): void {
  if (i > 0 && at(state, 5) > 0) {
    put(state, 6, 1);
    memory.copy(addressOf(state, 7), addressOf(state, 2), 24);
  }
  const midnight = floor(time / DAY_MS) * DAY_MS;
  put(state, 1, midnight + DAY_MS);
  put(state, 2, -Infinity);
  put(state, 3, Infinity);
  put(state, 5, i > 0 || time === midnight ? 1 : 0);
}

function setLevels(isKnown: bool, high: f64, low: f64, close: f64): void {
  const middle = isKnown ? (high + low + close) / 3.0 : NaN;
  const range = high - low;
  put(levels, 0, middle);
  put(levels, 1, 2.0 * middle - low);
  put(levels, 2, 2.0 * middle - high);
  put(levels, 3, middle + range);
  put(levels, 4, middle - range);
  put(levels, 5, high + 2.0 * (middle - low));
  put(levels, 6, low - 2.0 * (high - middle));
}
