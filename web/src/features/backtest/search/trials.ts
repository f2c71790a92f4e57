import { joinParts } from '@sextant/workers/src/core/joinParts.ts';
import type { KnownValues, OptimizeResult, TrialColumns } from '@sextant/workers/src/protocol/optimize.ts';
import type { Searched } from '@sextant/workers/src/tasks/optimize/onPool.ts';
import { parameterOf, type SearchedParameter } from '@sextant/workers/src/tasks/optimize/parameters.ts';
import { atOnce, inSlices, type Steps } from '../../../state/slices.ts';

/** Every trial of a search in one table: the random samples by index, then the refined ones. */
export interface Trials {
  columns: TrialColumns;
  /** Parameters of each trial; tasks/optimize/parameters.ts reads them. */
  sets: Float64Array;
  count: number;
  /** Number of random samples; the rest are refined. */
  sampleCount: number;
}

/** The results of a search, as returned by a pool. */
type Results = Pick<Searched, 'parts' | 'refined' | 'last'>;
type ColumnName = keyof TrialColumns;

const tablesOf = ({ parts, refined, last }: Results): TrialColumns[] => [
  ...[...parts, ...refined].map(({ trials }) => trials),
  last.refined,
];

const setsOf = ({ parts, refined, last }: Results): Float64Array[] => [
  ...[...parts, ...refined].map(({ sets }) => sets?.trials ?? new Float64Array()),
  last.sets?.refined ?? new Float64Array(),
];

const countOf = (parts: readonly OptimizeResult[]): number =>
  parts.reduce((sum, { trials }) => sum + trials.value.length, 0);

/** The table of a search that was made elsewhere. @param columns of every sample, then of every refined set */
export function trialsOf(
  columns: TrialColumns,
  sets: NonNullable<OptimizeResult['sets']>,
  sampleCount: number,
): Trials {
  return { columns, sets: joinParts([sets.trials, sets.refined]), count: columns.value.length, sampleCount };
}

/** The value of each set, which spares the engine another search. */
export function knownOf({ columns: { value }, sampleCount }: Trials): KnownValues {
  return { samples: value.slice(0, sampleCount), refined: value.slice(sampleCount) };
}

/** Values of a step: a millisecond or two, also while the code is still interpreted. */
export const STEP_VALUES = 25_000;

function* joinSteps(parts: readonly Float64Array[]): Steps<Float64Array> {
  const whole = new Float64Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    // The browser copies natively, so a step takes more of them.
    for (let from = 0; from < part.length; from += 4 * STEP_VALUES) {
      whole.set(part.subarray(from, from + 4 * STEP_VALUES), at + from);
      yield;
    }
    at += part.length;
  }
  return whole;
}

function* tableSteps(searched: Results): Steps<Trials> {
  const tables = tablesOf(searched);
  const columns: Partial<TrialColumns> = {};
  for (const name of Object.keys(searched.last.refined) as ColumnName[])
    columns[name] = yield* joinSteps(tables.map((table) => table[name]));
  const sets = yield* joinSteps(setsOf(searched));
  const { value } = columns as TrialColumns;
  return { columns: columns as TrialColumns, sets, count: value.length, sampleCount: countOf(searched.parts) };
}

/** The results as one table. A deep search has fifty megabytes: they are copied in slices. */
export const joinTrials = (searched: Results): Promise<Trials> => inSlices(tableSteps(searched));

const columnsBySets = new WeakMap<Float64Array, Map<string, Float64Array>>();

/** One parameter of every trial; cached. */
export const parameterColumn = (trials: Trials, parameter: SearchedParameter): Float64Array =>
  atOnce(parameterSteps(trials, parameter));

export function* parameterSteps({ sets, count }: Trials, parameter: SearchedParameter): Steps<Float64Array> {
  const known = columnsBySets.get(sets) ?? new Map<string, Float64Array>();
  columnsBySets.set(sets, known);
  const cached = known.get(parameter.id);
  if (cached !== undefined) return cached;
  const made = new Float64Array(count);
  for (let from = 0; from < count; from += STEP_VALUES) {
    fillParameter(made, sets, parameter, from);
    yield;
  }
  known.set(parameter.id, made);
  return made;
}

function fillParameter(made: Float64Array, sets: Float64Array, parameter: SearchedParameter, from: number): void {
  const end = Math.min(from + STEP_VALUES, made.length);
  for (let trial = from; trial < end; trial++) made[trial] = parameterOf(sets, trial, parameter);
}

/** Rows of the table: trials sorted by a column, without those merged into another row. */
export function* orderSteps(trials: Trials, values: Float64Array, isDescending: boolean): Steps<Uint32Array> {
  const merged = yield* mergeSteps(trials);
  const sorted = yield* sortSteps(values, isDescending);
  return sorted.filter((trial) => (merged[trial] ?? 0) > 0);
}

/**
 * Trials sorted by a column; those without the figure come last in either direction. Stable. A radix sort over the bits of the numbers, 16
 * at a time: a comparison sort of a deep search would block the page for a third of a second.
 */
