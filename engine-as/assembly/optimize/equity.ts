import { BAR_CLOSE, BAR_FUNDING_AT_OPEN, BAR_FUNDING_INSIDE, BAR_LENGTH, STATISTIC_DAYS_MIN } from '../../abi/backtest';
import {
  MARKET_BARS,
  MARKET_EQUITY,
  RESULT_CALMAR,
  RESULT_MAX_DRAWDOWN,
  RESULT_SHARPE,
  RESULT_SORTINO,
} from '../../abi/optimize';
import { column } from '../backtest/frame';
import { addressOf, at, put } from '../series';
import { entryFeeOf, entryPriceOf, sizeOf } from './outcome';
import { dailyReturns, dayCount } from '../stats/dailyReturns';
import { maxDrawdown } from '../stats/drawdown';
import { sharpe, sortino } from '../stats/ratios';

const DAYS_PER_YEAR: f64 = 365;

/** Equity of candles [from, to) without a position. Index 0 of the column is candle `start`. */
export function fillEquity(market: usize, start: i32, from: i32, to: i32, value: f64): void {
  const equity = column(market, MARKET_EQUITY);
  for (let i = from; i < to; i++) put(equity, i - start, value);
}

/** Mark to market at the closes of candles [entry, exit), in the order of operations of a plain backtest. */
export function equityOfTrade(market: usize, start: i32, entry: i32, exit: i32, realised: f64): void {
  const equity = column(market, MARKET_EQUITY);
  const price = entryPriceOf();
  const size = sizeOf();
  const entryFee = entryFeeOf();
  let funding: f64 = 0;
  for (let i = entry; i < exit; i++) {
    const bar = addressOf(column(market, MARKET_BARS), i * BAR_LENGTH);
    if (i > entry) funding += size * at(bar, BAR_FUNDING_AT_OPEN);
    funding += size * at(bar, BAR_FUNDING_INSIDE);
    const gross = (at(bar, BAR_CLOSE) - price) * size; // the sign of a product is exact
    put(equity, i - start, realised + (gross - entryFee - funding));
  }
}

/**
 * Sharpe, Sortino and drawdown as the single run gives them (NaN where it gives a reason), and Calmar: net profit per year
 * over starting equity, over the largest drawdown; NaN below 30 days or without a drawdown.
 */
export function ratiosOfEquity(
  times: usize,
  equity: usize,
  length: i32,
  initial: f64,
  net: f64,
  daily: usize,
  result: usize,
): void {
  const days = dayCount(times, length);
  const isSolvent = dailyReturns(times, equity, length, initial, daily);
  const fall = maxDrawdown(equity, length, initial);
  put(result, RESULT_MAX_DRAWDOWN, fall);
  put(result, RESULT_SHARPE, sharpe(daily, days, isSolvent));
  put(result, RESULT_SORTINO, sortino(daily, days, isSolvent));
  const isLong = days >= STATISTIC_DAYS_MIN && fall > 0;
  put(result, RESULT_CALMAR, isLong ? ((net / initial) * (DAYS_PER_YEAR / <f64>days)) / fall : NaN);
}
