import { RESULT_LENGTH, TARGET_PNL } from '@sextant/engine-as/abi/optimize.ts';
import { KIND_EMA } from '@sextant/engine-as/abi/indicatorKinds.ts';
import * as abi from '@sextant/engine-as/abi/ruleProgram.ts';
import { liveExits, type StrategyExits } from '@sextant/engine-as/abi/strategy.ts';
import type { Engine } from '@sextant/workers/src/engine/engine.ts';
import type { Candles, Costs } from '@sextant/workers/src/protocol/backtest.ts';
import type { RulesSweepInput } from '@sextant/workers/src/protocol/rules.ts';
import { setsOf } from '@sextant/workers/src/tasks/ownRules/sets.ts';
import {
  type PushedSweep,
  pushSweep,
  reserveRoom,
  runSweep,
  type SweepRoom,
} from '@sextant/workers/src/tasks/ownRules/sweep.ts';

/** Pairs of one operation, which then fits a block on every side. */
export const PAIRS = 50;
/** Pairs of a whole sweep. */
export const SWEEP_PAIRS = 10_000;
const FAST = { first: 5, step: 1, count: 50 };
const SLOW = { first: 60, step: 1, count: 200 };

export const exits: StrategyExits = {
  ...liveExits,
  stop: { mode: 'percent', fraction: 0.02 },
  target: { mode: 'percent', fraction: 0.04 },
  onOpposite: 'reverse',
  sizing: { mode: 'fixed', riskFraction: 0.01, isCompounding: false },
};

const range = ({ first, step, count }: typeof FAST): number[] =>
  Array.from({ length: count }, (_, i) => first + i * step);

/** Long where the fast average crosses above the slow one, short where it crosses below: 10,000 pairs. */
export function crossInput(candles: Candles, costs: Costs): RulesSweepInput {
  const { RULE_INPUT_COUNT: R, RULE_NONE: none } = abi;
  const code = [
    [abi.OP_INDICATOR, 0, 0, none, none, none, 0, KIND_EMA],
    [abi.OP_INDICATOR, 0, 1, none, none, none, 1, KIND_EMA],
    [abi.OP_CROSSOVER, 0, 2, R, R + 1, none, 0, 0],
    [abi.OP_CROSSUNDER, 0, 3, R, R + 1, none, 0, 0],
  ];
  return {
    candles,
    costs,
    exits,
    interval: '1h',
    context: [],
    scoredCount: candles.close.length,
    program: {
      code: Int32Array.from(code.flat()),
      values: Float64Array.of(FAST.first, SLOW.first),
      outputs: Int32Array.of(R + 2, R + 3, none, none),
      intervals: [],
    },
    valueParameters: Int32Array.of(0, 1),
    parameters: [
      { name: 'fast', values: range(FAST) },
      { name: 'slow', values: range(SLOW) },
    ],
    target: 'pnl',
  };
}

export interface BenchSweep {
  engine: Engine;
  input: RulesSweepInput;
  pushed: PushedSweep;
  room: SweepRoom;
  sets: Int32Array;
}

export function openSweep(engine: Engine, input: RulesSweepInput): BenchSweep {
  const pushed = pushSweep(engine, input);
  if (!pushed.ok) throw new Error(pushed.error.message);
  return { engine, input, pushed: pushed.value, room: reserveRoom(pushed.value, PAIRS), sets: setsOf(input) };
}

/** Pairs piece * PAIRS .. of the grid; f64[RESULT_LENGTH * PAIRS], column after column, until the next call. */
export function runPiece({ engine, input, pushed, room, sets }: BenchSweep, piece: number): Float64Array {
  const count = input.candles.close.length;
  const window = { start: 0, end: count };
  const own = sets.subarray(piece * PAIRS * 2, (piece + 1) * PAIRS * 2);
  runSweep(pushed, room, { window, target: TARGET_PNL, sets: own, count: PAIRS });
  return engine.f64View(room.resultsAt, RESULT_LENGTH * PAIRS);
}
