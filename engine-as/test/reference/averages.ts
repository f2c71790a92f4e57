import type { Columns } from '../candles.ts';
import { definedFrom, mean, range, rolling, smoothed, window } from './windows.ts';

type Output = Record<string, number[]>;

export function smaReference({ close }: Columns, [period]: number[]): Output {
  return { sma: rolling(close, period!, mean) };
}

function emaOf(x: ArrayLike<number>, period: number): number[] {
  if (x.length < period) return range(x.length).map(() => Number.NaN);
  return smoothed(x, period - 1, mean(window(x, period - 1, period)), 2 / (period + 1));
}

export function emaReference({ close }: Columns, [period]: number[]): Output {
  return { ema: emaOf(close, period!) };
}

export function macdReference({ close }: Columns, [fast, slow, signalPeriod]: number[]): Output {
  const warmup = slow! + signalPeriod! - 2;
  if (close.length <= warmup) {
    const none = range(close.length).map(() => Number.NaN);
    return { macd: none, signal: none, histogram: none };
  }
  const start = slow! - 1;
  const averageOf = (period: number): number[] =>
    smoothed(close, start, mean(window(close, start, period)), 2 / (period + 1));
  const fastMean = averageOf(fast!);
  const slowMean = averageOf(slow!);
  const line = fastMean.map((value, i) => value - slowMean[i]!);
  const signal = smoothed(line, warmup, mean(window(line, warmup, signalPeriod!)), 2 / (signalPeriod! + 1));
  const histogram = line.map((value, i) => value - signal[i]!);
  return { macd: definedFrom(line, warmup), signal, histogram: definedFrom(histogram, warmup) };
}

export function bollReference({ close }: Columns, [period, width]: number[]): Output {
  const middle = rolling(close, period!, mean);
  const deviation = rolling(close, period!, (values) => {
    const centre = mean(values);
    return Math.sqrt(mean(values.map((value) => (value - centre) ** 2)));
  });
  return {
    upper: middle.map((value, i) => value + width! * deviation[i]!),
    middle,
    lower: middle.map((value, i) => value - width! * deviation[i]!),
  };
}
