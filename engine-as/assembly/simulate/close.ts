import { CLOSE_END, CLOSE_LIQUIDATION, CLOSE_STOP_LOSS, CLOSE_TAKE_PROFIT, TARGET_LIMIT } from '../../abi/backtest';
import { Position, Rules } from '../records.gen';
import { bankruptcyPrice, isBeyondMargin } from './exit';
import { impactOf } from './impact';
import { roundAgainst } from './rounding';

/**
 * Fills the exit and books its costs. Isolated margin is the most a position loses besides its costs: a fill that would lose
 * more, for any reason of the close, is a liquidation at the bankruptcy price.
 * @param price undisturbed: the level, the open of a gap or the last close; not used for a liquidation
 * @param impact of the bar it is filled in; 0: the size does not move the price
 * @returns the reason that was booked: `reason`, or CLOSE_LIQUIDATION
 */
export function closePosition(rules: Rules, position: Position, time: f64, price: f64, reason: i32, impact: f64): i32 {
  const side = position.side;
  const added =
    isLimitTarget(rules, reason) || isFreeEnd(rules, reason) ? 0 : impactOf(impact, position.quantity * price);
  const slipped = price * (1 - side * (slippageOf(rules, reason) + added));
  const fill = roundAgainst(slipped, rules.tickSize, -side);
  const bankruptcy = bankruptcyPrice(position);
  const isLost = reason === CLOSE_LIQUIDATION || isBeyondMargin(side, position.entryPrice, bankruptcy, fill);
  if (isLost) bookExit(rules, position, time, bankruptcy, bankruptcy, CLOSE_LIQUIDATION);
  else bookExit(rules, position, time, price, fill, reason);
  return isLost ? CLOSE_LIQUIDATION : reason;
}

function bookExit(rules: Rules, position: Position, time: f64, price: f64, fill: f64, reason: i32): void {
  const quantity = position.quantity;
  position.exitTime = time;
  position.exitPrice = fill;
  position.closeReason = reason;
  position.fees = position.fees + feeOf(rules, reason) * (quantity * fill);
  position.slippage = position.slippage + quantity * Math.abs(fill - price);
  seePrice(position, fill);
}

/** Widens the best and worst price the position saw. */
export function seePrice(position: Position, price: f64): void {
  const side = position.side;
  if (side * price > side * position.bestPrice) position.bestPrice = price;
  if (side * price < side * position.worstPrice) position.worstPrice = price;
}

function slippageOf(rules: Rules, reason: i32): f64 {
  if (reason === CLOSE_STOP_LOSS) return rules.stopSlippage;
  return isLimitTarget(rules, reason) || isFreeEnd(rules, reason) ? 0 : rules.slippage;
}

/** The liquidation fee is taken out of the margin, which is lost whole: it is never on top. */
function feeOf(rules: Rules, reason: i32): f64 {
  if (reason === CLOSE_LIQUIDATION || isFreeEnd(rules, reason)) return 0;
  return isLimitTarget(rules, reason) ? rules.makerFee : rules.takerFee;
}

/** The last close is a valuation and no order. */
function isFreeEnd(rules: Rules, reason: i32): bool {
  return reason === CLOSE_END && rules.isEndAtClose > 0;
}

function isLimitTarget(rules: Rules, reason: i32): bool {
  return reason === CLOSE_TAKE_PROFIT && <i32>rules.targetOrder === TARGET_LIMIT;
}
