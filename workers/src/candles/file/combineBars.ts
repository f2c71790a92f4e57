import { intervalMs, intervals } from '@sextant/engine-as/abi/intervals.ts';
import type { Candles } from '../../protocol/backtest.ts';
import { candleFields, candlesOf } from '../candleColumns.ts';
import { stepName } from './fileTimes.ts';

/** Candles of a length that runs do not have, combined into one that they do: two of 30m are one of 1h. */
export function combineBars(candles: Candles, stepMs: number): { candles: Candles; words: string } | null {
  const interval = intervals.find((name) => intervalMs[name] > stepMs && intervalMs[name] % stepMs === 0);
  const isOnGrid = candles.time.every((each) => each % stepMs === 0);
  if (interval === undefined || !isOnGrid) return null;
  const lengthMs = intervalMs[interval];
  const perBar = lengthMs / stepMs;
  const rows: number[][] = [];
  let droppedCount = 0;
  const { time } = candles;
  for (let start = 0; start < time.length;) {
    const openMs = Math.floor((time[start] as number) / lengthMs) * lengthMs;
    let end = start;
    while (end < time.length && (time[end] as number) < openMs + lengthMs) end++;
    // A bar without all of its parts would have other prices.
    if (end - start === perBar) rows.push(combined(candles, openMs, start, end));
    else droppedCount++;
    start = end;
  }
  const left = droppedCount === 0 ? '' : ` ${droppedCount} incomplete ones were left out.`;
  const words = `Combined ${stepName(stepMs)} candles into ${interval}, ${perBar} each.${left}`;
  return {
    candles: candlesOf((name) => Float64Array.from(rows, (row) => row[candleFields.indexOf(name)] ?? NaN)),
    words,
  };
}

function combined({ open, high, low, close, volume }: Candles, openMs: number, start: number, end: number): number[] {
  let [top, bottom, sum] = [-Infinity, Infinity, 0];
  for (let i = start; i < end; i++) {
    top = Math.max(top, high[i] as number);
    bottom = Math.min(bottom, low[i] as number);
    sum += volume[i] as number;
  }
  return [openMs, open[start] as number, top, bottom, close[end - 1] as number, sum];
}
