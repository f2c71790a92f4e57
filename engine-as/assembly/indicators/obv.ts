import { at, put } from '../series';

/** Slots of `state`: next candle, running volume. */
export const OBV_STATE = 2;

/**
 * On-Balance Volume: volume added on a higher close, subtracted on a lower one, starting at the first candle's volume (TA-Lib).
 * @param close  f64[length], quote currency; `volume` f64[length], base units, >= 0
 * @param out    f64[length], base units, defined from candle 0
 * @param state  f64[OBV_STATE], cleared before the first call
 * Source: J. Granville, New Key to Stock Market Profits (1963).
 */
export function obv(close: usize, volume: usize, length: i32, out: usize, state: usize): void {
  let i = <i32>at(state, 0);
  let sum = at(state, 1);
  if (i === 0 && length > 0) {
    sum = at(volume, 0);
    put(out, 0, sum);
    i = 1;
  }
  for (; i < length; i++) {
    const price = at(close, i);
    const before = at(close, i - 1);
    if (price > before) sum += at(volume, i);
    else if (price < before) sum -= at(volume, i);
    put(out, i, sum);
  }
  put(state, 0, <f64>i);
  put(state, 1, sum);
}
