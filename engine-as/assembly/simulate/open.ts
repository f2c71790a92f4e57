import { CLOSE_NONE, OPEN_DONE, OPEN_MARGIN_SHORT, OPEN_TOO_SMALL, SIZING_RISK } from '../../abi/backtest';
import { Position, Rules } from '../records.gen';
import { liquidationPrice } from './liquidation';
import { roundAgainst } from './rounding';
import { fixedQuantity, riskQuantity, scaleOf } from './size';

/**
 * Opens a position at `price` (a bar's open, or a tick) as a taker.
 * @param position written whole
 * @param side     1 long, -1 short
 * @param available equity that may become margin and pay the entry fee; a size that needs more is reduced to what it covers
 * @param range     average true range of the deciding bar; read by ATR levels only
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
): i32 {
  const tick = rules.tickSize;
  const fill = roundAgainst(price * (1 + side * rules.slippage), tick, side);
  // Both levels round towards the entry: the loss at the stop and the distance to the target never grow by rounding.
  const stop = roundAgainst(levelAt(fill, -side, rules.stopLossFraction, rules.stopAtr, range), tick, side);
  const target = roundAgainst(levelAt(fill, side, rules.takeProfitFraction, rules.targetAtr, range), tick, -side);
  const scale = scaleOf(rules, tiers, tierCount, available);
  const quantity =
    <i32>rules.sizing === SIZING_RISK
      ? riskQuantity(rules, side, fill, stop, available, scale)
      : fixedQuantity(rules, fill, available, scale);
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

/** A level on one side of the fill: `way` 1 above it, -1 below. */
function levelAt(fill: f64, way: f64, fraction: f64, multiple: f64, range: f64): f64 {
  return multiple > 0 ? fill + way * multiple * range : fill * (1 + way * fraction);
}
