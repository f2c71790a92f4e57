import type { Strategy } from '@sextant/engine-as/abi/strategy.ts';
import type { BacktestResult, BacktestSummary, Candles, Costs, MarkPrices, StrategyParams } from './backtest.ts';
import type { StrategyInput } from './strategy.ts';
import type { optimizeTargets, walkForwardKinds } from './wire/defaults.ts';

/** Contract of the `optimize` and `scan` tasks. docs/optimiser.md is its text. */

export type OptimizeTarget = (typeof optimizeTargets)[number];

export interface NumberRange {
  min: number;
  max: number;
}

/** Where sets are drawn from; min = max fixes a parameter. */
export interface OptimizeSpace {
  /**
   * `dense`: every value of each grid with the same chance. `mixed`: a quarter dense, half with 1 to 5 votes, a quarter with the votes
   * of one group; the choice follows from seed and index (docs/optimiser.md).
   */
  draw: 'mixed' | 'dense';
  /** Every vote's weight, steps of 0.1 within 0..2. */
  weight: NumberRange;
  /** Ranges of single votes, by id, where they differ from `weight`. */
  weights?: Record<string, NumberRange>;
  /** Steps of 0.01 within 0.01..1. */
  entryThreshold: NumberRange;
  /** Steps of 0.001 (0.1 %), like the take profit. */
  stopLossFraction: NumberRange;
  takeProfitFraction: NumberRange;
  /** `either` draws both with the same chance. */
  trailing: 'off' | 'on' | 'either';
  /** Steps of 0.0005 (0.05 %), like the step. */
  callbackFraction: NumberRange;
  stepFraction: NumberRange;
}

/** Ranges from which sets of rules are drawn; min = max fixes a parameter. Parameters without a range keep the strategy's value. */
export interface RulesSpace {
  /** As for Classic; of mixed draws the threshold of dense sets is drawn by octaves. */
  draw: 'mixed' | 'dense';
  /** Every vote's weight but that of the news, steps of 0.05 within -5..5. */
  weight: NumberRange;
  /** Ranges of single votes, by id, where they differ from `weight`. */
  weights?: Record<string, NumberRange>;
  /** Steps of 0.01 within 0.01..1. */
  entryThreshold: NumberRange;
  /** In the mode of the strategy: fractions in steps of 0.001, or average true ranges in steps of 0.1. */
  stop: NumberRange;
  target: NumberRange;
  /** `either` draws both with the same chance. */
  trailing: 'off' | 'on' | 'either';
  /** Fractions in steps of 0.0005, or average true ranges in steps of 0.1: in the mode of the trailing, that of the stop when it is off. */
  trailingDistance: NumberRange;
}

/**
 * A strategy whose sets are searched, with the data it reads beside the candles. Of own rules the parameters with a range are searched, within
 * the ranges of the text; there is no `space` then.
 */
export interface SearchedRules extends Omit<
  StrategyInput,
  'candles' | 'costs' | 'scoredCount' | 'markPrices' | 'fineCandles'
> {
  space?: Partial<RulesSpace>;
}

export interface WalkForwardInput {
  /** `anchored` trains from the first candle, `rolling` on as many candles as the first fold had. */
  kind: (typeof walkForwardKinds)[number];
  /** Test windows; the first half of the candles is the first training. */
  folds: number;
  /** Candles left out at the end of each training, so that none of its trades reaches into the test. */
  purgeBars: number;
  /** Candles left out on top, for what indicators still remember. */
  embargoBars: number;
}

export interface OptimizeInput {
  candles: Candles;
  /** The user's own set: trial 0. Its trailing activation and longest holding time hold for every set. */
  params: StrategyParams;
  /** Search sets of this strategy, itself trial 0; the parameters are then ignored. */
  rules?: SearchedRules;
  costs: Costs;
  scoredCount: number;
  /** As in a single run: every set of the search and its best are run with them. */
  markPrices?: MarkPrices;
  fineCandles?: Candles;
  /** Random sets with trial 0 among them, 1..ENGINE_SAMPLES_MAX (the product allows SAMPLES_MIN..DEEP_SAMPLES_MAX). */
  samples: number;
  target: OptimizeTarget;
  /** Whole number 0..2^53 - 1. The same seed gives the same sets, however the work is split. */
  seed: number;
  /** Search on the candles before the scored window (default), or on the scored window itself. */
  trainOn?: 'earlier' | 'scored';
  space?: Partial<OptimizeSpace>;
  /** Search around the best after the random samples, as many trials again; true when absent. */
  refine?: boolean;
  /** Half of these trials are generations of CMA-ES (tasks/optimize/cma.ts); false when absent. */
  guide?: boolean;
  walkForward?: WalkForwardInput;
  /** Only samples from .. from + count - 1 and nothing after the search: one chunk of a larger run. */
  part?: { from: number; count: number };
  /** Only these sets of one generation after the samples, and nothing after them: one chunk of it. */
  generation?: { draw: GenerationDraw; from: number; count: number };
  /**
   * Sets one after the other, each as long as the search has them: these are run with the equity of every candle, and nothing is searched.
   * Their trials have the drawdown marked to market and the daily ratios whatever the target; `value` is NaN.
   */
  marked?: Float64Array;
  /** The best set of a search that was run in chunks: it is not searched again, only run once more, and must reproduce its value. */
  finalist?: Finalist;
  /** The best sample indices of all chunks: the random search is not repeated, the rest of the task is. */
  bestOfParts?: number[];
  /**
   * `value` of every sample and of every refined trial, when the search was run elsewhere: it is not repeated. Sets follow from seed and
   * values; the best is run once more and must reproduce its value. The result then has no columns.
   */
  known?: KnownValues;
  /** Gives the parameters of every trial too, for plots; false when absent. */
  withSets?: boolean;
  /** Gives the candles that the sets left open (`unknownBars`); false when absent. */
  withUnknown?: boolean;
}

