// Plain TypeScript on Float64Array, written once and straightforwardly: what a good engineer would have without the engine.
// Index i is candle i everywhere; candles before the warm-up are NaN.

/** Simple moving average by a running sum. First value at period - 1. */
export function sma(values: Float64Array, period: number, out: Float64Array): void {
  let sum = 0;
  for (let i = 0; i < values.length; i++) {
    sum += values[i] as number;
    if (i >= period) sum -= values[i - period] as number;
    out[i] = i >= period - 1 ? sum / period : NaN;
  }
}

/** Exponential moving average, seeded by the mean of the first `period` values from `from` on. */
export function ema(values: Float64Array, period: number, out: Float64Array, from = 0): void {
  const weight = 2 / (period + 1);
  const seedIndex = from + period - 1;
  let sum = 0;
  let mean = NaN;
  for (let i = 0; i < values.length; i++) {
    if (i >= from && i <= seedIndex) sum += values[i] as number;
    if (i === seedIndex) mean = sum / period;
    else if (i > seedIndex) mean += weight * ((values[i] as number) - mean);
    out[i] = mean;
  }
}

/** Wilder's mean: weight 1 / period, seeded by the mean of the first `period` values from `from` on. */
export function wilder(values: Float64Array, period: number, out: Float64Array, from: number): void {
  const seedIndex = from + period - 1;
  let sum = 0;
  let mean = NaN;
  for (let i = 0; i < values.length; i++) {
    if (i >= from && i <= seedIndex) sum += values[i] as number;
    if (i === seedIndex) mean = sum / period;
    else if (i > seedIndex) mean = (mean * (period - 1) + (values[i] as number)) / period;
    out[i] = mean;
  }
}
