import { high, low, pair } from '../lanes';

// S[i] = keep * S[i - 1] + x[i], two candles a step: S[i + 1] = keep^2 * S[i - 1] + (keep * x[i] + x[i + 1]), so that the
// chain from candle to candle is one multiplication and one addition per two. Steps are counted from the seed.

/** (keep, keep^2): the factor of the sum before a step at each of its candles. */
export function fadeOf(keep: f64): v128 {
  return pair(keep, keep * keep);
}

/** Both sums of a step from the sum before it (in both lanes) and its two new values. */
export function fade(before: v128, values: v128, fades: v128, once: v128): v128 {
  return f64x2.add(f64x2.mul(fades, before), f64x2.add(values, f64x2.mul(once, low(values))));
}

/** (0, keep) for `fade`. */
export function onceOf(keep: f64): v128 {
  return pair(0, keep);
}

/** The sum after a step, in both lanes. */
export function carryOf(sums: v128): v128 {
  return high(sums);
}
