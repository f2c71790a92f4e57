/** Values of an entry's parameters by name. */
export type Parameters = Readonly<Record<string, number>>;

/** Names the parameter that breaks a rule binding two of them, and how to meet it. */
export type ParameterCheck = (params: Parameters) => { name: string; message: string } | undefined;

export interface IndicatorParameter {
  name: string;
  title: string;
  default: number;
  min: number;
  max: number;
  /** A whole number of candles; else any number within the bounds. */
  isInteger: boolean;
}

export interface IndicatorOutput {
  name: string;
  /** `quote` (quote currency), `base` (base units), `0..100`, or `none`. */
  unit: 'quote' | 'base' | '0..100' | 'none' | '-1 or 1';
  /** Index of the first defined candle; the earliest possible one when `isWarmupDataDependent`. */
  warmup: (params: Parameters) => number;
}

/**
 * How much of the start of the data still affects a value: `window` not at all, `recursive` fades (docs/warmup.md measures how fast),
 * `cumulative` all of it, `session` restarts at each UTC midnight, `swings` only the last swings.
 */
export type IndicatorMemory = 'window' | 'recursive' | 'cumulative' | 'session' | 'swings';

export interface IndicatorEntry {
  /** Name in the API, the command line and the weights. */
  id: string;
  title: string;
  /** KIND_* of indicatorKinds.ts. */
  kind: number;
  /** Its values are prices: a chart draws them over the candles. Others, such as a distance of two prices, have a separate scale. */
  isPriceLevel: boolean;
  /** In the order the kernel reads them. Empty for an alias. */
  parameters: readonly IndicatorParameter[];
  /** In the order the kernel writes them. A single output has the id as its name. */
  outputs: readonly IndicatorOutput[];
  memory: IndicatorMemory;
  /** True when the warm-up also depends on the candles; `definition` says how. */
  isWarmupDataDependent: boolean;
  /** An alias fixes the parameters of another entry: `sma20` is `sma` with a period of 20. */
  alias?: { of: string; params: Parameters };
  /** A rule that binds two parameters; the message says how to meet it. */
  check?: ParameterCheck;
  /** Definition for a reader who does not know the indicator. */
  definition: string;
  /** Exact arithmetic, seeds included. */
  formula: string;
  /** Value where the formula is undefined (a frozen market, no volume). */
  neutral: string;
  /** A case small enough to follow on paper; the tests work the same one. */
  example: string;
  source: string;
}

/** Votes that measure much the same thing; five that agree may be one opinion. */
export type VoteFamily = 'trend' | 'reversal' | 'volume' | 'level';

/** Votes that a search draws together, in the order in which it takes turns. `reversal` bets against a stretched price. */
export const searchGroups = ['reversal', 'trend', 'structure'] as const;

export interface VoteParameter extends IndicatorParameter {
  /** A value of the indicator that the rule compares with, such as 30 and 70 of the RSI; else a parameter of the indicator. */
  isLevel: boolean;
}

/** Two parameters of which the first must stay below the second. */
export interface ParameterOrder {
  first: string;
  second: string;
  /** For example `shorter than`: used in the error message. */
  how: string;
}

/** When a vote is long, short, or abstains although it is defined. */
export interface VoteRule {
  long: string;
  short: string;
  neutral: string;
}

export interface VoteEntry {
  /** Name of the weight. */
  id: string;
  title: string;
  family: VoteFamily;
  searchGroup: (typeof searchGroups)[number];
  /** Ids of the indicators it reads; those of one parameter are named at its default. */
  indicators: readonly string[];
  /** In the order the kernel reads them. */
  parameters: readonly VoteParameter[];
  order?: ParameterOrder;
  /** First candle that can vote; the earliest possible one when the indicator's warm-up depends on the candles. */
  warmup: (params: Parameters) => number;
  /** Whole UTC days before the day of the candle that it reads. */
  daysBefore?: number;
  rule: (params: Parameters) => VoteRule;
}
