import { intervalMs, type IntervalName } from '@sextant/engine-as/abi/intervals.ts';
import type { z } from 'zod';

type Column = readonly (number | null)[];
type Name = 'open' | 'high' | 'low' | 'close';

type CandleRows = Readonly<Record<Name | 'time', Column>>;

interface WithContext {
  candles?: CandleRows | undefined;
  strategy?: { intervals: readonly { interval: string }[] } | undefined;
  context?: readonly CandleRows[] | undefined;
  fineCandles?: CandleRows | undefined;
}

/** Files write prices with as few as seven digits. */
const TOLERANCE = 1e-6;
const isSame = (a: number, b: number): boolean => Math.abs(a - b) <= TOLERANCE * Math.max(Math.abs(a), Math.abs(b));
const at = (column: Column, i: number): number => column[i] ?? Number.NaN;

const names = ['high', 'low', 'open', 'close'] as const;
const rowOf = ({ open, high, low, close }: CandleRows, i: number): Record<Name, number> => ({
  open: at(open, i),
  high: at(high, i),
  low: at(low, i),
  close: at(close, i),
});
/** Columns of different lengths are rejected elsewhere, with a specific message. */
const isEven = (rows: CandleRows): boolean => names.every((name) => rows[name].length === rows.time.length);

interface Difference {
  name: Name;
  /** Index of the longer candle, and of the first shorter one in it. */
  index: number;
  from: number;
  count: number;
  when: string;
  has: number;
  made: number;
}

/** The candle that the base candles `from .. until - 1` make up. */
function joined(base: CandleRows, from: number, until: number): Record<Name, number> {
  let [high, low] = [-Infinity, Infinity];
  for (let i = from; i < until; i++) {
    high = Math.max(high, at(base.high, i));
    low = Math.min(low, at(base.low, i));
  }
  return { open: at(base.open, from), high, low, close: at(base.close, until - 1) };
}

/** Prices of a longer candle that its base candles rule out. Where the base has a hole the longer one may only reach further. */
function differing(longer: Record<Name, number>, made: Record<Name, number>, isWhole: boolean): Name | undefined {
  if (isWhole) return names.find((name) => !isSame(longer[name], made[name]));
  if (longer.high < made.high && !isSame(longer.high, made.high)) return 'high';
  return longer.low > made.low && !isSame(longer.low, made.low) ? 'low' : undefined;
}

/** The first candle of a longer interval whose prices differ from those of the base candles in it. */
export function firstDifference(
  base: CandleRows,
  longer: CandleRows,
  [baseMs, longerMs]: readonly [number, number],
): Difference | undefined {
  if (!isEven(base) || !isEven(longer)) return undefined;
  const whole = Math.round(longerMs / baseMs);
  let from = 0;
  for (let index = 0; index < longer.time.length; index++) {
    const open = at(longer.time, index);
    while (from < base.time.length && at(base.time, from) < open) from++;
    let until = from;
    while (until < base.time.length && at(base.time, until) < open + longerMs) until++;
    if (until === from) continue;
    const made = joined(base, from, until);
    const name = differing(rowOf(longer, index), made, until - from === whole);
    if (name === undefined) continue;
    const when = `${new Date(open).toISOString().slice(0, 16)}Z`;
    return { name, index, from, count: until - from, when, has: at(longer[name], index), made: made[name] };
  }
  return undefined;
}

const fix = 'send candles of the same market, each at its open time';

function longerIssue({ candles, strategy, context = [] }: WithContext) {
  const [first, ...longer] = strategy?.intervals.map(({ interval }) => intervalMs[interval as IntervalName]) ?? [];
  if (candles === undefined || first === undefined) return undefined;
  for (const [i, series] of context.entries()) {
    const ms = longer[i];
    const result = ms === undefined ? undefined : firstDifference(candles, series, [first, ms]);
    if (result === undefined) continue;
    const { name, index, count, when, has, made } = result;
    const message = `is ${has} at ${when}, the ${count} base candles in it give ${made}: ${fix}`;
    return { path: ['context', i, name, index], message };
  }
  return undefined;
}

/** Shortest time between two candles; NaN for one alone. */
function shortestStep({ time }: CandleRows): number {
  let least = Number.NaN;
  for (let i = 1; i < time.length; i++) {
    const step = at(time, i) - at(time, i - 1);
    if (!(step >= least)) least = step;
  }
  return least;
}

function finerIssue({ candles, fineCandles }: WithContext) {
  if (candles === undefined || fineCandles === undefined) return undefined;
  const result = firstDifference(fineCandles, candles, [shortestStep(fineCandles), shortestStep(candles)]);
  if (result === undefined) return undefined;
  const { name, from, count, when, has, made } = result;
  const finer = `${count} finer ${count === 1 ? 'candle' : 'candles'}`;
  const message = `starts ${finer} with a ${name} of ${made}, the candle at ${when} has ${has}: ${fix}`;
  return { path: ['fineCandles', name, from], message };
}

/**
 * Rejects candles of a longer interval or finer ones that are shifted (they would show the future) or belong to another market, naming the
 * first candle that differs.
 */
export const checkContext = ({ value, issues }: { value: WithContext; issues: z.core.$ZodRawIssue[] }): void => {
  const issue = longerIssue(value) ?? finerIssue(value);
  if (issue !== undefined) issues.push({ code: 'custom', input: value, ...issue });
};
