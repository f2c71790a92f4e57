import {
  BAR_ATR,
  POSITION_BEST_PRICE,
  POSITION_ENTRY_PRICE,
  POSITION_SIDE,
  POSITION_STOP_PRICE,
  RULE_TICK_SIZE,
  RULE_TRAILING_ACTIVATION,
  RULE_TRAILING_ATR_MULTIPLIER,
  RULE_TRAILING_CALLBACK,
  RULE_TRAILING_MODE,
  RULE_TRAILING_STEP,
  TRAILING_ATR,
  TRAILING_OFF,
} from '../../abi/backtest';
import { at, put } from '../series';
import { roundAgainst } from './rounding';

/**
 * Moves the stop after a completed bar; it is live from the next bar, because inside a bar it is unknown whether the high
 * that moved it came before the low that would hit it.
 */
export function trailStop(rules: usize, position: usize, bar: usize): void {
  const mode = <i32>at(rules, RULE_TRAILING_MODE);
  if (mode === TRAILING_OFF) return;
  const side = at(position, POSITION_SIDE);
  const entry = at(position, POSITION_ENTRY_PRICE);
  const best = at(position, POSITION_BEST_PRICE);
  if (side * (best - entry) < at(rules, RULE_TRAILING_ACTIVATION) * entry) return;
  const candidate = roundAgainst(candidateOf(rules, bar, mode, side, best), at(rules, RULE_TICK_SIZE), side);
  const gain = side * (candidate - at(position, POSITION_STOP_PRICE));
  // The step is never negative, so the stop never moves back; an ATR that is not defined yet makes the gain NaN.
  if (gain >= at(rules, RULE_TRAILING_STEP) * entry) put(position, POSITION_STOP_PRICE, candidate);
}

function candidateOf(rules: usize, bar: usize, mode: i32, side: f64, best: f64): f64 {
  if (mode === TRAILING_ATR) return best - side * at(rules, RULE_TRAILING_ATR_MULTIPLIER) * at(bar, BAR_ATR);
  return best * (1 - side * at(rules, RULE_TRAILING_CALLBACK));
}
