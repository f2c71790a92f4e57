import { STATISTIC_DAYS_MIN } from '../../abi/backtest';
import { at, put } from '../series';

const DAY_MS: f64 = 86_400_000;

function dayOf(time: f64): f64 {
  return Math.floor(time / DAY_MS);
}

/** UTC days that have a candle. A candle belongs to the day it opens in. */
export function dayCount(times: usize, length: i32): i32 {
  let days = 0;
  for (let i = 0; i < length; i++) {
    if (i === 0 || dayOf(at(times, i)) !== dayOf(at(times, i - 1))) days++;
  }
  return days;
}

/** The shortest time between two candles, ms; NaN for a single one. */
export function intervalOf(times: usize, length: i32): f64 {
  let shortest = NaN;
  for (let i = 1; i < length; i++) {
    const step = at(times, i) - at(times, i - 1);
    if (!(step >= shortest)) shortest = step;
  }
  return shortest;
}

/** Exact days from the open of the first candle to the end of the last. 28.02 days can touch 30 UTC days. */
export function spanDays(first: f64, last: f64, interval: f64): f64 {
  return (last - first + interval) / DAY_MS;
}

/** True when daily figures may be given: enough daily returns, over a span that is as long. */
export function isEnough(days: i32, span: f64): bool {
  return days >= STATISTIC_DAYS_MIN && span >= <f64>STATISTIC_DAYS_MIN;
}

/** The count of days that is shown: the UTC days, unless they promise enough where the span is too short. */
export function shownDays(days: i32, span: f64): f64 {
  return days < STATISTIC_DAYS_MIN || isEnough(days, span) ? <f64>days : Math.floor(span);
}

/**
 * Simple returns from one day's last mark-to-market equity to the next; the first day starts from `initial`.
 * @param returns f64[dayCount(times, length)]
 * @returns false when equity was not positive at the start or end of a day: its simple return is undefined
 */
export function dailyReturns(times: usize, equity: usize, length: i32, initial: f64, returns: usize): bool {
  let before = initial;
  let day = 0;
  for (let i = 0; i < length; i++) {
    if (i + 1 < length && dayOf(at(times, i)) === dayOf(at(times, i + 1))) continue;
    const after = at(equity, i);
    if (!(before > 0)) return false;
    put(returns, day, after / before - 1);
    before = after;
    day++;
  }
  return before > 0;
}
