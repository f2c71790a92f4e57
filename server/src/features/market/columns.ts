import { candleFields, candlesOf, indexFrom } from '@sextant/workers/src/candles/candleColumns.ts';
import type { Candles } from '@sextant/workers/src/protocol/backtest.ts';
import type { CandleGap } from './port.ts';

/** Arithmetic on candle columns: oldest first, `time` strictly increasing. */

/** Bytes of one candle in all columns. */
export const candleBytes = candleFields.length * Float64Array.BYTES_PER_ELEMENT;

/** Copies the candles that open within the span, both ends included. */
export function sliceCandles(candles: Candles, fromMs: number, toMs: number): Candles {
  const start = indexFrom(candles.time, fromMs);
  const end = indexFrom(candles.time, toMs + 1);
  return candlesOf((name) => candles[name].slice(start, end));
}

/** The older candles up to the start of the newer ones, then the newer ones. */
export function joinCandles(older: Candles, younger: Candles): Candles {
  const first = younger.time[0];
  if (first === undefined) return older;
  const stored = indexFrom(older.time, first);
  return candlesOf((name) => {
    const column = new Float64Array(stored + younger.time.length);
    column.set(older[name].subarray(0, stored));
    column.set(younger[name], stored);
    return column;
  });
}

/** Inserts a candle in time order; it must not exist yet. */
export function inserted(candles: Candles, bar: Record<keyof Candles, number>): Candles {
  const index = indexFrom(candles.time, bar.time);
  return candlesOf((name) => {
    const column = new Float64Array(candles.time.length + 1);
    column.set(candles[name].subarray(0, index));
    column[index] = bar[name];
    column.set(candles[name].subarray(index), index + 1);
    return column;
  });
}

/** Views of the candles from index `start` up to but without `end`. */
export const viewOf = (candles: Candles, start: number, end: number): Candles =>
  candlesOf((name) => candles[name].subarray(start, end));

/** The candle at an index as an object. */
export function candleAt(candles: Candles, index: number): Record<keyof Candles, number> {
  const at = (name: keyof Candles): number => candles[name][index] as number;
  return {
    time: at('time'),
    open: at('open'),
    high: at('high'),
    low: at('low'),
    close: at('close'),
    volume: at('volume'),
  };
}

/** Whether both hold exactly the same candle at `timeMs`; true when either has none there. */
export function agreeAt(a: Candles, b: Candles, timeMs: number): boolean {
  const i = indexFrom(a.time, timeMs);
  const j = indexFrom(b.time, timeMs);
  if (a.time[i] !== timeMs || b.time[j] !== timeMs) return true;
  return candleFields.every((name) => a[name][i] === b[name][j]);
}

/** The parts of gaps within the span. */
export function gapsWithin(gaps: readonly CandleGap[], fromMs: number, toMs: number, span: number): CandleGap[] {
  return gaps
    .map((gap) => ({ fromMs: Math.max(gap.fromMs, fromMs), toMs: Math.min(gap.toMs, toMs) }))
    .filter((gap) => gap.fromMs <= gap.toMs)
    .map((gap) => ({ ...gap, missingCount: (gap.toMs - gap.fromMs) / span + 1 }));
}
