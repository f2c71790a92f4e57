import { Analysis } from '../records.gen';
import { at } from '../series';
import { isEnough } from '../stats/dailyReturns';
import { mean } from '../stats/ratios';

const DAYS_PER_YEAR: f64 = 365;

/**
 * Figures of the daily returns of the equity, and of the market beside them.
 * @param returns f64[days], simple, of an equity that was positive on every day
 * @param market  f64[days], of the closes; the first day from the open of the first candle
 * @param span    exact days of the window
 */
export function dayFigures(returns: usize, market: usize, days: i32, span: f64, out: Analysis): void {
  let best = at(returns, 0);
  let worst = best;
  let won = 0;
  let lost = 0;
  let gain: f64 = 0;
  let loss: f64 = 0;
  for (let i = 0; i < days; i++) {
    const change = at(returns, i);
    if (change > best) best = change;
    if (change < worst) worst = change;
    if (change > 0) {
      won++;
      gain += change;
    } else if (change < 0) {
      lost++;
      loss -= change;
    }
  }
  out.bestDayFraction = best;
  out.worstDayFraction = worst;
  out.wonDayCount = <f64>won;
  out.lostDayCount = <f64>lost;
  out.flatDayCount = <f64>(days - won - lost);
  if (!isEnough(days, span)) return;
  if (loss > 0) out.omega = gain / loss;
  regression(returns, market, days, out);
}

/** Least squares of the strategy's days on the market's: slope and, per year, intercept. */
function regression(returns: usize, market: usize, days: i32, out: Analysis): void {
  const own = mean(returns, days);
  const theirs = mean(market, days);
  let together: f64 = 0;
  let spread: f64 = 0;
  for (let i = 0; i < days; i++) {
    const move = at(market, i) - theirs;
    together += (at(returns, i) - own) * move;
    spread += move * move;
  }
  if (!(spread > 0)) return;
  const beta = together / spread;
  out.beta = beta;
  out.alphaFraction = (own - beta * theirs) * DAYS_PER_YEAR;
}
