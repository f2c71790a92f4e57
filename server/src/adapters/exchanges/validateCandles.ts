import type { Candles } from '@sextant/workers/src/protocol/backtest.ts';
import { failWith, ok, type Result } from '@sextant/workers/src/core/result.ts';
import type { CandleGap, CandleWindow } from '../../features/market/port.ts';

export interface Expectation {
  intervalMs: number;
  /** First and last requested bar open, both multiples of the interval. */
  fromMs: number;
  toMs: number;
  /** A bar is closed when it ends at or before this instant. */
  closedByMs: number;
  /** Bars that ended before this must exist. */
  nowMs: number;
  /** Bars before this are not missing: the market did not trade yet. */
  firstTradeMs: number;
}

type Row = readonly [time: number, open: number, high: number, low: number, close: number, volume: number];

/** Above this share of bad rows the whole response is rejected. */
const badFractionMax = 0.1;

/**
 * Converts an exchange's rows to closed candles, or returns why that fails. Sorts rows and drops exact duplicates. Rejects malformed rows
 * and bars with two different rows, which leaves a gap. Ignores running, future and unrequested bars.
 * Rows are [open time ms, open, high, low, close, volume].
 */
export function validateCandles(rows: readonly unknown[], expected: Expectation): Result<CandleWindow, string> {
  const byTime = new Map<number, Row>();
  const rejected = new Set<number>();
  let badCount = 0;
  for (const raw of rows) {
    const row = candleRow(raw, expected.intervalMs);
    if (row === undefined) {
      badCount++;
      continue;
    }
    const [time] = row;
    if (time < expected.fromMs || time > expected.toMs || time + expected.intervalMs > expected.closedByMs) continue;
    const known = byTime.get(time);
    if (known !== undefined && !isSame(known, row)) rejected.add(time);
    byTime.set(time, row);
  }
  if (badCount > 0 && badCount > rows.length * badFractionMax) {
    return failWith(`${badCount} of ${rows.length} rows are not candles`);
  }
  for (const time of rejected) byTime.delete(time);
  const retained = [...byTime.values()].sort((a, b) => a[0] - b[0]);
  const candles = columnsOf(retained);
  return ok({ candles, gaps: gapsOf(candles.time, expected), rejectedCount: badCount + rejected.size });
}

/** One candle, or undefined when the cells are invalid. */
export function candleRow(raw: unknown, intervalMs: number): Row | undefined {
  if (!Array.isArray(raw) || raw.length < 6) return undefined;
  const cells = raw as unknown[];
  for (let index = 0; index < 6; index++) if (!Number.isFinite(cells[index])) return undefined;
  const [time, open, high, low, close, volume] = cells as unknown as Row;
  const isShaped = low > 0 && high >= Math.max(open, close) && low <= Math.min(open, close) && volume >= 0;
  const isAligned = Number.isSafeInteger(time) && time > 0 && time % intervalMs === 0;
  return isShaped && isAligned ? [time, open, high, low, close, volume] : undefined;
}

const isSame = (a: Row, b: Row): boolean => a.every((cell, index) => cell === b[index]);

function columnsOf(rows: readonly Row[]): Candles {
  // Float64Array.from iterates every row six times: a third of the validation time.
  const column = (index: 0 | 1 | 2 | 3 | 4 | 5): Float64Array => {
    const values = new Float64Array(rows.length);
    for (let i = 0; i < rows.length; i++) values[i] = (rows[i] as Row)[index];
    return values;
  };
  return { time: column(0), open: column(1), high: column(2), low: column(3), close: column(4), volume: column(5) };
}

/** An exchange may publish a closed bar this late; that is not a gap yet. */
const lateMs = 5000;

/** Gaps between bars, before the first and after the last one, within the span in which bars must exist. */
export function gapsOf(time: Float64Array, expected: Expectation): CandleGap[] {
  const { intervalMs, nowMs } = expected;
  const firstMs = Math.max(expected.fromMs, Math.ceil(expected.firstTradeMs / intervalMs) * intervalMs);
  const lastMs = Math.min(expected.toMs, Math.floor((nowMs - lateMs) / intervalMs) * intervalMs - intervalMs);
  const gaps: CandleGap[] = [];
  const note = (fromMs: number, toMs: number): void => {
    if (fromMs <= toMs) gaps.push({ fromMs, toMs, missingCount: (toMs - fromMs) / intervalMs + 1 });
  };
  // Bars before the first one are missing only when the market is known to have traded then.
  let nextMs = Math.min(firstMs, time[0] ?? Infinity);
  for (const openMs of time) {
    note(nextMs, openMs - intervalMs);
    nextMs = Math.max(nextMs, openMs + intervalMs);
  }
  note(nextMs, lastMs);
  return gaps;
}
