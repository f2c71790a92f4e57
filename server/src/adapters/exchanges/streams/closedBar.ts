import type { ClosedBar, Interval } from '../../../features/market/port.ts';
import { intervalMs } from '@sextant/workers/src/wire/intervals.ts';
import { candleRow } from '../validateCandles.ts';
import type { RawBar } from './streamDialect.ts';

/** The exchange's clock may be this far ahead of ours, or its stamp this far behind the end of the bar. */
const skewMs = 2000;

const numberOf = (cell: unknown): unknown => (typeof cell === 'string' && cell.trim() !== '' ? Number(cell) : cell);

/** The bar when it is closed, by the exchange's word and on both clocks, and a candle at all. */
export function closedBarOf(
  { interval, cells, isClosed, atMs }: RawBar,
  symbol: string,
  nowMs: number,
): ClosedBar | undefined {
  if (!isClosed) return undefined;
  const span: number = intervalMs[interval satisfies Interval];
  const row = candleRow(cells.map(numberOf), span);
  if (row === undefined) return undefined;
  const [time, open, high, low, close, volume] = row;
  const endMs = time + span;
  const stampMs = numberOf(atMs ?? endMs);
  if (typeof stampMs !== 'number' || !(endMs <= nowMs + skewMs) || !(stampMs >= endMs - skewMs)) return undefined;
  return { symbol, interval, time, open, high, low, close, volume };
}
