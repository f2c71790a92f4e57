import { parameterOf } from '@sextant/workers/src/tasks/optimize/parameters.ts';
import type { Measure, ParameterMeasure } from './searchDefinitions.ts';
import { type Axis, axisOf, binOf, heatCells, type HeatCell, type Trials } from './trials.ts';

const BINS_MAX = 24;

/** Two parameters against one figure, over all trials. */
export interface TrialMap {
  x: Float64Array;
  y: Float64Array;
  values: Float64Array;
  axes: { x: Axis; y: Axis };
  cells: (HeatCell | undefined)[];
  /** Lowest and highest value on the map; what the colours span. */
  low: number;
  high: number;
}

export function mapOf(trials: Trials, x: ParameterMeasure, y: ParameterMeasure, figure: Measure): TrialMap {
  const column = ({ parameter }: ParameterMeasure): Float64Array =>
    Float64Array.from({ length: trials.count }, (_, trial) => parameterOf(trials.sets, trial, parameter));
  const values = trials.columns[figure.id as keyof Trials['columns']];
  const [xs, ys] = [column(x), column(y)];
  const axes = { x: axisOf(xs, BINS_MAX), y: axisOf(ys, BINS_MAX) };
  const known = values.filter(Number.isFinite);
  const low = known.reduce((least, value) => Math.min(least, value), Infinity);
  const high = known.reduce((most, value) => Math.max(most, value), -Infinity);
  return { x: xs, y: ys, values, axes, cells: heatCells(xs, ys, values, axes), low, high };
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

/** Where the bins of a place begin and how large one is; y grows upwards. */
export function cellBox(column: number, row: number, { axes }: TrialMap, frame: Frame) {
  const area = inner(frame);
  const width = area.width / axes.x.bins;
  const height = area.height / axes.y.bins;
  return { x: margin.left + column * width, y: margin.top + area.height - (row + 1) * height, width, height };
}

/** Centre of a trial's point: inside the plot, so that an extreme one is not cut. */
export function pointOf(trial: number, { x, y, axes }: TrialMap, frame: Frame): { x: number; y: number } {
  const area = inner(frame);
  const share = (value: number, { min, max }: Axis): number => (max > min ? (value - min) / (max - min) : 0.5);
  return {
    x: margin.left + (0.01 + 0.98 * share(x[trial] ?? 0, axes.x)) * area.width,
    y: margin.top + (0.99 - 0.98 * share(y[trial] ?? 0, axes.y)) * area.height,
  };
}

/** The trial whose point is nearest to a place, within reach; with medians the best of the cell there. */
export function trialAt(map: TrialMap, frame: Frame, place: { x: number; y: number }, mode: 'points' | 'medians') {
  if (mode === 'medians') {
    const cell = cellAt(map, frame, place);
    return cell === undefined ? null : cell.best;
  }
  const reach = 14;
  let found: number | null = null;
  let least = reach * reach;
  for (let trial = 0; trial < map.values.length; trial++) {
    if (!Number.isFinite(map.values[trial])) continue;
    const point = pointOf(trial, map, frame);
    const distance = (point.x - place.x) ** 2 + (point.y - place.y) ** 2;
    if (distance <= least) [found, least] = [trial, distance];
  }
  return found;
}

export function cellAt(map: TrialMap, frame: Frame, place: { x: number; y: number }): HeatCell | undefined {
  const area = inner(frame);
  const across = (place.x - margin.left) / area.width;
  const up = 1 - (place.y - margin.top) / area.height;
  if (across < 0 || across > 1 || up < 0 || up > 1) return undefined;
  const unit = (bins: number): Axis => ({ min: 0, max: 1, bins });
  const { x, y } = map.axes;
  return map.cells[binOf(up, unit(y.bins)) * x.bins + binOf(across, unit(x.bins))];
}
