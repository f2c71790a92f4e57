import { STATUS_OK } from '../../abi/status.ts';
import * as abi from '../../abi/ruleProgram.ts';
import type { Engine } from '@sextant/workers/src/engine/engine.ts';
import { expect } from 'vitest';
import type { Columns } from '../candles.ts';
import { ownEntries } from '../cases.ts';
import type { Frame, IndicatorOf, Program } from '../reference/rulePrograms.ts';

/** Addresses of a program in the arena. */
export interface Placed {
  code: number;
  instructions: number;
  values: number;
  valueCount: number;
  frames: number;
  frameCount: number;
  outputs: number;
  count: number;
}

export function place(engine: Engine, program: Program, frames: Frame[]): Placed {
  const rows = frames.flatMap(({ time, stepMs, inputs }) => [
    time.length,
    stepMs,
    engine.push(Float64Array.from(time)),
    ...inputs.map((input) => (input === undefined ? 0 : engine.push(input))),
  ]);
  const i32 = (list: readonly number[]): number => {
    const at = engine.reserveBytes(4 * list.length);
    engine.i32View(at, list.length).set(list);
    return at;
  };
  return {
    code: i32(program.code.flat()),
    instructions: program.code.length,
    values: engine.push(Float64Array.from(program.values)),
    valueCount: program.values.length,
    frames: i32(rows),
    frameCount: frames.length,
    outputs: i32(program.outputs),
    count: frames[0]!.time.length,
  };
}

/** Columns of the operands, from the engine. */
export function columnsOf(engine: Engine, program: Program, frames: Frame[], operands: readonly number[]) {
  engine.raw.arenaReset();
  const p = place(engine, program, frames);
  const list = engine.reserveBytes(4 * operands.length);
  engine.i32View(list, operands.length).set(operands);
  const out = engine.reserve(operands.length * p.count);
  const status = engine.raw.ruleColumns(
    p.code,
    p.instructions,
    p.values,
    p.valueCount,
    p.frames,
    p.frameCount,
    list,
    operands.length,
    out,
  );
  const columns = operands.map((_, k) => engine.pull(out + 8 * k * p.count, p.count));
  return { status, columns };
}

export function signalsOf(engine: Engine, program: Program, frames: Frame[]) {
  engine.raw.arenaReset();
  const p = place(engine, program, frames);
  const signal = engine.reserveBytes(p.count);
  const exits = engine.reserveBytes(p.count);
  const { code, instructions, values, valueCount, frameCount, outputs } = p;
  const status = engine.raw.ruleSignals(
    code,
    instructions,
    values,
    valueCount,
    p.frames,
    frameCount,
    outputs,
    signal,
    exits,
  );
  return { status, signal: engine.i8View(signal, p.count).slice(), exits: engine.i8View(exits, p.count).slice() };
}

/** The indicators themselves have their own tests: here they are the engine's. */
export function indicatorsOf(engine: Engine): IndicatorOf {
  return (kind, output, params, frame, source) => {
    engine.raw.arenaReset();
    const close = source ?? frame.inputs[abi.RULE_CLOSE]!;
    const length = close.length;
    const pushed = [frame.time, ...frame.inputs.slice(abi.RULE_OPEN, abi.RULE_VOLUME + 1)].map((column, k) =>
      engine.push(k === 4 ? Float64Array.from(close) : Float64Array.from(column!)),
    );
    const columns = engine.reserveBytes(24);
    engine.i32View(columns, 6).set(pushed);
    const outputs = ownEntries.find((entry) => entry.kind === kind)!.outputs.length;
    const out = engine.reserve(outputs * length);
    const paramsAt = engine.push(Float64Array.from([...params, 0, 0, 0, 0]));
    expect(engine.raw.indicator(kind, columns, length, paramsAt, out, length, 0)).toBe(STATUS_OK);
    return engine.pull(out + 8 * output * length, length);
  };
}

/** A frame of candles; mark and the rest of the inputs absent, hour and weekday of the close. */
export function frameOf(candles: Columns, stepMs: number, more: Record<number, Float64Array> = {}): Frame {
  const inputs: (Float64Array | undefined)[] = Array.from({ length: abi.RULE_INPUT_COUNT }, (_, k) => more[k]);
  inputs[abi.RULE_OPEN] = candles.open;
  inputs[abi.RULE_HIGH] = candles.high;
  inputs[abi.RULE_LOW] = candles.low;
  inputs[abi.RULE_CLOSE] = candles.close;
  inputs[abi.RULE_VOLUME] = candles.volume;
  inputs[abi.RULE_HOUR] = candles.time.map((open) => Math.floor((open + stepMs) / 3_600_000) % 24);
  inputs[abi.RULE_WEEKDAY] = candles.time.map((open) => (Math.floor((open + stepMs) / 86_400_000) + 3) % 7);
  return { stepMs, time: candles.time, inputs };
}

