// Long because it is the one list of the language's words: series, functions, statements and foreign spellings.
import { registry } from '@sextant/engine-as/abi/registry.ts';
import type { IndicatorEntry, IndicatorOutput } from '@sextant/engine-as/abi/registryTypes.ts';
import * as abi from '@sextant/engine-as/abi/ruleProgram.ts';

/**
 * Every word of the language once, with its title and documentation: the checker, the compiler, docs/rules.md, and the completion and hover
 * of an editor read it. Indicators are those of the engine's registry.
 */

export type RuleType = 'number' | 'condition';
export type RuleUnit = IndicatorOutput['unit'];

export interface RuleSeries {
  name: string;
  title: string;
  text: string;
  unit: RuleUnit;
  /** Least and greatest value. */
  range?: readonly [number, number];
  /** Input column of the engine; the others are means of them. */
  input?: number;
  /** For a mean: the inputs that are added in this order and divided by their number. */
  meanOf?: readonly number[];
  /** Known on the candles of the base interval only. */
  isBaseOnly?: boolean;
}

const price = (name: string, title: string, text: string, input: number): RuleSeries => ({
  name,
  title,
  text,
  unit: 'quote',
  input,
});
const meanPrice = (name: string, title: string, meanOf: readonly number[]): RuleSeries => ({
  name,
  title,
  text: `${title} of the candle.`,
  unit: 'quote',
  meanOf,
});

export const ruleSeries: readonly RuleSeries[] = [
  price('open', 'Open', 'First price of the candle.', abi.RULE_OPEN),
  price('high', 'High', 'Highest price of the candle.', abi.RULE_HIGH),
  price('low', 'Low', 'Lowest price of the candle.', abi.RULE_LOW),
  price('close', 'Close', 'Last price of the candle.', abi.RULE_CLOSE),
  { name: 'volume', title: 'Volume', text: 'Base units traded.', unit: 'base', input: abi.RULE_VOLUME },
  meanPrice('hl2', '(high + low) / 2', [abi.RULE_HIGH, abi.RULE_LOW]),
  meanPrice('hlc3', '(high + low + close) / 3', [abi.RULE_HIGH, abi.RULE_LOW, abi.RULE_CLOSE]),
  meanPrice('ohlc4', '(open + high + low + close) / 4', [abi.RULE_OPEN, abi.RULE_HIGH, abi.RULE_LOW, abi.RULE_CLOSE]),
  {
    name: 'mark',
    title: 'Mark price',
    text: 'Mark price at the open of the candle, the last one that is known.',
    unit: 'quote',
    input: abi.RULE_MARK,
    isBaseOnly: true,
  },
  {
    name: 'funding',
    title: 'Funding rate',
    text: 'Rate of the last settlement known at the close; 0.0001 is 0.01 %.',
    unit: 'none',
    input: abi.RULE_FUNDING,
    isBaseOnly: true,
  },
  {
    name: 'funding_in',
    title: 'Time to funding',
    text: 'Hours from the close to the next settlement, by the distance of the last two.',
    unit: 'none',
    input: abi.RULE_FUNDING_IN,
    isBaseOnly: true,
  },
  { name: 'hour', title: 'Hour', text: 'UTC hour of the close.', unit: 'none', range: [0, 23], input: abi.RULE_HOUR },
  {
    name: 'weekday',
    title: 'Weekday',
    text: 'UTC day of the close: 0 is Monday, 6 is Sunday.',
    unit: 'none',
    range: [0, 6],
    input: abi.RULE_WEEKDAY,
  },
  {
    name: 'news',
    title: 'News vote',
    text: '1 for good news, -1 for bad, else 0.',
    unit: 'none',
    range: [-1, 1],
    input: abi.RULE_NEWS,
    isBaseOnly: true,
  },
];

/**
 * What an argument is: a number or condition column, either (`any`: every `any` of a call has the type of the first), a whole number of
 * candles (`period` from 1, `shift` from 0), or which occurrence back (`occurrence`, no parameter).
 */
export type RuleArgumentKind = RuleType | 'any' | 'period' | 'shift' | 'occurrence';

export interface RuleArgument {
  name: string;
  kind: RuleArgumentKind;
  /** Taken when it is absent. */
  default?: number;
}

