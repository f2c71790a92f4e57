import type { Columns } from '../candles.ts';
import { definedFrom, mean, range, smoothed, sum, window } from './windows.ts';

type Output = Record<string, number[]>;

/** True range of candle i; candle 0 has no close before it. */
function rangesOf({ high, low, close }: Columns): number[] {
  return range(close.length).map((i) =>
    i === 0
      ? Number.NaN
      : Math.max(high[i]! - low[i]!, Math.abs(high[i]! - close[i - 1]!), Math.abs(low[i]! - close[i - 1]!)),
  );
}

export function atrOf(candles: Columns, period: number): number[] {
  const ranges = rangesOf(candles);
  if (ranges.length <= period) return ranges.map(() => Number.NaN);
  return smoothed(ranges, period, mean(window(ranges, period, period)), 1 / period);
}

export function atrReference(candles: Columns, [period]: number[]): Output {
  return { atr: atrOf(candles, period!) };
}

/** S = S - S / period + new, starting with the sum of elements 1 .. period - 1. */
function wilderSum(x: readonly number[], period: number): number[] {
  let total = sum(x.slice(1, period));
  return x.map((value, i) => {
    if (i < period) return Number.NaN;
    total = total - total / period + value;
    return total;
  });
}

export function adxReference(candles: Columns, [period]: number[]): Output {
  const { high, low } = candles;
  const moves = range(high.length).map((i) => {
    if (i === 0) return { up: 0, down: 0 };
    const up = high[i]! - high[i - 1]!;
    const down = low[i - 1]! - low[i]!;
    return { up: up > down && up > 0 ? up : 0, down: down > up && down > 0 ? down : 0 };
  });
  const width = wilderSum(rangesOf(candles), period!);
  const plus = wilderSum(
    moves.map(({ up }) => up),
    period!,
  );
  const minus = wilderSum(
    moves.map(({ down }) => down),
    period!,
  );
  const share = (part: number, whole: number): number => (whole > 0 ? (100 * part) / whole : 0);
  const plusDi = plus.map((value, i) => (i < period! ? Number.NaN : share(value, width[i]!)));
  const minusDi = minus.map((value, i) => (i < period! ? Number.NaN : share(value, width[i]!)));
  const index = plus.map((value, i) => share(Math.abs(value - minus[i]!), value + minus[i]!));
  const seedEnd = 2 * period! - 1;
  if (high.length <= seedEnd) return { adx: range(high.length).map(() => Number.NaN), plusDi, minusDi };
  const adx = smoothed(index, seedEnd, mean(window(index, seedEnd, period!)), 1 / period!);
  return { adx, plusDi, minusDi };
}

export function supertrendReference(candles: Columns, [period, multiple]: number[]): Output {
  const { high, low, close } = candles;
  const reach = atrOf(candles, period!).map((value) => value * multiple!);
  let upper = 0;
  let lower = 0;
  let direction = 0;
  const direct: number[] = [];
  const line = range(close.length).map((i) => {
    direct.push(Number.NaN);
    if (i < period!) return Number.NaN;
    const middle = (high[i]! + low[i]!) / 2;
    const isFirst = i === period!;
    if (isFirst || close[i - 1]! > upper || middle + reach[i]! < upper) upper = middle + reach[i]!;
    if (isFirst || close[i - 1]! < lower || middle - reach[i]! > lower) lower = middle - reach[i]!;
    if (isFirst) direction = close[i]! >= middle ? 1 : -1;
    if (direction === 1 && close[i]! < lower) direction = -1;
    else if (direction === -1 && close[i]! > upper) direction = 1;
    direct[i] = direction;
    return direction === 1 ? lower : upper;
  });
  return { line, direction: definedFrom(direct, period!) };
}
