import {
  CLOSE_LIQUIDATION,
  CLOSE_NONE,
  CLOSE_RULE,
  CLOSE_SIGNAL,
  CLOSE_STOP_LOSS,
  CLOSE_TAKE_PROFIT,
  CLOSE_TIME,
  LEAVING_BY_RULE,
  TARGET_LIMIT,
} from '../../abi/backtest';
import { Bar, Position, Rules } from '../records.gen';
import { NOISE } from './rounding';

// Prices are multiplied by the side, so that "above" is good for either side and each rule is written once.

/** Exit at the bar's open: a gap is filled at the open, where a single price leaves no ambiguity of order. */
export function reasonAtOpen(rules: Rules, position: Position, bar: Bar): i32 {
  if (!(bar.volume > 0)) return CLOSE_NONE;
  const side = position.side;
  const open = side * bar.open;
  if (side * bar.markOpen <= side * position.liquidationPrice) return CLOSE_LIQUIDATION;
  if (open <= side * position.stopPrice) return CLOSE_STOP_LOSS;
  if (isTargetReached(rules, position, open)) return CLOSE_TAKE_PROFIT;
  const barsMax = rules.holdingBarsMax;
  if (barsMax > 0 && position.barsHeld >= barsMax) return CLOSE_TIME;
  if (!(position.isLeaving > 0)) return CLOSE_NONE;
  return position.isLeaving === <f64>LEAVING_BY_RULE ? CLOSE_RULE : CLOSE_SIGNAL;
}

/** True where no level may close the position in this bar, because it was opened in it. */
export function isHeldInEntry(rules: Rules, position: Position, bar: Bar): bool {
  return rules.isEntryHeld > 0 && bar.time === position.entryTime;
}

/** True when a loss level and the target both lie inside the bar, so their order is unknown. Call only when the open closed nothing. */
export function isAmbiguous(rules: Rules, position: Position, bar: Bar): bool {
  if (!(bar.volume > 0) || !isTargetReached(rules, position, bestOf(position, bar))) return false;
  return isStopReached(position, bar) || isLiquidationReached(position, bar);
}

/** The open closes nothing, and inside the bar a loss level and the target are both reached: finer bars decide. */
export function isInQuestion(rules: Rules, position: Position, bar: Bar): bool {
  if (isHeldInEntry(rules, position, bar)) return false;
  if (reasonAtOpen(rules, position, bar) !== CLOSE_NONE || !isAmbiguous(rules, position, bar)) return false;
  return !isLiquidatedByMark(position, bar);
}

/**
 * The loss inside the bar is a liquidation that only the mark price reaches. Finer bars are last prices and do not say when: the order
 * stays unknown.
 */
export function isLiquidatedByMark(position: Position, bar: Bar): bool {
  if (!isLiquidationReached(position, bar)) return false;
  const side = position.side;
  const worst = side > 0 ? bar.low : bar.high;
  if (side * worst <= side * position.liquidationPrice) return false;
  return !(isStopReached(position, bar) && isStopNearer(position));
}

/** Exit between the bar's open and its close, pessimistic unless the rules take the target first. */
export function reasonInside(rules: Rules, position: Position, bar: Bar): i32 {
  if (!(bar.volume > 0)) return CLOSE_NONE;
  const isStopped = isStopReached(position, bar);
  const isLiquidated = isLiquidationReached(position, bar);
  if (isTargetReached(rules, position, bestOf(position, bar))) {
    if (rules.isTargetFirst > 0 || (!isStopped && !isLiquidated)) return CLOSE_TAKE_PROFIT;
  }
  // A continuous path reaches the nearer of the two first.
  if (isLiquidated && !(isStopped && isStopNearer(position))) return CLOSE_LIQUIDATION;
  return isStopped ? CLOSE_STOP_LOSS : CLOSE_NONE;
}

/** The undisturbed price of a stop or target that is met inside the bar. */
export function levelOf(position: Position, reason: i32): f64 {
  return reason === CLOSE_TAKE_PROFIT ? position.targetPrice : position.stopPrice;
}

/** Price at which the loss equals the isolated margin; a liquidation is filled there. */
export function bankruptcyPrice(position: Position): f64 {
  const perUnit = position.margin / position.quantity;
  return position.entryPrice - position.side * perUnit;
}

/** True when a fill at `fill` loses more than the isolated margin. A billionth of the entry price is rounding noise. */
export function isBeyondMargin(side: f64, entry: f64, bankruptcy: f64, fill: f64): bool {
  return side * (bankruptcy - fill) > NOISE * entry;
}

/** True when the stop is met before the liquidation price. */
export function isStopNearer(position: Position): bool {
  const side = position.side;
  return !(side * position.stopPrice <= side * position.liquidationPrice);
}

function isTargetReached(rules: Rules, position: Position, best: f64): bool {
  const target = position.side * position.targetPrice;
  // A resting limit order is only certainly filled when the price trades through it.
  return <i32>rules.targetOrder === TARGET_LIMIT ? best > target : best >= target;
}

function isStopReached(position: Position, bar: Bar): bool {
  const side = position.side;
  const worst = side > 0 ? bar.low : bar.high;
  return side * worst <= side * position.stopPrice;
}

function isLiquidationReached(position: Position, bar: Bar): bool {
  const side = position.side;
  const worst = side > 0 ? bar.markLow : bar.markHigh;
  return side * worst <= side * position.liquidationPrice; // false for NaN: no liquidation
}

function bestOf(position: Position, bar: Bar): f64 {
  const side = position.side;
  return side * (side > 0 ? bar.high : bar.low);
}
