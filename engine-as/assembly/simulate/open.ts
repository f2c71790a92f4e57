import { CLOSE_NONE, OPEN_DONE, OPEN_MARGIN_SHORT, OPEN_TOO_SMALL, SIZING_RISK } from '../../abi/backtest';
import { Position, Rules } from '../records.gen';
import { impactOf } from './impact';
import { liquidationPrice } from './liquidation';
import { roundAgainst } from './rounding';
import { fixedQuantity, riskQuantity, scaleOf } from './size';

/**
 * Opens a position at `price` (a bar's open, or a tick) as a taker.
 * @param position written whole
 * @param side     1 long, -1 short
 * @param available equity that may become margin and pay the entry fee; a size that needs more is reduced to what it covers
 * @param range     average true range of the deciding bar; read by ATR levels only
 * @param impact    of the bar it is filled in; 0: the size does not move the price
 * @param entryMax  largest notional; Infinity: no limit
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
  range: f64,
  impact: f64,
  entryMax: f64,
): i32 {
  const scale = scaleOf(rules, tiers, tierCount, available);
  return openScaled(rules, tiers, tierCount, position, side, time, price, available, scale, range, impact, entryMax);
}

/** The same where compounding follows more than what is available. @param scale factor on the notional, see `scaleOf` */
export function openScaled(
  rules: Rules,
  tiers: usize,
  tierCount: i32,
  position: Position,
  side: f64,
  time: f64,
  price: f64,
  available: f64,
  scale: f64,
  range: f64,
  impact: f64,
  entryMax: f64,
): i32 {
  const tick = rules.tickSize;
  let fill = roundAgainst(price * (1 + side * rules.slippage), tick, side);
  let stop = stopAt(rules, side, fill, range);
  let quantity = quantityAt(rules, side, fill, stop, available, scale, entryMax);
  if (impact > 0 && quantity > 0) {
    // Slippage of the size without impact: the filled size differs from it by no more than this cost itself.
    const slippage = rules.slippage + impactOf(impact, quantity * price);
    fill = roundAgainst(price * (1 + side * slippage), tick, side);
    stop = stopAt(rules, side, fill, range);
    quantity = quantityAt(rules, side, fill, stop, available, scale, entryMax);
  }
  const target = roundAgainst(levelAt(fill, side, rules.takeProfitFraction, rules.targetAtr, range), tick, -side);
  if (!(quantity > 0)) return quantity < 0 ? OPEN_MARGIN_SHORT : OPEN_TOO_SMALL;
  const notional = quantity * fill;
  const margin = notional / rules.leverage;
  const entryFee = rules.takerFee * notional;

  position.side = side;
  position.entryTime = time;
  position.entryPrice = fill;
  position.quantity = quantity;
  position.margin = margin;
  position.stopPrice = stop;
  position.targetPrice = target;
  position.stopDistance = side * (fill - stop);
  position.isLeaving = 0;
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

/** Both levels round towards the entry: the loss at the stop and the distance to the target never grow by rounding. */
function stopAt(rules: Rules, side: f64, fill: f64, range: f64): f64 {
  const level = levelAt(fill, -side, rules.stopLossFraction, rules.stopAtr, range);
  return roundAgainst(level, rules.tickSize, side);
}

function quantityAt(rules: Rules, side: f64, fill: f64, stop: f64, available: f64, scale: f64, entryMax: f64): f64 {
  return <i32>rules.sizing === SIZING_RISK
    ? riskQuantity(rules, side, fill, stop, available, scale, entryMax)
    : fixedQuantity(rules, fill, available, scale, entryMax);
}

/** A level on one side of the fill: `way` 1 above it, -1 below. */
function levelAt(fill: f64, way: f64, fraction: f64, multiple: f64, range: f64): f64 {
  return multiple > 0 ? fill + way * multiple * range : fill * (1 + way * fraction);
}
