import * as abi from '../../abi/ruleProgram.ts';

// The slow twin of assembly/rules: every operation candle by candle from its definition in abi/ruleProgram.ts, with fresh windows.

export interface Frame {
  stepMs: number;
  time: Float64Array;
  /** By RULE_OPEN ..; an absent one is undefined everywhere. */
  inputs: (Float64Array | undefined)[];
}

export interface Program {
  code: number[][];
  values: number[];
  outputs: number[];
}

/** One output of an indicator over a frame; `source` in place of the closes. */
export type IndicatorOf = (
  kind: number,
  output: number,
  params: number[],
  frame: Frame,
  source: Float64Array | undefined,
) => Float64Array;

/** Registers of frame 0 after the program. */
export function runProgram(program: Program, frames: Frame[], indicatorOf: IndicatorOf): Map<number, Float64Array> {
  const columns = frames.map(
    (frame) => new Map(frame.inputs.map((input, k) => [k, input ?? frame.time.map(() => Number.NaN)])),
  );
  for (const instruction of program.code) {
    const [op, frame, dest, a, b, c, value, extra] = instruction as [
      number,
      number,
      number,
      number,
      number,
      number,
      number,
      number,
    ];
    const source = columns[op === abi.OP_EXPAND ? extra : frame]!;
    const count = frames[frame]!.time.length;
    let out: Float64Array;
    if (op === abi.OP_INDICATOR) {
      const params = program.values.slice(value, value + 4);
      out = overSource(source.get(a), (part) =>
        indicatorOf(
          extra % abi.RULE_OUTPUT_UNIT,
          Math.floor(extra / abi.RULE_OUTPUT_UNIT),
          params,
          frames[frame]!,
          part,
        ),
      );
    } else if (op === abi.OP_EXPAND) {
      out = frames[0]!.time.map((_, i) => valueKnown(frames, extra, i, source.get(a)!));
    } else {
      const n = program.values[value] ?? 0;
      out = Float64Array.from({ length: count }, (_, i) =>
        at(op, i, source.get(a), source.get(b), source.get(c), n, extra),
      );
    }
    columns[frame]!.set(abi.RULE_INPUT_COUNT + dest, out);
  }
  return columns[0]!;
}

/** From the first finite value to the one before the next that is not. */
function overSource(source: Float64Array | undefined, run: (part?: Float64Array) => Float64Array): Float64Array {
  if (source === undefined) return run();
  const from = source.findIndex((value) => Number.isFinite(value));
  const out = source.map(() => Number.NaN);
  if (from < 0) return out;
  const length = source.subarray(from).findIndex((value) => !Number.isFinite(value));
  const part = length < 0 ? source.slice(from) : source.slice(from, from + length);
  out.set(run(part), from);
  return out;
}

function valueKnown(frames: Frame[], other: number, i: number, column: Float64Array): number {
  const now = frames[0]!.time[i]! + frames[0]!.stepMs;
  const { time, stepMs } = frames[other]!;
  const candle = time.findLastIndex((open) => open + stepMs <= now);
  return candle >= 0 && now - (time[candle]! + stepMs) <= stepMs ? column[candle]! : Number.NaN;
}

type Column = Float64Array | undefined;

const truth = (value: number): boolean | undefined => (Number.isNaN(value) ? undefined : value !== 0);
const number = (value: boolean | undefined): number => (value === undefined ? Number.NaN : Number(value));

function compare(a: number, b: number, test: (a: number, b: number) => boolean): boolean | undefined {
  return Number.isNaN(a) || Number.isNaN(b) ? undefined : test(a, b);
}

function both(a: boolean | undefined, b: boolean | undefined): boolean | undefined {
  if (a === false || b === false) return false;
  return a === undefined || b === undefined ? undefined : true;
}

function either(a: boolean | undefined, b: boolean | undefined): boolean | undefined {
  if (a === true || b === true) return true;
  return a === undefined || b === undefined ? undefined : false;
}

const comparisons: Record<number, (a: number, b: number) => boolean> = {
  [abi.OP_LT]: (a, b) => a < b,
  [abi.OP_LE]: (a, b) => a <= b,
  [abi.OP_GT]: (a, b) => a > b,
  [abi.OP_GE]: (a, b) => a >= b,
  [abi.OP_EQ]: (a, b) => a === b,
  [abi.OP_NE]: (a, b) => a !== b,
};

