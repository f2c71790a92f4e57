import { TRAILING_ATR, TRAILING_PERCENT } from '@sextant/engine-as/abi/backtest.ts';
import { SPACE_MAX, SPACE_MIN, SPACE_ROW_LENGTH } from '@sextant/engine-as/abi/optimize.ts';
import {
  FRAME_LENGTH,
  frameSlot,
  RULES_MARKET_LENGTH,
  rulesMarketSlot,
  summarySlot,
} from '@sextant/engine-as/abi/records.ts';
import { voteIds } from '@sextant/engine-as/abi/voteExports.ts';
import type { Strategy } from '@sextant/engine-as/abi/strategy.ts';
import type { Engine } from '../../engine/engine.ts';
import type { TaskResult } from '../../protocol/taskResult.ts';
import type { OptimizeInput, SearchedRules, Window } from '../../protocol/optimize.ts';
import type { StrategyInput } from '../../protocol/strategy.ts';
import { ok } from '../../core/result.ts';
import { expectOk, pushFrame } from '../backtest.ts';
import { backtestStrategy } from '../backtestStrategy.ts';
import { pushIntegers } from '../ensemble/timeframes.ts';
import { strategyRulesOf } from '../rules.ts';
import {
  firstScored,
  pushRanges,
  pushRulesMarket,
  type RulesMarket,
  runScored,
  scoreRules,
  unitsOf,
} from '../strategy/market.ts';
import type { KernelEvaluator, RandomEntries } from './setEvaluator.ts';
import { readUnknown, type SingleRun } from './market.ts';
import { strategyInputOf, trailingModeOf, unpackRules } from './rulesSpace.ts';

/** Sets of one call: some milliseconds. */
const CHUNK = 250;

interface RulesEvaluator extends KernelEvaluator {
  /** Runs the strategy itself on a window: its leverage error applies to every set. */
  tryOwn: (window: Window) => TaskResult<null>;
}

/** Puts the votes of a strategy's intervals into the arena, joined for many sets. @param input checked @param space of its sets */
export function createRulesEvaluator(
  engine: Engine,
  input: OptimizeInput,
  { rules, space }: { rules: SearchedRules; space: Float64Array },
): RulesEvaluator {
  const { raw } = engine;
  const { strategy } = rules;
  const run = strategyInputOf(input, rules);
  const market = pushRulesMarket(engine, run);
  const { at, requestedAt } = pushSearched(
    engine,
    market,
    { ...run, strategy: atOneSize(strategy) },
    input.withUnknown,
  );
  const inWords = (set: ArrayLike<number>): Strategy => unpackRules(set, strategy);
  const runOf = (one: Strategy, window: Window): SingleRun => {
    scoreRules(market, one.weights);
    return expectRun(runScored(market, one, window));
  };
  return {
    count: market.count,
    firstDefined: firstScored(market, votesOf(strategy, space)),
    chunk: CHUNK,
    runSamples({ seed, from, count, spaceAt, currentAt, window: { start, end }, target, resultsAt }) {
      expectOk(raw.rulesSamples(at, seed, BigInt(from), count, spaceAt, currentAt, start, end, target, resultsAt));
    },
    runSets({ setsAt, count, window: { start, end }, target, resultsAt, equityAt }) {
      expectOk(raw.rulesSets(at, setsAt, count, start, end, target, resultsAt, equityAt));
    },
    runAlone: (set, window) => runOf(atOneSize(inWords(set)), window),
    runOwnSize: (set, window) => runOf(inWords(set), window),
    runBest: (set, engineHash) => backtestStrategy(engine, engineHash, { ...run, strategy: inWords(set) }),
    unknownBars: () => readUnknown(engine, requestedAt, market.count),
    firstDecision: (set) => firstScored(market, inWords(set).weights),
    runRandomEntries: (set, window, entries) => runRandomEntriesOn(market, atOneSize(inWords(set)), window, entries),
    tryOwn(window) {
      scoreRules(market, strategy.weights);
      const tried = runScored(market, strategy, window);
      return tried.ok ? ok(null) : tried;
    },
  };
}

