import type { HonestyId } from '@sextant/engine-as/abi/honesty.ts';
import type { Trade } from './backtest.ts';
import type { OptimizeInput } from './optimize.ts';
import type { StrategyInput } from './strategy.ts';

/** Contract of the `honesty` task. What each figure means is in engine-as/abi/honesty.ts; docs/honesty.md is the text. */

/** Returns of trials that were made elsewhere. */
export interface TrialReturns {
  kind: 'returns';
  /** returns[k * bars + t]: change of trial k's equity in bar t over its starting equity, a fraction; f64[trials * bars]. */
  returns: Float64Array;
  trialCount: number;
  /** The trial that is shown. */
  bestIndex: number;
  /** Closed trades of that trial; unknown when absent. */
  tradeCount?: number;
  /** Length of a bar. */
  barMs: number;
  seed: number;
  /** True for an account over many symbols: the words name what can be changed on its page. */
  isOfAccount?: boolean;
  /** The shown trial on candles that chose nothing, and how many results were viewed there, this one included. */
  unseen?: { returns: Float64Array; tradeCount: number; lookCount: number };
  /** Trials made before on the same data; they count. */
  earlierTrialCount?: number;
}

/** The search itself, made again from its input (it is a pure function of it), with everything that needs candles. */
export interface TrialSearch {
  kind: 'search';
  search: OptimizeInput;
  earlierTrialCount?: number;
  /** Results on the scored candles that were viewed before this one: choosing the best of them is a search, too. */
  earlierLookCount?: number;
}

/** One run of a strategy of rules, judged as the trial it is. */
export interface RulesRun {
  kind: 'rules';
  run: StrategyInput;
  /** Seed of the resampling and of the random entries. */
  seed: number;
  /** Trials made before on the same data; they count. */
  earlierTrialCount?: number;
  /** A result made by hand on these candles: it is judged in place of the strategy's, whose exits random entries use. */
  made?: MadeResult;
}

export interface MadeResult {
  trades: readonly Pick<Trade, 'side' | 'entryPrice' | 'exitPrice' | 'quantity' | 'grossPnl' | 'netPnl'>[];
  /** Mark to market at the close of each scored candle, USDT; f64[scoredCount]. */
  equity: Float64Array;
  /** Candles with an open position. */
  heldBarCount: number;
}

export type HonestyInput = TrialReturns | TrialSearch | RulesRun;

/** Verdict of a figure: luck explains the result, it does not, or neither. */
export type HonestyVerdict = 'luck' | 'skill' | 'neither';

export interface HonestyFigure {
  id: HonestyId;
  /** Null when the data are too few or missing; then there is a reason. */
  value: number | null;
  reason?: string;
  /** Observations behind it: trials, bars, trades, halvings or runs. */
  count: number;
  band?: { low: number; high: number };
  standardError?: number;
  /** Candles of the figure. */
  window: 'search' | 'scored';
  says: HonestyVerdict;
  /** One sentence for the panel, with the figure in it. */
  words: string;
}

export type HonestyLevel = 'luck' | 'unclear' | 'holds up' | 'not enough data';

export interface HonestyReading {
  level: HonestyLevel;
  /** For the head of the panel. */
  words: string;
  /** Figures that point to luck, to skill, and that could not be computed. */
  luck: HonestyId[];
  skill: HonestyId[];
  missing: HonestyId[];
}

export interface HonestyResult {
  /** All trials, earlier ones included. */
  trialCount: number;
  barCount: number;
  reading: HonestyReading;
  /** In the order of the registry. */
  figures: HonestyFigure[];
  /** Halvings of the overfitting figure, one value each: Sharpe inside and outside, relative rank outside. Empty without it. */
  halvings: { inside: Float64Array; outside: Float64Array; rank: Float64Array };
  /** Resampled equity at evenly spaced places of the window, fraction of the starting equity. Empty without it. */
  fan: { low: Float64Array; median: Float64Array; high: Float64Array };
}

/** What a search of this size could detect, computed before it runs. */
export interface DetectableInput {
  /** All trials: samples, those of the later stages, and earlier ones on the same candles. */
  trialCount: number;
  /** Candles that are searched. */
  barCount: number;
  barMs: number;
  goalAnnualSharpe: number;
}

export interface DetectableResult {
  /** Sharpe ratio of one bar that the best of as many trials without skill usually shows; 0 for one trial. */
  luckPerBar: number;
  /** The same a year; null below 30 days of candles. */
  luckAnnualSharpe: number | null;
  /** Smallest true Sharpe ratio of one bar that passes in 80 % of cases. */
  sharpePerBar: number;
  /** The same a year; null below 30 days of candles. */
  annualSharpe: number | null;
  /** Candles with which the goal is the smallest one. */
  barsForGoal: number;
}
