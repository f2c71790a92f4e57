import type { Steps } from '../../../state/slices.ts';
import type { Measure, ParameterMeasure } from './searchDefinitions.ts';
import {
  type Axis,
  axisSteps,
  binOf,
  heatCells,
  type HeatCell,
  parameterSteps,
  rangeSteps,
  type Trials,
} from './trials.ts';

const BINS_MAX = 24;

/** Two parameters against one figure, over all trials. */
export interface TrialMap {
  x: Float64Array;
  y: Float64Array;
  values: Float64Array;
  axes: { x: Axis; y: Axis };
  /** Worked out when they are first asked for. */
  readonly cells: readonly (HeatCell | undefined)[];
  /** Lowest and highest value on the map; what the colours span. */
  low: number;
  high: number;
}

export function* mapSteps(
  trials: Trials,
  { x, y, figure }: { x: ParameterMeasure; y: ParameterMeasure; figure: Measure },
): Steps<TrialMap> {
  const values = trials.columns[figure.id as keyof Trials['columns']];
  const xs = yield* parameterSteps(trials, x.parameter);
  const ys = yield* parameterSteps(trials, y.parameter);
  const axes = { x: yield* axisSteps(xs, BINS_MAX), y: yield* axisSteps(ys, BINS_MAX) };
  const { min: low, max: high } = yield* rangeSteps(values);
  let cells: TrialMap['cells'] | undefined;
  return {
    x: xs,
    y: ys,
    values,
    axes,
    low,
    high,
    get cells() {
      return (cells ??= heatCells(xs, ys, values, axes));
    },
  };
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

/** A point's pixel is `start + step * value`: inside the plot, so that an extreme one is not cut. */
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

/** The trial whose point is nearest to a place, within reach; with medians the best of the cell there. */
export function trialAt(map: TrialMap, frame: Frame, place: { x: number; y: number }, mode: 'points' | 'medians') {
  if (mode === 'medians') {
    const cell = cellAt(map, frame, place);
    return cell === undefined ? null : cell.best;
  }
  const reach = 14;
  let found: number | null = null;
  let least = reach * reach;
  const { x, y } = scaleOf(map, frame);
  for (let trial = 0; trial < map.values.length; trial++) {
    if (!Number.isFinite(map.values[trial])) continue;
    const across = x.start + x.step * (map.x[trial] ?? 0) - place.x;
    const up = y.start + y.step * (map.y[trial] ?? 0) - place.y;
    const distance = across ** 2 + up ** 2;
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
