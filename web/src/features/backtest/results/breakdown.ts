import type { Trade } from '@sextant/workers/src/protocol.ts';

export const groupings = ['side', 'day', 'week', 'month', 'weekday'] as const;
export type Grouping = (typeof groupings)[number];

export interface BreakdownRow {
  key: string;
  count: number;
  winCount: number;
  netPnl: number;
}

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const dayMs = 86_400_000;

const isoDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
const fromMonday = (date: Date): number => (date.getUTCDay() + 6) % 7;

/** A trade belongs to the UTC day in which it was closed: that is when its result was had. A week is named by its Monday. */
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
