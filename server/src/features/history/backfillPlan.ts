import { intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import type { HistoryMonths } from '@sextant/workers/src/core/historyMonths.ts';
import type { Interval } from '../market/port.ts';
import { type BarRange, monthStart, openRanges } from './ranges.ts';

/** Months that one request of about 1,000 bars covers, rounded. */
const monthsOfPart: Record<Interval, number> = { '1m': 1, '5m': 1, '15m': 1, '1h': 1, '4h': 5, '1d': 24 };
/** Filled in this order within a month: scans and signals read the first three. */
const order: readonly Interval[] = ['1h', '15m', '4h', '1d', '5m', '1m'];

/** A part of a series that lacks bars. */
export interface BackfillPart extends BarRange {
  symbol: string;
  interval: Interval;
}

export interface PlanInput {
  nowMs: number;
  retention: HistoryMonths;
  /** By turnover, largest first. */
  symbols: readonly { symbol: string; listedAtMs: number | null }[];
  /** Symbols whose minutes are stored, too. */
  minuteSymbols: ReadonlySet<string>;
  covered: (interval: Interval, symbol: string) => readonly BarRange[];
}

export interface Plan {
  /** Newest first; within a part of the calendar by interval, then by turnover. */
  parts: BackfillPart[];
  /** Parts of the whole history, those that are stored included. */
  totalCount: number;
}

/** What the store lacks. Parts end at the last bar that has closed, and start at the listing. */
export function planBackfill({ nowMs, retention, symbols, minuteSymbols, covered }: PlanInput): Plan {
  const parts: BackfillPart[] = [];
  let totalCount = 0;
  for (const interval of order) {
    const stepMs = intervalMs[interval];
    const lastMs = Math.floor(nowMs / stepMs) * stepMs - stepMs;
    const months = monthsOfPart[interval];
    for (let back = 0; back < retention[interval]; back += months) {
      const length = Math.min(months, retention[interval] - back);
      const fromMs = monthStart(nowMs, 1 - back - length);
      const toMs = Math.min(lastMs, monthStart(nowMs, 1 - back) - stepMs);
      for (const { symbol, listedAtMs } of symbols) {
        if (interval === '1m' && !minuteSymbols.has(symbol)) continue;
        const startMs = Math.max(fromMs, listedAtMs === null ? fromMs : Math.ceil(listedAtMs / stepMs) * stepMs);
        if (startMs > toMs) continue;
        totalCount++;
        const open = openRanges(covered(interval, symbol), { fromMs: startMs, toMs }, stepMs);
        const [first, last] = [open[0], open.at(-1)];
        if (first !== undefined && last !== undefined)
          parts.push({ symbol, interval, fromMs: first.fromMs, toMs: last.toMs });
      }
    }
  }
  // Stable: equal ends keep the order of intervals and turnover. By start: a partial current month is as new as any.
  const monthOf = ({ toMs }: BackfillPart): number => monthStart(toMs);
  return { parts: parts.sort((a, b) => monthOf(b) - monthOf(a)), totalCount };
}
