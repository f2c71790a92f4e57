import {
  CLOSE_LIQUIDATION,
  SUMMARY_EXPECTANCY,
  SUMMARY_FEES,
  SUMMARY_FORCED_CLOSE_COUNT,
  SUMMARY_FUNDING,
  SUMMARY_GROSS_PNL,
  SUMMARY_LIQUIDATION_COUNT,
  SUMMARY_LONG_COUNT,
  SUMMARY_NET_PNL,
  SUMMARY_PROFIT_FACTOR,
  SUMMARY_SHORT_COUNT,
  SUMMARY_SLIPPAGE,
  SUMMARY_WIN_RATE,
  TRADE_CLOSE_REASON,
  TRADE_FEES,
  TRADE_FUNDING,
  TRADE_GROSS_PNL,
  TRADE_LENGTH,
  TRADE_NET_PNL,
  TRADE_SIDE,
  TRADE_SLIPPAGE,
} from '../../abi/backtest';
import { isForced } from '../backtest/trade';
import { addressOf, at, put } from '../series';

/** Sums and rates over the trades, in trade order. A rate without its denominator is NaN, never 0. */
export function tradeTotals(trades: usize, count: i32, summary: usize): void {
  let longs: f64 = 0;
  let forced: f64 = 0;
  let liquidations: f64 = 0;
  let won: f64 = 0;
  let gain: f64 = 0;
  let loss: f64 = 0;
  for (let i = 0; i < count; i++) {
    const trade = addressOf(trades, i * TRADE_LENGTH);
    const net = at(trade, TRADE_NET_PNL);
    if (at(trade, TRADE_SIDE) > 0) longs++;
    if (isForced(trade)) forced++;
    if (<i32>at(trade, TRADE_CLOSE_REASON) === CLOSE_LIQUIDATION) liquidations++;
    if (net > 0) {
      won++;
      gain += net;
    } else loss -= net;
  }
  put(summary, SUMMARY_LONG_COUNT, longs);
  put(summary, SUMMARY_SHORT_COUNT, <f64>count - longs);
  put(summary, SUMMARY_FORCED_CLOSE_COUNT, forced);
  put(summary, SUMMARY_LIQUIDATION_COUNT, liquidations);
  put(summary, SUMMARY_GROSS_PNL, total(trades, count, TRADE_GROSS_PNL));
  put(summary, SUMMARY_FEES, total(trades, count, TRADE_FEES));
  put(summary, SUMMARY_FUNDING, total(trades, count, TRADE_FUNDING));
  put(summary, SUMMARY_SLIPPAGE, total(trades, count, TRADE_SLIPPAGE));
  put(summary, SUMMARY_WIN_RATE, count > 0 ? won / <f64>count : NaN);
  put(summary, SUMMARY_PROFIT_FACTOR, loss > 0 ? gain / loss : NaN);
  put(summary, SUMMARY_EXPECTANCY, count > 0 ? at(summary, SUMMARY_NET_PNL) / <f64>count : NaN);
}

function total(trades: usize, count: i32, slot: i32): f64 {
  let sum: f64 = 0;
  for (let i = 0; i < count; i++) sum += at(trades, i * TRADE_LENGTH + slot);
  return sum;
}
