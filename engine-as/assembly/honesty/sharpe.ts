import { expectedMaximum } from './luck';
import { normalCdf, normalQuantile } from './normal';

/**
 * All Sharpe ratios here are per observation, not annualised: mean over sample deviation of the same returns that gave
 * `skewness` (m3 / m2^1.5) and `kurtosis` (m4 / m2^2, 3 for a normal), from `count` observations.
 */

/** Variance of the estimate times (count - 1); 1 + SR^2 / 2 for normal returns. */
function estimateVariance(sharpe: f64, skewness: f64, kurtosis: f64): f64 {
  return 1.0 - skewness * sharpe + (kurtosis - 1.0) * 0.25 * sharpe * sharpe;
}

/** Standard error of a Sharpe ratio. Source: Mertens (2002); Bailey, Lopez de Prado (2012), eq. 8. NaN below two observations. */
export function sharpeStandardError(sharpe: f64, count: f64, skewness: f64, kurtosis: f64): f64 {
  if (!(count >= 2)) return NaN;
  return Math.sqrt(estimateVariance(sharpe, skewness, kurtosis) / (count - 1.0));
}

/**
 * Probabilistic Sharpe ratio: the probability that the true Sharpe is above `benchmark`.
 * Source: Bailey, Lopez de Prado, The Sharpe Ratio Efficient Frontier (2012), eq. 9.
 */
export function probabilisticSharpe(sharpe: f64, benchmark: f64, count: f64, skewness: f64, kurtosis: f64): f64 {
  const error = sharpeStandardError(sharpe, count, skewness, kurtosis);
  return error > 0 ? normalCdf((sharpe - benchmark) / error) : NaN;
}

/** Sharpe that the best of `trialCount` skill-less trials is expected to show, when their Sharpes have `trialVariance`. */
export function deflatedBenchmark(trialCount: f64, trialVariance: f64): f64 {
  return Math.sqrt(trialVariance) * expectedMaximum(trialCount);
}

/**
 * Deflated Sharpe ratio: the probabilistic one against what luck alone would have shown.
 * Source: Bailey, Lopez de Prado, The Deflated Sharpe Ratio (2014), eq. 8 and 9.
 */
export function deflatedSharpe(
  sharpe: f64,
  count: f64,
  skewness: f64,
  kurtosis: f64,
  trialCount: f64,
  trialVariance: f64,
): f64 {
  return probabilisticSharpe(sharpe, deflatedBenchmark(trialCount, trialVariance), count, skewness, kurtosis);
}

/**
 * Observations needed before `sharpe` is above `benchmark` with `confidence`. Infinity when it is not above at all.
 * Source: Bailey, Lopez de Prado (2012), eq. 11.
 */
export function minimumTrackRecord(sharpe: f64, benchmark: f64, skewness: f64, kurtosis: f64, confidence: f64): f64 {
  if (!(sharpe > benchmark)) return isNaN(sharpe) || isNaN(benchmark) ? NaN : Infinity;
  const ratio = normalQuantile(confidence) / (sharpe - benchmark);
  return 1.0 + estimateVariance(sharpe, skewness, kurtosis) * ratio * ratio;
}
