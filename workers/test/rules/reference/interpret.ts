// Long because it is one interpreter: every node of the language stands once.
import { STALE_STEPS } from '@sextant/engine-as/abi/ensemble.ts';
import { type IntervalName, intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import { indicatorEntry, kernelParameters, resolveParameters } from '@sextant/engine-as/abi/registry.ts';
import type { Columns } from '@sextant/engine-as/test/candles.ts';
import { references } from '@sextant/engine-as/test/reference/references.ts';
import type { Argument, BinarySign, ConditionKind, Expression, Statement } from '../../../src/rules/syntax.ts';

/**
 * The language once more, in the plainest way: it walks the syntax tree and works out every candle by itself. It knows nothing of the checker
 * and the compiler. NaN is undefined; a condition is 1, 0 or NaN.
 */

export interface World {
  candles: Columns;
  /** Columns of the base by name: mark, funding, funding_in, news. An absent one is undefined throughout. */
  more?: Partial<Record<string, ArrayLike<number>>>;
  interval: IntervalName;
  longer: Partial<Record<IntervalName, Columns>>;
}

/** An indicator over whole candles. The slow twins differ from the engine in the last bits: for equal bits give it the engine's own. */
export type IndicatorOf = (id: string, candles: Columns, parameters: number[]) => Record<string, ArrayLike<number>>;

const slowIndicator: IndicatorOf = (id, candles, parameters) => references[id]!(candles, parameters);

interface Frame {
  candles: Columns;
  stepMs: number;
  interval: IntervalName;
}

interface Walk {
  world: World;
  indicatorOf: IndicatorOf;
  statements: readonly Statement[];
  /** Values of the parameters by name, where they differ from the text. */
  values: Partial<Record<string, number>>;
  cache: Map<string, number[]>;
}

/** The columns of the conditions, and what a position follows: signal 1, -1, 0 and the two exits. */
export function interpretRules(
  statements: readonly Statement[],
  world: World,
  { values = {}, indicatorOf = slowIndicator }: { values?: Walk['values']; indicatorOf?: IndicatorOf } = {},
) {
  const walk: Walk = { world, statements, values, indicatorOf, cache: new Map() };
  const base: Frame = { candles: world.candles, stepMs: intervalMs[world.interval], interval: world.interval };
  const columnOf = (side: ConditionKind): number[] | undefined => {
    const match = statements.find((one) => one.kind === 'condition' && one.side === side);
    return match?.kind === 'condition' && match.of !== undefined ? evaluate(walk, match.of, base) : undefined;
  };
  const long = columnOf('long');
  const short = columnOf('short');
  const exitLong = columnOf('exitLong');
  const exitShort = columnOf('exitShort');
  const rows = [...world.candles.close.keys()];
  const holds = (column: number[] | undefined, i: number): number => (column?.[i] === 1 ? 1 : 0);
  return {
    columns: { long, short, exitLong, exitShort },
    signal: rows.map((i) => holds(long, i) - holds(short, i)),
    exits: rows.map((i) => holds(exitLong, i) + 2 * holds(exitShort, i)),
  };
}

/** Column of an expression over the candles of a frame. */
export function evaluate(walk: Walk, of: Expression, frame: Frame): number[] {
  const key = `${frame.interval} ${of.at.start} ${of.at.end} ${of.kind}`;
  const known = walk.cache.get(key);
  if (known !== undefined) return known;
  const column = columnOf(walk, of, frame);
  walk.cache.set(key, column);
  return column;
}

const rowsOf = ({ candles }: Frame): number[] => [...candles.close.keys()];
const isTrue = (value: number): boolean => value !== 0 && !Number.isNaN(value);
const missing = (...values: number[]): boolean => values.some((value) => Number.isNaN(value));

function columnOf(walk: Walk, of: Expression, frame: Frame): number[] {
  const each = (row: (i: number) => number): number[] => rowsOf(frame).map(row);
  switch (of.kind) {
    case 'number':
      return each(() => of.value);
    case 'name':
      return named(walk, of.name, frame);
    case 'unary': {
      const x = evaluate(walk, of.of, frame);
      return each((i) => (of.sign === '-' ? -x[i]! : missing(x[i]!) ? Number.NaN : Number(!isTrue(x[i]!))));
    }
    case 'binary': {
      const a = evaluate(walk, of.left, frame);
      const b = evaluate(walk, of.right, frame);
      return each((i) => binary(of.sign, a[i]!, b[i]!));
    }
    case 'within': {
      const [x, low, high] = [of.of, of.low, of.high].map((one) => evaluate(walk, one, frame)) as [
        number[],
        number[],
        number[],
      ];
      return each((i) => binary('and', binary('>=', x[i]!, low[i]!), binary('<=', x[i]!, high[i]!)));
    }
    case 'past': {
      const x = evaluate(walk, of.of, frame);
      const back = fixedNumber(walk, of.back);
      return each((i) => (i < back ? Number.NaN : x[i - back]!));
    }
    case 'call':
      return call(walk, of.name, of.inputs, frame);
    case 'output':
      return indicator(
        walk,
        of.of.kind === 'name' || of.of.kind === 'call' ? of.of.name : '',
        of.of.kind === 'call' ? of.of.inputs : [],
        frame,
        of.name,
      );
    case 'frame':
      return asOf(walk, of.interval, of.of, frame);
  }
}

export function binary(sign: BinarySign, a: number, b: number): number {
  if (sign === 'and') {
    if (a === 0 || b === 0) return 0;
    return missing(a, b) ? Number.NaN : 1;
  }
  if (sign === 'or') {
    if (isTrue(a) || isTrue(b)) return 1;
    return missing(a, b) ? Number.NaN : 0;
  }
  return missing(a, b) ? Number.NaN : ofNumbers(sign, a, b);
}

function ofNumbers(sign: Exclude<BinarySign, 'and' | 'or'>, a: number, b: number): number {
  switch (sign) {
    case '+':
      return a + b;
    case '-':
      return a - b;
    case '*':
      return a * b;
    case '/':
      return b === 0 ? Number.NaN : a / b;
    case '<':
      return Number(a < b);
    case '<=':
      return Number(a <= b);
    case '>':
      return Number(a > b);
    case '>=':
      return Number(a >= b);
    case '==':
      return Number(a === b);
    case '!=':
      return Number(a !== b);
  }
}

function named(walk: Walk, name: string, frame: Frame): number[] {
  const { candles, stepMs } = frame;
  for (const statement of walk.statements) {
    if (statement.kind === 'parameter' && statement.name === name) {
      return rowsOf(frame).map(() => walk.values[name] ?? statement.value);
    }
    if (statement.kind === 'value' && statement.name === name) return evaluate(walk, statement.of!, frame);
  }
  const { open, high, low, close, volume, time } = candles;
  const series: Partial<Record<string, (i: number) => number>> = {
    open: (i) => open[i]!,
    high: (i) => high[i]!,
    low: (i) => low[i]!,
    close: (i) => close[i]!,
    volume: (i) => volume[i]!,
    hl2: (i) => (high[i]! + low[i]!) / 2,
    hlc3: (i) => (high[i]! + low[i]! + close[i]!) / 3,
    ohlc4: (i) => (open[i]! + high[i]! + low[i]! + close[i]!) / 4,
    hour: (i) => new Date(time[i]! + stepMs).getUTCHours(),
    weekday: (i) => (new Date(time[i]! + stepMs).getUTCDay() + 6) % 7,
    mark: (i) => walk.world.more?.['mark']?.[i] ?? Number.NaN,
    funding: (i) => walk.world.more?.['funding']?.[i] ?? Number.NaN,
    funding_in: (i) => walk.world.more?.['funding_in']?.[i] ?? Number.NaN,
    news: (i) => walk.world.more?.['news']?.[i] ?? Number.NaN,
  };
  const row = series[name];
  return row === undefined ? indicator(walk, name, [], frame) : rowsOf(frame).map(row);
}

/** A constant expression or parameter, as a number. */
function fixedNumber(walk: Walk, of: Expression): number {
  const one: Columns = {
    time: Float64Array.of(0),
    open: Float64Array.of(1),
    high: Float64Array.of(1),
    low: Float64Array.of(1),
    close: Float64Array.of(1),
    volume: Float64Array.of(1),
  };
  const { base } = { base: { candles: one, stepMs: 60_000, interval: walk.world.interval } };
  return columnOf({ ...walk, cache: new Map() }, of, base)[0]!;
}

// --- Functions ---

type Row = (i: number) => number;

const onNumbers: Partial<Record<string, (a: number, b: number) => number>> = {
  abs: (a) => Math.abs(a),
  min: (a, b) => Math.min(a, b),
  max: (a, b) => Math.max(a, b),
  sqrt: (a) => (a < 0 ? Number.NaN : Math.sqrt(a)),
  floor: (a) => Math.floor(a),
  ceil: (a) => Math.ceil(a),
  round: (a) => Math.floor(a + 0.5),
  sign: (a) => (a > 0 ? 1 : a < 0 ? -1 : 0),
};

/** The n values that end `back` candles before i; undefined when there are not so many or one of them is undefined. */
function lastOf(x: number[], i: number, n: number, back = 0): number[] | undefined {
  const end = i - back + 1;
  if (end - n < 0) return undefined;
  const values = x.slice(end - n, end);
  return missing(...values) ? undefined : values;
}

/** The one order of additions of abi/ruleProgram.ts: from the last multiple of n down, then from there up. */
function sumOf(i: number, n: number, d: Row): number {
  const s = i - (i % n);
  let tail = 0;
  for (let j = s - 1; j >= i - n + 1; j--) tail += d(j);
  let head = 0;
  for (let j = s; j <= i; j++) head += d(j);
  return tail + head;
}

function meanOf(x: number[], i: number, n: number): number {
  const first = x[i - (i % n)]!;
  return first + sumOf(i, n, (j) => x[j]! - first) / n;
}

function deviationOf(x: number[], i: number, n: number): number {
  const first = x[i - (i % n)]!;
  const sum = sumOf(i, n, (j) => x[j]! - first);
  const squares = sumOf(i, n, (j) => (x[j]! - first) * (x[j]! - first));
  return Math.sqrt(Math.max(0, (squares - (sum * sum) / n) / n));
}

/** Functions of one series and n candles. */
const moving: Partial<Record<string, (x: number[], i: number, n: number) => number>> = {
  rising: (x, i, n) => Number(lastOf(x, i, n, 1)!.every((value) => value < x[i]!)),
  falling: (x, i, n) => Number(lastOf(x, i, n, 1)!.every((value) => value > x[i]!)),
  highest: (x, i, n) => Math.max(...lastOf(x, i, n)!),
  lowest: (x, i, n) => Math.min(...lastOf(x, i, n)!),
  sum: (x, i, n) => sumOf(i, n, (j) => x[j]!),
  mean: meanOf,
  stdev: deviationOf,
  percentrank: (x, i, n) => (100 * lastOf(x, i, n, 1)!.filter((value) => value <= x[i]!).length) / n,
};
/** Those that read this candle and n before it. */
const readsOneMore = new Set(['rising', 'falling', 'percentrank']);

function call(walk: Walk, name: string, inputs: readonly Argument[], frame: Frame): number[] {
  const given = (k: number): number[] => evaluate(walk, inputs[k]!.value, frame);
  const each = (row: Row): number[] => rowsOf(frame).map(row);
  const number = onNumbers[name];
  if (number !== undefined) {
    const a = given(0);
    const b = inputs.length > 1 ? given(1) : a;
    return each((i) => (missing(a[i]!, b[i]!) ? Number.NaN : number(a[i]!, b[i]!)));
  }
  const over = moving[name];
  if (over !== undefined) {
    const x = given(0);
    const n = fixedNumber(walk, inputs[1]!.value);
    const length = readsOneMore.has(name) ? n + 1 : n;
    return each((i) => (lastOf(x, i, length) === undefined ? Number.NaN : over(x, i, n)));
  }
  return eventOf(walk, name, inputs, frame) ?? indicator(walk, name, inputs, frame);
}

/** The functions that are neither; undefined for an indicator. */
function eventOf(walk: Walk, name: string, inputs: readonly Argument[], frame: Frame): number[] | undefined {
  const given = (k: number): number[] => evaluate(walk, inputs[k]!.value, frame);
  const each = (row: Row): number[] => rowsOf(frame).map(row);
  switch (name) {
    case 'crossover':
    case 'crossunder': {
      const [a, b] = [given(0), given(1)];
      const [now, then] = name === 'crossover' ? (['>', '<='] as const) : (['<', '>='] as const);
      return each((i) =>
        binary('and', binary(now, a[i]!, b[i]!), i === 0 ? Number.NaN : binary(then, a[i - 1]!, b[i - 1]!)),
      );
    }
    case 'change': {
      const x = given(0);
      const n = inputs[1] === undefined ? 1 : fixedNumber(walk, inputs[1].value);
      return each((i) => (i < n ? Number.NaN : x[i]! - x[i - n]!));
    }
    case 'barssince': {
      const condition = given(0);
      return each((i) => {
        for (let j = i; j >= 0; j--) if (isTrue(condition[j]!)) return i - j;
        return Number.NaN;
      });
    }
    case 'valuewhen': {
      const [condition, x] = [given(0), given(1)];
      const k = inputs[2] === undefined ? 0 : fixedNumber(walk, inputs[2].value);
      return each((i) => {
        const times = rowsOf(frame).filter((j) => j <= i && isTrue(condition[j]!));
        const j = times.at(-1 - k);
        return j === undefined ? Number.NaN : x[j]!;
      });
    }
    case 'nz': {
      const x = given(0);
      const value = inputs[1] === undefined ? each(() => 0) : given(1);
      return each((i) => (missing(x[i]!) ? value[i]! : x[i]!));
    }
    case 'if': {
      const [condition, a, b] = [given(0), given(1), given(2)];
      return each((i) => (missing(condition[i]!) ? Number.NaN : isTrue(condition[i]!) ? a[i]! : b[i]!));
    }
    default:
      return undefined;
  }
}

// --- Indicators and longer intervals ---

const ofCloses = new Set(['sma', 'ema', 'rsi', 'macd', 'boll', 'stochrsi']);

/** Whether an argument has candles in it, so that it is the source and no parameter. */
function hasCandles(walk: Walk, of: Expression): boolean {
  switch (of.kind) {
    case 'number':
      return false;
    case 'name': {
      const match = walk.statements.find(
        (one) => (one.kind === 'parameter' || one.kind === 'value') && one.name === of.name,
      );
      if (match?.kind === 'parameter') return false;
      return match?.kind === 'value' ? hasCandles(walk, match.of!) : true;
    }
    case 'unary':
      return hasCandles(walk, of.of);
    case 'binary':
      return hasCandles(walk, of.left) || hasCandles(walk, of.right);
    case 'call':
      return indicatorEntry(of.name) !== undefined || of.inputs.some(({ value }) => hasCandles(walk, value));
    default:
      return true;
  }
}

function indicator(walk: Walk, id: string, inputs: readonly Argument[], frame: Frame, output?: string): number[] {
  const entry = indicatorEntry(id)!;
  const owner = entry.alias?.of ?? id;
  const [first] = inputs;
  const hasSource =
    first !== undefined && first.name === undefined && ofCloses.has(owner) && hasCandles(walk, first.value);
  const given = (hasSource ? inputs.slice(1) : inputs).map(({ name, value }, k) => [
    name?.text ?? entry.parameters[k]!.name,
    fixedNumber(walk, value),
  ]);
  const resolved = resolveParameters(entry, Object.fromEntries(given) as Record<string, number>);
  if (!resolved.ok) throw new Error(`${id}: ${resolved.name} ${resolved.message}`);
  const parameters = kernelParameters(entry, resolved.params);
  const kind = indicatorEntry(owner)!;
  const name = output === undefined || output === id ? kind.outputs[0]!.name : output;
  const run = (candles: Columns): number[] => [...Array.from(walk.indicatorOf(owner, candles, parameters)[name]!)];
  return hasSource ? overSource(evaluate(walk, first.value, frame), run) : run(frame.candles);
}

/** From the first finite value on up to the first that is not finite. */
function overSource(source: number[], run: (candles: Columns) => number[]): number[] {
  const start = source.findIndex((value) => Number.isFinite(value));
  const result = source.map(() => Number.NaN);
  if (start < 0) return result;
  const length = source.slice(start).findIndex((value) => !Number.isFinite(value));
  const close = Float64Array.from(source.slice(start, length < 0 ? source.length : start + length));
  const values = run({
    time: close.map((_, i) => 60_000 * i),
    open: close,
    high: close,
    low: close,
    close,
    volume: close,
  });
  values.forEach((value, i) => (result[start + i] = value));
  return result;
}

/** The last candle of the longer interval that is closed when the base candle closes, and not stale. */
function asOf(walk: Walk, interval: IntervalName, of: Expression, base: Frame): number[] {
  const candles = walk.world.longer[interval]!;
  const stepMs = intervalMs[interval];
  const values = evaluate(walk, of, { candles, stepMs, interval });
  return rowsOf(base).map((i) => {
    const now = base.candles.time[i]! + base.stepMs;
    const closes = [...candles.time].map((time) => time + stepMs);
    const j = closes.findLastIndex((close) => close <= now);
    return j < 0 || now - closes[j]! > STALE_STEPS * stepMs ? Number.NaN : values[j]!;
  });
}
