import { NO_MOVEMENT, hundred, noMovement } from '../constants';
import { at2, first, larger, put2, smaller } from '../lanes';
import { carryOf, fade, fadeOf, onceOf } from '../rolling/fading';
import { at, fillUndefined, put } from '../series';

/** Slots of `state`: first candle of the next step (0: not started), then the sums of range, +DM, -DM and the ADX before it. */
export const ADX_STATE = 5;

/**
 * Average Directional Index with both directional indicators. Sums start with candles 1..period-1, then S = S - S / period + new (TA-Lib);
 * DI starts at `period`; ADX is seeded by the mean of the first `period` DX.
 * After the seed two candles a step, counted from 2 * period.
 * @param high   f64[length], with `low` and `close` in quote currency
 * @param period candles, 1..PERIOD_MAX
 * @param out    f64[length], 0..100; NaN below 2 * period - 1; `plus` and `minus` likewise, NaN below `period`
 * @param state  f64[ADX_STATE], cleared before the first call
 * Source: Wilder (1978), section IV. A market that does not move has DI and DX 0.
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
  if (at(state, 0) === 0) {
    fillUndefined(out, 0, min(length, 2 * period - 1));
    fillUndefined(plus, 0, min(length, period));
    fillUndefined(minus, 0, min(length, period));
    seed(high, low, close, min(length, 2 * period), period, out, plus, minus, state);
    if (length <= 2 * period) {
      put(state, 0, 0);
      return;
    }
  }
  steps(high, low, close, length, period, out, plus, minus, state);
}

/** Candles 1 .. 2 * period - 1 one by one, as far as there are any. */
function seed(
  high: usize,
  low: usize,
  close: usize,
  to: i32,
  period: i32,
  out: usize,
  plus: usize,
  minus: usize,
  state: usize,
): void {
  const keep = 1.0 - 1.0 / <f64>period;
  let range: f64 = 0;
  let up: f64 = 0;
  let down: f64 = 0;
  let indexSum: f64 = 0;
  for (let i = 1; i < to; i++) {
    const weight = i < period ? 1.0 : keep;
    range = weight * range + rangeAt(high, low, close, i);
    up = weight * up + upAt(high, low, i);
    down = weight * down + downAt(high, low, i);
    if (i < period) continue;
    put(plus, i, share(up, range));
    put(minus, i, share(down, range));
    indexSum += share(abs(up - down), up + down);
    if (i === 2 * period - 1) put(out, i, indexSum / <f64>period);
  }
  put(state, 0, <f64>(2 * period));
  put(state, 1, range);
  put(state, 2, up);
  put(state, 3, down);
  put(state, 4, indexSum / <f64>period);
}

/** Candles from state[0] on; a last single candle is not carried, because its step may still get a second one. */
function steps(
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
  const weight = 1.0 / <f64>period;
  const keep = 1.0 - weight;
  const fades = fadeOf(keep);
  const once = onceOf(keep);
  const weights = f64x2.splat(weight);
  const percent = hundred();
  const still = noMovement();
  let i = <i32>at(state, 0);
  let range = f64x2.splat(at(state, 1));
  let up = f64x2.splat(at(state, 2));
  let down = f64x2.splat(at(state, 3));
  let mean = f64x2.splat(at(state, 4));
  for (; i + 2 <= length; i += 2) {
    const before = at2(close, i - 1);
    const highs = at2(high, i);
    const lows = at2(low, i);
    const rise = f64x2.sub(highs, at2(high, i - 1));
    const fall = f64x2.sub(at2(low, i - 1), lows);
    const ranges = fade(range, f64x2.sub(f64x2.pmax(highs, before), f64x2.pmin(lows, before)), fades, once);
    const ups = fade(up, outward(rise, fall), fades, once);
    const downs = fade(down, outward(fall, rise), fades, once);
    const index = shares(f64x2.abs(f64x2.sub(ups, downs)), f64x2.add(ups, downs), percent, still);
    const means = fade(mean, f64x2.mul(weights, index), fades, once);
    put2(plus, i, shares(ups, ranges, percent, still));
    put2(minus, i, shares(downs, ranges, percent, still));
    put2(out, i, means);
    range = carryOf(ranges);
    up = carryOf(ups);
    down = carryOf(downs);
    mean = carryOf(means);
  }
  put(state, 0, <f64>i);
  put(state, 1, first(range));
  put(state, 2, first(up));
  put(state, 3, first(down));
  put(state, 4, first(mean));
  if (i === length) return;
  const lastRange = keep * first(range) + rangeAt(high, low, close, i);
  const lastUp = keep * first(up) + upAt(high, low, i);
  const lastDown = keep * first(down) + downAt(high, low, i);
  put(plus, i, share(lastUp, lastRange));
  put(minus, i, share(lastDown, lastRange));
  put(out, i, keep * first(mean) + weight * share(abs(lastUp - lastDown), lastUp + lastDown));
}

function rangeAt(high: usize, low: usize, close: usize, i: i32): f64 {
  const before = at(close, i - 1);
  return larger(at(high, i), before) - smaller(at(low, i), before);
}

/** +DM: the rise of the high when it exceeds the fall of the low and is positive, else 0. */
function upAt(high: usize, low: usize, i: i32): f64 {
  const rise = at(high, i) - at(high, i - 1);
  return rise > at(low, i - 1) - at(low, i) && rise > 0 ? rise : 0;
}

/** -DM, mirrored. */
function downAt(high: usize, low: usize, i: i32): f64 {
  const fall = at(low, i - 1) - at(low, i);
  return fall > at(high, i) - at(high, i - 1) && fall > 0 ? fall : 0;
}

/** Either of two candles. */
function outward(move: v128, other: v128): v128 {
  return v128.and(f64x2.gt(move, other), f64x2.pmax(f64x2.splat(0), move));
}

/** Percent of `whole`, 0 when nothing moves. */
function share(part: f64, whole: f64): f64 {
  return whole > NO_MOVEMENT ? 100.0 * (part / whole) : 0;
}

function shares(part: v128, whole: v128, percent: v128, still: v128): v128 {
  return v128.and(f64x2.gt(whole, still), f64x2.mul(percent, f64x2.div(part, whole)));
}
