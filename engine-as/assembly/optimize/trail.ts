import {
  POSITION_ENTRY_PRICE,
  POSITION_LIQUIDATION_PRICE,
  POSITION_SIDE,
  POSITION_STOP_PRICE,
  POSITION_TARGET_PRICE,
  RULE_TICK_SIZE,
  RULE_TRAILING_ACTIVATION,
  RULE_TRAILING_CALLBACK,
  RULE_TRAILING_MODE,
  RULE_TRAILING_STEP,
  TRAILING_OFF,
} from '../../abi/backtest';
import { at } from '../series';
import { stepsOf } from './quantise';

/** Share of the entry price by which a price is searched for too early: far above any rounding, far below any tick. */
const SAFETY: f64 = 1e-9;

/**
 * The two prices between which nothing can happen to the position: at or below the lower, or at or above the upper, its
 * stop, its liquidation, its target, or a best price that moves the trailing stop may be reached. As steps (see stepsOf).
 */
export function quietRange(rules: usize, position: usize, scale: usize): v128 {
  const side = at(position, POSITION_SIDE);
  const stop = at(position, POSITION_STOP_PRICE);
  const liquidation = at(position, POSITION_LIQUIDATION_PRICE);
  let good = at(position, POSITION_TARGET_PRICE);
  if (at(rules, RULE_TRAILING_MODE) !== TRAILING_OFF) {
    const moves = movingPrice(rules, position, side, stop);
    if (side * moves < side * good) good = moves;
  }
  const bad = side * liquidation > side * stop ? liquidation : stop; // NaN: there is no liquidation
  const low = side > 0 ? bad : good;
  const high = side > 0 ? good : bad;
  return stepsOf(f64x2.replace_lane(f64x2.splat(low), 1, high), scale);
}

/**
 * Best price from which trailStop moves the stop, or a little before it. With the callback c: best x (1 - side c), rounded to
 * a tick, must be ahead of the stop by the step, and the best price ahead of the entry by the activation.
 */
function movingPrice(rules: usize, position: usize, side: f64, stop: f64): f64 {
  const entry = at(position, POSITION_ENTRY_PRICE);
  const early = at(rules, RULE_TICK_SIZE) + SAFETY * entry;
  const moved =
    (stop + side * (at(rules, RULE_TRAILING_STEP) * entry - early)) / (1 - side * at(rules, RULE_TRAILING_CALLBACK));
  const active = entry + side * (at(rules, RULE_TRAILING_ACTIVATION) * entry - SAFETY * entry);
  return side * moved > side * active ? moved : active;
}