/**
 * Sets are compared at one size, the whole notional: sized by risk, a set with a near stop has the larger positions and would be ranked by
 * them, and the returns of the search vary with the range of the market besides the edge.
 */
export const atOneSize = (strategy: Strategy): Strategy => ({
  ...strategy,
  sizing: { ...strategy.sizing, mode: 'fixed', isCompounding: false },
});

/** The votes that some set may weigh, the strategy's own among them. */
function votesOf({ weights }: Strategy, space: Float64Array): Record<string, number> {
  const isWeighed = (id: string, vote: number): boolean => {
    const row = vote * SPACE_ROW_LENGTH;
    return (weights[id] ?? 0) !== 0 || space[row + SPACE_MIN] !== 0 || space[row + SPACE_MAX] !== 0;
  };
  return Object.fromEntries(voteIds.map((id, vote) => [id, isWeighed(id, vote) ? 1 : 0]));
}

/**
 * Copies everything the search kernels read of a strategy into the arena. @returns addresses of the RulesMarket and of the bars that the
 * sets request, 0 without
 */
export function pushSearched(
  engine: Engine,
  market: RulesMarket,
  run: StrategyInput,
  withUnknown = false,
): { at: number; requestedAt: number } {
  const { columns, count, scoreAt, rowsAt, rowCount, newsAt } = market;
  const { strategy, costs } = run;
  const mode = trailingModeOf(strategy);
  const trailed = { ...strategy, trailing: { ...strategy.trailing, mode } };
  const rules = strategyRulesOf(strategy, costs, count);
  const prepared = { columns, scoreAt, rules, ...pushRanges(engine, columns, trailed, count) };
  // Room for the equity of every candle.
  const { frameAt, requestedAt } = pushFrame(engine, { ...run, scoredCount: count }, prepared);
  if (!withUnknown) engine.i32View(frameAt, FRAME_LENGTH)[frameSlot.asked] = 0;
  const fields = new Int32Array(RULES_MARKET_LENGTH);
  fields[rulesMarketSlot.frame] = frameAt;
  fields[rulesMarketSlot.count] = count;
  fields[rulesMarketSlot.rows] = rowsAt;
  fields[rulesMarketSlot.rowCount] = rowCount;
  fields[rulesMarketSlot.news] = newsAt;
  fields[rulesMarketSlot.weights] = pushIntegers(engine, unitsOf(strategy.weights));
  fields[rulesMarketSlot.trailingMode] = mode === 'atr' ? TRAILING_ATR : TRAILING_PERCENT;
  const at = pushIntegers(engine, fields);
  expectOk(engine.raw.rulesPrepare(at));
  return { at, requestedAt: withUnknown ? requestedAt : 0 };
}

/** Whether the rules can be run was checked before the search. */
function expectRun(run: TaskResult<SingleRun>): SingleRun {
  if (!run.ok) throw new Error(run.error.message);
  return run.value;
}

/**
 * Net PnL of runs with random entries and the exits and costs of the strategy, quote currency. Each candle is a signal with the same
 * chance, and those while a position is held count as the strategy says of opposite ones.
 */
export function runRandomEntriesOn(
  market: RulesMarket,
  strategy: Strategy,
  window: Window,
  { start, chance, longs, count, seed }: RandomEntries,
): Float64Array {
  const { engine, scoreAt, count: candleCount } = market;
  const random = randomOf(seed);
  return Float64Array.from({ length: count }, () => {
    const scores = engine.f64View(scoreAt, candleCount);
    scores.fill(0);
    for (let i = start; i < window.end; i++) {
      if (random() >= chance) continue;
      scores[i] = random() < longs ? 1 : -1;
    }
    return expectRun(runScored(market, strategy, window)).summary[summarySlot.netPnl] ?? Number.NaN;
  });
}

/** mulberry32: uniform in [0, 1), in whole numbers of 32 bits, so the same on every machine. */
function randomOf(seed: bigint): () => number {
  let state = Number((seed ^ (seed >> 32n)) & 0xffff_ffffn);
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
