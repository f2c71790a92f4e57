import type { IntervalName } from '@sextant/engine-as/abi/intervals.ts';
import type { StrategyExits } from '@sextant/engine-as/abi/strategy.ts';
import type { BacktestInput, BacktestResult, Candles } from './backtest.ts';
import type { OptimizeTarget } from './optimize.ts';

/** Own rules, compiled: instructions over columns as engine-as/abi/ruleProgram.ts defines them. The text is no part of it. */
export interface RuleProgram {
  /** RULE_INSTRUCTION_LENGTH integers an instruction. */
  code: Int32Array;
  /** Constants, periods and the values of the parameters. */
  values: Float64Array;
  /** RULE_OUTPUT_COUNT operands. */
  outputs: Int32Array;
  /** Intervals of the frames after the base, each longer than it. */
  intervals: IntervalName[];
}

/** Contract of the `backtestRules` task: the result is that of a backtest, its score the signal of each candle: 1, -1 or 0. */
export interface RulesInput extends Omit<BacktestInput, 'params'> {
  /** Of `candles`. */
  interval: IntervalName;
  program: RuleProgram;
  exits: StrategyExits;
  /** Candles of the program's longer intervals, in their order; they start early enough for what they compute. */
  context: Candles[];
  /** News vote at the close of each candle: -1, 1, or 0 for none. Absent: undefined in the rules. */
  news?: Int8Array;
}

/** Contract of the `optimizeRules` task: one program under many values of its parameters. */
export interface RulesSweepInput extends RulesInput {
  /** The parameter of each of the program's values, or -1 for a constant. */
  valueParameters: Int32Array;
  /** The values that each parameter takes; a set is one of each. */
  parameters: { name: string; values: number[] }[];
  /** Fewer sets than the grid has: spread over it evenly, each drawn from its part by the seed. Absent: every set. */
  samples?: number;
  seed?: number;
  target: OptimizeTarget;
  /** Where exits depend on parameters: `varyingExits` of tasks/ownRules/sets.ts makes them. Of the sets of this task, in their order. */
  varying?: VaryingExits;
}

/** Rules that differ from set to set. */
export interface VaryingExits {
  /** Slots of the rules record (engine-as/abi/records.ts). */
  slots: number[];
  /** f64[sets * slots.length] */
  rows: Float64Array;
}

export interface RulesSweepResult {
  setCount: number;
  /** i32[setCount * parameters]: which value of each parameter; the last parameter changes fastest. */
  sets: Int32Array;
  /** f64[RESULT_LENGTH * setCount], column after column (engine-as/abi/optimize.ts). */
  results: Float64Array;
  /** The set with the largest value, its number and the backtest of it; null when the target ranks none. */
  best: { index: number; values: number[]; result: BacktestResult } | null;
}
