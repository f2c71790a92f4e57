import {
  BAR_HIGH,
  BAR_LOW,
  BAR_MARK_HIGH,
  BAR_MARK_LOW,
  BAR_MARK_OPEN,
  BAR_OPEN,
  BAR_VOLUME,
  CLOSE_LIQUIDATION,
  CLOSE_NONE,
  CLOSE_STOP_LOSS,
  CLOSE_TAKE_PROFIT,
  CLOSE_TIME,
  POSITION_BARS_HELD,
  POSITION_ENTRY_PRICE,
  POSITION_LIQUIDATION_PRICE,
  POSITION_MARGIN,
  POSITION_QUANTITY,
  POSITION_SIDE,
  POSITION_STOP_PRICE,
  POSITION_TARGET_PRICE,
  RULE_HOLDING_BARS_MAX,
  RULE_IS_TARGET_FIRST,
  RULE_TARGET_ORDER,
  TARGET_LIMIT,
} from '../../abi/backtest';
import { at } from '../series';
import { NOISE } from './rounding';

// Prices are multiplied by the side, so that "above" is good for either side and each rule is written once.

/** Exit at the bar's open: a gap is filled at the open, where a single price leaves no ambiguity of order. */
export function reasonAtOpen(rules: usize, position: usize, bar: usize): i32 {
  if (!(at(bar, BAR_VOLUME) > 0)) return CLOSE_NONE;
  const side = at(position, POSITION_SIDE);
  const open = side * at(bar, BAR_OPEN);
  if (side * at(bar, BAR_MARK_OPEN) <= side * at(position, POSITION_LIQUIDATION_PRICE)) return CLOSE_LIQUIDATION;
  if (open <= side * at(position, POSITION_STOP_PRICE)) return CLOSE_STOP_LOSS;
  if (isTargetReached(rules, position, open)) return CLOSE_TAKE_PROFIT;
  const barsMax = at(rules, RULE_HOLDING_BARS_MAX);
  if (barsMax > 0 && at(position, POSITION_BARS_HELD) >= barsMax) return CLOSE_TIME;
  return CLOSE_NONE;
}

/** Both a loss level and the target lie inside the bar, so its order is unknown. Asked when the open closed nothing. */
export function isAmbiguous(rules: usize, position: usize, bar: usize): bool {
  if (!(at(bar, BAR_VOLUME) > 0) || !isTargetReached(rules, position, bestOf(position, bar))) return false;
  return isStopReached(position, bar) || isLiquidationReached(position, bar);
}

/** Exit between the bar's open and its close, pessimistic unless RULE_IS_TARGET_FIRST. */
export function reasonInside(rules: usize, position: usize, bar: usize): i32 {
  if (!(at(bar, BAR_VOLUME) > 0)) return CLOSE_NONE;
  const isStopped = isStopReached(position, bar);
  const isLiquidated = isLiquidationReached(position, bar);
  if (isTargetReached(rules, position, bestOf(position, bar))) {
    if (at(rules, RULE_IS_TARGET_FIRST) > 0 || (!isStopped && !isLiquidated)) return CLOSE_TAKE_PROFIT;
  }
  // A continuous path meets the nearer of the two first.
  if (isLiquidated && !(isStopped && isStopNearer(position))) return CLOSE_LIQUIDATION;
  return isStopped ? CLOSE_STOP_LOSS : CLOSE_NONE;
}

/** The undisturbed price of a stop or target that is met inside the bar. */
export function levelOf(position: usize, reason: i32): f64 {
  return at(position, reason === CLOSE_TAKE_PROFIT ? POSITION_TARGET_PRICE : POSITION_STOP_PRICE);
}

/** Price at which the loss equals the isolated margin; a liquidation is filled there. */
export function bankruptcyPrice(position: usize): f64 {
  const perUnit = at(position, POSITION_MARGIN) / at(position, POSITION_QUANTITY);
  return at(position, POSITION_ENTRY_PRICE) - at(position, POSITION_SIDE) * perUnit;
}

/** True when a fill at `fill` loses more than the isolated margin. A billionth of the entry price is rounding noise. */
export function isBeyondMargin(side: f64, entry: f64, bankruptcy: f64, fill: f64): bool {
  return side * (bankruptcy - fill) > NOISE * entry;
}

/** True when the stop is met before the liquidation price. */
export function isStopNearer(position: usize): bool {
  const side = at(position, POSITION_SIDE);
  return !(side * at(position, POSITION_STOP_PRICE) <= side * at(position, POSITION_LIQUIDATION_PRICE));
}

function isTargetReached(rules: usize, position: usize, best: f64): bool {
  const target = at(position, POSITION_SIDE) * at(position, POSITION_TARGET_PRICE);
  // A resting limit order is only certainly filled when the price trades through it.
  return <i32>at(rules, RULE_TARGET_ORDER) === TARGET_LIMIT ? best > target : best >= target;
}

function isStopReached(position: usize, bar: usize): bool {
  const side = at(position, POSITION_SIDE);
  const worst = side > 0 ? at(bar, BAR_LOW) : at(bar, BAR_HIGH);
  return side * worst <= side * at(position, POSITION_STOP_PRICE);
}

function isLiquidationReached(position: usize, bar: usize): bool {
  const side = at(position, POSITION_SIDE);
  const worst = side > 0 ? at(bar, BAR_MARK_LOW) : at(bar, BAR_MARK_HIGH);
  return side * worst <= side * at(position, POSITION_LIQUIDATION_PRICE); // false for NaN: no liquidation
}

function bestOf(position: usize, bar: usize): f64 {
  const side = at(position, POSITION_SIDE);
  return side * (side > 0 ? at(bar, BAR_HIGH) : at(bar, BAR_LOW));
}
