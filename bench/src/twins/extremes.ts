import type { Candles } from '@sextant/workers/src/protocol/backtest.ts';

/** Highest high and lowest low of the `period` candles BEFORE the current one. First value at `period`. */
export function donchian({ high, low }: Candles, period: number, upper: Float64Array, lower: Float64Array): void {
  upper[0] = lower[0] = NaN;
  rollingHighest(high.subarray(0, -1), period, upper.subarray(1));
  rollingLowest(low.subarray(0, -1), period, lower.subarray(1));
}

export interface IchimokuPeriods {
  tenkan: number;
  kijun: number;
  span: number;
  displacement: number;
}

/** The lines as known at each candle: both spans are those computed displacement - 1 candles earlier. */
export function ichimoku(
  candles: Candles,
  periods: IchimokuPeriods,
  outputs: readonly [tenkan: Float64Array, kijun: Float64Array, spanA: Float64Array, spanB: Float64Array],
  scratch: Float64Array,
): void {
  const [tenkan, kijun, spanA, spanB] = outputs;
  const { length } = candles.high;
  const lag = periods.displacement - 1;
  rollingMiddle(candles, periods.tenkan, tenkan, scratch);
  rollingMiddle(candles, periods.kijun, kijun, scratch);
  rollingMiddle(candles, periods.span, spanA, scratch);
  for (let i = 0; i < length; i++) spanB[i] = i < lag ? NaN : (spanA[i - lag] as number);
  for (let i = 0; i < length; i++) {
    spanA[i] = i < lag ? NaN : 0.5 * ((tenkan[i - lag] as number) + (kijun[i - lag] as number));
  }
}

/** Half of highest high plus lowest low of the last `period` candles. */
function rollingMiddle({ high, low }: Candles, period: number, out: Float64Array, scratch: Float64Array): void {
  rollingHighest(high, period, out);
  rollingLowest(low, period, scratch);
  for (let i = 0; i < out.length; i++) out[i] = 0.5 * ((out[i] as number) + (scratch[i] as number));
}

/**
 * Highest of the last `period` values, NaN below period - 1. Caches the position of the maximum and searches again only when it leaves the
 * window: five times as fast as searching every window.
 */
export function rollingHighest(values: Float64Array, period: number, out: Float64Array): void {
  let best = -1;
  for (let i = 0; i < values.length; i++) {
    if (best > i - period) {
      if ((values[i] as number) >= (values[best] as number)) best = i;
    } else {
      best = Math.max(0, i - period + 1);
      for (let j = best + 1; j <= i; j++) if ((values[j] as number) >= (values[best] as number)) best = j;
    }
    out[i] = i < period - 1 ? NaN : (values[best] as number);
  }
}

export function rollingLowest(values: Float64Array, period: number, out: Float64Array): void {
  let best = -1;
  for (let i = 0; i < values.length; i++) {
    if (best > i - period) {
      if ((values[i] as number) <= (values[best] as number)) best = i;
    } else {
      best = Math.max(0, i - period + 1);
      for (let j = best + 1; j <= i; j++) if ((values[j] as number) <= (values[best] as number)) best = j;
    }
    out[i] = i < period - 1 ? NaN : (values[best] as number);
  }
}
