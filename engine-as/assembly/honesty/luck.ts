import { normalCdf, normalQuantile } from './normal';

const EULER_GAMMA: f64 = 0.5772156649015328606;
const INVERSE_E: f64 = 0.3678794411714423216;
const ONE_OVER_SQRT_2PI: f64 = 0.398942280401432677939946;

/**
 * Luck ceiling in standard deviations: the expected best of `trialCount` trials without any skill, by the published
 * approximation (1 - g) z(1 - 1/N) + g z(1 - 1/(N e)). 0 for one trial, NaN below one.
 * Source: Bailey, Lopez de Prado, The Deflated Sharpe Ratio (2014), eq. 6. It is 0.036 too high at N = 10, 0.014 at 1000.
 */
export function expectedMaximum(trialCount: f64): f64 {
  if (!(trialCount >= 1)) return NaN;
  if (trialCount == 1) return 0;
  const share = 1.0 / trialCount;
  return -(1.0 - EULER_GAMMA) * normalQuantile(share) - EULER_GAMMA * normalQuantile(share * INVERSE_E);
}

/**
 * The same expectation without approximation: the integral of x N phi(x) Phi(x)^(N-1), by the trapezoid rule, which
 * converges beyond f64 for an analytic integrand that dies like a Gaussian. For trialCount up to 1e12.
 */
export function expectedMaximumExact(trialCount: f64): f64 {
  if (!(trialCount >= 1)) return NaN;
  const step: f64 = 0.015625;
  let sum: f64 = 0;
  for (let i = -704; i <= 704; i++) {
    const x = <f64>i * step;
    const below = normalCdf(x);
    if (below == 0) continue;
    // Phi^(N-1) through the upper tail: log1p keeps the digits that 1 - tiny would lose.
    const power =
      x > 0
        ? Math.exp((trialCount - 1.0) * Math.log1p(-normalCdf(-x)))
        : Math.exp((trialCount - 1.0) * Math.log(below));
    sum += x * Math.exp(-0.5 * x * x) * power;
  }
  return sum * step * ONE_OVER_SQRT_2PI * trialCount;
}

/** Level in standard deviations that the best of `trialCount` skill-less trials stays below with `probability`. */
export function maximumQuantile(trialCount: f64, probability: f64): f64 {
  if (!(trialCount >= 1) || !(probability > 0 && probability < 1)) return NaN;
  return -normalQuantile(-Math.expm1(Math.log(probability) / trialCount));
}

/**
 * Years of data below which the best of `trialCount` skill-less trials is expected to show `annualSharpe`.
 * Source: Bailey, Borwein, Lopez de Prado, Zhu, Pseudo-Mathematics and Financial Charlatanism (2014), minimum backtest length.
 */
export function minimumBacktestYears(trialCount: f64, annualSharpe: f64): f64 {
  if (!(annualSharpe > 0)) return NaN;
  const ratio = expectedMaximum(trialCount) / annualSharpe;
  return ratio * ratio;
}
