import { beforeAll, describe, expect, it } from 'vitest';
import type { Engine } from '@sextant/workers/src/engine/engine.ts';
import * as abi from '../../abi/ruleProgram.ts';
import { STATUS_BAD_PARAMETER, STATUS_OK } from '../../abi/status.ts';
import { mulberry, roughMarket } from '../candles.ts';
import { ownEntries } from '../cases.ts';
import { type Frame, type Program, runProgram } from '../reference/rulePrograms.ts';
import { firstDifference, loadEngine } from '../support.ts';
import { columnsOf, firstOf, frameOf, indicatorsOf, randomProgram, signalsOf } from './support.ts';

const MINUTES_15 = 900_000;
const random = mulberry(40);
const operands = [...Array(abi.RULE_INPUT_COUNT + 6).keys()];

let engine: Engine;
beforeAll(async () => {
  engine = await loadEngine();
});

/** Base and hourly candles; marks with holes. */
function world(count: number, seed: number): Frame[] {
  const base = roughMarket(count, seed);
  const mark = base.close.map((close, i) => (i % 37 === 5 ? Number.NaN : close * 1.001));
  const hourly = roughMarket(Math.ceil(count / 4), seed + 1, { stepMs: 4 * MINUTES_15 });
  return [frameOf(base, MINUTES_15, { [abi.RULE_MARK]: mark }), frameOf(hourly, 4 * MINUTES_15)];
}

/** Operands that exist after the program. */
function writtenOf(program: Program): number[] {
  const dests = program.code.filter(([, frame]) => frame === 0).map(([, , dest]) => abi.RULE_INPUT_COUNT + dest!);
  return operands.filter((operand) => operand < abi.RULE_INPUT_COUNT || dests.includes(operand));
}

const holds = (columns: Map<number, Float64Array>, operand: number, i: number): boolean => {
  const value = operand < 0 ? 0 : columns.get(operand)![i]!;
  return value !== 0 && !Number.isNaN(value);
};

