import type { Candles } from '../../../src/protocol/backtest.ts';

/** Made-up candles for rules that are worked by hand: each opens at the close before it. */

export type Bar = readonly [open: number, high: number, low: number, close: number];

export const DAY_MS = 86_400_000;
/** A Thursday midnight, UTC. */
const START_MS = 0;

/** `count` times the same price. */
export const flat = (price: number, count: number): number[] => Array.from({ length: count }, () => price);

/** `count` further prices, each `step` after the one before. */
export const steps = (from: number, step: number, count: number): number[] =>
  Array.from({ length: count }, (_, i) => from + step * (i + 1));

/** 99 and 101 in turn, 101 last. */
export const zigzag = (count: number): number[] => Array.from({ length: count }, (_, i) => (i % 2 === 0 ? 99 : 101));

/** Bars from closes, `wick` beyond open and close. */
export const bars = (closes: readonly number[], wick = 0): Bar[] =>
  closes.map((close, i) => {
    const open = closes[i - 1] ?? close;
    return [open, Math.max(open, close) + wick, Math.min(open, close) - wick, close];
  });

/** The bars with some of them as given, by index. */
export const withBars = (all: readonly Bar[], own: Record<number, Bar>): Bar[] => all.map((bar, i) => own[i] ?? bar);

export function candlesOfBars(all: readonly Bar[], stepMs: number, volumes: Record<number, number> = {}): Candles {
  const column = (k: 0 | 1 | 2 | 3): Float64Array => Float64Array.from(all, (bar) => bar[k]);
  return {
    time: Float64Array.from(all, (_, i) => START_MS + i * stepMs),
    open: column(0),
    high: column(1),
    low: column(2),
    close: column(3),
    volume: Float64Array.from(all, (_, i) => volumes[i] ?? 1),
  };
}

/** Every price p as 200 - p: what rises falls. */
export const mirrored = (all: readonly Bar[]): Bar[] =>
  all.map(([open, high, low, close]) => [200 - open, 200 - low, 200 - high, 200 - close]);

/** Whole candles of a longer interval. */
export function joined(candles: Candles, stepMs: number, longerMs: number): Candles {
  const size = longerMs / stepMs;
  const starts = Array.from({ length: Math.floor(candles.time.length / size) }, (_, i) => i * size);
  const part = (column: Float64Array, start: number): number[] => [...column.subarray(start, start + size)];
  return {
    time: Float64Array.from(starts, (start) => candles.time[start]!),
    open: Float64Array.from(starts, (start) => candles.open[start]!),
    high: Float64Array.from(starts, (start) => Math.max(...part(candles.high, start))),
    low: Float64Array.from(starts, (start) => Math.min(...part(candles.low, start))),
    close: Float64Array.from(starts, (start) => candles.close[start + size - 1]!),
    volume: Float64Array.from(starts, (start) => part(candles.volume, start).reduce((sum, one) => sum + one, 0)),
  };
}
