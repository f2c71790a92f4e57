import { both, first, highs, lows, pair, put2, second } from '../lanes';
import { at, fillUndefined, put } from '../series';

/** Slots of `state`: next candle (0: not begun), mean gain, mean loss. */
export const RSI_STATE = 3;

/** Below this the means are rounding dust of a market that stopped thousands of candles ago. */
const NO_MOVEMENT: f64 = 1e-250;

/**
 * Relative Strength Index with Wilder smoothing.
 * @param x      f64[length], finite
 * @param period candles, 1..PERIOD_MAX
 * @param out    f64[length], 0..100; NaN below `period`; 50 when nothing has moved
 * @param state  f64[RSI_STATE], cleared before the first call
 * Source: J. W. Wilder, New Concepts in Technical Trading Systems (1978), section VI. Gains and losses share two lanes.
 */
export function rsi(x: usize, length: i32, period: i32, out: usize, state: usize): void {
  const weight = f64x2.splat(1.0 / <f64>period);
  const keep = f64x2.splat(1.0 - 1.0 / <f64>period);
  const zero = f64x2.splat(0);
  const sides = pair(1, -1);
  let i = <i32>at(state, 0);
  let means = pair(at(state, 1), at(state, 2));
  if (i === 0) {
    fillUndefined(out, 0, min(length, period));
    if (length <= period) return;
    for (i = 1; i <= period; i++) means = f64x2.add(means, moves(x, i, sides, zero));
    means = f64x2.mul(means, weight);
    put(out, period, first(strengths(means, means)));
  }
  for (; i + 2 <= length; i += 2) {
    const one = f64x2.add(f64x2.mul(means, keep), f64x2.mul(moves(x, i, sides, zero), weight));
    means = f64x2.add(f64x2.mul(one, keep), f64x2.mul(moves(x, i + 1, sides, zero), weight));
    put2(out, i, strengths(one, means));
  }
  if (i < length) {
    means = f64x2.add(f64x2.mul(means, keep), f64x2.mul(moves(x, i, sides, zero), weight));
    put(out, i, first(strengths(means, means)));
    i++;
  }
  put(state, 0, <f64>i);
  put(state, 1, first(means));
  put(state, 2, second(means));
}

/** (gain, loss) of candle i; one of them is 0. */
function moves(x: usize, i: i32, sides: v128, zero: v128): v128 {
  return f64x2.pmax(zero, f64x2.mul(sides, f64x2.sub(both(x, i), both(x, i - 1))));
}

/** 100 * (gain / (gain + loss)) of two candles; the quotient first, so that no loss is exactly 100. */
function strengths(one: v128, two: v128): v128 {
  const gain = lows(one, two);
  const total = f64x2.add(gain, highs(one, two));
  const strength = f64x2.mul(f64x2.splat(100), f64x2.div(gain, total));
  return v128.bitselect(strength, f64x2.splat(50), f64x2.gt(total, f64x2.splat(NO_MOVEMENT)));
}
