import { atOnce, type Steps } from '../../../state/slices.ts';
import type { Measure, ParameterMeasure } from './searchDefinitions.ts';
import { parameterSteps, STEP_VALUES, type Trials } from './trials.ts';

const BINS_MAX = 24;

/** Two parameters against one figure, over all trials. */
export interface TrialMap {
  x: Float64Array;
  y: Float64Array;
  values: Float64Array;
  axes: { x: Axis; y: Axis };
  /** Lowest and highest value on the map: the range of the colours. */
  low: number;
  high: number;
}

type HeatedMap = Omit<TrialMap, 'low' | 'high'>;

export function* mapSteps(
  trials: Trials,
  { x, y, figure }: { x: ParameterMeasure; y: ParameterMeasure; figure: Measure },
): Steps<TrialMap> {
  const values = trials.columns[figure.id as keyof Trials['columns']];
  const xs = yield* parameterSteps(trials, x.parameter);
  const ys = yield* parameterSteps(trials, y.parameter);
  const axes = { x: yield* axisSteps(xs, BINS_MAX), y: yield* axisSteps(ys, BINS_MAX) };
  const { min: low, max: high } = yield* rangeSteps(values);
  return { x: xs, y: ys, values, axes, low, high };
}

export interface HeatCell {
  /** Median of the trials in the cell. */
  median: number;
  count: number;
  /** Trials with the highest and the lowest value in the cell. */
  best: number;
  worst: number;
  /** The trial in the middle; of an even number the lower of the two. The first of equals. */
  middle: number;
}

/** What a cell shows of its trials. */
export const cellStatistics = ['median', 'best', 'worst'] as const;
export type CellStatistic = (typeof cellStatistics)[number];

/** The trial that stands for a cell: a press applies it. */
export const trialOfCell = ({ middle, best, worst }: HeatCell, statistic: CellStatistic): number =>
  ({ median: middle, best, worst })[statistic];

/** The figure of a cell. */
export function valueOfCell({ values }: Pick<TrialMap, 'values'>, cell: HeatCell, statistic: CellStatistic): number {
  return statistic === 'median' ? cell.median : (values[trialOfCell(cell, statistic)] ?? NaN);
}

/** Bins along one axis: one per grid value while there are few, otherwise `binsMax` equal ones. */
export interface Axis extends Range {
  bins: number;
}

export function* axisSteps(values: Float64Array, binsMax: number): Steps<Axis> {
  const { min, max } = yield* rangeSteps(values);
  const seen = new Set<number>();
  for (let i = 0; i < values.length && seen.size <= binsMax; i++) {
    seen.add(values[i] ?? NaN);
    if (i % STEP_VALUES === 0) yield;
  }
  return { min, max, bins: Math.max(1, Math.min(binsMax, seen.size)) };
}

interface Range {
  min: number;
  max: number;
}

/** Lowest and highest of the values that are numbers. */
function* rangeSteps(values: Float64Array): Steps<Range> {
  const range = { min: Infinity, max: -Infinity };
  for (let from = 0; from < values.length; from += STEP_VALUES) {
    widen(range, values.subarray(from, from + STEP_VALUES));
    yield;
  }
  return range;
}

function widen(range: Range, values: Float64Array): void {
  let { min, max } = range;
  for (let i = 0; i < values.length; i++) {
    const value = values[i] ?? NaN;
    if (!Number.isFinite(value)) continue;
    if (value < min) min = value;
    if (value > max) max = value;
  }
  Object.assign(range, { min, max });
}

export function binOf(value: number, { min, max, bins }: Axis): number {
  if (max <= min) return 0;
  return Math.min(bins - 1, Math.floor(((value - min) / (max - min)) * bins));
}

type HeatCells = readonly (HeatCell | undefined)[];
const cellsByMap = new WeakMap<HeatedMap, HeatCells>();

/** Results of the trials in each cell of two parameters: row after row, undefined without trials. Cached. */
export const heatCells = (map: HeatedMap): HeatCells => atOnce(heatSteps(map));

export function* heatSteps(map: HeatedMap): Steps<HeatCells> {
  const known = cellsByMap.get(map);
  if (known !== undefined) return known;
  const { axes, values } = map;
  const cells: (HeatCell | undefined)[] = Array.from({ length: axes.x.bins * axes.y.bins }, () => undefined);
  const cellOf = new Int32Array(values.length);
  for (let from = 0; from < values.length; from += STEP_VALUES) {
    yield;
    countCells(map, cells, cellOf, from);
  }
  const ends = new Uint32Array(cells.length + 1);
  cells.forEach((cell, at) => (ends[at + 1] = (ends[at] ?? 0) + (cell?.count ?? 0)));
  // The values grouped by cell, so that each cell can be sorted alone.
  const grouped = new Float64Array(ends[cells.length] ?? 0);
  const next = ends.slice();
  for (let from = 0; from < values.length; from += STEP_VALUES) {
    yield;
    groupCells(values.subarray(from, from + STEP_VALUES), cellOf.subarray(from, from + STEP_VALUES), grouped, next);
  }
  const middles = new Float64Array(cells.length);
  for (const [at, cell] of cells.entries()) {
    if (at % axes.x.bins === 0) yield;
    if (cell === undefined) continue;
    const sorted = grouped.subarray(ends[at], ends[at + 1]).sort();
    cell.median = medianOf(sorted);
    middles[at] = sorted[(sorted.length - 1) >> 1] ?? NaN;
  }
  for (let from = 0; from < values.length; from += STEP_VALUES) {
    yield;
    noteMiddles(values.subarray(from, from + STEP_VALUES), { cells, middles, cellOf, from });
  }
  cellsByMap.set(map, cells);
  return cells;
}

