import { NEWS_SILENT, WEIGHT_UNITS } from '@sextant/engine-as/abi/ensemble.ts';
import { intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import { FRAME_LENGTH, frameSlot, SUMMARY_LENGTH, summarySlot, TRADE_LENGTH } from '@sextant/engine-as/abi/records.ts';
import type { Strategy, StrategyExits } from '@sextant/engine-as/abi/strategy.ts';
import type { Engine } from '../../engine/engine.ts';
import type { TaskResult } from '../../protocol/taskResult.ts';
import type { Window } from '../../protocol/optimize.ts';
import type { RulesInput } from '../../protocol/rules.ts';
import type { StrategyInput } from '../../protocol/strategy.ts';
import { ok } from '../../core/result.ts';
import { expectOk, pushAtr, type RunAt, simulateRules } from '../backtest.ts';
import { type PushedTimeframe, pushIntegers, pushParameters, pushRows, pushTimeframe } from '../ensemble/timeframes.ts';
import { isOwnRules, type OwnRules, ruleSetOf } from '../../rules/strategyOfRules.ts';
import { ensembleVoteIds } from '../../core/ensembleVotes.ts';
import { inArena } from '../honesty/kernels.ts';
import { rulesInputOf } from '../ownRules/inputOfStrategy.ts';
import { type PushedProgram, pushProgram, runProgram } from '../ownRules/program.ts';
import { readUnknown, type SingleRun } from '../optimize/market.ts';
import { strategyRulesOf } from '../rules.ts';
import { candleFields, firstOf } from '../../candles/candleColumns.ts';

/** The candles of a strategy of rules with every vote on them, in the arena: good for many weights and exits. */
export interface RulesMarket {
  engine: Engine;
  input: StrategyInput;
  columns: number[];
  count: number;
  /** Score of every base candle under the weights that were scored last. */
  scoreAt: number;
  rowsAt: number;
  rowCount: number;
  newsAt: number;
  /** Own rules; the rows above are then empty. */
  own?: OwnProgram;
}

/** The compiled rules of a strategy, with what its run hashes and reads. */
export interface OwnProgram extends PushedProgram {
  input: RulesInput;
}

/** @param columns of the base candles where they are in the arena already; own rules read them from `input` */
export function pushRulesMarket(engine: Engine, input: StrategyInput, columns?: readonly number[]): RulesMarket {
  if (isOwnRules(input.strategy)) return pushOwnMarket(engine, input, input.strategy);
  const { intervals, parameters } = input.strategy;
  const parametersAt = pushParameters(engine, parameters);
  const pushed: PushedTimeframe[] = [];
  for (const [t, { interval }] of intervals.entries()) {
    const series = t === 0 ? input.candles : input.context[t - 1];
    if (series === undefined) throw new Error('one series per interval');
    const own = { candles: series, stepMs: intervalMs[interval], parametersAt };
    const known = t === 0 && columns !== undefined ? { ...own, columns } : own;
    pushed.push(pushTimeframe(engine, known, new Map(), pushed[0]));
  }
  const [base] = pushed;
  if (base === undefined) throw new Error('validateStrategyValue lets no empty list through');
  const { count } = base;
  const tenths = intervals.map(({ weight }) => Math.round(weight * 10));
  return {
    engine,
    input,
    count,
    columns: [...engine.i32View(base.columnsAt, candleFields.length)],
    rowsAt: pushRows(engine, pushed, tenths),
    rowCount: pushed.length,
    newsAt: input.news === undefined ? 0 : pushNews(engine, input.news),
    scoreAt: engine.reserve(count),
  };
}

/** Own rules: the program instead of votes. */
function pushOwnMarket(engine: Engine, input: StrategyInput, strategy: OwnRules): RulesMarket {
  const run = rulesInputOf({ ...input, strategy: { ...input.strategy, ...strategy } });
  const pushed = pushProgram(engine, run);
  const { columns, count, scoreAt } = pushed;
  return { engine, input, count, columns, rowsAt: 0, rowCount: 0, newsAt: 0, scoreAt, own: { ...pushed, input: run } };
}

function pushNews(engine: Engine, news: Int8Array): number {
  const at = engine.reserveBytes(news.length);
  engine.i8View(at, news.length).set(news.map((vote) => (vote === 0 ? NEWS_SILENT : vote)));
  return at;
}

/** Weights in the engine's whole units, by vote. */
export const unitsOf = (weights: Readonly<Record<string, number>>): number[] =>
  ensembleVoteIds.map((id) => Math.round((weights[id] ?? 0) * WEIGHT_UNITS));

/** Writes the score of every base candle to `scoreAt`. @param weights ignored by own rules */
export function scoreRules(market: RulesMarket, weights: Readonly<Record<string, number>>): void {
  const { engine, rowsAt, rowCount, count, newsAt, scoreAt, own } = market;
  if (own !== undefined) {
    // Checked with the strategy: a program of a text that compiles runs.
    if (!runProgram(own).ok) throw new Error('the engine rejects a compiled program');
    return;
  }
  inArena(engine, () => {
    const weightsAt = pushIntegers(engine, unitsOf(weights));
    expectOk(engine.raw.ensembleScore(rowsAt, rowCount, count, weightsAt, newsAt, scoreAt, 0));
  });
}

/** Runs the exits of a strategy on the scores written last. @param input its candles may end before those of the market */
export function simulateScored(
  { engine, columns, scoreAt, own }: RulesMarket,
  strategy: Strategy,
  input: Omit<StrategyInput, 'strategy' | 'context'>,
): TaskResult<RunAt> {
  const rules = strategyRulesOf(strategy, input.costs, input.scoredCount);
  const ranges = pushRanges(engine, columns, strategy, input.candles.time.length);
  return simulateRules(engine, input, { columns, scoreAt, rules, ...ranges, ...(own && { exitsAt: own.exitsAt }) });
}

/** Addresses of the average true ranges that the exits of a strategy are measured by; 0 where they are not. */
export interface ExitRanges {
  trailingRangeAt: number;
  levelRangeAt: number;
}

/** @param push writes the ranges of a period and returns their address; called only where an exit is measured by them */
export function exitRanges(
  { stop, target, trailing, atrPeriod }: StrategyExits,
  push: (atrPeriod: number) => number,
): ExitRanges {
  const isByLevel = stop.mode === 'atr' || target.mode === 'atr';
  const isTrailing = trailing.mode === 'atr';
  const rangeAt = isByLevel || isTrailing ? push(atrPeriod) : 0;
  return { trailingRangeAt: isTrailing ? rangeAt : 0, levelRangeAt: isByLevel ? rangeAt : 0 };
}

export const pushRanges = (engine: Engine, columns: number[], exits: StrategyExits, count: number): ExitRanges =>
  exitRanges(exits, (atrPeriod) => pushAtr(engine, columns, count, atrPeriod));

/** First candle whose score under these weights is defined; the number of candles when none is. */
export function firstScored(market: RulesMarket, weights: Readonly<Record<string, number>>): number {
  if (isOwnRules(market.input.strategy)) return Math.min(market.count, ruleSetOf(market.input.strategy).lookBack.base);
  scoreRules(market, weights);
  const first = market.engine.f64View(market.scoreAt, market.count).findIndex((score) => !Number.isNaN(score));
  return first < 0 ? market.count : first;
}

/** A run on candles [start, end) with the scores written last. */
export function runScored(market: RulesMarket, strategy: Strategy, { start, end }: Window): TaskResult<SingleRun> {
  const { engine, input } = market;
  return inArena(engine, () => {
    const { candles, costs, markPrices, fineCandles } = input;
    const run = simulateScored(market, strategy, {
      candles: firstOf(candles, end),
      costs,
      scoredCount: end - start,
      ...(markPrices && { markPrices: firstOf(markPrices, end) }),
      ...(fineCandles && { fineCandles }),
    });
    if (!run.ok) return run;
    const { frameAt, summaryAt, equityAt, requestedAt } = run.value;
    const summary = engine.pull(summaryAt, SUMMARY_LENGTH);
    const tradesAt = engine.i32View(frameAt, FRAME_LENGTH)[frameSlot.trades] ?? 0;
    const trades = engine.pull(tradesAt, (summary[summarySlot.tradeCount] ?? 0) * TRADE_LENGTH);
    const equity = engine.pull(equityAt, end - start);
    return ok({ status: 0, summary, trades, equity, unknownBars: readUnknown(engine, requestedAt, end) });
  });
}
