import { at } from '../series';

/**
 * Largest fall of equity from its running peak, fraction of the peak; the peak starts at `initial`.
 * More than 1 when equity went below zero (a fixed notional can lose more than the starting equity).
 */
export function maxDrawdown(equity: usize, length: i32, initial: f64): f64 {
  let peak = initial;
  let worst: f64 = 0;
  for (let i = 0; i < length; i++) {
    const value = at(equity, i);
    if (value > peak) peak = value;
    const fall = (peak - value) / peak;
    if (fall > worst) worst = fall;
  }
  return worst;
}
