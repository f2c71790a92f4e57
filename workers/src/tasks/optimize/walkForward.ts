import * as abi from '@sextant/engine-as/abi/optimize.ts';
import type {
  OptimizeInput,
  WalkForwardFold,
  WalkForwardInput,
  WalkForwardResult,
  Window,
} from '../../protocol/optimize.ts';
import { candidateOf, leadersOf, refine, runSamples, runSets, sampleSets, type Search } from './search.ts';
import { nameSet } from './space.ts';
import { TRAIN_BARS_MIN } from '../../protocol/wire/defaults.ts';

const TEST_BARS_MIN = 30;
const TEST_TRADES_MIN = 5;

/** Training and test windows over [whole.start, whole.end): the first half trains, equal tests follow. */
export function foldWindows(whole: Window, input: WalkForwardInput): { train: Window; test: Window }[] {
  const bars = whole.end - whole.start;
  const first = whole.start + Math.floor(bars / 2);
  const edge = (fold: number): number => first + Math.floor(((whole.end - first) * fold) / input.folds);
  const gap = input.purgeBars + input.embargoBars;
  return Array.from({ length: input.folds }, (_, fold) => {
    const test = { start: edge(fold), end: edge(fold + 1) };
    const trainEnd = test.start - gap;
    const trainStart = input.kind === 'anchored' ? whole.start : trainEnd - (first - gap - whole.start);
    return { train: { start: trainStart, end: trainEnd }, test };
  });
}

/** Optimises the parameters again in each training window and trades the test window that follows with them. */
export function runWalkForward(search: Search, input: OptimizeInput, plan: WalkForwardInput): WalkForwardResult {
  const whole = { start: search.evaluator.firstDefined, end: search.evaluator.count };
  const windows = foldWindows(whole, plan);
  const short = windows.find(({ train, test }) => barsOf(train) < TRAIN_BARS_MIN || barsOf(test) < TEST_BARS_MIN);
  if (short !== undefined) {
    return withoutFolds(
      `a fold has ${barsOf(short.train)} training and ${barsOf(short.test)} test candles, needs ${TRAIN_BARS_MIN} and ${TEST_BARS_MIN}`,
    );
  }
  const folds = windows.map(({ train, test }) => runFold(search, input, train, test));
  const matches = folds.filter((fold) => fold !== undefined);
  if (matches.length < folds.length)
    return withoutFolds("a training window had no set that met the target's conditions");
  return summariseFolds(matches);
}

function runFold(search: Search, input: OptimizeInput, train: Window, test: Window): WalkForwardFold | undefined {
  const training = { ...search, window: train };
  const columns = runSamples(training, 0, input.samples);
  const leaders = leadersOf(columns);
  if (leaders.length === 0) return undefined;
  const sets = sampleSets(training, leaders);
  const samples = leaders.map((index, i) => {
    const set = sets.slice(i * search.setLength, (i + 1) * search.setLength);
    return candidateOf(set, runSets(training, set).columns, 0, 'sample', index);
  });
  const refined = input.refine === false ? undefined : refine(training, samples, input.samples);
  const best = bestOf([
    ...samples,
    ...(refined === undefined
      ? []
      : leadersOf(refined.columns, 1).map((i) => candidateOf(refined.sets, refined.columns, i, 'refined', i))),
  ]);
  if (best === undefined) return undefined;
  const tested = runSets({ ...search, window: test }, best.set).columns;
  const testNetPnl = tested[abi.RESULT_NET_PNL] ?? Number.NaN;
  return {
    train,
    test,
    testNetPnl,
    trainPnlPerBar: (best.row[abi.RESULT_NET_PNL] ?? Number.NaN) / barsOf(train),
    testPnlPerBar: testNetPnl / barsOf(test),
    testTradeCount: tested[abi.RESULT_TRADE_COUNT] ?? 0,
    ...nameSet(input, best.set),
  };
}

function bestOf<T extends { row: Float64Array }>(candidates: readonly T[]): T | undefined {
  let best: T | undefined;
  for (const candidate of candidates) {
    if (
      best === undefined ||
      (candidate.row[abi.RESULT_VALUE] ?? -Infinity) > (best.row[abi.RESULT_VALUE] ?? -Infinity)
    ) {
      best = candidate;
    }
  }
  return best;
}

/** Totals of the folds; efficiency is null when there is nothing to compare. */
export function summariseFolds(folds: WalkForwardFold[]): WalkForwardResult {
  const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const tests = folds.map((fold) => fold.testPnlPerBar);
  const trained = mean(folds.map((fold) => fold.trainPnlPerBar));
  const thin = folds.filter((fold) => fold.testTradeCount < TEST_TRADES_MIN).length;
  const result = {
    folds,
    testNetPnl: folds.reduce((sum, fold) => sum + fold.testNetPnl, 0),
    profitableFoldCount: folds.filter((fold) => fold.testNetPnl > 0).length,
    testPnlPerBarMin: Math.min(...tests),
    testPnlPerBarMax: Math.max(...tests),
  };
  if (thin > 0) {
    return {
      ...result,
      efficiency: null,
      reason: `${thin} of ${folds.length} tests had fewer than ${TEST_TRADES_MIN} trades`,
    };
  }
  if (!(trained > 0)) return { ...result, efficiency: null, reason: 'training made no profit' };
  return { ...result, efficiency: mean(tests) / trained };
}

function withoutFolds(reason: string): WalkForwardResult {
  const nothing = { testNetPnl: 0, profitableFoldCount: 0, testPnlPerBarMin: 0, testPnlPerBarMax: 0 };
  return { folds: [], efficiency: null, reason, ...nothing };
}

const barsOf = ({ start, end }: Window): number => end - start;
