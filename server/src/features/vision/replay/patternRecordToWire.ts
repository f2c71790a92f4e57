import { wilson } from '@sextant/workers/src/core/wilson.ts';
import type { z } from 'zod';
import { HORIZON_CANDLES, type PatternRecordResponse, VIEWS_MIN } from '../contract.ts';
import { hasDirection, patternTitle } from '../rules.ts';
import type { readSeriesRecords } from './patternRepository.ts';

type Wire = z.input<typeof PatternRecordResponse>;
type Row = Awaited<ReturnType<typeof readSeriesRecords>>[number];
type Pattern = Wire['patterns'][number];

/** Whether a share differs from its baseline by more than its interval. */
function edgeOf(count: number, range: { low: number; high: number } | null, base: number | null): Pattern['edge'] {
  if (count < VIEWS_MIN || range === null || base === null) return 'unknown';
  if (range.low > base) return 'better';
  return range.high < base ? 'worse' : 'none';
}

const sum = (rows: readonly Row[], of: (row: Row) => number): number => rows.reduce((total, row) => total + of(row), 0);

/**
 * The record of one symbol or of all of an interval. Cases that overlap, in a series or across symbols, are one event of the market: the
 * interval counts at most as many as there were spans of the horizon.
 */
export function patternRecordToWire(all: readonly Row[], interval: string, symbol: string | null): Wire {
  const rows = symbol === null ? all : all.filter((row) => row.symbol === symbol);
  const candleCount = sum(rows, (row) => row.candleCount);
  const spanCount = Math.max(1, Math.floor(Math.max(0, ...rows.map((row) => row.candleCount)) / HORIZON_CANDLES));
  const shareOf = (part: number): number | null => (candleCount === 0 ? null : part / candleCount);
  const base = {
    bullish: shareOf(sum(rows, (row) => row.higherCount)),
    bearish: shareOf(sum(rows, (row) => row.lowerCount)),
  };
  const ids = [...new Set(rows.flatMap(({ patterns }) => Object.keys(patterns)))].filter(hasDirection);
  const patterns = ids.flatMap((id) =>
    (['bullish', 'bearish'] as const).flatMap((direction): Pattern[] => {
      const count = sum(rows, (row) => row.patterns[id]?.[direction].count ?? 0);
      if (count === 0) return [];
      const right = sum(rows, (row) => row.patterns[id]?.[direction].followedCount ?? 0);
      const range = wilson(right, count, Math.min(count, spanCount));
      const shares = { right_low: range?.low ?? null, right_high: range?.high ?? null, base_share: base[direction] };
      const edge = edgeOf(count, range, base[direction]);
      return [{ id, title: patternTitle(id), direction, count, right_count: right, ...shares, edge }];
    }),
  );
  const times = rows.flatMap(({ fromAt, toAt }) => [fromAt.getTime(), toAt.getTime()]);
  const at = (ms: number): string | null => (times.length === 0 ? null : new Date(ms).toISOString());
  return {
    origin: 'replayed',
    symbol,
    interval,
    horizon_candles: HORIZON_CANDLES,
    needed: VIEWS_MIN,
    candle_count: candleCount,
    first: at(Math.min(...times)),
    last: at(Math.max(...times)),
    symbols: all.map((row) => row.symbol),
    patterns: patterns.sort((a, b) => b.count - a.count || (a.id < b.id ? -1 : 1)),
  };
}
