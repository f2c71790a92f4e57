import {
  CLOSE_LIQUIDATION,
  CLOSE_STOP_LOSS,
  CLOSE_TAKE_PROFIT,
  POSITION_BEST_PRICE,
  POSITION_CLOSE_REASON,
  POSITION_ENTRY_PRICE,
  POSITION_EXIT_PRICE,
  POSITION_EXIT_TIME,
  POSITION_FEES,
  POSITION_QUANTITY,
  POSITION_SIDE,
  POSITION_SLIPPAGE,
  POSITION_WORST_PRICE,
  RULE_MAKER_FEE,
  RULE_SLIPPAGE,
  RULE_STOP_SLIPPAGE,
  RULE_TAKER_FEE,
  RULE_TARGET_ORDER,
  RULE_TICK_SIZE,
  TARGET_LIMIT,
} from '../../abi/backtest';
import { at, put } from '../series';
import { bankruptcyPrice, isBeyondMargin } from './exit';
import { roundAgainst } from './rounding';

/**
 * Fills the exit and books its costs. Isolated margin is the most a position loses besides its costs: a fill that would lose
 * more, for whatever reason the position is closed, is a liquidation at the bankruptcy price.
 * @param price undisturbed: the level, the open of a gap or the last close; not used for a liquidation
 * @returns the reason that was booked: `reason`, or CLOSE_LIQUIDATION
 */
export function closePosition(rules: usize, position: usize, time: f64, price: f64, reason: i32): i32 {
  const side = at(position, POSITION_SIDE);
  const slipped = price * (1 - side * slippageOf(rules, reason));
  const fill = roundAgainst(slipped, at(rules, RULE_TICK_SIZE), -side);
  const bankruptcy = bankruptcyPrice(position);
  const isLost =
    reason === CLOSE_LIQUIDATION || isBeyondMargin(side, at(position, POSITION_ENTRY_PRICE), bankruptcy, fill);
  if (isLost) bookExit(rules, position, time, bankruptcy, bankruptcy, CLOSE_LIQUIDATION);
  else bookExit(rules, position, time, price, fill, reason);
  return isLost ? CLOSE_LIQUIDATION : reason;
}

function bookExit(rules: usize, position: usize, time: f64, price: f64, fill: f64, reason: i32): void {
  const quantity = at(position, POSITION_QUANTITY);
  put(position, POSITION_EXIT_TIME, time);
  put(position, POSITION_EXIT_PRICE, fill);
  put(position, POSITION_CLOSE_REASON, reason);
  put(position, POSITION_FEES, at(position, POSITION_FEES) + feeOf(rules, reason) * (quantity * fill));
  put(position, POSITION_SLIPPAGE, at(position, POSITION_SLIPPAGE) + quantity * Math.abs(fill - price));
  seePrice(position, fill);
}

/** Widens the best and worst price the position saw. */
export function seePrice(position: usize, price: f64): void {
  const side = at(position, POSITION_SIDE);
  if (side * price > side * at(position, POSITION_BEST_PRICE)) put(position, POSITION_BEST_PRICE, price);
  if (side * price < side * at(position, POSITION_WORST_PRICE)) put(position, POSITION_WORST_PRICE, price);
}

function slippageOf(rules: usize, reason: i32): f64 {
  if (reason === CLOSE_STOP_LOSS) return at(rules, RULE_STOP_SLIPPAGE);
  return isLimitTarget(rules, reason) ? 0 : at(rules, RULE_SLIPPAGE);
}

/** The liquidation fee is taken out of the margin, which is lost whole: it is never on top. */
function feeOf(rules: usize, reason: i32): f64 {
  if (reason === CLOSE_LIQUIDATION) return 0;
  return isLimitTarget(rules, reason) ? at(rules, RULE_MAKER_FEE) : at(rules, RULE_TAKER_FEE);
}

function isLimitTarget(rules: usize, reason: i32): bool {
  return reason === CLOSE_TAKE_PROFIT && <i32>at(rules, RULE_TARGET_ORDER) === TARGET_LIMIT;
}