const NO_CELL = -1;

function countCells(
  { x, y, values, axes }: HeatedMap,
  cells: (HeatCell | undefined)[],
  cellOf: Int32Array,
  from: number,
): void {
  const end = Math.min(from + STEP_VALUES, values.length);
  for (let trial = from; trial < end; trial++) {
    const value = values[trial] ?? NaN;
    cellOf[trial] = NO_CELL;
    if (!Number.isFinite(value)) continue;
    const at = binOf(y[trial] ?? 0, axes.y) * axes.x.bins + binOf(x[trial] ?? 0, axes.x);
    cellOf[trial] = at;
    const cell = (cells[at] ??= { median: NaN, count: 0, best: trial, worst: trial, middle: NO_TRIAL });
    cell.count++;
    if (value > (values[cell.best] ?? NaN)) cell.best = trial;
    if (value < (values[cell.worst] ?? NaN)) cell.worst = trial;
  }
}

const NO_TRIAL = -1;

interface Middles {
  cells: HeatCells;
  /** Median value of each cell's trials. */
  middles: Float64Array;
  cellOf: Int32Array;
  from: number;
}

function noteMiddles(values: Float64Array, { cells, middles, cellOf, from }: Middles): void {
  for (let i = 0; i < values.length; i++) {
    const at = cellOf[from + i] ?? NO_CELL;
    const cell = cells[at];
    if (cell?.middle === NO_TRIAL && values[i] === middles[at]) cell.middle = from + i;
  }
}

function groupCells(values: Float64Array, cellOf: Int32Array, grouped: Float64Array, next: Uint32Array): void {
  for (let i = 0; i < values.length; i++) {
    const at = cellOf[i] ?? NO_CELL;
    if (at === NO_CELL) continue;
    grouped[next[at] ?? 0] = values[i] ?? NaN;
    next[at] = (next[at] ?? 0) + 1;
  }
}

function medianOf(sorted: Float64Array): number {
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2;
}

/** Room for the tick labels, CSS pixels. */
export const margin = { left: 56, bottom: 24, top: 8, right: 12 } as const;

export interface Frame {
  width: number;
  height: number;
}

const inner = ({ width, height }: Frame) => ({
  width: Math.max(1, width - margin.left - margin.right),
  height: Math.max(1, height - margin.top - margin.bottom),
});

/** Origin of the bins of a cell and the size of one; y grows upwards. */
export function cellBox(column: number, row: number, { axes }: TrialMap, frame: Frame) {
  const area = inner(frame);
  const width = area.width / axes.x.bins;
  const height = area.height / axes.y.bins;
  return { x: margin.left + column * width, y: margin.top + area.height - (row + 1) * height, width, height };
}

/** A point's pixel is `start + step * value`: inside the plot, so that extreme points are not cut off. */
export interface Scale {
  x: { start: number; step: number };
  y: { start: number; step: number };
}

export function scaleOf({ axes }: TrialMap, frame: Frame): Scale {
  const area = inner(frame);
  const line = ({ min, max }: Axis, from: number, length: number) => {
    const step = max > min ? length / (max - min) : 0;
    return { start: max > min ? from - step * min : from + length / 2, step };
  };
  return {
    x: line(axes.x, margin.left + 0.01 * area.width, 0.98 * area.width),
    y: line(axes.y, margin.top + 0.99 * area.height, -0.98 * area.height),
  };
}

/** Centre of a trial's point. */
export function pointOf(trial: number, map: TrialMap, frame: Frame): { x: number; y: number } {
  const { x, y } = scaleOf(map, frame);
  return { x: x.start + x.step * (map.x[trial] ?? 0), y: y.start + y.step * (map.y[trial] ?? 0) };
}

/** The trial whose point is nearest to a position, within reach; of cells the trial that stands for the cell. */
export function trialAt(map: TrialMap, frame: Frame, place: { x: number; y: number }, mode: 'points' | CellStatistic) {
  if (mode !== 'points') {
    const cell = cellAt(map, frame, place);
    return cell === undefined ? null : trialOfCell(cell, mode);
  }
  const reach = 14;
  let result: number | null = null;
  let least = reach * reach;
  const { x, y } = scaleOf(map, frame);
  for (let trial = 0; trial < map.values.length; trial++) {
    if (!Number.isFinite(map.values[trial])) continue;
    const across = x.start + x.step * (map.x[trial] ?? 0) - place.x;
    const up = y.start + y.step * (map.y[trial] ?? 0) - place.y;
    const distance = across ** 2 + up ** 2;
    if (distance <= least) [result, least] = [trial, distance];
  }
  return result;
}

export function cellAt(map: TrialMap, frame: Frame, place: { x: number; y: number }): HeatCell | undefined {
  const area = inner(frame);
  const across = (place.x - margin.left) / area.width;
  const up = 1 - (place.y - margin.top) / area.height;
  if (across < 0 || across > 1 || up < 0 || up > 1) return undefined;
  const unit = (bins: number): Axis => ({ min: 0, max: 1, bins });
  const { x, y } = map.axes;
  return heatCells(map)[binOf(up, unit(y.bins)) * x.bins + binOf(across, unit(x.bins))];
}