export function* sortSteps(values: Float64Array, isDescending: boolean): Steps<Uint32Array> {
  const keys = keysOf(values, isDescending);
  yield;
  let order = Uint32Array.from(values.keys());
  let next = new Uint32Array(values.length);
  for (let digit = 0; digit < 4; digit++) {
    yield;
    const starts = digitStarts(keys, digit);
    for (let from = 0; from < order.length; from += STEP_VALUES) {
      yield;
      placeByDigit(order.subarray(from, from + STEP_VALUES), next, { keys, digit, starts });
    }
    [order, next] = [next, order];
  }
  return order;
}

/** Start of the trials of each value of a digit (radix sort). */
function digitStarts(keys: Uint16Array, digit: number): Uint32Array {
  const starts = new Uint32Array(65_536);
  for (let i = digit; i < keys.length; i += 4) count(starts, keys[i] ?? 0);
  for (let sum = 0, key = 0; key < starts.length; key++) {
    const here = starts[key] ?? 0;
    starts[key] = sum;
    sum += here;
  }
  return starts;
}

function placeByDigit(
  order: Uint32Array,
  next: Uint32Array,
  { keys, digit, starts }: { keys: Uint16Array; digit: number; starts: Uint32Array },
): void {
  for (let i = 0; i < order.length; i++) {
    const trial = order[i] ?? 0;
    const key = keys[4 * trial + digit] ?? 0;
    next[starts[key] ?? 0] = trial;
    count(starts, key);
  }
}

const mergedOf = new WeakMap<Trials, Uint32Array>();

/**
 * How many sets made exactly the same trades as this one, including itself; 0 for all but the first of them. Sets with equal results differ
 * in parameters that never mattered, a weight no vote used or a level no candle reached: one row is enough. Cached, and built with a hash
 * table of the bits of their net PnL: sorting two hundred thousand of them would block the page.
 */
export const mergedCounts = (trials: Trials): Uint32Array => atOnce(mergeSteps(trials));

function* mergeSteps(trials: Trials): Steps<Uint32Array> {
  const known = mergedOf.get(trials);
  if (known !== undefined) return known;
  const merged = new Uint32Array(trials.count);
  const table: MergeTable = {
    merged,
    columns: resultColumns(trials),
    bits: new Uint32Array(Float64Array.from(trials.columns.netPnl).buffer),
    // At most half full, so that a place is found in a step or two.
    places: new Uint32Array(2 ** Math.ceil(Math.log2(2 * trials.count + 2))),
  };
  for (let from = 0; from < trials.count; from += STEP_VALUES) {
    yield;
    mergeTrials(table, from, Math.min(from + STEP_VALUES, trials.count));
  }
  mergedOf.set(trials, merged);
  return merged;
}

interface MergeTable {
  merged: Uint32Array;
  columns: readonly Float64Array[];
  bits: Uint32Array;
  /** 0 is empty, otherwise one more than the index of the first trial with this result. */
  places: Uint32Array;
}

function mergeTrials({ merged, columns, bits, places }: MergeTable, from: number, end: number): void {
  for (let trial = from; trial < end; trial++) {
    const mixed = Math.imul((bits[2 * trial] ?? 0) ^ Math.imul(bits[2 * trial + 1] ?? 0, 0x9e3779b1), 0x85ebca6b);
    let place = (mixed ^ (mixed >>> 15)) & (places.length - 1);
    let first = places[place] ?? 0;
    while (first !== 0 && !isSame(columns, first - 1, trial)) {
      place = (place + 1) & (places.length - 1);
      first = places[place] ?? 0;
    }
    if (first === 0) places[place] = trial + 1;
    count(merged, first === 0 ? trial : first - 1);
  }
}

/** Columns in which two sets with the same trades are equal. */
function resultColumns({ columns }: Trials): readonly Float64Array[] {
  const { netPnl, tradeCount, winCount, profitFactor, closedDrawdownFraction } = columns;
  return [netPnl, tradeCount, winCount, profitFactor, closedDrawdownFraction];
}

const isSame = (columns: readonly Float64Array[], a: number, b: number): boolean =>
  columns.every((column) => Object.is(column[a], column[b]));

/** The trial whose row represents this one. */
export function rowOf(trials: Trials, trial: number): number {
  const merged = mergedCounts(trials);
  if ((merged[trial] ?? 1) > 0) return trial;
  const columns = resultColumns(trials);
  for (let other = 0; other < trial; other++) {
    if ((merged[other] ?? 0) > 1 && isSame(columns, other, trial)) return other;
  }
  return trial;
}

function count(counts: Uint32Array, key: number): void {
  counts[key] = (counts[key] ?? 0) + 1;
}

/** Four digits of 16 bits for each value, the lowest first, that sort as the values do. Browsers store numbers that way round. */
function keysOf(values: Float64Array, isDescending: boolean): Uint16Array {
  const ranks = new Float64Array(values.length);
  for (let i = 0; i < values.length; i++) {
    const value = values[i] ?? NaN;
    // Adding 0 makes a negative zero a zero.
    ranks[i] = Number.isFinite(value) ? (isDescending ? -value : value) + 0 : Infinity;
  }
  const words = new Uint32Array(ranks.buffer);
  for (let i = 1; i < words.length; i += 2) {
    const high = words[i] ?? 0;
    if (high >>> 31 === 1) {
      words[i] = ~high;
      words[i - 1] = ~(words[i - 1] ?? 0);
    } else words[i] = (high | 0x80000000) >>> 0;
  }
  return new Uint16Array(ranks.buffer);
}
