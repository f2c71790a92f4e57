import type { KlineLayout, KlineRows } from '@sextant/workers/src/wire/klineRows.ts';
import type { ExchangeId, Interval } from '../../features/market/port.ts';
import { intervalNames } from './intervalNames.ts';
import type { Page } from './pages.ts';

export interface CandleQuestion extends Page {
  /** The exchange's own id of the symbol. */
  id: string;
  interval: Interval;
  intervalMs: number;
  nowMs: number;
}

/** How to ask one exchange for candles, and where its answer has them; not through ccxt, which was too slow (docs/operations.md). */
export interface CandleDialect {
  /** Most bars in one answer. */
  pageSize: number;
  path: (question: CandleQuestion) => string;
  /** How its rows are cut out of the bytes. */
  layout: KlineLayout;
  /** The rows of a good answer as JSON has them, in the exchange's order. */
  rows: (body: unknown) => readonly unknown[];
  /** Where a row has its volume in listed units. It begins with open time, open, high, low and close everywhere. */
  volumeCell: number;
}

const barCount = ({ fromMs, toMs, intervalMs }: CandleQuestion): string => String((toMs - fromMs) / intervalMs + 1);
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);
const pathOf = (path: string, query: Record<string, string>): string =>
  `${path}?${new URLSearchParams(query).toString()}`;

const binance: CandleDialect = {
  // Documented as 1,500; spans above 1,000 have come back incomplete, and ccxt caps there too.
  pageSize: 1000,
  path: (question) =>
    pathOf('/fapi/v1/klines', {
      symbol: question.id,
      interval: intervalNames.binance[question.interval],
      startTime: String(question.fromMs),
      endTime: String(question.toMs),
      limit: barCount(question),
    }),
  layout: { cellCount: 6 },
  rows: listOf,
  volumeCell: 5,
};

const bybit: CandleDialect = {
  pageSize: 1000,
  path: (question) =>
    pathOf('/v5/market/kline', {
      category: 'linear',
      symbol: question.id,
      interval: intervalNames.bybit[question.interval],
      start: String(question.fromMs),
      end: String(question.toMs),
      limit: barCount(question),
    }),
  layout: { listName: 'list', cellCount: 6 },
  rows: (body) => listOf((body as { result?: { list?: unknown } }).result?.list),
  volumeCell: 5,
};

/** Bars before this many are served by another path, which has half the rate. */
const okxRecentBars = 1439;

const okx: CandleDialect = {
  pageSize: 300,
  path: (question) => {
    const { id, interval, intervalMs, fromMs, toMs, nowMs } = question;
    const isOld = fromMs < nowMs - okxRecentBars * intervalMs;
    return pathOf(isOld ? '/api/v5/market/history-candles' : '/api/v5/market/candles', {
      instId: id,
      bar: intervalNames.okx[interval],
      limit: barCount(question),
      // Both exclude the time they name.
      before: String(fromMs - 1),
      after: String(toMs + intervalMs),
    });
  },
  layout: { listName: 'data', cellCount: 7 },
  rows: (body) => listOf((body as { data?: unknown }).data),
  // The fifth is in contracts.
  volumeCell: 6,
};

export const candleDialects: Record<ExchangeId, CandleDialect> = { binance, bybit, okx };

/** Rows that were cut out, each as [open time ms, open, high, low, close, volume]. */
export function rowsOfCells({ cells, rowCount }: KlineRows, { layout, volumeCell }: CandleDialect): number[][] {
  return Array.from({ length: rowCount }, (_, row) => {
    const at = row * layout.cellCount;
    return [...cells.subarray(at, at + 5), cells[at + volumeCell] as number];
  });
}

/** One row as [open time ms, open, high, low, close, volume]; NaN where the exchange did not send a number. */
export const numbersOf =
  ({ volumeCell }: CandleDialect) =>
  (row: unknown): unknown =>
    Array.isArray(row) ? [0, 1, 2, 3, 4, volumeCell].map((cell) => numberOf(row[cell])) : row;

function numberOf(cell: unknown): number {
  if (typeof cell === 'number') return cell;
  return typeof cell === 'string' && cell.trim() !== '' ? Number(cell) : NaN;
}
