import { larger, smaller } from '../lanes';
import { addressOf, at, put } from '../series';

/** Slots of `state`: next candle, UTC day, its high, low, close, 1 when it was seen from its midnight; then the levels' source. */
export const PIVOT_STATE = 10;

const DAY_MS: f64 = 86400000;

/**
 * Classic pivot points from the previous UTC day that has candles. A first day that does not begin at midnight is
 * incomplete and gives no levels, so NaN lasts until the first day after a complete one.
 * @param time   f64[length], open of the candle, epoch ms; a candle belongs to the day of its open
 * @param levels seven planes of f64[stride]: pivot, r1, s1, r2, s2, r3, s3 in quote currency
 * @param state  f64[PIVOT_STATE], cleared before the first call
 */
export function pivot(
  time: usize,
  high: usize,
  low: usize,
  close: usize,
  length: i32,
  levels: usize,
  stride: i32,
  state: usize,
): void {
  let i = <i32>at(state, 0);
  let day = at(state, 1);
  let dayHigh = at(state, 2);
  let dayLow = at(state, 3);
  let dayClose = at(state, 4);
  let isWhole = at(state, 5);
  let isKnown = at(state, 6);
  let sourceHigh = at(state, 7);
  let sourceLow = at(state, 8);
  let sourceClose = at(state, 9);
  for (; i < length; i++) {
    const today = floor(at(time, i) / DAY_MS);
    if (i === 0 || today !== day) {
      if (i > 0 && isWhole > 0) {
        isKnown = 1;
        sourceHigh = dayHigh;
        sourceLow = dayLow;
        sourceClose = dayClose;
      }
      // Only the first day can have been cut off by the beginning of the data.
      isWhole = i > 0 || at(time, i) === today * DAY_MS ? 1 : 0;
      day = today;
      dayHigh = at(high, i);
      dayLow = at(low, i);
    }
    dayHigh = larger(dayHigh, at(high, i));
    dayLow = smaller(dayLow, at(low, i));
    dayClose = at(close, i);
    putLevels(levels, stride, i, isKnown > 0, sourceHigh, sourceLow, sourceClose);
  }
  put(state, 0, <f64>i);
  put(state, 1, day);
  put(state, 2, dayHigh);
  put(state, 3, dayLow);
  put(state, 4, dayClose);
  put(state, 5, isWhole);
  put(state, 6, isKnown);
  put(state, 7, sourceHigh);
  put(state, 8, sourceLow);
  put(state, 9, sourceClose);
}

function putLevels(levels: usize, stride: i32, i: i32, isKnown: bool, high: f64, low: f64, close: f64): void {
  const middle = isKnown ? (high + low + close) / 3.0 : NaN;
  const range = high - low;
  putPlane(levels, stride, 0, i, middle);
  putPlane(levels, stride, 1, i, isKnown ? 2.0 * middle - low : NaN);
  putPlane(levels, stride, 2, i, isKnown ? 2.0 * middle - high : NaN);
  putPlane(levels, stride, 3, i, isKnown ? middle + range : NaN);
  putPlane(levels, stride, 4, i, isKnown ? middle - range : NaN);
  putPlane(levels, stride, 5, i, isKnown ? high + 2.0 * (middle - low) : NaN);
  putPlane(levels, stride, 6, i, isKnown ? low - 2.0 * (high - middle) : NaN);
}

function putPlane(planes: usize, stride: i32, plane: i32, i: i32, value: f64): void {
  put(addressOf(planes, plane * stride), i, value);
}
