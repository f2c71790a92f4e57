import { at, put } from '../series';

/**
 * Shape of a return column in two passes (centred, so that small means do not cancel).
 * @param values f64[length], finite
 * @param out    f64[4]: mean; sample deviation (n - 1); skewness m3 / m2^1.5; kurtosis m4 / m2^2 (3 for a normal).
 *               Skewness and kurtosis are NaN without variation, the deviation below two values, the mean without any.
 */
export function moments(values: usize, length: i32, out: usize): void {
  const n = <f64>length;
  let sum: f64 = 0;
  for (let i = 0; i < length; i++) sum += at(values, i);
  const mean = sum / n;
  let second: f64 = 0;
  let third: f64 = 0;
  let fourth: f64 = 0;
  for (let i = 0; i < length; i++) {
    const distance = at(values, i) - mean;
    const square = distance * distance;
    second += square;
    third += square * distance;
    fourth += square * square;
  }
  // A column of one repeated value leaves rounding noise of its mean behind, which is not variation.
  const hasVariation = second > n * mean * mean * 1e-28;
  const m2 = second / n;
  put(out, 0, mean);
  put(out, 1, length < 2 ? NaN : hasVariation ? Math.sqrt(second / (n - 1.0)) : 0);
  put(out, 2, hasVariation ? third / n / (m2 * Math.sqrt(m2)) : NaN);
  put(out, 3, hasVariation ? fourth / n / (m2 * m2) : NaN);
}

/** Mean over sample deviation; 0 for a column without variation, which has no risk. */
export function sharpeOf(mean: f64, deviation: f64): f64 {
  return deviation > 0 ? mean / deviation : 0;
}

/**
 * Mean, variance of the Sharpe ratios and mean correlation of a table of trials.
 * @param returns f64[trialCount * length], one column after the other
 * @param sharpes f64[trialCount], written: Sharpe per observation of each trial
 * @param row     f64[length], scratch
 * @param out     f64[3]: mean Sharpe; sample variance of the Sharpes (NaN below two trials); mean pairwise correlation of
 *                the trials with variation (NaN below two of them), from the variance of the standardised row mean
 */
export function trialTable(returns: usize, trialCount: i32, length: i32, sharpes: usize, row: usize, out: usize): void {
  for (let t = 0; t < length; t++) put(row, t, 0);
  let live = 0;
  let sum: f64 = 0;
  for (let k = 0; k < trialCount; k++) {
    const column = returns + ((<usize>k * <usize>length) << 3);
    moments(column, length, out);
    const mean = load<f64>(out);
    const deviation = load<f64>(out, 8);
    const sharpe = sharpeOf(mean, deviation);
    put(sharpes, k, sharpe);
    sum += sharpe;
    if (!(deviation > 0)) continue;
    live++;
    const scale = 1.0 / deviation;
    for (let t = 0; t < length; t++) put(row, t, at(row, t) + (at(column, t) - mean) * scale);
  }
  const mean = sum / <f64>trialCount;
  let spread: f64 = 0;
  for (let k = 0; k < trialCount; k++) spread += (at(sharpes, k) - mean) * (at(sharpes, k) - mean);
  let rowSquares: f64 = 0;
  for (let t = 0; t < length; t++) rowSquares += at(row, t) * at(row, t);
  const n = <f64>live;
  // Var(sum of n standardised columns) = n + n (n - 1) meanCorrelation.
  put(out, 0, mean);
  put(out, 1, trialCount < 2 ? NaN : spread / (<f64>trialCount - 1.0));
  put(out, 2, live < 2 ? NaN : (rowSquares / (<f64>length - 1.0) - n) / (n * (n - 1.0)));
}
