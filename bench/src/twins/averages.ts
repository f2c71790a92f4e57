// Plain TypeScript on Float64Array, written once and straightforwardly: the implementation to expect without the engine.
// Index i is candle i everywhere; candles before the warm-up are NaN.

/** Simple moving average by a running sum. First value at period - 1. */
export function sma(values: Float64Array, period: number, out: Float64Array): void {
  const first = Math.min(period - 1, values.length);
  let sum = 0;
  for (let i = 0; i < first; i++) {
    sum += values[i] as number;
    out[i] = NaN;
  }
  for (let i = first; i < values.length; i++) {
    sum += values[i] as number;
    out[i] = sum / period;
    sum -= values[i - first] as number;
  }
}

/** Exponential moving average, seeded by the mean of the first `period` values from `from` on. */
export function ema(values: Float64Array, period: number, out: Float64Array, from = 0): void {
  smooth(values, period, 2 / (period + 1), out, from);
}

/** Wilder's mean: the same with weight 1 / period. */
export function wilder(values: Float64Array, period: number, out: Float64Array, from: number): void {
  smooth(values, period, 1 / period, out, from);
}

function smooth(values: Float64Array, period: number, weight: number, out: Float64Array, from: number): void {
  const first = Math.min(from + period, values.length);
  let mean = 0;
  for (let i = from; i < first; i++) mean += (values[i] as number) / period;
  out.fill(NaN, 0, first);
  if (first === from + period) out[first - 1] = mean;
  for (let i = first; i < values.length; i++) {
    mean += weight * ((values[i] as number) - mean);
    out[i] = mean;
  }
}
