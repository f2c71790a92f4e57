import type { Candles, MarkPrices } from '../protocol/backtest.ts';

/** Arithmetic on candle columns: oldest first, `time` strictly increasing. */

export const candleFields = ['time', 'open', 'high', 'low', 'close', 'volume'] as const;

/** Candles from a column for each field. */
export const candlesOf = (make: (name: keyof Candles) => Float64Array): Candles => ({
  time: make('time'),
  open: make('open'),
  high: make('high'),
  low: make('low'),
  close: make('close'),
  volume: make('volume'),
});

/** Candles one after the other, oldest first. */
export function joinColumns(parts: readonly Candles[]): Candles {
  const count = parts.reduce((sum, { time }) => sum + time.length, 0);
  return candlesOf((name) => {
    const column = new Float64Array(count);
    let at = 0;
    for (const part of parts) {
      column.set(part[name], at);
      at += part.time.length;
    }
    return column;
  });
}

/** Index of the first time that is not before `timeMs` (binary search). */
export function indexFrom(time: Float64Array, timeMs: number): number {
  let low = 0;
  let high = time.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((time[middle] ?? Infinity) < timeMs) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The candles that open in [fromMs, untilMs), as copies. */
export function cutCandles(candles: Candles, fromMs: number, untilMs: number): Candles {
  const [from, until] = [indexFrom(candles.time, fromMs), indexFrom(candles.time, untilMs)];
  return candlesOf((name) => candles[name].slice(from, until));
}

/** Views of the first candles, without a copy. */
export function firstOf<T extends Candles | MarkPrices>(columns: T, count: number): T {
  const cut = Object.entries(columns).map(([name, column]) => [name, (column as Float64Array).subarray(0, count)]);
  return Object.fromEntries(cut) as T;
}
