import * as abi from '@sextant/engine-as/abi/optimize.ts';
import { BACKTEST_VOTE_COUNT } from '@sextant/engine-as/abi/votes.ts';
import type { Engine } from '../../engine/engine.ts';
import type { BacktestResult } from '../../protocol/backtest.ts';
import type { TaskResult } from '../../protocol/taskResult.ts';
import type { OptimizeInput, Window } from '../../protocol/optimize.ts';
import { backtest } from '../backtest.ts';
import { inArena } from '../honesty/kernels.ts';
import { type Market, readUnknown, runSingle, type SingleRun } from './market.ts';
import { unpackSet } from './space.ts';

/** Arguments of the engine's search kernels beside the sets. */
export interface KernelCall {
  count: number;
  window: Window;
  /** TARGET_* */
  target: number;
  resultsAt: number;
}

/** Random entries from candle `start` on: the chance of one at each flat candle, and how many of them are long. */
export interface RandomEntries {
  start: number;
  chance: number;
  longs: number;
  count: number;
  seed: bigint;
}

export interface SetRun {
  /** f64[RESULT_LENGTH * count], column after column */
  columns: Float64Array;
  /** f64[bars * count] when requested */
  equity: Float64Array;
}

/** Arguments of sets that are run as a table. */
export interface TableCall extends Pick<KernelCall, 'window' | 'target'> {
  withEquity: boolean;
}

/** Runs and evaluates the sets of a search: parameters of Classic, a strategy of rules, or the parameters of own rules. */
export type SetEvaluator = KernelEvaluator | TableEvaluator;

interface SharedEvaluator {
  count: number;
  /** First candle at which every vote that a set may weigh is defined. */
  firstDefined: number;
  /** Sets of one call: the search reports progress between two calls. */
  chunk: number;
  /** The plain backtest of one set on a window: the judge of the kernel. */
  runAlone: (set: Float64Array, window: Window) => SingleRun;
  /** The same with the strategy's own sizing. */
  runOwnSize: (set: Float64Array, window: Window) => SingleRun;
  /** The whole backtest of one set on the scored window, with its own sizing. */
  runBest: (set: Float64Array, engineHash: string) => TaskResult<BacktestResult>;
  /** Candles that the sets so far left open, when the search requests them. */
  unknownBars: () => number[];
  /** First candle at which the votes of a set are all defined. */
  firstDecision: (set: Float64Array) => number;
  /** Net PnL of runs with random entries and the exits and costs of `set`, quote currency. */
  runRandomEntries: (set: Float64Array, window: Window, entries: RandomEntries) => Float64Array;
}

/** Its kernels draw samples and run sets that are in the arena. */
export interface KernelEvaluator extends SharedEvaluator {
  runSamples: (call: KernelCall & { seed: bigint; from: number; spaceAt: number; currentAt: number }) => void;
  /** @param call its equity has room for every candle of the window for each set, or is 0 */
  runSets: (call: KernelCall & { setsAt: number; equityAt: number }) => void;
}

/** It keeps what it computes in the arena from one call to the next: no mark of the arena may be open around a call. */
export interface TableEvaluator extends SharedEvaluator {
  runTable: (sets: Float64Array, call: TableCall) => SetRun;
}

/** Bounds the result table of a call to 7 MiB. */
const CHUNK = 65_536;

export function createClassicEvaluator(engine: Engine, market: Market, input: OptimizeInput): KernelEvaluator {
  const { raw } = engine;
  return {
    count: market.count,
    firstDefined: market.firstDefined,
    chunk: CHUNK,
    runSamples({ seed, from, count, spaceAt, currentAt, window: { start, end }, target, resultsAt }) {
      raw.optimizeSamples(market.at, seed, BigInt(from), count, spaceAt, currentAt, start, end, target, resultsAt);
    },
    runSets({ setsAt, count, window: { start, end }, target, resultsAt, equityAt }) {
      raw.optimizeSets(market.at, setsAt, count, start, end, target, resultsAt, equityAt);
    },
    runAlone: (set, window) => runSingle(engine, market, set, input, window),
    runOwnSize: (set, window) => runSingle(engine, market, set, input, window),
    runBest(set, engineHash) {
      return backtest(engine, engineHash, { ...input, params: unpackSet(set, input.params) });
    },
    unknownBars: () => readUnknown(engine, market.requestedAt, market.count),
    firstDecision(set) {
      const first = engine.i32View(market.firstAt, BACKTEST_VOTE_COUNT);
      return first.reduce(
        (latest, at, vote) => ((set[abi.SET_WEIGHTS + vote] ?? 0) > 0 ? Math.max(latest, at) : latest),
        0,
      );
    },
    runRandomEntries: (set, window, { start, chance, longs, count, seed }) =>
      inArena(engine, () => {
        const [setAt, out] = [engine.push(set), engine.reserve(count)];
        raw.randomEntries(market.at, setAt, start, window.end, chance, longs, count, seed, out);
        return engine.pull(out, count);
      }),
  };
}
