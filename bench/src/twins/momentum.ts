import { ema } from './averages.ts';
import { rollingHighest, rollingLowest } from './extremes.ts';

/** RSI points: a narrower range is rounding, not movement. */
const RANGE_MIN = 1e-9;

/** Wilder's relative strength index. First value at `period`; a market that never moved reads 50. */
export function rsi(closes: Float64Array, period: number, out: Float64Array): void {
  const { length } = closes;
  const weight = 1 / period;
  let gains = 0;
  let losses = 0;
  for (let i = 1; i <= period && i < length; i++) {
    const change = (closes[i] as number) - (closes[i - 1] as number);
    gains += Math.max(change, 0) * weight;
    losses += Math.max(-change, 0) * weight;
  }
  out.fill(NaN, 0, Math.min(period, length));
  if (length > period) out[period] = strength(gains, losses);
  for (let i = period + 1; i < length; i++) {
    const change = (closes[i] as number) - (closes[i - 1] as number);
    gains += weight * (Math.max(change, 0) - gains);
    losses += weight * (Math.max(-change, 0) - losses);
    out[i] = strength(gains, losses);
  }
}

const strength = (gains: number, losses: number): number =>
  gains + losses > 0 ? (100 * gains) / (gains + losses) : 50;

export interface MacdPeriods {
  fast: number;
  slow: number;
  signal: number;
}

/** Both averages start at candle slow - 1; all three outputs start with the signal, at slow + signal - 2. */
export function macd(
  closes: Float64Array,
  { fast, slow, signal }: MacdPeriods,
  line: Float64Array,
  signalLine: Float64Array,
  histogram: Float64Array,
): void {
  ema(closes, fast, histogram, slow - fast);
  ema(closes, slow, line);
  for (let i = 0; i < closes.length; i++) line[i] = (histogram[i] as number) - (line[i] as number);
  ema(line, signal, signalLine, slow - 1);
  for (let i = 0; i < closes.length; i++) histogram[i] = (line[i] as number) - (signalLine[i] as number);
  line.fill(NaN, 0, Math.min(slow + signal - 2, closes.length));
}

export interface StochRsiPeriods {
  rsi: number;
  stochastic: number;
  k: number;
  d: number;
}

/** Where the RSI stands between its extremes, smoothed twice. A window without range reads 50. */
export function stochRsi(
  closes: Float64Array,
  periods: StochRsiPeriods,
  k: Float64Array,
  d: Float64Array,
  [strength, top, bottom]: readonly [Float64Array, Float64Array, Float64Array],
): void {
  rsi(closes, periods.rsi, strength);
  const defined = strength.subarray(periods.rsi);
  rollingHighest(defined, periods.stochastic, top.subarray(periods.rsi));
  rollingLowest(defined, periods.stochastic, bottom.subarray(periods.rsi));
  const first = periods.rsi + periods.stochastic - 1;
  for (let i = first; i < closes.length; i++) {
    const low = bottom[i] as number;
    const range = (top[i] as number) - low;
    top[i] = range > RANGE_MIN ? 100 * (((strength[i] as number) - low) / range) : 50;
  }
  smoothFrom(top, first, periods.k, k);
  smoothFrom(k, first + periods.k - 1, periods.d, d);
}

/** Mean of the last `period` values from `from` on. Summed again each time: a running sum would make 100, 100, 100 not quite 100. */
function smoothFrom(values: Float64Array, from: number, period: number, out: Float64Array): void {
  const first = Math.min(from + period - 1, out.length);
  out.fill(NaN, 0, first);
  for (let i = first; i < out.length; i++) {
    let sum = 0;
    for (let j = i - period + 1; j <= i; j++) sum += values[j] as number;
    out[i] = sum / period;
  }
}
