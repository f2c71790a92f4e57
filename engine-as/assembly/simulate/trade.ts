import { CLOSE_END } from '../../abi/backtest';
import { Position, Trade } from '../records.gen';

/** Price difference x side x quantity at `price`, quote currency. */
export function grossPnlAt(position: Position, price: f64): f64 {
  const difference = price - position.entryPrice;
  return difference * position.side * position.quantity;
}

/** Net PnL of the position at `price` after the fees and fundings so far, quote currency. */
export function netPnlAt(position: Position, price: f64): f64 {
  return grossPnlAt(position, price) - position.fees - position.funding;
}

/** Writes a closed position as a trade. */
export function writeTrade(position: Position, entryIndex: i32, exitIndex: i32, trade: Trade): void {
  const side = position.side;
  const entry = position.entryPrice;
  const net = netPnlAt(position, position.exitPrice);
  trade.side = side;
  trade.entryIndex = entryIndex;
  trade.exitIndex = exitIndex;
  trade.entryTime = position.entryTime;
  trade.exitTime = position.exitTime;
  trade.entryPrice = entry;
  trade.exitPrice = position.exitPrice;
  trade.quantity = position.quantity;
  trade.closeReason = position.closeReason;
  trade.grossPnl = grossPnlAt(position, position.exitPrice);
  trade.fees = position.fees;
  trade.funding = position.funding;
  trade.slippage = position.slippage;
  trade.netPnl = net;
  trade.returnOnMargin = net / position.margin;
  trade.isAmbiguous = position.isAmbiguous;
  trade.adverseExcursion = (side * (entry - position.worstPrice)) / entry;
  trade.favourableExcursion = (side * (position.bestPrice - entry)) / entry;
  trade.stopPrice = position.stopPrice;
  trade.targetPrice = position.targetPrice;
  trade.liquidationPrice = position.liquidationPrice;
  trade.margin = position.margin;
}

/** The forced close at the last candle is not an exit of the strategy. */
export function isForced(trade: Trade): bool {
  return <i32>trade.closeReason === CLOSE_END;
}