const numbers: Record<number, (a: number, b: number) => number> = {
  [abi.OP_ADD]: (a, b) => a + b,
  [abi.OP_SUB]: (a, b) => a - b,
  [abi.OP_MUL]: (a, b) => a * b,
  [abi.OP_DIV]: (a, b) => (b === 0 ? Number.NaN : a / b),
  [abi.OP_NEG]: (a) => -a,
  [abi.OP_ABS]: (a) => Math.abs(a),
  [abi.OP_MIN]: (a, b) => Math.min(a, b),
  [abi.OP_MAX]: (a, b) => Math.max(a, b),
  [abi.OP_SQRT]: (a) => Math.sqrt(a),
  [abi.OP_FLOOR]: (a) => Math.floor(a),
  [abi.OP_CEIL]: (a) => Math.ceil(a),
  [abi.OP_ROUND]: (a) => Math.floor(a + 0.5),
  [abi.OP_SIGN]: (a) => (a === 0 ? 0 : Math.sign(a)),
  [abi.OP_NZ]: (a, b) => (Number.isNaN(a) ? b : a),
};

// A table of definitions.
// eslint-disable-next-line complexity
function at(op: number, i: number, a: Column, b: Column, c: Column, n: number, extra: number): number {
  const x = a?.[i] ?? Number.NaN;
  const y = b?.[i] ?? Number.NaN;
  const before = (column: Column, steps: number): number => column?.[i - steps] ?? Number.NaN;
  if (numbers[op] !== undefined) return numbers[op](x, y);
  if (comparisons[op] !== undefined) return number(compare(x, y, comparisons[op]));
  switch (op) {
    case abi.OP_CONST:
      return n;
    case abi.OP_AND:
      return number(both(truth(x), truth(y)));
    case abi.OP_OR:
      return number(either(truth(x), truth(y)));
    case abi.OP_NOT:
      return Number.isNaN(x) ? Number.NaN : Number(x === 0);
    case abi.OP_IF:
      return Number.isNaN(x) ? Number.NaN : x === 0 ? c![i]! : y;
    case abi.OP_SHIFT:
      return before(a, n);
    case abi.OP_CHANGE:
      return x - before(a, n);
    case abi.OP_CROSSOVER:
      return number(
        both(
          compare(x, y, (p, q) => p > q),
          compare(before(a, 1), before(b, 1), (p, q) => p <= q),
        ),
      );
    case abi.OP_CROSSUNDER:
      return number(
        both(
          compare(x, y, (p, q) => p < q),
          compare(before(a, 1), before(b, 1), (p, q) => p >= q),
        ),
      );
    case abi.OP_BARSSINCE: {
      for (let k = i; k >= 0; k--) if (truth(a![k]!) === true) return i - k;
      return Number.NaN;
    }
    case abi.OP_VALUEWHEN: {
      let seen = 0;
      for (let k = i; k >= 0; k--) if (truth(a![k]!) === true && seen++ === extra) return b![k]!;
      return Number.NaN;
    }
    default:
      return overWindow(op, i, a!, n);
  }
}

function overWindow(op: number, i: number, a: Float64Array, n: number): number {
  const isOfPrevious = op === abi.OP_RISING || op === abi.OP_FALLING || op === abi.OP_PERCENTRANK;
  const first = isOfPrevious ? i - n : i - n + 1;
  if (first < 0) return Number.NaN;
  const window = a.subarray(first, isOfPrevious ? i : i + 1);
  const x = a[i]!;
  if (Number.isNaN(x) || window.some((value) => Number.isNaN(value))) return Number.NaN;
  if (op === abi.OP_RISING) return Number(window.every((value) => x > value));
  if (op === abi.OP_FALLING) return Number(window.every((value) => x < value));
  if (op === abi.OP_PERCENTRANK) return (100 * window.filter((value) => value <= x).length) / n;
  if (op === abi.OP_HIGHEST) return window.reduce((most, value) => Math.max(most, value));
  if (op === abi.OP_LOWEST) return window.reduce((least, value) => Math.min(least, value));
  const start = i - (i % n);
  const total = (of: (value: number) => number): number => {
    let tail = 0;
    for (let j = start - 1; j >= i - n + 1; j--) tail += of(a[j]!);
    let head = 0;
    for (let j = start; j <= i; j++) head += of(a[j]!);
    return tail + head;
  };
  if (op === abi.OP_SUM) return total((value) => value);
  const origin = a[start]!;
  const sum = total((value) => value - origin);
  if (op === abi.OP_MEAN) return origin + sum / n;
  const squares = total((value) => (value - origin) * (value - origin));
  return Math.sqrt(Math.max(0, (squares - (sum * sum) / n) / n));
}
