import type { Candles } from '@sextant/workers/src/protocol/backtest.ts';

/** Hourly candles that open at the close before and reach 1 beyond both; the first stands at `firstHour` of the epoch. */
export function candlesFrom(closes: readonly number[], firstHour = 0): Candles {
  const close = Float64Array.from(closes);
  const open = close.map((value, i) => close[i - 1] ?? value);
  return {
    time: close.map((_, i) => (firstHour + i) * 3_600_000),
    open,
    high: close.map((value, i) => Math.max(value, open[i] ?? value) + 1),
    low: close.map((value, i) => Math.min(value, open[i] ?? value) - 1),
    close,
    volume: close.map(() => 1),
  };
}