export interface RuleFunction {
  name: string;
  title: string;
  text: string;
  op: number;
  takes: readonly RuleArgument[];
  /** `any`: the type of its `any` arguments. */
  returns: RuleType | 'any';
  /** `same`: that of its numbers; `difference`: the same, but no longer 0..100; a range is not known. */
  unit: 'same' | 'difference' | 'none' | '0..100';
  /** Candles before the first value of its arguments. @param n its period or shift, 0 without one */
  lookBack: (n: number) => number;
}

const a: RuleArgument = { name: 'a', kind: 'number' };
const b: RuleArgument = { name: 'b', kind: 'number' };
const x: RuleArgument = { name: 'x', kind: 'number' };
const n: RuleArgument = { name: 'n', kind: 'period' };
const none = (): number => 0;
const all = (period: number): number => period;
const allButOne = (period: number): number => period - 1;

type Plain = Pick<RuleFunction, 'name' | 'title' | 'text' | 'op'>;
const ofOne = (plain: Plain, unit: RuleFunction['unit'] = 'same'): RuleFunction => ({
  ...plain,
  takes: [x],
  returns: 'number',
  unit,
  lookBack: none,
});
const ofTwo = (plain: Plain): RuleFunction => ({
  ...plain,
  takes: [a, b],
  returns: 'number',
  unit: 'same',
  lookBack: none,
});
const crossing = (plain: Plain): RuleFunction => ({
  ...plain,
  takes: [a, b],
  returns: 'condition',
  unit: 'none',
  lookBack: () => 1,
});
const moving = (
  plain: Plain,
  unit: RuleFunction['unit'],
  lookBack = allButOne,
  returns: RuleType = 'number',
): RuleFunction => ({ ...plain, takes: [x, n], returns, unit, lookBack });

export const ruleFunctions: readonly RuleFunction[] = [
  crossing({ name: 'crossover', title: 'Crosses above', text: 'a > b and a[1] <= b[1].', op: abi.OP_CROSSOVER }),
  crossing({ name: 'crossunder', title: 'Crosses below', text: 'a < b and a[1] >= b[1].', op: abi.OP_CROSSUNDER }),
  moving(
    { name: 'rising', title: 'Rising', text: 'x is above each of its n previous values.', op: abi.OP_RISING },
    'none',
    all,
    'condition',
  ),
  moving(
    { name: 'falling', title: 'Falling', text: 'x is below each of its n previous values.', op: abi.OP_FALLING },
    'none',
    all,
    'condition',
  ),
  moving(
    { name: 'highest', title: 'Highest', text: 'Highest x of n candles, this one included.', op: abi.OP_HIGHEST },
    'same',
  ),
  moving(
    { name: 'lowest', title: 'Lowest', text: 'Lowest x of n candles, this one included.', op: abi.OP_LOWEST },
    'same',
  ),
  {
    name: 'change',
    title: 'Change',
    text: 'x - x[n].',
    op: abi.OP_CHANGE,
    takes: [x, { name: 'n', kind: 'period', default: 1 }],
    returns: 'number',
    unit: 'difference',
    lookBack: all,
  },
  moving({ name: 'sum', title: 'Sum', text: 'Sum of x over n candles.', op: abi.OP_SUM }, 'difference'),
  moving({ name: 'mean', title: 'Mean', text: 'Mean of x over n candles.', op: abi.OP_MEAN }, 'same'),
  moving(
    { name: 'stdev', title: 'Standard deviation', text: 'Population deviation of x over n candles.', op: abi.OP_STDEV },
    'difference',
  ),
  moving(
    {
      name: 'percentrank',
      title: 'Percent rank',
      text: 'Share in % of the n previous values that are at most x.',
      op: abi.OP_PERCENTRANK,
    },
    '0..100',
    all,
  ),
  {
    name: 'barssince',
    title: 'Candles since',
    text: 'Candles since the condition was true: 0 on the candle itself, undefined before the first time.',
    op: abi.OP_BARSSINCE,
    takes: [{ name: 'condition', kind: 'condition' }],
    returns: 'number',
    unit: 'none',
    lookBack: none,
  },
  {
    name: 'valuewhen',
    title: 'Value when',
    text: 'x at the last candle where the condition was true, or k times before that.',
    op: abi.OP_VALUEWHEN,
    takes: [{ name: 'condition', kind: 'condition' }, x, { name: 'k', kind: 'occurrence', default: 0 }],
    returns: 'number',
    unit: 'same',
    lookBack: none,
  },
  {
    name: 'nz',
    title: 'Replace undefined',
    text: 'x, or the value where x is undefined. An undefined condition becomes false.',
    op: abi.OP_NZ,
    takes: [
      { name: 'x', kind: 'any' },
      { name: 'value', kind: 'any', default: 0 },
    ],
    returns: 'any',
    unit: 'same',
    lookBack: none,
  },
  {
    name: 'if',
    title: 'If',
    text: 'a where the condition is true, b where it is false.',
    op: abi.OP_IF,
    takes: [
      { name: 'condition', kind: 'condition' },
      { name: 'a', kind: 'any' },
      { name: 'b', kind: 'any' },
    ],
    returns: 'any',
    unit: 'same',
    lookBack: none,
  },
  ofOne({ name: 'abs', title: 'Absolute value', text: 'x without its sign.', op: abi.OP_ABS }, 'difference'),
  ofTwo({ name: 'min', title: 'Smaller', text: 'The smaller of two numbers.', op: abi.OP_MIN }),
  ofTwo({ name: 'max', title: 'Larger', text: 'The larger of two numbers.', op: abi.OP_MAX }),
  ofOne({ name: 'sqrt', title: 'Square root', text: 'Undefined below 0.', op: abi.OP_SQRT }, 'none'),
  ofOne({ name: 'floor', title: 'Round down', text: 'Largest whole number that is at most x.', op: abi.OP_FLOOR }),
  ofOne({ name: 'ceil', title: 'Round up', text: 'Smallest whole number that is at least x.', op: abi.OP_CEIL }),
  ofOne({ name: 'round', title: 'Round', text: 'floor(x + 0.5).', op: abi.OP_ROUND }),
  ofOne({ name: 'sign', title: 'Sign', text: '1, -1 or 0.', op: abi.OP_SIGN }, 'none'),
];

