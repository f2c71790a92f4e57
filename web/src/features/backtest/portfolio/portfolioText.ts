import type { PortfolioRun } from '../../../api/types.ts';
import { formatCount, formatMany, formatMoney, formatPercent } from '../../../format/number.ts';

/** Words and rows of a portfolio run. */

type Skips = PortfolioRun['skips'];

const skipNames: Record<keyof Skips, string> = {
  held: 'Symbol is held',
  positionsWanted: 'Openings in one candle',
  maxConcurrent: 'Open positions',
  dailyLoss: 'Daily loss guard',
  stopStreak: 'Stop streak guard',
  drawdown: 'Drawdown guard',
  noVolume: 'Candle without volume',
  tooSmall: 'Below the least order',
  marginShort: 'Not enough free equity',
  stopBeyondLiquidation: 'Liquidation before the stop',
  grossExposure: 'Gross exposure',
  netExposure: 'Net exposure',
  stopLosses: 'Loss at all stops',
};

/** Reasons that skipped a signal, the most frequent first. */
export const skipRows = (skips: Skips): [name: string, count: number][] =>
  (Object.keys(skipNames) as (keyof Skips)[])
    .map((key): [string, number] => [skipNames[key], skips[key]])
    .filter(([, count]) => count > 0)
    .sort(([, a], [, b]) => b - a);

export const regimeNames: Record<PortfolioRun['regimes'][number]['regime'], string> = {
  trend: 'Trend',
  range: 'Range',
  highVolatility: 'High volatility',
  lowVolatility: 'Low volatility',
  unknown: 'Unknown',
};

const leftOutWords: Record<PortfolioRun['left_out'][number]['reason'], string> = {
  unknown: 'not traded',
  no_candles: 'no candles',
  too_few_candles: 'too few candles',
  too_few_before_unseen: 'not in training: too few candles',
  too_large: 'position too large for its contract',
  busy: 'exchange busy',
};

/** `ETHUSDT (no candles), XYZUSDT (not traded)`. */
export const leftOutText = (left: PortfolioRun['left_out']): string =>
  left.map(({ symbol, reason }) => `${symbol} (${leftOutWords[reason]})`).join(', ');

/** `on 12 symbols`, and how many were left out. */
export function sizeText({ summary, left_out: left }: Pick<PortfolioRun, 'summary' | 'left_out'>): string {
  const size = `on ${formatMany(summary.symbolCount, 'symbol')}`;
  return left.length === 0 ? size : `${size}, ${formatCount(left.length)} left out`;
}

export interface MonthCell {
  month: string;
  returnFraction: number;
  netPnl: number;
  tradeCount: number;
}

/** Months by year, twelve cells each; null where the run has no candle. */
export function monthGrid(months: PortfolioRun['months']): { year: string; cells: (MonthCell | null)[] }[] {
  const byYear = Map.groupBy(months, ({ month }) => month.slice(0, 4));
  return [...byYear].map(([year, own]) => ({
    year,
    cells: Array.from({ length: 12 }, (_, k) => own.find(({ month }) => Number(month.slice(5)) === k + 1) ?? null),
  }));
}

/** Strongest tint of a cell, percent; the text stays readable on it in both themes. */
const TINT_MAX = 32;

/** Percent of the colour of a gain or a loss, by the largest month of the run. */
export function tintOf(returnFraction: number, largest: number): number {
  return largest > 0 ? Math.round((Math.abs(returnFraction) / largest) * TINT_MAX) : 0;
}

/** Contributions, the best first, with the length of their bars, percent of the longest. */
export function contributionBars(contributions: PortfolioRun['contributions']) {
  const longest = Math.max(...contributions.map(({ netPnl }) => Math.abs(netPnl)), 0);
  return contributions
    .toSorted((a, b) => b.netPnl - a.netPnl)
    .map(({ symbol, netPnl, tradeCount }) => ({
      symbol,
      netPnl,
      tradeCount,
      widthPct: longest > 0 ? (Math.abs(netPnl) / longest) * 100 : 0,
    }));
}

/** `up to 1,250.00 USDT an order, limited by SOLUSDT`. */
export const capacityText = (capacity: PortfolioRun['capacity']): string =>
  capacity === null ? 'no trades' : `${formatMoney(capacity.notional)} USDT an order, limited by ${capacity.symbol}`;

export function biasText({ return_fraction: bias, reason }: PortfolioRun['survivor_bias']): string {
  if (bias === null) return reason ?? '';
  if (bias === 0) return 'Survivorship bias: none.';
  return `Without the delisted symbols the return is ${formatPercent(Math.abs(bias))} ${bias >= 0 ? 'higher' : 'lower'}.`;
}

/** What is unknown of some symbols. */
export function missingTexts({
  funding_missing: fundings,
  tiers_unknown: tiers,
}: Pick<PortfolioRun, 'funding_missing' | 'tiers_unknown'>): string[] {
  return [
    ...(fundings.length === 0 ? [] : [`Funding did not load for ${namesText(fundings)}: none is charged.`]),
    ...(tiers.length === 0 ? [] : [`Leverage tiers are unknown for ${namesText(tiers)}.`]),
  ];
}

const NAMED_MAX = 5;

/** A few names, then their number. */
export const namesText = (names: readonly string[]): string =>
  names.length <= NAMED_MAX ? names.join(', ') : `${formatCount(names.length)} symbols`;
