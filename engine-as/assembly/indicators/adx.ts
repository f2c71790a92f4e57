import { both, first, lowHigh, pair, second, swap } from '../lanes';
import { at, fillUndefined, put } from '../series';

/** Slots of `state`: next candle (0: not begun), true range, +DM, -DM (smoothed sums), ADX or the sum of its seed. */
export const ADX_STATE = 5;

/** Below this the smoothed true range is rounding dust of a market that stopped thousands of candles ago. */
const NO_MOVEMENT: f64 = 1e-250;

/**
 * Average Directional Index with both directional indicators. Sums start with candles 1..period-1, then
 * S = S - S / period + new (TA-Lib); DI begins at `period`; ADX is seeded by the mean of the first `period` DX.
 * @param high   f64[length], with `low` and `close` in quote currency
 * @param period candles, 1..PERIOD_MAX
 * @param out    f64[length], 0..100; NaN below 2 * period - 1; `plus` and `minus` likewise, NaN below `period`
 * @param state  f64[ADX_STATE], cleared before the first call
 * Source: Wilder (1978), section IV. A market that does not move has DI and DX 0. +DM and -DM share two lanes.
 */
export function adx(
  high: usize,
  low: usize,
  close: usize,
  length: i32,
  period: i32,
  out: usize,
  plus: usize,
  minus: usize,
  state: usize,
): void {
  let i = <i32>at(state, 0);
  let range = f64x2.splat(at(state, 1));
  let moves = pair(at(state, 2), at(state, 3));
  let mean = at(state, 4);
  const weight = 1.0 / <f64>period;
  const keep = 1.0 - weight;
  const keeps = f64x2.splat(keep);
  const seedEnd = 2 * period - 1;
  if (i === 0) {
    fillUndefined(out, 0, min(length, seedEnd));
    fillUndefined(plus, 0, min(length, period));
    fillUndefined(minus, 0, min(length, period));
    if (length <= period) return;
    for (i = 1; i < period; i++) {
      range = f64x2.add(range, rangeOf(high, low, close, i));
      moves = f64x2.add(moves, movesOf(high, low, i));
    }
  }
  for (; i < length; i++) {
    range = f64x2.add(f64x2.mul(range, keeps), rangeOf(high, low, close, i));
    moves = f64x2.add(f64x2.mul(moves, keeps), movesOf(high, low, i));
    const isMoving = f64x2.gt(range, f64x2.splat(NO_MOVEMENT));
    const indicators = v128.and(isMoving, f64x2.mul(f64x2.splat(100), f64x2.div(moves, range)));
    put(plus, i, first(indicators));
    put(minus, i, second(indicators));
    const index = directionalIndex(moves);
    if (i > seedEnd) mean = mean * keep + index * weight;
    else mean += index;
    if (i === seedEnd) mean *= weight;
    put(out, i, i >= seedEnd ? mean : NaN);
  }
  put(state, 0, <f64>i);
  put(state, 1, first(range));
  put(state, 2, first(moves));
  put(state, 3, second(moves));
  put(state, 4, mean);
}

function rangeOf(high: usize, low: usize, close: usize, i: i32): v128 {
  const before = both(close, i - 1);
  return f64x2.sub(f64x2.pmax(both(high, i), before), f64x2.pmin(both(low, i), before));
}

/** (+DM, -DM): the larger of the two outward moves when it is positive, else 0. */
function movesOf(high: usize, low: usize, i: i32): v128 {
  const up = f64x2.sub(both(high, i), both(high, i - 1));
  const down = f64x2.sub(both(low, i - 1), both(low, i));
  const outward = lowHigh(up, down);
  return v128.and(f64x2.gt(outward, swap(outward)), f64x2.pmax(f64x2.splat(0), outward));
}

/** 100 * |+DM - -DM| / (+DM + -DM); the true range cancels out of the two indicators. */
function directionalIndex(moves: v128): f64 {
  const other = swap(moves);
  const sum = f64x2.add(moves, other);
  const index = f64x2.mul(f64x2.splat(100), f64x2.div(f64x2.abs(f64x2.sub(moves, other)), sum));
  return first(v128.and(f64x2.gt(sum, f64x2.splat(NO_MOVEMENT)), index));
}
