import { NO_MOVEMENT, fifty, hundred, noMovement } from '../constants';
import { at2, first, put2 } from '../lanes';
import { carryOf, fade, fadeOf, onceOf } from '../rolling/fading';
import { at, fillUndefined, put } from '../series';

/** Slots of `state`: first candle of the next step (0: not started), mean gain and mean loss before it. */
export const RSI_STATE = 3;

/**
 * Relative Strength Index with Wilder smoothing; after the seed two candles a step, counted from period + 1.
 * @param x      f64[length], finite
 * @param period candles, 1..PERIOD_MAX
 * @param out    f64[length], 0..100; NaN below `period`; 50 when nothing has moved
 * @param state  f64[RSI_STATE], cleared before the first call
 * Source: J. W. Wilder, New Concepts in Technical Trading Systems (1978), section VI.
 */
export function rsi(x: usize, length: i32, period: i32, out: usize, state: usize): void {
  if (at(state, 0) === 0) {
    fillUndefined(out, 0, min(length, period));
    if (length <= period) return;
    seed(x, period, out, state);
  }
  const weight = 1.0 / <f64>period;
  const keep = 1.0 - weight;
  const weights = f64x2.splat(weight);
  const fades = fadeOf(keep);
  const once = onceOf(keep);
  const zero = f64x2.splat(0);
  const percent = hundred();
  const neutral = fifty();
  const still = noMovement();
  let i = <i32>at(state, 0);
  let gain = f64x2.splat(at(state, 1));
  let loss = f64x2.splat(at(state, 2));
  for (; i + 2 <= length; i += 2) {
    const change = f64x2.mul(weights, f64x2.sub(at2(x, i), at2(x, i - 1)));
    const rise = f64x2.pmax(zero, change);
    const gains = fade(gain, rise, fades, once);
    const losses = fade(loss, f64x2.sub(rise, change), fades, once);
    put2(out, i, strengths(gains, losses, percent, neutral, still));
    gain = carryOf(gains);
    loss = carryOf(losses);
  }
  put(state, 0, <f64>i);
  put(state, 1, first(gain));
  put(state, 2, first(loss));
  if (i === length) return;
  // A single last candle: the first lane of a step that may still get its second candle.
  const change = weight * (at(x, i) - at(x, i - 1));
  put(out, i, strength(keep * first(gain) + max(change, 0), keep * first(loss) + max(-change, 0)));
}

/** Means of the first `period` changes. */
function seed(x: usize, period: i32, out: usize, state: usize): void {
  let gain: f64 = 0;
  let loss: f64 = 0;
  for (let i = 1; i <= period; i++) {
    const change = at(x, i) - at(x, i - 1);
    gain += max(change, 0);
    loss += max(-change, 0);
  }
  gain /= <f64>period;
  loss /= <f64>period;
  put(out, period, strength(gain, loss));
  put(state, 0, <f64>(period + 1));
  put(state, 1, gain);
  put(state, 2, loss);
}

/** 100 * (gain / (gain + loss)); the quotient first, so that no loss is exactly 100. */
function strength(gain: f64, loss: f64): f64 {
  const total = gain + loss;
  return total > NO_MOVEMENT ? 100.0 * (gain / total) : 50.0;
}

function strengths(gain: v128, loss: v128, percent: v128, neutral: v128, still: v128): v128 {
  const total = f64x2.add(gain, loss);
  return v128.bitselect(f64x2.mul(percent, f64x2.div(gain, total)), neutral, f64x2.gt(total, still));
}
