import { RESULT_LENGTH } from '@sextant/engine-as/abi/optimize.ts';
import {
  FRAME_LENGTH,
  frameSlot,
  MARKET_LENGTH,
  RULES_LENGTH,
  SUMMARY_LENGTH,
  SWEEP_LENGTH,
  sweepSlot,
} from '@sextant/engine-as/abi/records.ts';
import { STATUS_BAD_PARAMETER } from '@sextant/engine-as/abi/status.ts';
import { VOTE_COUNT } from '@sextant/engine-as/abi/votes.ts';
import { ok } from '../../core/result.ts';
import type { Engine } from '../../engine/engine.ts';
import type { RulesSweepInput } from '../../protocol/rules.ts';
import type { TaskResult } from '../../protocol/taskResult.ts';
import { expectOk, optionalColumns } from '../backtest.ts';
import { pushIntegers } from '../ensemble/timeframes.ts';
import { exitRulesOf, tierRows } from '../rules.ts';
import { pushRanges } from '../strategy/market.ts';
import { type PushedProgram, pushProgram, rejectProgram } from './program.ts';

/** A program and its market in the arena, ready for many sets of parameter values. */
export interface PushedSweep {
  engine: Engine;
  at: number;
  count: number;
  parameterCount: number;
  exitCount: number;
  /** Columns of the candles, and the frame of the plain pass. */
  columns: number[];
  plainAt: number;
  /** i32[count], see `asked` in abi/records.ts; 0 when not requested. */
  openBarsAt: number;
}

/** Columns that a sweep may retain: beside them the market and the results need room. */
const BYTES_MAX = 160 * 2 ** 20;

export interface SweepOptions {
  /** Says which candles the sets leave open; false when absent. */
  withUnknown?: boolean | undefined;
  /** Bytes of the columns that the sweep retains. */
  bytesMax?: number;
}

export function pushSweep(
  engine: Engine,
  input: RulesSweepInput,
  { withUnknown = false, bytesMax = BYTES_MAX }: SweepOptions = {},
): TaskResult<PushedSweep> {
  const { parameters, valueParameters, varying, program } = input;
  const pushed = pushProgram(engine, input);
  const { count, columns } = pushed;
  const openBarsAt = withUnknown ? pushIntegers(engine, new Int32Array(count)) : 0;
  const { marketAt, plainAt } = pushMarkets(engine, input, pushed, openBarsAt);
  const starts = [0];
  for (const { values } of parameters) starts.push((starts.at(-1) ?? 0) + values.length);
  const sweep = new Int32Array(SWEEP_LENGTH);
  const fields: Partial<Record<keyof typeof sweepSlot, number>> = {
    market: marketAt,
    plain: plainAt,
    code: pushed.codeAt,
    instructions: pushed.instructions,
    values: pushed.valuesAt,
    valueCount: program.values.length,
    frames: pushed.framesAt,
    frameCount: pushed.frameCount,
    outputs: pushed.outputsAt,
    parameterCount: parameters.length,
    valueParameters: pushIntegers(engine, valueParameters),
    grid: engine.push(Float64Array.from(parameters.flatMap(({ values }) => values))),
    gridStarts: pushIntegers(engine, starts),
    exitCount: varying?.slots.length ?? 0,
    exitSlots: pushIntegers(engine, varying?.slots ?? []),
    bytesMax,
  };
  for (const [name, value] of Object.entries(fields)) sweep[sweepSlot[name as keyof typeof sweepSlot]] = value;
  const at = pushIntegers(engine, sweep);
  const status = engine.raw.sweepPrepare(at);
  if (status === STATUS_BAD_PARAMETER) return rejectProgram();
  expectOk(status);
  const exitCount = varying?.slots.length ?? 0;
  return ok({ engine, at, count, parameterCount: parameters.length, exitCount, columns, plainAt, openBarsAt });
}

/** The market of the fast path, without votes, and the frame of the plain one. */
function pushMarkets(
  engine: Engine,
  input: RulesSweepInput,
  { columns, count, scoreAt, exitsAt }: PushedProgram,
  openBarsAt: number,
) {
  const { costs, exits, scoredCount } = input;
  const { tiers = [] } = costs;
  const frame = new Int32Array(FRAME_LENGTH);
  frame.set([count, ...columns, scoreAt]);
  frame.set(optionalColumns(engine, input), frameSlot.markOpen);
  const rules = exitRulesOf(exits, costs, scoredCount);
  const outputs = [tiers.length, engine.push(tierRows(tiers)), engine.push(rules)];
  frame.set([...outputs, engine.reserve(count), engine.reserve(SUMMARY_LENGTH)], frameSlot.tierCount);
  frame[frameSlot.asked] = openBarsAt;
  const plain = frame.slice();
  const { trailingRangeAt, levelRangeAt } = pushRanges(engine, columns, exits, count);
  plain[frameSlot.rules] = engine.push(new Float64Array(RULES_LENGTH).map((_, slot) => rules[slot] ?? 0));
  plain[frameSlot.atr] = trailingRangeAt;
  plain[frameSlot.range] = levelRangeAt;
  plain[frameSlot.exits] = exitsAt;
  const stride = (count + 15) & ~15;
  const votesAt = engine.reserveBytes(VOTE_COUNT * stride);
  engine.i8View(votesAt, VOTE_COUNT * stride).fill(0);
  const firstAt = pushIntegers(engine, new Int32Array(VOTE_COUNT));
  const marketAt = engine.reserveBytes(4 * MARKET_LENGTH);
  expectOk(engine.raw.optimizePrepare(pushIntegers(engine, frame), votesAt, stride, firstAt, marketAt));
  return { marketAt, plainAt: pushIntegers(engine, plain) };
}

/** Room for the sets of one call. */
export interface SweepRoom {
  setsAt: number;
  exitsAt: number;
  resultsAt: number;
}

export const SWEEP_CHUNK = 8192;

export function reserveRoom({ engine, parameterCount, exitCount }: PushedSweep, chunk: number): SweepRoom {
  return {
    setsAt: engine.reserveBytes(Math.max(1, 4 * chunk * parameterCount)),
    exitsAt: exitCount > 0 ? engine.reserve(chunk * exitCount) : 0,
    resultsAt: engine.reserve(chunk * RESULT_LENGTH),
  };
}

export interface SweepCall {
  window: { start: number; end: number };
  /** TARGET_* */
  target: number;
  sets: Int32Array;
  exits?: Float64Array;
  count: number;
  /** f64[bars of the window * count], written; or 0 */
  equityAt?: number;
}

/** Runs some sets; their results are at `room.resultsAt` then, column after column. */
export function runSweep({ engine, at }: PushedSweep, room: SweepRoom, call: SweepCall): void {
  const { sets, exits, count, window, target, equityAt = 0 } = call;
  engine.i32View(room.setsAt, sets.length).set(sets);
  if (exits !== undefined) engine.f64View(room.exitsAt, exits.length).set(exits);
  const { start, end } = window;
  expectOk(engine.raw.sweepSets(at, room.setsAt, room.exitsAt, count, start, end, target, room.resultsAt, equityAt));
}
