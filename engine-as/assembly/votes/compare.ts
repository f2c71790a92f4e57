import { NEUTRAL_BAND } from '../../abi/defaults';
import { billionth } from '../constants';
import { at } from '../series';

// Most rules are two comparisons: long when a - b exceeds a band, short when c - d does. Four candles a step, branch-free.

/** An operand is a column, or one number for every candle. */
const NUMBER_STEP: usize = 0;
const COLUMN_STEP: usize = 8;

/** Two numbers as operands, both lanes alike. */
const numbers = memory.data(32, 16);

/** Column against columns: long when a - b is above the band of the close, short when c - d is. `close` 0: no band. */
export function voteColumns(
  a: usize,
  b: usize,
  c: usize,
  d: usize,
  close: usize,
  from: i32,
  length: i32,
  votes: usize,
): void {
  compare(a, COLUMN_STEP, b, COLUMN_STEP, c, COLUMN_STEP, d, COLUMN_STEP, close, from, length, votes);
}

/** Column against numbers: long above `over` and short below `under`, or the other way round. */
export function voteNumbers(
  value: usize,
  under: f64,
  over: f64,
  isLongAbove: bool,
  close: usize,
  from: i32,
  length: i32,
  votes: usize,
): void {
  v128.store(numbers, f64x2.splat(under));
  v128.store(numbers, f64x2.splat(over), 16);
  const low = numbers;
  const high = numbers + 16;
  const C = COLUMN_STEP;
  const N = NUMBER_STEP;
  if (isLongAbove) compare(value, C, high, N, low, N, value, C, close, from, length, votes);
  else compare(low, N, value, C, value, C, high, N, close, from, length, votes);
}

function compare(
  a: usize,
  aStep: usize,
  b: usize,
  bStep: usize,
  c: usize,
  cStep: usize,
  d: usize,
  dStep: usize,
  close: usize,
  from: i32,
  length: i32,
  votes: usize,
): void {
  const scale = close === 0 ? f64x2.splat(0) : billionth();
  const price = close === 0 ? a : close;
  const priceStep = close === 0 ? aStep : COLUMN_STEP;
  const start = <usize>from;
  let left = a + start * aStep;
  let right = b + start * bStep;
  let upper = c + start * cStep;
  let lower = d + start * dStep;
  let closes = price + start * priceStep;
  let i = from;
  const aPair = 2 * aStep;
  const bPair = 2 * bStep;
  const cPair = 2 * cStep;
  const dPair = 2 * dStep;
  const pricePair = 2 * priceStep;
  for (; i + 4 <= length; i += 4) {
    const near = opinions(left, right, upper, lower, closes, scale);
    const far = opinions(left + aPair, right + bPair, upper + cPair, lower + dPair, closes + pricePair, scale);
    v128.store32_lane(votes + <usize>i, bytesOf(near, far), 0);
    left += 2 * aPair;
    right += 2 * bPair;
    upper += 2 * cPair;
    lower += 2 * dPair;
    closes += 2 * pricePair;
  }
  for (; i < length; i++) {
    const band = close === 0 ? 0 : NEUTRAL_BAND * at(close, i);
    const long = load<f64>(left) - load<f64>(right) > band;
    const short = load<f64>(upper) - load<f64>(lower) > band;
    store<i8>(votes + <usize>i, <i32>long - <i32>short);
    left += aStep;
    right += bStep;
    upper += cStep;
    lower += dStep;
  }
}

/** Votes of two candles, as i64 lanes. */
function opinions(left: usize, right: usize, upper: usize, lower: usize, closes: usize, scale: v128): v128 {
  const band = f64x2.mul(scale, v128.load(closes));
  const isLong = f64x2.gt(f64x2.sub(v128.load(left), v128.load(right)), band);
  const isShort = f64x2.gt(f64x2.sub(v128.load(upper), v128.load(lower)), band);
  // A mask is -1 where it holds, so short - long is 1 for long and -1 for short.
  return i64x2.sub(isShort, isLong);
}

/** Lowest bytes of the four lanes of `a` and `b`, in its first four bytes. */
function bytesOf(a: v128, b: v128): v128 {
  return i8x16.shuffle(a, b, 0, 8, 16, 24, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
}
