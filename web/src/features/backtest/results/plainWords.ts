import { formatCount, formatFixed, formatMoney, formatPercent } from '../../../format/number.ts';
import type { Run } from '../backtestState.ts';
import { breakdownOf, daysOf } from './breakdown.ts';
import { DRAWDOWN_WARNING } from './figures.ts';

/** What the figures say, in sentences, without judging them: that is the honesty panel's business. */
export function plainWords({ loaded, scoredCount, costs, result: { summary, trades } }: Run): string[] {
  const { time } = loaded.candles;
  const fromMs = time[time.length - scoredCount] ?? 0;
  const days = daysOf(fromMs, (time.at(-1) ?? 0) + loaded.intervalMs);
  const where = `${formatFixed(days, 1)} days of ${loaded.label} ${loaded.interval}`;
  const held = `Holding one position of the same size ${changed(summary.buyAndHoldFraction)} over the same candles.`;
  if (summary.tradeCount === 0) return [`No trade in ${where}.`, held];
  const { netPnl, fees, slippage, funding, expectancy, winRate, maxDrawdownFraction } = summary;
  const share = netPnl / costs.initialEquity;
  const sentences = [
    `${formatCount(summary.tradeCount)} ${summary.tradeCount === 1 ? 'trade' : 'trades'} in ${where} ${netPnl < 0 ? 'lost' : 'gained'} ${formatMoney(Math.abs(netPnl))} USDT, ${formatPercent(share, true)} of the starting equity.`,
    `${formatPercent(winRate)} were won; the mean trade ${(expectancy ?? 0) < 0 ? 'lost' : 'gained'} ${formatMoney(Math.abs(expectancy ?? 0))} USDT after costs.`,
    `Costs took ${formatMoney(fees + slippage + Math.max(0, funding))} USDT of what the prices gave: ${formatMoney(fees)} fees, ${formatMoney(slippage)} slippage${summary.isFundingKnown ? `, ${formatMoney(funding)} funding` : '; funding is not known'}.`,
    `The worst fall was ${formatPercent(maxDrawdownFraction)} of the peak${maxDrawdownFraction > DRAWDOWN_WARNING ? ', more than a tenth' : ''}.`,
  ];
  const concentration = bestDay(trades, netPnl);
  if (concentration !== null) sentences.push(concentration);
  return [...sentences, held];
}

const changed = (fraction: number): string =>
  `would have ${fraction < 0 ? 'lost' : 'gained'} ${formatPercent(Math.abs(fraction))}`;

/** A gain that one day brought alone is worth a sentence. */
function bestDay(trades: Run['result']['trades'], netPnl: number): string | null {
  const days = breakdownOf(trades, 'day');
  if (netPnl <= 0 || days.length < 2) return null;
  const best = days.reduce((most, day) => (day.netPnl > most.netPnl ? day : most));
  return best.netPnl < netPnl / 2
    ? null
    : `Without its best day, ${best.key}, the result would be ${formatMoney(netPnl - best.netPnl, true)} USDT.`;
}
