import { CLOSE_LIQUIDATION } from '../../abi/backtest';
import { isForced } from '../simulate/trade';
import { Summary, Trade } from '../records.gen';
import { tradeAt } from '../rows';

/** Sums and rates over the trades, in trade order. A rate without its denominator is NaN, never 0. */
export function tradeTotals(trades: usize, count: i32, summary: Summary): void {
  let longs: f64 = 0;
  let forced: f64 = 0;
  let liquidations: f64 = 0;
  let won: f64 = 0;
  let gain: f64 = 0;
  let loss: f64 = 0;
  for (let i = 0; i < count; i++) {
    const trade = tradeAt(trades, i);
    const net = trade.netPnl;
    if (trade.side > 0) longs++;
    if (isForced(trade)) forced++;
    if (<i32>trade.closeReason === CLOSE_LIQUIDATION) liquidations++;
    if (net > 0) {
      won++;
      gain += net;
    } else loss -= net;
  }
  summary.longCount = longs;
  summary.shortCount = <f64>count - longs;
  summary.forcedCloseCount = forced;
  summary.liquidationCount = liquidations;
  summary.grossPnl = total(trades, count, offsetof<Trade>('grossPnl'));
  summary.fees = total(trades, count, offsetof<Trade>('fees'));
  summary.funding = total(trades, count, offsetof<Trade>('funding'));
  summary.slippage = total(trades, count, offsetof<Trade>('slippage'));
  summary.winRate = count > 0 ? won / <f64>count : NaN;
  summary.profitFactor = loss > 0 ? gain / loss : NaN;
  summary.expectancy = count > 0 ? summary.netPnl / <f64>count : NaN;
}

/** @param offset bytes of the field within a trade */
function total(trades: usize, count: i32, offset: usize): f64 {
  let sum: f64 = 0;
  for (let i = 0; i < count; i++) sum += load<f64>(changetype<usize>(tradeAt(trades, i)) + offset);
  return sum;
}
