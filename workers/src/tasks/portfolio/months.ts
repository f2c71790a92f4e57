import type { PortfolioMonth, PortfolioTrade } from '../../protocol/portfolio.ts';

const monthOf = (ms: number): string => new Date(ms).toISOString().slice(0, 7);

/** Each UTC month of the account: a candle and a close belong to the month their candle opens in. */
export function monthsOf(
  time: Float64Array,
  equity: Float64Array,
  trades: readonly PortfolioTrade[],
  initialEquity: number,
): PortfolioMonth[] {
  const ends = new Map<string, number>();
  time.forEach((at, i) => ends.set(monthOf(at), equity[i] ?? Number.NaN));
  let before = initialEquity;
  return [...ends].map(([month, after]) => {
    const closed = trades.filter(({ exitStep }) => monthOf(time[exitStep] ?? 0) === month);
    const returnFraction = before > 0 ? after / before - 1 : 0;
    before = after;
    const netPnl = closed.reduce((sum, trade) => sum + trade.netPnl, 0);
    return { month, returnFraction, netPnl, tradeCount: closed.length };
  });
}
