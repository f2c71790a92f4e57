import { STATISTIC_NO_VARIATION, STATISTIC_OK, STATISTIC_RUINED, STATISTIC_TOO_FEW_DAYS } from '../../abi/backtest';
import { at } from '../series';
import { isEnough } from './dailyReturns';

// Ratios of daily simple returns, risk-free rate 0, a year of 365 days because the market never closes. NaN unless the state is OK.
// `span` is the exact length of the window in days (dailyReturns.ts).

const DAYS_PER_YEAR: f64 = 365;
/** Spread of returns that is only the rounding of f64 equity, not variation. */
const NO_SPREAD: f64 = 1e-12;

export function sharpeState(returns: usize, length: i32, span: f64, isSolvent: bool): i32 {
  if (!isEnough(length, span)) return STATISTIC_TOO_FEW_DAYS;
  if (!isSolvent) return STATISTIC_RUINED;
  return deviation(returns, length) > NO_SPREAD ? STATISTIC_OK : STATISTIC_NO_VARIATION;
}

export function sortinoState(returns: usize, length: i32, span: f64, isSolvent: bool): i32 {
  if (!isEnough(length, span)) return STATISTIC_TOO_FEW_DAYS;
  if (!isSolvent) return STATISTIC_RUINED;
  return downside(returns, length) > NO_SPREAD ? STATISTIC_OK : STATISTIC_NO_VARIATION;
}

/** Mean over sample deviation, annualised by sqrt(365). */
export function sharpe(returns: usize, length: i32, span: f64, isSolvent: bool): f64 {
  if (sharpeState(returns, length, span, isSolvent) !== STATISTIC_OK) return NaN;
  return (mean(returns, length) / deviation(returns, length)) * Math.sqrt(DAYS_PER_YEAR);
}

/** Mean over downside deviation (target 0, all days counted), annualised by sqrt(365). */
export function sortino(returns: usize, length: i32, span: f64, isSolvent: bool): f64 {
  if (sortinoState(returns, length, span, isSolvent) !== STATISTIC_OK) return NaN;
  return (mean(returns, length) / downside(returns, length)) * Math.sqrt(DAYS_PER_YEAR);
}

/**
 * Standard error of the annualised Sharpe ratio, with the skewness and kurtosis of the returns.
 * Source: E. Mertens (2002), as used by Bailey and Lopez de Prado, "The Sharpe ratio efficient frontier" (2012):
 * variance of the daily ratio s = (1 - skew s + (kurtosis - 1) / 4 s^2) / (n - 1).
 */
export function sharpeError(returns: usize, length: i32, span: f64, isSolvent: bool): f64 {
  if (sharpeState(returns, length, span, isSolvent) !== STATISTIC_OK) return NaN;
  const daily = mean(returns, length) / deviation(returns, length);
  const skew = standardMoment(returns, length, 3);
  const kurtosis = standardMoment(returns, length, 4);
  const variance = (1 - skew * daily + ((kurtosis - 1) / 4) * daily * daily) / <f64>(length - 1);
  return Math.sqrt(Math.max(variance, 0) * DAYS_PER_YEAR);
}

/** Net profit per year of the exact span over the starting equity, over the largest drawdown; NaN below 30 days or without a drawdown. */
export function calmar(net: f64, initial: f64, fall: f64, days: i32, span: f64): f64 {
  const isLong = isEnough(days, span) && fall > 0;
  return isLong ? ((net / initial) * (DAYS_PER_YEAR / span)) / fall : NaN;
}

export function mean(values: usize, length: i32): f64 {
  let sum: f64 = 0;
  for (let i = 0; i < length; i++) sum += at(values, i);
  return sum / <f64>length;
}

/** Sample standard deviation, n - 1. */
export function deviation(values: usize, length: i32): f64 {
  return Math.sqrt((centralMoment(values, length, 2) * <f64>length) / <f64>(length - 1));
}

function downside(values: usize, length: i32): f64 {
  let sum: f64 = 0;
  for (let i = 0; i < length; i++) {
    const loss = Math.min(at(values, i), 0);
    sum += loss * loss;
  }
  return Math.sqrt(sum / <f64>length);
}

/** Population moment of the standardised values: 3 is skewness, 4 kurtosis (3 for a normal distribution). */
function standardMoment(values: usize, length: i32, order: i32): f64 {
  const scale = Math.sqrt(centralMoment(values, length, 2));
  let power: f64 = 1;
  for (let k = 0; k < order; k++) power *= scale;
  return centralMoment(values, length, order) / power;
}

function centralMoment(values: usize, length: i32, order: i32): f64 {
  const centre = mean(values, length);
  let sum: f64 = 0;
  for (let i = 0; i < length; i++) {
    let power: f64 = 1;
    for (let k = 0; k < order; k++) power *= at(values, i) - centre;
    sum += power;
  }
  return sum / <f64>length;
}
