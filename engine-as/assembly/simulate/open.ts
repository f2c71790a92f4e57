import {
  CLOSE_NONE,
  OPEN_DONE,
  OPEN_MARGIN_SHORT,
  OPEN_TOO_SMALL,
  POSITION_BARS_HELD,
  POSITION_BEST_PRICE,
  POSITION_CLOSE_REASON,
  POSITION_ENTRY_PRICE,
  POSITION_ENTRY_TIME,
  POSITION_EXIT_PRICE,
  POSITION_EXIT_TIME,
  POSITION_FEES,
  POSITION_FUNDING,
  POSITION_IS_AMBIGUOUS,
  POSITION_LIQUIDATION_PRICE,
  POSITION_MARGIN,
  POSITION_QUANTITY,
  POSITION_SIDE,
  POSITION_SLIPPAGE,
  POSITION_STOP_PRICE,
  POSITION_TARGET_PRICE,
  POSITION_WORST_PRICE,
  RULE_LEVERAGE,
  RULE_MIN_NOTIONAL,
  RULE_NOTIONAL,
  RULE_SLIPPAGE,
  RULE_STEP_SIZE,
  RULE_STOP_LOSS_FRACTION,
  RULE_TAKE_PROFIT_FRACTION,
  RULE_TAKER_FEE,
  RULE_TICK_SIZE,
} from '../../abi/backtest';
import { at, put } from '../series';
import { liquidationPrice } from './liquidation';
import { NOISE, roundAgainst, roundDown } from './rounding';

/**
 * Opens a position at `price` (a bar's open, or a tick) as a taker.
 * @param position f64[POSITION_LENGTH], written whole
 * @param side     1 long, -1 short
 * @param available equity that may become margin and pay the entry fee; a size that needs more is reduced to what it covers
 * @returns OPEN_*; nothing is written unless OPEN_DONE
 */
export function openPosition(
  rules: usize,
  tiers: usize,
  tierCount: i32,
  position: usize,
  side: f64,
  time: f64,
  price: f64,
  available: f64,
): i32 {
  const tick = at(rules, RULE_TICK_SIZE);
  const fill = roundAgainst(price * (1 + side * at(rules, RULE_SLIPPAGE)), tick, side);
  const wanted = roundDown(at(rules, RULE_NOTIONAL) / fill, at(rules, RULE_STEP_SIZE));
  if (!(wanted > 0) || wanted * fill < at(rules, RULE_MIN_NOTIONAL)) return OPEN_TOO_SMALL;
  const isWhole = isCovered(needOf(rules, wanted * fill), available);
  const quantity = isWhole ? wanted : coveredQuantity(rules, fill, available);
  if (!(quantity > 0)) return OPEN_MARGIN_SHORT;
  const notional = quantity * fill;
  const margin = notional / at(rules, RULE_LEVERAGE);
  const entryFee = at(rules, RULE_TAKER_FEE) * notional;

  put(position, POSITION_SIDE, side);
  put(position, POSITION_ENTRY_TIME, time);
  put(position, POSITION_ENTRY_PRICE, fill);
  put(position, POSITION_QUANTITY, quantity);
  put(position, POSITION_MARGIN, margin);
  // Both levels round towards the entry: the loss at the stop and the distance to the target never grow by rounding.
  const stop = fill * (1 - side * at(rules, RULE_STOP_LOSS_FRACTION));
  const target = fill * (1 + side * at(rules, RULE_TAKE_PROFIT_FRACTION));
  put(position, POSITION_STOP_PRICE, roundAgainst(stop, tick, side));
  put(position, POSITION_TARGET_PRICE, roundAgainst(target, tick, -side));
  const liquidation = liquidationPrice(rules, tiers, tierCount, side, fill, quantity, margin);
  put(position, POSITION_LIQUIDATION_PRICE, roundAgainst(liquidation, tick, side));
  put(position, POSITION_BEST_PRICE, fill);
  put(position, POSITION_WORST_PRICE, fill);
  put(position, POSITION_BARS_HELD, 0);
  put(position, POSITION_FEES, entryFee);
  put(position, POSITION_FUNDING, 0);
  put(position, POSITION_SLIPPAGE, quantity * Math.abs(fill - price));
  put(position, POSITION_CLOSE_REASON, CLOSE_NONE);
  put(position, POSITION_EXIT_TIME, NaN);
  put(position, POSITION_EXIT_PRICE, NaN);
  put(position, POSITION_IS_AMBIGUOUS, 0);
  return OPEN_DONE;
}

/** Initial margin and entry fee of a notional. */
function needOf(rules: usize, notional: f64): f64 {
  return notional / at(rules, RULE_LEVERAGE) + at(rules, RULE_TAKER_FEE) * notional;
}

/**
 * Largest quantity whose margin and entry fee `available` covers; 0 when that is below the minimum notional or less than a
 * billionth of the notional that was asked for, which is what rounding leaves of an account that lost everything.
 */
export function coveredQuantity(rules: usize, fill: f64, available: f64): f64 {
  const quantity = roundDown(available / needOf(rules, fill), at(rules, RULE_STEP_SIZE));
  const notional = quantity * fill;
  const isOrder = notional >= at(rules, RULE_MIN_NOTIONAL) && notional > NOISE * at(rules, RULE_NOTIONAL);
  return isOrder ? quantity : 0;
}

/** Whether the account can put up what an entry needs. The quantity is a rounded quotient, so a billionth is noise. */
export function isCovered(needed: f64, available: f64): bool {
  return needed <= available * (1 + NOISE);
}
