import type { Columns } from '../candles.ts';
import { definedFrom, mean, range, rolling, smoothed, sum, window } from './windows.ts';

type Output = Record<string, number[]>;

export function rsiOf(x: ArrayLike<number>, period: number): number[] {
  if (x.length <= period) return range(x.length).map(() => Number.NaN);
  const change = range(x.length).map((i) => (i === 0 ? 0 : x[i]! - x[i - 1]!));
  const meanOf = (moves: number[]): number[] =>
    smoothed(moves, period, mean(window(moves, period, period)), 1 / period);
  const gain = meanOf(change.map((move) => Math.max(move, 0)));
  const loss = meanOf(change.map((move) => Math.max(-move, 0)));
  return gain.map((up, i) => (up + loss[i]! === 0 ? 50 : (100 * up) / (up + loss[i]!)));
}

export function rsiReference({ close }: Columns, [period]: number[]): Output {
  return { rsi: rsiOf(close, period!) };
}

export function typicalOf({ high, low, close }: Columns): number[] {
  return range(close.length).map((i) => (high[i]! + low[i]! + close[i]!) / 3);
}

export function cciReference(candles: Columns, [period]: number[]): Output {
  const cci = rolling(typicalOf(candles), period!, (prices) => {
    const centre = mean(prices);
    const deviation = mean(prices.map((price) => Math.abs(price - centre)));
    // Typical prices that are equal but for the last bit of the division by three do not move.
    return deviation > 1e-12 * centre ? (prices.at(-1)! - centre) / (0.015 * deviation) : 0;
  });
  return { cci };
}

export function stochrsiReference({ close }: Columns, [rsiPeriod, stochastic, k, d]: number[]): Output {
  const strength = rsiOf(close, rsiPeriod!);
  const place = strength.map((value, i) => {
    if (i < rsiPeriod! + stochastic! - 1) return Number.NaN;
    const values = window(strength, i, stochastic!);
    const low = Math.min(...values);
    const spread = Math.max(...values) - low;
    return spread > 1e-6 ? (100 * (value - low)) / spread : 50;
  });
  const slow = definedFrom(rolling(place, k!, mean), rsiPeriod! + stochastic! + k! - 2);
  return { k: slow, d: rolling(slow, d!, mean) };
}

export function mfiReference(candles: Columns, [period]: number[]): Output {
  const price = typicalOf(candles);
  const money = price.map((value, i) => value * candles.volume[i]!);
  const mfi = price.map((_, i) => {
    if (i < period!) return Number.NaN;
    const changes = range(period!).map((j) => i - period! + 1 + j);
    const rising = sum(changes.filter((j) => price[j]! > price[j - 1]!).map((j) => money[j]!));
    const falling = sum(changes.filter((j) => price[j]! < price[j - 1]!).map((j) => money[j]!));
    return rising + falling > 0 ? (100 * rising) / (rising + falling) : 50;
  });
  return { mfi };
}