describe('programs of own rules', () => {
  it('equal the slow twin to the bit, columns, signals and exits, over 2,000 random programs', () => {
    const worlds = [world(1, 1), world(2, 2), world(37, 3), world(150, 4), world(401, 5)];
    for (let trial = 0; trial < 2000; trial++) {
      const frames = worlds[trial % worlds.length]!;
      const program = randomProgram(random, 2);
      const want = runProgram(program, frames, indicatorsOf(engine));
      const list = writtenOf(program);
      const got = columnsOf(engine, program, frames, list);
      expect(got.status).toBe(STATUS_OK);
      list.forEach((operand, k) => {
        const i = firstDifference(got.columns[k]!, want.get(operand)!);
        const hint = `program ${trial}, operand ${operand}, candle ${i}: ${got.columns[k]![i]}, want ${want.get(operand)![i]} ${JSON.stringify(program)}`;
        expect(i, hint).toBe(-1);
      });
      const { status, signal, exits } = signalsOf(engine, program, frames);
      expect(status).toBe(STATUS_OK);
      const [long, short, exitLong, exitShort] = program.outputs as [number, number, number, number];
      frames[0]!.time.forEach((_, i) => {
        expect(signal[i]).toBe(Number(holds(want, long, i)) - Number(holds(want, short, i)));
        expect(exits[i]).toBe(Number(holds(want, exitLong, i)) + 2 * Number(holds(want, exitShort, i)));
      });
    }
  });

  it('depend on no later candle: columns of a prefix are the prefix of the columns', () => {
    const frames = world(260, 9);
    for (let trial = 0; trial < 300; trial++) {
      const program = randomProgram(random, 2);
      const list = writtenOf(program);
      const whole = columnsOf(engine, program, frames, list);
      for (const cut of [0, 1, 2, 3, 61, 128, 259]) {
        const part = columnsOf(engine, program, firstOf(frames, cut), list);
        expect(part.status).toBe(STATUS_OK);
        part.columns.forEach((column, k) => {
          const i = firstDifference(column, whole.columns[k]!.subarray(0, cut));
          expect(i, `program ${trial} cut at ${cut}, operand ${list[k]}, ${JSON.stringify(program)}`).toBe(-1);
        });
      }
    }
  });

  it('reject what is outside the bounds', () => {
    const frames = world(20, 3);
    const none = [-1, -1, -1, -1];
    const run = (code: number[][], values: number[] = [1], outputs: number[] = none) =>
      signalsOf(engine, { code, values, outputs }, frames).status;
    const close = abi.RULE_CLOSE;
    const register = abi.RULE_INPUT_COUNT;
    expect(run([[abi.OP_ADD, 0, 0, close, close, -1, 0, 0]])).toBe(STATUS_OK);
    const bad: [number[][], number[]?, number[]?][] = [
      [[[abi.RULE_OP_COUNT, 0, 0, close, close, -1, 0, 0]]],
      [[[-1, 0, 0, close, close, -1, 0, 0]]],
      [[[abi.OP_ADD, 2, 0, close, close, -1, 0, 0]]],
      [[[abi.OP_ADD, 0, abi.RULE_REGISTERS_MAX, close, close, -1, 0, 0]]],
      [[[abi.OP_ADD, 0, 0, close, register, -1, 0, 0]]],
      [[[abi.OP_ADD, 0, 0, close, -1, -1, 0, 0]]],
      [[[abi.OP_ADD, 0, 0, close, 1e6, -1, 0, 0]]],
      [[[abi.OP_CONST, 0, 0, -1, -1, -1, 1, 0]]],
      [[[abi.OP_CONST, 0, 0, -1, -1, -1, -1, 0]]],
      [[[abi.OP_SHIFT, 0, 0, close, -1, -1, 0, 0]], [-1]],
      [[[abi.OP_SHIFT, 0, 0, close, -1, -1, 0, 0]], [1.5]],
      [[[abi.OP_SUM, 0, 0, close, -1, -1, 0, 0]], [0]],
      [[[abi.OP_SUM, 0, 0, close, -1, -1, 0, 0]], [abi.RULE_PERIOD_MAX + 1]],
      [[[abi.OP_SUM, 0, 0, close, -1, -1, 0, 0]], [Number.NaN]],
      [[[abi.OP_VALUEWHEN, 0, 0, close, close, -1, 0, 64]]],
      [[[abi.OP_EXPAND, 0, 0, close, -1, -1, 0, 0]]],
      [[[abi.OP_EXPAND, 0, 0, close, -1, -1, 0, 2]]],
      [[[abi.OP_EXPAND, 1, 0, close, -1, -1, 0, 1]]],
      [[[abi.OP_INDICATOR, 0, 0, -1, -1, -1, 0, 17]]],
      [[[abi.OP_INDICATOR, 0, 0, -1, -1, -1, 0, abi.RULE_OUTPUT_UNIT]]],
      [[[abi.OP_INDICATOR, 0, 0, -1, -1, -1, 0, -1]]],
      [[[abi.OP_INDICATOR, 0, 0, close, -1, -1, 0, 5]]],
      [[[abi.OP_INDICATOR, 0, 0, -1, -1, -1, 0, 0]], [0]],
      [[[abi.OP_INDICATOR, 0, 0, -1, -1, -1, 0, 3]], [3, 2, 1]],
      [[[abi.OP_INDICATOR, 0, 0, -1, -1, -1, 1, 3]], [3, 2, 1]],
      [[], [1], [register, -1, -1, -1]],
      [[], [1], [-2, -1, -1, -1]],
      [Array.from({ length: abi.RULE_INSTRUCTIONS_MAX + 1 }, () => [abi.OP_NEG, 0, 0, close, -1, -1, 0, 0])],
      [[], Array.from({ length: abi.RULE_VALUES_MAX + 1 }, () => 1)],
    ];
    bad.forEach((each, k) => expect(run(...each), `program ${k}`).toBe(STATUS_BAD_PARAMETER));
  });

  it('know the outputs and parameters of every indicator of the registry', () => {
    const frames = world(20, 3);
    const none = [-1, -1, -1, -1];
    ownEntries.forEach(({ id, kind, parameters, outputs }) => {
      const values = parameters.map((parameter) => parameter.default);
      const status = (output: number, given: number[]) => {
        const code = [[abi.OP_INDICATOR, 0, 0, -1, -1, -1, 0, kind + abi.RULE_OUTPUT_UNIT * output]];
        return signalsOf(engine, { code, values: given, outputs: none }, frames).status;
      };
      expect(status(outputs.length - 1, values), id).toBe(STATUS_OK);
      expect(status(outputs.length, values), id).toBe(STATUS_BAD_PARAMETER);
      if (values.length > 0) expect(status(0, values.slice(1)), id).toBe(STATUS_BAD_PARAMETER);
    });
  });

  it('survive any bytes as code', () => {
    const frames = world(50, 3);
    for (let trial = 0; trial < 20_000; trial++) {
      const code = Array.from({ length: 1 + Math.floor(random() * 4) }, () =>
        Array.from({ length: abi.RULE_INSTRUCTION_LENGTH }, () => {
          const wide = random() < 0.1;
          return Math.floor((random() - 0.2) * (wide ? 2 ** 32 : 60)) | 0;
        }),
      );
      const values = Array.from(
        { length: 3 },
        () => [Math.floor(random() * 30), Number.NaN, 1e300, -1][Math.floor(random() * 4)]!,
      );
      const outputs = Array.from({ length: 4 }, () => Math.floor(random() * 20) - 1);
      expect([STATUS_OK, STATUS_BAD_PARAMETER]).toContain(signalsOf(engine, { code, values, outputs }, frames).status);
    }
  });
});