/** Indicators that read closes only take another series in their place as the first argument. */
export const sourceIndicators: ReadonlySet<string> = new Set(['sma', 'ema', 'rsi', 'macd', 'boll', 'stochrsi']);
export const takesSource = ({ id, alias }: IndicatorEntry): boolean => sourceIndicators.has(alias?.of ?? id);

/** `ema([x,] period = 12)` */
export function indicatorSignature(entry: IndicatorEntry): string {
  const parameters = entry.parameters.map((parameter) => `${parameter.name} = ${parameter.default}`);
  return `${entry.id}(${[takesSource(entry) ? 'x = close' : '', ...parameters].filter(Boolean).join(', ')})`;
}

export function functionSignature({ name, takes }: RuleFunction): string {
  const words = takes.map((one) => (one.default === undefined ? one.name : `${one.name} = ${one.default}`));
  return `${name}(${words.join(', ')})`;
}

export interface RuleStatementWord {
  word: string;
  form: string;
  text: string;
}

/** The statements that are no definitions. */
export const ruleStatements: readonly RuleStatementWord[] = [
  { word: 'long', form: 'long when condition', text: 'Opens a long position at the next open.' },
  { word: 'short', form: 'short when condition', text: 'Opens a short position at the next open.' },
  {
    word: 'exit',
    form: 'exit long when condition',
    text: 'Closes a long position (`exit short when`: a short one) at the next open.',
  },
  { word: 'stop', form: 'stop 2 * atr(14)', text: 'Distance of the stop: average true ranges, or `stop 2 %`.' },
  { word: 'target', form: 'target 3R', text: 'Distance of the target: times the stop, `4 * atr(14)` or `4 %`.' },
  {
    word: 'trail',
    form: 'trail 1 % step 0.2 % after 2 %',
    text: 'Stop that follows the best price, also `trail 2 * atr(14)`; step and after may be left out.',
  },
  { word: 'break', form: 'break even after 1R', text: 'Moves the stop to the entry after this gain.' },
  { word: 'hold', form: 'hold 24', text: 'Closes after so many candles.' },
  { word: 'on', form: 'on opposite exit', text: 'At an opposite signal: `hold`, `exit` or `reverse`.' },
  { word: 'risk', form: 'risk 1 %', text: 'Size whose loss at the stop is this share of the balance.' },
  { word: 'size', form: 'size fixed', text: 'The whole notional, whatever the stop.' },
];