/** How the sets of one generation are drawn (tasks/optimize/stages.ts); set i of it is draw `first` + i. */
export type GenerationDraw = { first: number; count: number } & (
  | { stage: 'refine'; bases: Float64Array; perBase: number; reach: number }
  | { stage: 'guide'; base: Float64Array; slots: Int32Array; mean: Float64Array; factor: Float64Array }
);

export interface Finalist {
  set: Float64Array;
  value: number;
  origin: OptimizeBest['origin'];
  /** Sets of the stages after the samples. */
  refinedCount: number;
}

export interface KnownValues {
  samples: Float64Array;
  refined: Float64Array;
}

/** One value per trial. NaN: the set has no such figure. */
export interface TrialColumns {
  netPnl: Float64Array;
  tradeCount: Float64Array;
  winCount: Float64Array;
  winRate: Float64Array;
  profitFactor: Float64Array;
  expectancy: Float64Array;
  /** Largest fall of realised equity: closed trades only, so at most the mark-to-market drawdown. */
  closedDrawdownFraction: Float64Array;
  /** NaN unless the target is sharpe, sortino or calmar. */
  maxDrawdownFraction: Float64Array;
  sharpe: Float64Array;
  sortino: Float64Array;
  calmar: Float64Array;
  /** Ranked value; -Infinity for a set that does not meet the target's conditions. */
  value: Float64Array;
}

/** Loaded candles [start, end). */
export interface Window {
  start: number;
  end: number;
}

export interface WalkForwardFold extends NamedSet {
  train: Window;
  test: Window;
  /** Net USDT per candle of the fold's best set. */
  trainPnlPerBar: number;
  testPnlPerBar: number;
  testNetPnl: number;
  testTradeCount: number;
}

export interface WalkForwardResult {
  folds: WalkForwardFold[];
  /** As in `OptimizeResult`. With `withUnknown` only. */
  unknownBars?: number[];
  /** Mean test result per candle over mean training result per candle; null with the reason. */
  efficiency: number | null;
  reason?: string;
  /** Net USDT over all tests, and how many of them were profitable. */
  testNetPnl: number;
  profitableFoldCount: number;
  /** Lowest and highest test result per candle. */
  testPnlPerBarMin: number;
  testPnlPerBarMax: number;
}

/** A set by name and value. For a search over rules it is the strategy, and the parameters are those of the input. */
export interface NamedSet {
  params: StrategyParams;
  strategy?: Strategy;
  /** Value of each parameter of own rules with a range, by name. The strategy's text has them. */
  values?: Record<string, number>;
}

export interface OptimizeBest extends NamedSet {
  /** Sample index, or the number of the refined trial. */
  origin: { kind: 'sample' | 'refined'; index: number };
  /** Target's value on the training window; null when no set met the target's conditions, with the reason. */
  value: number | null;
  reason?: string;
  /** Single run on the training window. */
  train: BacktestSummary;
  /** Single run on the scored window, the one that is shown. */
  scored: BacktestResult;
  /** Candles that both runs left open. With `withUnknown` only. */
  unknownBars?: number[];
}

export interface OptimizeResult {
  target: OptimizeTarget;
  seed: number;
  /** Where the search ran. */
  train: Window;
  /** Samples from .. from + count - 1, by index. */
  from: number;
  trials: TrialColumns;
  /** Refined trials, in order; empty without refinement. */
  refined: TrialColumns;
  /** Parameters of `trials` and of `refined`, set after set; tasks/optimize/parameters.ts reads them. With `withSets` only. */
  sets?: { trials: Float64Array; refined: Float64Array };
  /**
   * Candles, oldest first, in which the order of exits is open for some set of this result and no finer candles cover them. Finer candles
   * there are all that could change the result. With `withUnknown` only.
   */
  unknownBars?: number[];
  /** Sets tried, which the honesty panel counts: samples and refined ones, at most the sets that ranges of own rules have. */
  trialCount: number;
  /** Indices of the best samples, best first. */
  leaders: (NamedSet & { index: number; value: number })[];
  /** Absent in a chunk. */
  best?: OptimizeBest;
  walkForward?: WalkForwardResult;
}

export interface ScanSeries {
  symbol: string;
  interval: string;
  candles: Candles;
}

export interface ScanInput {
  series: ScanSeries[];
  /** Weight of each vote by id, tenths. */
  weights: Record<string, number>;
}

export interface ScanRow {
  symbol: string;
  interval: string;
  /** Open of the last closed candle, epoch ms, and its close. */
  timeMs: number;
  close: number;
  /** In [-1, 1]; null while a weighted vote warms up. */
  score: number | null;
  votes: Record<string, number>;
}

export interface ScanResult {
  rows: ScanRow[];
}
