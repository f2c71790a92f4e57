import { TRAILING_ATR, TRAILING_OFF } from '../../abi/backtest';
import { Bar, Position, Rules } from '../records.gen';
import { roundAgainst } from './rounding';

/**
 * Moves the stop after a completed bar: break-even, then trailing. Separate from `stepPosition` for a position that is watched on finer
 * bars than those its stop follows.
 * @param bar only its `atr` is read
 */
export function moveStop(rules: Rules, position: Position, bar: Bar): void {
  protectEntry(rules, position);
  trailStop(rules, position, bar);
}

/** Moves the stop to the entry after a completed bar, once the best price gained the set multiple of the first stop distance. */
export function protectEntry(rules: Rules, position: Position): void {
  const multiple = rules.breakEvenR;
  if (!(multiple > 0)) return;
  const side = position.side;
  const entry = position.entryPrice;
  if (side * (position.bestPrice - entry) < multiple * position.stopDistance) return;
  if (side * (entry - position.stopPrice) > 0) position.stopPrice = entry;
}

/**
 * Moves the stop after a completed bar; it is live from the next bar, because inside a bar it is unknown whether the high
 * that moved it came before the low that would hit it.
 */
export function trailStop(rules: Rules, position: Position, bar: Bar): void {
  const mode = <i32>rules.trailingMode;
  if (mode === TRAILING_OFF) return;
  const side = position.side;
  const entry = position.entryPrice;
  const best = position.bestPrice;
  if (side * (best - entry) < rules.trailingActivation * entry) return;
  const candidate = roundAgainst(candidateOf(rules, bar, mode, side, best), rules.tickSize, side);
  const gain = side * (candidate - position.stopPrice);
  // The step is never negative, so the stop never moves back; an ATR that is not defined yet makes the gain NaN.
  if (gain >= rules.trailingStep * entry) position.stopPrice = candidate;
}

function candidateOf(rules: Rules, bar: Bar, mode: i32, side: f64, best: f64): f64 {
  if (mode === TRAILING_ATR) return best - side * rules.trailingAtrMultiplier * bar.atr;
  return best * (1 - side * rules.trailingCallback);
}
