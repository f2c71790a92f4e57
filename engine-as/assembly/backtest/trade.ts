import {
  CLOSE_END,
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
  TRADE_ADVERSE_EXCURSION,
  TRADE_CLOSE_REASON,
  TRADE_ENTRY_INDEX,
  TRADE_ENTRY_PRICE,
  TRADE_ENTRY_TIME,
  TRADE_EXIT_INDEX,
  TRADE_EXIT_PRICE,
  TRADE_EXIT_TIME,
  TRADE_FAVOURABLE_EXCURSION,
  TRADE_FEES,
  TRADE_FUNDING,
  TRADE_GROSS_PNL,
  TRADE_IS_AMBIGUOUS,
  TRADE_LIQUIDATION_PRICE,
  TRADE_MARGIN,
  TRADE_NET_PNL,
  TRADE_QUANTITY,
  TRADE_RETURN_ON_MARGIN,
  TRADE_SIDE,
  TRADE_SLIPPAGE,
  TRADE_STOP_PRICE,
  TRADE_TARGET_PRICE,
} from '../../abi/backtest';
import { at, put } from '../series';

/** Price difference x side x quantity at `price`, quote currency. */
export function grossPnlAt(position: usize, price: f64): f64 {
  const difference = price - at(position, POSITION_ENTRY_PRICE);
  return difference * at(position, POSITION_SIDE) * at(position, POSITION_QUANTITY);
}

/** Value of the position at `price` after the fees and fundings so far. */
export function netPnlAt(position: usize, price: f64): f64 {
  return grossPnlAt(position, price) - at(position, POSITION_FEES) - at(position, POSITION_FUNDING);
}

/** Writes a closed position as a trade, f64[TRADE_LENGTH]. */
export function writeTrade(position: usize, entryIndex: i32, exitIndex: i32, trade: usize): void {
  const side = at(position, POSITION_SIDE);
  const entry = at(position, POSITION_ENTRY_PRICE);
  const net = netPnlAt(position, at(position, POSITION_EXIT_PRICE));
  put(trade, TRADE_SIDE, side);
  put(trade, TRADE_ENTRY_INDEX, entryIndex);
  put(trade, TRADE_EXIT_INDEX, exitIndex);
  put(trade, TRADE_ENTRY_TIME, at(position, POSITION_ENTRY_TIME));
  put(trade, TRADE_EXIT_TIME, at(position, POSITION_EXIT_TIME));
  put(trade, TRADE_ENTRY_PRICE, entry);
  put(trade, TRADE_EXIT_PRICE, at(position, POSITION_EXIT_PRICE));
  put(trade, TRADE_QUANTITY, at(position, POSITION_QUANTITY));
  put(trade, TRADE_CLOSE_REASON, at(position, POSITION_CLOSE_REASON));
  put(trade, TRADE_GROSS_PNL, grossPnlAt(position, at(position, POSITION_EXIT_PRICE)));
  put(trade, TRADE_FEES, at(position, POSITION_FEES));
  put(trade, TRADE_FUNDING, at(position, POSITION_FUNDING));
  put(trade, TRADE_SLIPPAGE, at(position, POSITION_SLIPPAGE));
  put(trade, TRADE_NET_PNL, net);
  put(trade, TRADE_RETURN_ON_MARGIN, net / at(position, POSITION_MARGIN));
  put(trade, TRADE_IS_AMBIGUOUS, at(position, POSITION_IS_AMBIGUOUS));
  put(trade, TRADE_ADVERSE_EXCURSION, (side * (entry - at(position, POSITION_WORST_PRICE))) / entry);
  put(trade, TRADE_FAVOURABLE_EXCURSION, (side * (at(position, POSITION_BEST_PRICE) - entry)) / entry);
  put(trade, TRADE_STOP_PRICE, at(position, POSITION_STOP_PRICE));
  put(trade, TRADE_TARGET_PRICE, at(position, POSITION_TARGET_PRICE));
  put(trade, TRADE_LIQUIDATION_PRICE, at(position, POSITION_LIQUIDATION_PRICE));
  put(trade, TRADE_MARGIN, at(position, POSITION_MARGIN));
}

/** A forced close at the last candle says nothing about the strategy's exits. */
export function isForced(trade: usize): bool {
  return <i32>at(trade, TRADE_CLOSE_REASON) === CLOSE_END;
}
