import { CLOSE_NONE, OPEN_DONE, OPEN_MARGIN_SHORT, OPEN_TOO_SMALL } from '../../abi/backtest';
import { Position, Rules } from '../records.gen';
import { liquidationPrice } from './liquidation';
import { NOISE, roundAgainst, roundDown } from './rounding';

/**
 * Opens a position at `price` (a bar's open, or a tick) as a taker.
 * @param position written whole
 * @param side     1 long, -1 short
 * @param available equity that may become margin and pay the entry fee; a size that needs more is reduced to what it covers
 * @returns OPEN_*; nothing is written unless OPEN_DONE
 */
export function openPosition(
  rules: Rules,
  tiers: usize,
  tierCount: i32,
  position: Position,
  side: f64,
  time: f64,
  price: f64,
  available: f64,
): i32 {
  const tick = rules.tickSize;
  const fill = roundAgainst(price * (1 + side * rules.slippage), tick, side);
  const wanted = roundDown(rules.notional / fill, rules.stepSize);
  if (!(wanted > 0) || wanted * fill < rules.minNotional) return OPEN_TOO_SMALL;
  const isWhole = isCovered(needOf(rules, wanted * fill), available);
  const quantity = isWhole ? wanted : coveredQuantity(rules, fill, available);
  if (!(quantity > 0)) return OPEN_MARGIN_SHORT;
  const notional = quantity * fill;
  const margin = notional / rules.leverage;
  const entryFee = rules.takerFee * notional;

  position.side = side;
  position.entryTime = time;
  position.entryPrice = fill;
  position.quantity = quantity;
  position.margin = margin;
  // Both levels round towards the entry: the loss at the stop and the distance to the target never grow by rounding.
  const stop = fill * (1 - side * rules.stopLossFraction);
  const target = fill * (1 + side * rules.takeProfitFraction);
  position.stopPrice = roundAgainst(stop, tick, side);
  position.targetPrice = roundAgainst(target, tick, -side);
  const liquidation = liquidationPrice(rules, tiers, tierCount, side, fill, quantity, margin);
  position.liquidationPrice = roundAgainst(liquidation, tick, side);
  position.bestPrice = fill;
  position.worstPrice = fill;
  position.barsHeld = 0;
  position.fees = entryFee;
  position.funding = 0;
  position.slippage = quantity * Math.abs(fill - price);
  position.closeReason = CLOSE_NONE;
  position.exitTime = NaN;
  position.exitPrice = NaN;
  position.isAmbiguous = 0;
  return OPEN_DONE;
}

/** Initial margin and entry fee of a notional. */
function needOf(rules: Rules, notional: f64): f64 {
  return notional / rules.leverage + rules.takerFee * notional;
}

/**
 * Largest quantity whose margin and entry fee `available` covers; 0 when that is below the minimum notional or less than a
 * billionth of the notional that was asked for, which is what rounding leaves of an account that lost everything.
 */
export function coveredQuantity(rules: Rules, fill: f64, available: f64): f64 {
  const quantity = roundDown(available / needOf(rules, fill), rules.stepSize);
  const notional = quantity * fill;
  const isOrder = notional >= rules.minNotional && notional > NOISE * rules.notional;
  return isOrder ? quantity : 0;
}

/** Whether the account can put up what an entry needs. The quantity is a rounded quotient, so a billionth is noise. */
export function isCovered(needed: f64, available: f64): bool {
  return needed <= available * (1 + NOISE);
}
