import type { OptimizeResult, TrialColumns } from '@sextant/workers/src/protocolOptimize.ts';

/** Every trial of a search in one table: the random samples by index, then the refined ones. */
export interface Trials {
  columns: TrialColumns;
  /** Parameters of each trial; tasks/optimize/parameters.ts reads them. */
  sets: Float64Array;
  count: number;
  /** How many of them are random samples; the rest are refined. */
  sampleCount: number;
}

type ColumnName = keyof TrialColumns;

function joined(parts: readonly Float64Array[]): Float64Array {
  const whole = new Float64Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function joinColumns(tables: readonly TrialColumns[]): TrialColumns {
  const [first] = tables;
  if (first === undefined) throw new Error('there is no table to join');
  const names = Object.keys(first) as ColumnName[];
  return Object.fromEntries(
    names.map((name) => [name, joined(tables.map((table) => table[name]))]),
  ) as unknown as TrialColumns;
}

/** @param parts answers that hold the samples, in order @param last the answer that holds the refined trials */
export function joinTrials(parts: readonly OptimizeResult[], last: OptimizeResult): Trials {
  const columns = joinColumns([...parts.map(({ trials }) => trials), last.refined]);
  const sets = joined([
    ...parts.map((part) => part.sets?.trials ?? new Float64Array()),
    last.sets?.refined ?? new Float64Array(),
  ]);
  const sampleCount = parts.reduce((sum, { trials }) => sum + trials.value.length, 0);
  return { columns, sets, count: columns.value.length, sampleCount };
}

/** Trials in the order of a column; those without the figure come last whichever way it is sorted. */
export function sortedTrials(values: Float64Array, isDescending: boolean): Uint32Array {
  const order = Uint32Array.from({ length: values.length }, (_, i) => i);
  const rank = (trial: number): number => {
    const value = values[trial] ?? Number.NaN;
    if (!Number.isFinite(value)) return Infinity;
    return isDescending ? -value : value;
  };
  return order.sort((a, b) => {
    const [left, right] = [rank(a), rank(b)];
    return left === right ? a - b : left - right;
  });
}

export interface HeatCell {
  /** Median of the trials in the cell. */
  median: number;
  count: number;
  /** Trial with the highest value in the cell. */
  best: number;
}

/** Bins along one axis: every grid value has its own while there are few, otherwise `binsMax` equal ones. */
export interface Axis {
  min: number;
  max: number;
  bins: number;
}

export function axisOf(values: Float64Array, binsMax: number): Axis {
  let [min, max] = [Infinity, -Infinity];
  const seen = new Set<number>();
  for (const value of values) {
    min = Math.min(min, value);
    max = Math.max(max, value);
    if (seen.size <= binsMax) seen.add(value);
  }
  return { min, max, bins: Math.max(1, Math.min(binsMax, seen.size)) };
}

export function binOf(value: number, { min, max, bins }: Axis): number {
  if (max <= min) return 0;
  return Math.min(bins - 1, Math.floor(((value - min) / (max - min)) * bins));
}

/** What the trials in each cell of two parameters gave: row after row, undefined where no trial was made. */
export function heatCells(
  x: Float64Array,
  y: Float64Array,
  values: Float64Array,
  axes: { x: Axis; y: Axis },
): (HeatCell | undefined)[] {
  const members = Array.from({ length: axes.x.bins * axes.y.bins }, (): number[] => []);
  for (let trial = 0; trial < values.length; trial++) {
    if (!Number.isFinite(values[trial])) continue;
    members[binOf(y[trial] ?? 0, axes.y) * axes.x.bins + binOf(x[trial] ?? 0, axes.x)]?.push(trial);
  }
  const valueOf = (trial: number): number => values[trial] ?? Number.NaN;
  return members.map((trials) => {
    if (trials.length === 0) return undefined;
    const sorted = trials.map(valueOf).sort((a, b) => a - b);
    const middle = sorted.length >> 1;
    const upper = sorted[middle] ?? Number.NaN;
    const median = sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2;
    const best = trials.reduce((leader, trial) => (valueOf(trial) > valueOf(leader) ? trial : leader));
    return { median, count: trials.length, best };
  });
}