/** The first `count` candles of the base, and of every other frame what has closed by then. */
export function firstOf(frames: Frame[], count: number): Frame[] {
  const end = count > 0 ? frames[0]!.time[count - 1]! + frames[0]!.stepMs : -Infinity;
  return frames.map((frame, k) => {
    const length = k === 0 ? count : frame.time.filter((open) => open + frame.stepMs <= end).length;
    return {
      stepMs: frame.stepMs,
      time: frame.time.slice(0, length),
      inputs: frame.inputs.map((input) => input?.slice(0, length)),
    };
  });
}

const unaryOps = [
  abi.OP_NEG,
  abi.OP_ABS,
  abi.OP_SQRT,
  abi.OP_FLOOR,
  abi.OP_CEIL,
  abi.OP_ROUND,
  abi.OP_SIGN,
  abi.OP_NOT,
];

/** A valid program by dice: every operation, registers that are written twice, two frames. */
export function randomProgram(random: () => number, frameCount: number): Program {
  const below = (count: number): number => Math.floor(random() * count);
  const values: number[] = [];
  const code: number[][] = [];
  const registers: number[][] = Array.from({ length: frameCount }, () => []);
  const value = (x: number): number => values.push(x) - 1;
  const operand = (frame: number): number => {
    const own = registers[frame]!;
    if (own.length > 0 && random() < 0.75) return abi.RULE_INPUT_COUNT + own[below(own.length)]!;
    return below(abi.RULE_INPUT_COUNT);
  };
  const rowOf = (op: number, frame: number): number[] => {
    const [a, b, c] = [operand(frame), operand(frame), operand(frame)];
    const other = 1 + below(Math.max(1, frameCount - 1));
    if (op === abi.OP_CONST) return [-1, -1, -1, value([0, 1, -2.5, 100, random() * 50][below(5)]!), 0];
    if (op === abi.OP_SHIFT) return [a, -1, -1, value(below(30)), 0];
    if (op >= abi.OP_RISING && op <= abi.OP_PERCENTRANK)
      return [a, -1, -1, value(1 + below(random() < 0.2 ? 300 : 12)), 0];
    if (op === abi.OP_EXPAND) return [operand(other), -1, -1, 0, other];
    if (op === abi.OP_INDICATOR) return randomIndicator(random, a, values);
    return unaryOps.includes(op) ? [a, -1, -1, 0, 0] : [a, b, c, 0, op === abi.OP_VALUEWHEN ? below(4) : 0];
  };
  const count = 3 + below(25);
  for (let k = 0; k < count; k++) {
    const frame = random() < 0.3 ? below(frameCount) : 0;
    let op = below(abi.RULE_OP_COUNT);
    if (op === abi.OP_EXPAND && (frame !== 0 || frameCount < 2)) op = abi.OP_ADD;
    const row = rowOf(op, frame);
    const dest = below(6);
    code.push([op, frame, dest, ...row]);
    if (!registers[frame]!.includes(dest)) registers[frame]!.push(dest);
  }
  const output = (): number => (random() < 0.3 ? abi.RULE_NONE : operand(0));
  return { code, values: values.length > 0 ? values : [0], outputs: [output(), output(), output(), output()] };
}

const closesOnly = ['sma', 'ema', 'rsi', 'macd', 'boll', 'stochrsi'];

function randomIndicator(random: () => number, source: number, values: number[]): number[] {
  const entry = ownEntries[Math.floor(random() * ownEntries.length)]!;
  const first = values.length;
  entry.parameters.forEach(({ name, min, isInteger }) => {
    const drawn = Math.max(min, 1 + Math.floor(random() * 20)) + (name === 'slow' ? 21 : 0);
    values.push(isInteger ? drawn : drawn / 4);
  });
  const output = Math.floor(random() * entry.outputs.length);
  const a = closesOnly.includes(entry.id) && random() < 0.5 ? source : abi.RULE_NONE;
  return [a, -1, -1, entry.parameters.length === 0 ? 0 : first, entry.kind + abi.RULE_OUTPUT_UNIT * output];
}
