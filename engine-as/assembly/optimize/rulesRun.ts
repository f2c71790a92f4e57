import { TRAILING_ATR, TRAILING_OFF } from '../../abi/backtest';
import {
  RESULT_CALMAR,
  RESULT_MAX_DRAWDOWN,
  RESULT_SHARPE,
  RESULT_SORTINO,
  RESULT_VALUE,
  RULES_SET_LENGTH,
  TAIL_CALLBACK,
  TAIL_ENTRY_THRESHOLD,
  TAIL_IS_TRAILING,
  TAIL_STOP_LOSS,
  TAIL_TAKE_PROFIT,
} from '../../abi/optimize';
import { STATUS_OK, STATUS_OUT_OF_MEMORY } from '../../abi/status';
import { VOTE_COUNT } from '../../abi/votes';
import { loadedInterval } from '../backtest/clock';
import { fundingByBar } from '../backtest/funding';
import { liquidityByBar } from '../backtest/liquidity';
import { runPass } from '../backtest/pass';
import { clear, reserveScratch } from '../backtest/run';
import { summarise } from '../backtest/summary';
import { arenaMark, arenaRelease } from '../memory';
import { Frame, RulesMarket } from '../records.gen';
import { tradeAt } from '../rows';
import { addressOf, at, fillUndefined, put } from '../series';
import { dayCount, spanDays } from '../stats/dailyReturns';
import { calmar } from '../stats/ratios';
import { row, writeRow } from './evaluate';
import { rulesScore } from './rulesScore';
import { writeTotals } from './runSet';
import { sampleSet } from './sampling';
import { needsEquity, targetValue } from './target';

// A set of rules is scored by the joined votes and run by the plain backtest, so that a search supports every strategy option.

/** Runs samples from .. from + count - 1 on candles [start, end). Contract: abi/optimizeExports.ts. */
export function rulesSamples(
  market: RulesMarket,
  seed: u64,
  from: u64,
  count: i32,
  space: usize,
  current: usize,
  start: i32,
  end: i32,
  target: i32,
  results: usize,
): i32 {
  const mark = arenaMark();
  let status = openWindow(market, start, end);
  const set = market.set;
  for (let i = 0; i < count && status === STATUS_OK; i++) {
    sampleSet(seed, from + <u64>i, space, current, set);
    status = evaluate(market, set, start, end, target, false);
    writeRow(results, count, i);
  }
  arenaRelease(mark);
  return status;
}

/** Runs given sets. Contract: abi/optimizeExports.ts. */
export function rulesSets(
  market: RulesMarket,
  sets: usize,
  count: i32,
  start: i32,
  end: i32,
  target: i32,
  results: usize,
  equity: usize,
): i32 {
  const bytes = (<usize>(end - start)) << 3;
  const mark = arenaMark();
  let status = openWindow(market, start, end);
  for (let i = 0; i < count && status === STATUS_OK; i++) {
    status = evaluate(market, addressOf(sets, i * RULES_SET_LENGTH), start, end, target, equity !== 0);
    writeRow(results, count, i);
    if (equity !== 0) memory.copy(equity + <usize>i * bytes, market.frame.equity, bytes);
  }
  arenaRelease(mark);
  return status;
}

/** The frame as a backtest of candles [0, end) has it, end - start of them scored. */
function openWindow(market: RulesMarket, start: i32, end: i32): i32 {
  const frame = market.frame;
  frame.count = end;
  frame.rules.scoredCount = <f64>(end - start);
  if (!reserveScratch(frame) || !liquidityByBar(frame)) return STATUS_OUT_OF_MEMORY;
  fundingByBar(frame);
  return STATUS_OK;
}

/** One set into the row. */
function evaluate(market: RulesMarket, set: usize, start: i32, end: i32, target: i32, withEquity: bool): i32 {
  rulesScore(market, set, start, end);
  writeRules(market, set);
  return evaluateFrame(market.frame, start, end, target, withEquity);
}

/** The frame under its rules and scores into the row; its trades are forgotten. */
export function evaluateFrame(frame: Frame, start: i32, end: i32, target: i32, withEquity: bool): i32 {
  const mark = arenaMark();
  clear(frame.summary);
  frame.trades = 0;
  let status = runPass(frame, true);
  if (status === STATUS_OK) {
    sumTrades(frame);
    fillUndefined(row, RESULT_MAX_DRAWDOWN, RESULT_VALUE);
    if (withEquity || needsEquity(target)) status = writeRatios(frame, start, end);
    put(row, RESULT_VALUE, targetValue(row, target));
  }
  arenaRelease(mark);
  return status;
}

/** Everything a set does not vary stays as the strategy has it. */
function writeRules(market: RulesMarket, set: usize): void {
  const rules = market.frame.rules;
  const tail = addressOf(set, VOTE_COUNT);
  rules.entryThreshold = at(tail, TAIL_ENTRY_THRESHOLD);
  if (rules.stopAtr > 0) rules.stopAtr = at(tail, TAIL_STOP_LOSS);
  else rules.stopLossFraction = at(tail, TAIL_STOP_LOSS);
  if (rules.targetAtr > 0) rules.targetAtr = at(tail, TAIL_TAKE_PROFIT);
  else rules.takeProfitFraction = at(tail, TAIL_TAKE_PROFIT);
  const mode = market.trailingMode;
  rules.trailingMode = <f64>(at(tail, TAIL_IS_TRAILING) > 0 ? mode : TRAILING_OFF);
  if (mode === TRAILING_ATR) rules.trailingAtrMultiplier = at(tail, TAIL_CALLBACK);
  else rules.trailingCallback = at(tail, TAIL_CALLBACK);
}

/** Sums over the recorded trades, in their order. */
function sumTrades(frame: Frame): void {
  const summary = frame.summary;
  const count = <i32>summary.tradeCount;
  const initial = frame.rules.initialEquity;
  let wins = 0;
  let gain: f64 = 0;
  let loss: f64 = 0;
  let net: f64 = 0;
  let peak = initial;
  let drawdown: f64 = 0;
  let turnover: f64 = 0;
  for (let i = 0; i < count; i++) {
    const trade = tradeAt(frame.trades, i);
    const won = trade.netPnl;
    net += won;
    if (won > 0) {
      wins++;
      gain += won;
    } else loss -= won;
    const realised = initial + net;
    peak = Math.max(peak, realised);
    if (peak - realised > drawdown * peak) drawdown = (peak - realised) / peak;
    turnover += trade.quantity * (trade.entryPrice + trade.exitPrice);
  }
  const ambiguous = summary.ambiguousCount;
  const held = <i32>summary.heldBarCount;
  writeTotals(row, summary.netPnl, count, wins, gain, loss, drawdown, ambiguous, turnover, held);
}

/** Daily figures and drawdown as the summary of the backtest gives them, and Calmar. */
function writeRatios(frame: Frame, start: i32, end: i32): i32 {
  const status = summarise(frame);
  const summary = frame.summary;
  const times = frame.time;
  const fall = summary.maxDrawdownFraction;
  const days = dayCount(addressOf(times, start), end - start);
  const span = spanDays(at(times, start), at(times, end - 1), loadedInterval(frame));
  put(row, RESULT_MAX_DRAWDOWN, fall);
  put(row, RESULT_SHARPE, summary.sharpe);
  put(row, RESULT_SORTINO, summary.sortino);
  put(row, RESULT_CALMAR, calmar(summary.netPnl, frame.rules.initialEquity, fall, days, span));
  return status;
}
