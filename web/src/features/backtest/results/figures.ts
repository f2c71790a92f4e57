import { STATISTIC_DAYS_MIN } from '@sextant/engine-as/abi/backtest.ts';
import type { Statistic } from '@sextant/engine-as/abi/metrics.ts';
import type { BacktestSummary, Trade } from '@sextant/workers/src/protocol/backtest.ts';
import { formatFixed } from '../../../format/number.ts';

export const DRAWDOWN_WARNING = 0.1;

/** How deep a drawdown is, the deepest step first. */
const depths = [
  { above: 0.9, words: 'almost all' },
  { above: 0.5, words: 'more than half' },
  { above: 0.25, words: 'more than a quarter' },
  { above: DRAWDOWN_WARNING, words: 'more than a tenth' },
] as const;

/** Severity of a drawdown as text: `almost all` for 98 %; undefined where it is no warning. */
export const drawdownDepth = (fraction: number): string | undefined =>
  depths.find(({ above }) => fraction > above)?.words;

/** A profit factor, or why there is none. */
export function profitFactorText({
  profitFactor,
  tradeCount,
}: Pick<BacktestSummary, 'profitFactor' | 'tradeCount'>): string {
  if (profitFactor !== null && Number.isFinite(profitFactor)) return formatFixed(profitFactor, 2);
  return tradeCount === 0 ? 'no trade' : 'no losing trade';
}

/** Net return for each unit of the worst fall; null without a fall. */
export function pnlOverDrawdown(summary: BacktestSummary, initialEquity: number): number | null {
  if (summary.maxDrawdownFraction <= 0) return null;
  return summary.netPnl / initialEquity / summary.maxDrawdownFraction;
}

interface ExitRow {
  reason: Trade['closeReason'];
  count: number;
  netPnl: number;
  winCount: number;
}

const reasons = ['TP', 'SL', 'TIME', 'SIGNAL', 'RULE', 'LIQ', 'END'] as const;

/** Trades by exit reason; reasons that did not occur are left out. */
export function exitRows(trades: readonly Trade[]): ExitRow[] {
  return reasons
    .map((reason) => {
      const those = trades.filter((trade) => trade.closeReason === reason);
      return {
        reason,
        count: those.length,
        netPnl: those.reduce((sum, trade) => sum + trade.netPnl, 0),
        winCount: those.filter((trade) => trade.netPnl > 0).length,
      };
    })
    .filter((row) => row.count > 0);
}

interface WaterfallStep {
  key: 'gross' | 'slippage' | 'fees' | 'funding' | 'netPnl';
  /** Change of this step; for the first and the last the level itself. */
  amount: number;
  /** Start and end of the bar, USDT. */
  from: number;
  to: number;
}

/** From the gross result to the net result. `grossPnl` already includes the slippage, so it is added back first. */
export function waterfall({ grossPnl, slippage, fees, funding, netPnl }: BacktestSummary): WaterfallStep[] {
  const undisturbed = grossPnl + slippage;
  const afterFees = grossPnl - fees;
  return [
    { key: 'gross', amount: undisturbed, from: 0, to: undisturbed },
    { key: 'slippage', amount: -slippage, from: undisturbed, to: grossPnl },
    { key: 'fees', amount: -fees, from: grossPnl, to: afterFees },
    { key: 'funding', amount: -funding, from: afterFees, to: afterFees - funding },
    { key: 'netPnl', amount: netPnl, from: 0, to: netPnl },
  ];
}

/** `41 UTC days`, or how far the data is from enough. Short: it stands under a figure of the strip. */
export function statisticNote(statistic: Statistic): string {
  return statistic.value === null && statistic.count < STATISTIC_DAYS_MIN
    ? `${statistic.count} of ${STATISTIC_DAYS_MIN} days`
    : `${statistic.count} UTC days`;
}

export const groupings = ['side', 'day', 'week', 'month', 'weekday'] as const;
export type Grouping = (typeof groupings)[number];

interface BreakdownRow {
  key: string;
  count: number;
  winCount: number;
  netPnl: number;
}

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const dayMs = 86_400_000;

const isoDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
const fromMonday = (date: Date): number => (date.getUTCDay() + 6) % 7;

/** A trade belongs to the UTC day of its close, when its result was realised. A week is named by its Monday. */
function keyOf({ side, exitTimeMs }: Trade, grouping: Grouping): string {
  const date = new Date(exitTimeMs);
  switch (grouping) {
    case 'side':
      return side === 'LONG' ? 'Long' : 'Short';
    case 'day':
      return isoDay(exitTimeMs);
    case 'week':
      return isoDay(exitTimeMs - fromMonday(date) * dayMs);
    case 'month':
      return isoDay(exitTimeMs).slice(0, 7);
    case 'weekday':
      return weekdays[date.getUTCDay()] ?? '';
  }
}

const orderOf = (key: string, grouping: Grouping): string =>
  grouping === 'weekday' ? String((weekdays.indexOf(key) + 6) % 7) : key;

/** Trades by side, by day, week or month, or by day of the week; groups without a trade are left out. Sums add up to the whole. */
export function breakdownOf(trades: readonly Trade[], grouping: Grouping): BreakdownRow[] {
  const rows = new Map<string, BreakdownRow>();
  for (const trade of trades) {
    const key = keyOf(trade, grouping);
    const row = rows.get(key) ?? { key, count: 0, winCount: 0, netPnl: 0 };
    row.count += 1;
    row.winCount += trade.netPnl > 0 ? 1 : 0;
    row.netPnl += trade.netPnl;
    rows.set(key, row);
  }
  return [...rows.values()].sort((a, b) => (orderOf(a.key, grouping) < orderOf(b.key, grouping) ? -1 : 1));
}

/** Whole UTC days from the first scored candle to the end of the last. */
export const daysOf = (fromMs: number, untilMs: number): number => (untilMs - fromMs) / dayMs;
