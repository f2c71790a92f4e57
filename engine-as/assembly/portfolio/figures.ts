import { ratios } from '../backtest/summary';
import { Summary } from '../records.gen';
import { at } from '../series';
import { intervalOf, spanDays } from '../stats/dailyReturns';
import { maxDrawdown } from '../stats/drawdown';
import { tradeTotals } from '../stats/trades';

/** Figures of an account by the functions of the single backtest; contract in abi/portfolioExports.ts. */
export function accountFigures(
  times: usize,
  equity: usize,
  length: i32,
  initialEquity: f64,
  trades: usize,
  tradeCount: i32,
  summary: Summary,
): i32 {
  summary.maxDrawdownFraction = maxDrawdown(equity, length, initialEquity);
  tradeTotals(trades, tradeCount, summary);
  const span = spanDays(at(times, 0), at(times, length - 1), intervalOf(times, length));
  return ratios(times, equity, length, span, initialEquity, summary);
}
