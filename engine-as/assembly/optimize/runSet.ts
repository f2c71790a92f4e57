import {
  RULE_ENTRY_THRESHOLD,
  RULE_INITIAL_EQUITY,
  RULE_STOP_LOSS_FRACTION,
  RULE_TAKE_PROFIT_FRACTION,
  RULE_TRAILING_CALLBACK,
  RULE_TRAILING_MODE,
  RULE_TRAILING_STEP,
  TRAILING_OFF,
  TRAILING_PERCENT,
} from '../../abi/backtest';
import {
  MARKET_FIRST,
  MARKET_FRAME,
  MARKET_HALVES,
  MARKET_IS_STOP_FIRST,
  MARKET_RULES,
  MARKET_SCALE,
  MARKET_STATES,
  MARKET_STRIDE,
  MARKET_TABLES,
  RESULT_AMBIGUOUS_COUNT,
  RESULT_CALMAR,
  RESULT_CLOSED_DRAWDOWN,
  RESULT_GAIN,
  RESULT_HELD_BAR_COUNT,
  RESULT_LOSS,
  RESULT_MAX_DRAWDOWN,
  RESULT_NET_PNL,
  RESULT_SHARPE,
  RESULT_SORTINO,
  RESULT_TRADE_COUNT,
  RESULT_TURNOVER,
  RESULT_WIN_COUNT,
  SET_CALLBACK,
  SET_ENTRY_THRESHOLD,
  SET_IS_TRAILING,
  SET_STEP,
  SET_STOP_LOSS,
  SET_TAKE_PROFIT,
  SET_WEIGHTS,
} from '../../abi/optimize';
import { BACKTEST_VOTE_COUNT } from '../../abi/votes';
import { column, number, setSlot } from '../backtest/frame';
import { addressOf, at, put } from '../series';
import { equityOfTrade, fillEquity, ratiosOfEquity } from './equity';
import { entryPriceOf, exitPriceOf, isAmbiguousOf, netPnlOf, sizeOf } from './outcome';
import { lowestOf } from './quantise';
import { leastTenths, nextSignal, writeTables } from './signal';
import { tradeFrom } from './trade';
import { isStopFirst } from './stopFirst';

/**
 * The backtest of one set on candles [start, end) without its trade list: the same numbers, to the bit, as backtest() gives
 * for candles [0, end) with end - start of them scored.
 * @param set        f64[SET_LENGTH]
 * @param result     f64[RESULT_LENGTH], written except RESULT_VALUE
 * @param withEquity also writes the market's equity column (end - start values) and what follows from it
 */
export function runSet(market: usize, set: usize, start: i32, end: i32, result: usize, withEquity: bool): void {
  writeRules(market, set);
  const tables = column(market, MARKET_TABLES);
  const states = column(market, MARKET_STATES);
  const stride = <usize>number(market, MARKET_STRIDE);
  const initial = at(column(market, MARKET_RULES), RULE_INITIAL_EQUITY);
  const weightSum = writeTables(addressOf(set, SET_WEIGHTS), column(market, MARKET_HALVES), tables);
  const least = weightSum > 0 ? leastTenths(at(set, SET_ENTRY_THRESHOLD), weightSum) : 0;
  const last = end - 1;
  let net: f64 = 0;
  let trades = 0;
  let wins = 0;
  let gain: f64 = 0;
  let loss: f64 = 0;
  let peak = initial;
  let drawdown: f64 = 0;
  let ambiguous: f64 = 0;
  let turnover: f64 = 0;
  let held = 0;
  let bar = max(start, firstDecision(set, column(market, MARKET_FIRST)));
  let noted = start; // equity is written up to here
  while (bar < last && weightSum > 0) {
    const signal = nextSignal(tables, states, stride, bar, last, least);
    const entry = (signal >> 1) + 1;
    if (entry > last) break;
    bar = entry;
    const exit = tradeFrom(market, entry, signal & 1 ? 1 : -1, last, initial + net);
    if (exit < 0) continue;
    bar = exit;
    const won = netPnlOf();
    if (withEquity) {
      fillEquity(market, start, noted, entry, initial + net);
      equityOfTrade(market, start, entry, bar, initial + net);
      noted = bar;
    }
    net += won;
    trades++;
    // Without branches: the sign of a trade is unpredictable.
    const isWin = won > 0;
    wins += i32(isWin);
    gain += select<f64>(won, 0, isWin);
    loss -= select<f64>(0, won, isWin);
    const realised = initial + net;
    peak = select<f64>(realised, peak, realised > peak);
    if (peak - realised > drawdown * peak) drawdown = (peak - realised) / peak;
    ambiguous += isAmbiguousOf();
    turnover += Math.abs(sizeOf()) * (entryPriceOf() + exitPriceOf());
    held += bar - entry + 1;
    if (!(realised > 0)) break; // ruined: nothing trades any more
  }
  put(result, RESULT_NET_PNL, net);
  put(result, RESULT_TRADE_COUNT, <f64>trades);
  put(result, RESULT_WIN_COUNT, <f64>wins);
  put(result, RESULT_GAIN, gain);
  put(result, RESULT_LOSS, loss);
  put(result, RESULT_CLOSED_DRAWDOWN, drawdown);
  put(result, RESULT_AMBIGUOUS_COUNT, ambiguous);
  put(result, RESULT_TURNOVER, turnover);
  put(result, RESULT_HELD_BAR_COUNT, <f64>held);
  put(result, RESULT_MAX_DRAWDOWN, NaN);
  put(result, RESULT_SHARPE, NaN);
  put(result, RESULT_SORTINO, NaN);
  put(result, RESULT_CALMAR, NaN);
  if (!withEquity) return;
  fillEquity(market, start, noted, end, initial + net);
  ratiosOfEquity(market, start, end, initial, net, result);
}

/** First candle at which every vote with a weight is defined: before it there is no score. */
function firstDecision(set: usize, first: usize): i32 {
  let candle = 0;
  for (let vote = 0; vote < BACKTEST_VOTE_COUNT; vote++) {
    if (at(set, SET_WEIGHTS + vote) > 0) candle = max(candle, load<i32>(first + ((<usize>vote) << 2)));
  }
  return candle;
}

/** Everything a set does not vary stays as the frame's rules have it; ATR trailing stays ATR trailing. */
export function writeRules(market: usize, set: usize): void {
  const rules = column(market, MARKET_RULES);
  put(rules, RULE_ENTRY_THRESHOLD, at(set, SET_ENTRY_THRESHOLD));
  put(rules, RULE_STOP_LOSS_FRACTION, at(set, SET_STOP_LOSS));
  put(rules, RULE_TAKE_PROFIT_FRACTION, at(set, SET_TAKE_PROFIT));
  put(rules, RULE_TRAILING_MODE, at(set, SET_IS_TRAILING) > 0 ? TRAILING_PERCENT : TRAILING_OFF);
  put(rules, RULE_TRAILING_CALLBACK, at(set, SET_CALLBACK));
  put(rules, RULE_TRAILING_STEP, at(set, SET_STEP));
  const lowest = lowestOf(column(market, MARKET_SCALE));
  setSlot(market, MARKET_IS_STOP_FIRST, isStopFirst(column(market, MARKET_FRAME), rules, lowest));
}