export const statementWords: ReadonlySet<string> = new Set(ruleStatements.map(({ word }) => word));
export const keywords: ReadonlySet<string> = new Set([
  ...statementWords,
  'when',
  'and',
  'or',
  'not',
  'in',
  'step',
  'after',
  'even',
  'opposite',
  'fixed',
  'reverse',
  'R',
]);

export const seriesByName: ReadonlyMap<string, RuleSeries> = new Map(ruleSeries.map((one) => [one.name, one]));
export const functionsByName: ReadonlyMap<string, RuleFunction> = new Map(ruleFunctions.map((one) => [one.name, one]));
const indicatorNames = registry.map(({ id }) => id);
const words: readonly string[] = [...keywords, ...seriesByName.keys(), ...functionsByName.keys(), ...indicatorNames];
const reserved = new Set(words);
export const isReserved = (word: string): boolean => reserved.has(word);

/** Words of other languages, and what to write here. */
const foreignWords: Partial<Record<string, string>> = {
  bb: 'boll(20, 2)',
  bbands: 'boll(20, 2)',
  bollinger: 'boll(20, 2)',
  ma: 'sma(close, 20)',
  wma: 'ema(close, 20)',
  rma: 'ema(close, 20)',
  stoch: 'stochrsi()',
  vol: 'volume',
  price: 'close',
  src: 'close',
  typical: 'hlc3',
  avg: 'mean(x, n)',
  average: 'mean(x, n)',
  std: 'stdev(x, n)',
  mom: 'change(x, n)',
  roc: 'change(close, n) / close[n]',
  ref: 'x[n]',
  iff: 'if(condition, a, b)',
  crosses: 'crossover(a, b)',
  cross: 'crossover(a, b)',
  crossabove: 'crossover(a, b)',
  cross_above: 'crossover(a, b)',
  cross_over: 'crossover(a, b)',
  crossbelow: 'crossunder(a, b)',
  cross_below: 'crossunder(a, b)',
  cross_under: 'crossunder(a, b)',
  tr: 'atr(1)',
  dayofweek: 'weekday',
  day: 'weekday',
  time: 'hour',
  na: 'nz(x, value)',
  true: '1 == 1',
  false: '1 == 0',
  tp: 'target 3R',
  sl: 'stop 2 %',
};

/** Nearest known word or foreign spelling, as it would be written; undefined when nothing is near. */
export function suggestWord(word: string, others: Iterable<string> = []): string | undefined {
  const lower = word.toLowerCase();
  const foreign = foreignWords[lower];
  if (foreign !== undefined) return foreign;
  const [, stem = '', digits = ''] = /^([a-z]+?)_?(\d+)$/.exec(lower) ?? [];
  if (indicatorNames.includes(stem)) return `${stem}(${digits})`;
  return nearestWord(word, [...others, ...words]);
}

/** @param word at most a third of its letters may differ, and one of a short word */
export function nearestWord(word: string, candidates: Iterable<string>): string | undefined {
  if (word.length < 3 || word.length > 40) return undefined;
  let best: string | undefined;
  let least = Math.max(1, Math.floor(word.length / 3)) + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - word.length) >= least) continue;
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance < least) {
      least = distance;
      best = candidate;
    }
  }
  return best;
}

/** Insertions, deletions, replacements and swaps of neighbours. */
function editDistance(from: string, to: string): number {
  let before: number[] = [];
  let row = Array.from({ length: to.length + 1 }, (_, j) => j);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const isSame = from[i - 1] === to[j - 1];
      let least = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (isSame ? 0 : 1));
      if (i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]) {
        least = Math.min(least, (before[j - 2] ?? 0) + 1);
      }
      next.push(least);
    }
    before = row;
    row = next;
  }
  return row[to.length] ?? 0;
}
