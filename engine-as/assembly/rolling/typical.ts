import { three } from '../constants';
import { at2, put2 } from '../lanes';
import { at, put } from '../series';

/**
 * (high + low + close) / 3 of one candle. A true division, as everywhere else: MFI compares two of them, and on a tick grid many are equal
 * but for their last bit.
 */
export function typicalAt(high: usize, low: usize, close: usize, i: i32): f64 {
  return (at(high, i) + at(low, i) + at(close, i)) / 3.0;
}

/** The same of two neighbours; `thirds` is three(). */
export function typicalAt2(high: usize, low: usize, close: usize, i: i32, thirds: v128): v128 {
  const sum = f64x2.add(f64x2.add(at2(high, i), at2(low, i)), at2(close, i));
  return f64x2.div(sum, thirds);
}

/** The same of candles [from, to). */
export function typical(high: usize, low: usize, close: usize, from: i32, to: i32, out: usize): void {
  const thirds = three();
  let i = from;
  for (; i + 2 <= to; i += 2) put2(out, i, typicalAt2(high, low, close, i, thirds));
  if (i < to) put(out, i, typicalAt(high, low, close, i));
}
