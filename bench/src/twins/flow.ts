import { DAY_MS } from '@sextant/engine-as/abi/intervals.ts';
import type { Candles } from '@sextant/workers/src/protocol/backtest.ts';
import { sma } from './averages.ts';

export const typicalPrice = ({ high, low, close }: Candles, i: number): number =>
  ((high[i] as number) + (low[i] as number) + (close[i] as number)) / 3;

/** Starts at the first volume; an unchanged close adds nothing. */
export function obv({ close, volume }: Candles, out: Float64Array): void {
  let sum = volume[0] as number;
  out[0] = sum;
  for (let i = 1; i < close.length; i++) {
    const change = (close[i] as number) - (close[i - 1] as number);
    if (change > 0) sum += volume[i] as number;
    else if (change < 0) sum -= volume[i] as number;
    out[i] = sum;
  }
}

/** Money flow index over `period` changes of the typical price. First value at `period`; no flow reads 50. */
export function mfi(
  candles: Candles,
  period: number,
  out: Float64Array,
  [rising, falling]: readonly [Float64Array, Float64Array],
): void {
  const { close, volume } = candles;
  let previous = typicalPrice(candles, 0);
  for (let i = 1; i < close.length; i++) {
    const typical = typicalPrice(candles, i);
    const flow = typical * (volume[i] as number);
    rising[i] = typical > previous ? flow : 0;
    falling[i] = typical < previous ? flow : 0;
    previous = typical;
  }
  let up = 0;
  let down = 0;
  const first = Math.min(period, close.length);
  for (let i = 1; i < first; i++) {
    up += rising[i] as number;
    down += falling[i] as number;
  }
  out.fill(NaN, 0, first);
  for (let i = first; i < close.length; i++) {
    up += rising[i] as number;
    down += falling[i] as number;
    out[i] = up + down > 0 ? (100 * up) / (up + down) : 50;
    up -= rising[i - period + 1] as number;
    down -= falling[i - period + 1] as number;
  }
}

/** Commodity channel index: distance from the mean in mean absolute deviations of 0.015. No deviation reads 0. */
export function cci(
  candles: Candles,
  period: number,
  out: Float64Array,
  [prices, means]: readonly [Float64Array, Float64Array],
): void {
  const { length } = candles.close;
  for (let i = 0; i < length; i++) prices[i] = typicalPrice(candles, i);
  sma(prices, period, means);
  out.fill(NaN, 0, Math.min(period - 1, length));
  for (let i = period - 1; i < length; i++) {
    const mean = means[i] as number;
    let deviation = 0;
    for (let j = i - period + 1; j <= i; j++) deviation += Math.abs((prices[j] as number) - mean);
    out[i] = deviation > 0 ? ((prices[i] as number) - mean) / ((0.015 * deviation) / period) : 0;
  }
}

/** Average price by volume since the UTC midnight before the candle's open; the typical price while nothing traded. */
export function sessionVwap(candles: Candles, out: Float64Array): void {
  const { time, close, volume } = candles;
  let day = NaN;
  let turnover = 0;
  let traded = 0;
  for (let i = 0; i < close.length; i++) {
    const today = Math.floor((time[i] as number) / DAY_MS);
    if (today !== day) turnover = traded = 0;
    day = today;
    const typical = typicalPrice(candles, i);
    turnover += typical * (volume[i] as number);
    traded += volume[i] as number;
    out[i] = traded > 0 ? turnover / traded : typical;
  }
}

/** The same over the last `period` candles. First value at period - 1. */
export function rollingVwap(candles: Candles, period: number, out: Float64Array, scratch: Float64Array): void {
  const { volume } = candles;
  let turnover = 0;
  let traded = 0;
  for (let i = 0; i < volume.length; i++) {
    const typical = typicalPrice(candles, i);
    scratch[i] = typical * (volume[i] as number);
    turnover += scratch[i] as number;
    traded += volume[i] as number;
    if (i >= period) {
      turnover -= scratch[i - period] as number;
      traded -= volume[i - period] as number;
    }
    out[i] = i < period - 1 ? NaN : traded > 0 ? turnover / traded : typical;
  }
}
