import { TARGET_LIMIT, TRAILING_OFF, TRAILING_PERCENT } from '../../abi/backtest';
import {
  RESULT_AMBIGUOUS_COUNT,
  RESULT_CALMAR,
  RESULT_CLOSED_DRAWDOWN,
  RESULT_GAIN,
  RESULT_HELD_BAR_COUNT,
  RESULT_LOSS,
  RESULT_MAX_DRAWDOWN,
  RESULT_NET_PNL,
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
import { Market } from '../records.gen';
import { addressOf, at, fillUndefined, put } from '../series';
import { equityOfTrade, fillEquity, ratiosOfEquity } from './equity';
import { entryPriceOf, exitPriceOf, isAmbiguousOf, netPnlOf, sizeOf } from './outcome';
import { divergenceOf, lowestOf } from './quantise';
import { leastTenths, nextSignal, writeTables } from './signal';
import { isStopFirst } from './stopFirst';
import { tradeFrom } from './trade';

/**
 * The backtest of one set on candles [start, end) without its trade list: the same numbers, to the bit, as backtest() gives
 * for candles [0, end) with end - start of them scored.
 * @param set        f64[SET_LENGTH]
 * @param result     f64[RESULT_LENGTH], written except RESULT_VALUE
 * @param end        prepared by prepareEnd
 * @param withEquity also writes the market's equity column (end - start values) and what follows from it
 */
export function runSet(market: Market, set: usize, start: i32, end: i32, result: usize, withEquity: bool): void {
  writeRules(market, set);
  const tables = market.tables;
  const states = market.states;
  const stride = <usize>market.stride;
  const initial = market.rules.initialEquity;
  const weightSum = writeTables(addressOf(set, SET_WEIGHTS), market.halves, tables);
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
  let bar = max(start, firstDecision(set, market.first));
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
    if (!(realised > 0)) break; // ruined: no further trades
  }
  writeTotals(result, net, trades, wins, gain, loss, drawdown, ambiguous, turnover, held);
  fillUndefined(result, RESULT_MAX_DRAWDOWN, RESULT_CALMAR + 1);
  if (!withEquity) return;
  fillEquity(market, start, noted, end, initial + net);
  ratiosOfEquity(market, start, end, initial, net, result);
}

export function writeTotals(
  result: usize,
  net: f64,
  trades: i32,
  wins: i32,
  gain: f64,
  loss: f64,
  drawdown: f64,
  ambiguous: f64,
  turnover: f64,
  held: i32,
): void {
  put(result, RESULT_NET_PNL, net);
  put(result, RESULT_TRADE_COUNT, <f64>trades);
  put(result, RESULT_WIN_COUNT, <f64>wins);
  put(result, RESULT_GAIN, gain);
  put(result, RESULT_LOSS, loss);
  put(result, RESULT_CLOSED_DRAWDOWN, drawdown);
  put(result, RESULT_AMBIGUOUS_COUNT, ambiguous);
  put(result, RESULT_TURNOVER, turnover);
  put(result, RESULT_HELD_BAR_COUNT, <f64>held);
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
export function writeRules(market: Market, set: usize): void {
  const rules = market.rules;
  rules.entryThreshold = at(set, SET_ENTRY_THRESHOLD);
  rules.stopLossFraction = at(set, SET_STOP_LOSS);
  rules.takeProfitFraction = at(set, SET_TAKE_PROFIT);
  rules.trailingMode = at(set, SET_IS_TRAILING) > 0 ? TRAILING_PERCENT : TRAILING_OFF;
  rules.trailingCallback = at(set, SET_CALLBACK);
  rules.trailingStep = at(set, SET_STEP);
  settleRules(market);
}

/** Computes the values that every trade under the market's rules shares. */
export function settleRules(market: Market): void {
  const rules = market.rules;
  const scale = market.scale;
  market.isStopFirst = isStopFirst(market.frame, rules, lowestOf(scale), divergenceOf(scale));
  const isMarketTarget = <i32>rules.targetOrder !== TARGET_LIMIT && !(rules.isTargetFirst > 0);
  // A time barrier has no price to search for.
  market.isStepped = i32(rules.holdingBarsMax > 0 || rules.isEntryHeld > 0 || rules.isEndAtClose > 0);
  market.isUsual = i32(rules.trailingMode === TRAILING_OFF && market.isStopFirst !== 0 && isMarketTarget);
}
