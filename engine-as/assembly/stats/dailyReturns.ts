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

/**
 * Simple returns from one day's last mark-to-market equity to the next; the first day starts from `initial`.
 * @param returns f64[dayCount(times, length)]
 * @returns false when a day began without positive equity: there is no return on nothing
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
