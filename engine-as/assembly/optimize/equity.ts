import { RESULT_CALMAR, RESULT_MAX_DRAWDOWN, RESULT_SHARPE, RESULT_SORTINO } from '../../abi/optimize';
import { Market } from '../records.gen';
import { barAt } from '../rows';
import { at, put } from '../series';
import { spanDays } from '../stats/dailyReturns';
import { calmar, sharpe, sortino } from '../stats/ratios';
import { entryFeeOf, entryPriceOf, sizeOf } from './outcome';

/** Below one by more than the roundings of a product and a quotient. */
const NEARLY: f64 = 1 - 1e-14;

/** Equity of candles [from, to) without a position. Index 0 of the column is candle `start`. */
export function fillEquity(market: Market, start: i32, from: i32, to: i32, value: f64): void {
  const equity = market.equity;
  for (let i = from; i < to; i++) put(equity, i - start, value);
}

/** Mark to market at the closes of candles [entry, exit), in the order of operations of a plain backtest. */
export function equityOfTrade(market: Market, start: i32, entry: i32, exit: i32, realised: f64): void {
  const equity = market.equity;
  const price = entryPriceOf();
  const size = sizeOf();
  const entryFee = entryFeeOf();
  let funding: f64 = 0;
  for (let i = entry; i < exit; i++) {
    const bar = barAt(market.bars, i);
    if (i > entry) funding += size * bar.fundingAtOpen;
    funding += size * bar.fundingInside;
    const gross = (bar.close - price) * size; // the sign of a product is exact
    put(equity, i - start, realised + (gross - entryFee - funding));
  }
}

/**
 * Sharpe, Sortino and drawdown of candles [start, end) as the single run gives them (NaN where it gives a reason), and
 * Calmar: net profit per year over starting equity, over the largest drawdown; NaN below 30 days or without a drawdown.
 */
export function ratiosOfEquity(market: Market, start: i32, end: i32, initial: f64, net: f64, result: usize): void {
  const daily = market.daily;
  const days = dailyReturns(market, start, end, initial);
  const isSolvent = days > 0;
  const length = abs(days);
  const times = market.frame.time;
  const span = spanDays(at(times, start), at(times, end - 1), at(market.interval, 0));
  const fall = maxDrawdown(market.equity, end - start, initial);
  put(result, RESULT_MAX_DRAWDOWN, fall);
  put(result, RESULT_SHARPE, sharpe(daily, length, span, isSolvent));
  put(result, RESULT_SORTINO, sortino(daily, length, span, isSolvent));
  put(result, RESULT_CALMAR, calmar(net, initial, fall, length, span));
}

/** stats/dailyReturns over the days that were looked up once. @returns the number of days, negative when equity was gone */
function dailyReturns(market: Market, start: i32, end: i32, initial: f64): i32 {
  const equity = market.equity;
  const lasts = market.dayLast;
  const daily = market.daily;
  let before = initial;
  let days = 0;
  let isSolvent = before > 0;
  for (let i = start; i < end;) {
    const last = min(load<i32>(lasts + ((<usize>i) << 2)), end - 1);
    const after = at(equity, last - start);
    put(daily, days, after / before - 1);
    before = after;
    isSolvent = isSolvent && before > 0;
    days++;
    i = last + 1;
  }
  return isSolvent ? days : -days;
}

/** stats/drawdown with a division only where the fall may be a new largest one: far fewer than there are candles. */
function maxDrawdown(equity: usize, length: i32, initial: f64): f64 {
  let peak = initial;
  let worst: f64 = 0;
  let enough: f64 = 0;
  for (let i = 0; i < length; i++) {
    const value = at(equity, i);
    if (value > peak) {
      peak = value;
      enough = worst * peak * NEARLY;
    }
    if (peak - value <= enough) continue;
    const fall = (peak - value) / peak;
    if (fall > worst) worst = fall;
    enough = worst * peak * NEARLY;
  }
  return worst;
}
