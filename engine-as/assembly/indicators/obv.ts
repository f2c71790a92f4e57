import { at2, first, high, put2, runningSum } from '../lanes';
import { at, put } from '../series';

/** Slots of `state`: first candle of the next step (0: not started), running volume before it. */
export const OBV_STATE = 2;

/**
 * On-Balance Volume: volume added on a higher close, subtracted on a lower one, starting at the first candle's volume
 * (TA-Lib). Four candles a step, counted from candle 1.
 * @param close  f64[length], quote currency; `volume` f64[length], base units, >= 0
 * @param out    f64[length], base units, defined from candle 0
 * @param state  f64[OBV_STATE], cleared before the first call
 * Source: J. Granville, New Key to Stock Market Profits (1963).
 */
export function obv(close: usize, volume: usize, length: i32, out: usize, state: usize): void {
  let i = <i32>at(state, 0);
  let sum = f64x2.splat(at(state, 1));
  if (i === 0) {
    if (length === 0) return;
    sum = f64x2.splat(at(volume, 0));
    put(out, 0, at(volume, 0));
    i = 1;
  }
  for (; i + 4 <= length; i += 4) {
    const near = runningSum(signed(close, volume, i));
    const far = f64x2.add(runningSum(signed(close, volume, i + 2)), high(near));
    put2(out, i, f64x2.add(sum, near));
    const whole = f64x2.add(sum, far);
    put2(out, i + 2, whole);
    sum = high(whole);
  }
  put(state, 0, <f64>i);
  put(state, 1, first(sum));
  let added: f64 = 0;
  for (; i < length; i++) {
    // The order of the lanes above: the third candle adds the sum of the first two to its own.
    const rise = at(close, i) - at(close, i - 1);
    added += rise > 0 ? at(volume, i) : rise < 0 ? -at(volume, i) : 0;
    put(out, i, first(sum) + added);
  }
}

/** Volume of two candles with the sign of their change, 0 without one. */
function signed(close: usize, volume: usize, i: i32): v128 {
  const price = at2(close, i);
  const before = at2(close, i - 1);
  const traded = at2(volume, i);
  const up = v128.and(f64x2.gt(price, before), traded);
  return f64x2.sub(up, v128.and(f64x2.lt(price, before), traded));
}
