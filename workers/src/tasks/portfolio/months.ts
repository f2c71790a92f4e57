import type { PortfolioTrade } from '../../protocol/portfolio.ts';
import type { PortfolioMonth } from '../../protocol/portfolioFigures.ts';

/** Each UTC month of the account: a candle and a close belong to the month their candle opens in. */
export function monthsOf(
  time: Float64Array,
  equity: Float64Array,
  trades: readonly PortfolioTrade[],
  initialEquity: number,
): PortfolioMonth[] {
  const starts = monthStarts(time);
  const netPnl = starts.map(() => 0);
  const tradeCount = starts.map(() => 0);
  for (const trade of trades) {
    const k = starts.findLastIndex((start) => start <= trade.exitStep);
    netPnl[k] = (netPnl[k] ?? 0) + trade.netPnl;
    tradeCount[k] = (tradeCount[k] ?? 0) + 1;
  }
  let before = initialEquity;
  return starts.map((start, k) => {
    const after = equity[(starts[k + 1] ?? time.length) - 1] ?? Number.NaN;
    const returnFraction = before > 0 ? after / before - 1 : 0;
    before = after;
    const month = new Date(time[start] ?? Number.NaN).toISOString().slice(0, 7);
    return { month, returnFraction, netPnl: netPnl[k] ?? 0, tradeCount: tradeCount[k] ?? 0 };
  });
}

/** Index of the first candle of each month. A date is made for each month only, not for each candle. */
function monthStarts(time: Float64Array): number[] {
  const starts: number[] = [];
  let end = -Infinity;
  time.forEach((at, i) => {
    if (at < end) return;
    starts.push(i);
    const date = new Date(at);
    end = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
  });
  return starts;
}
