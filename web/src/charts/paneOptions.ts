import type uPlot from 'uplot';
import type { Colours } from './colours.ts';
import { extremesOf, rangeOf } from './extremes.ts';
import { LOG_DISTR } from './candleLayer.ts';
import { crosshairLabels } from './crosshair.ts';
import { type AxisZone, timeLabel, timeSplits } from './timeAxis.ts';
import { logSplits } from './valueSplits.ts';

const DIGIT_PX = 6.7;
const VALUE_AXIS_MARGIN_PX = 16;
/** uPlot's name for the right side is an ambient const enum, which a module compiled on its own cannot read. */
const atTheRight = { side: 1 };
const TIME_AXIS_PX = 26;
const LABEL_SPACING_PX = 96;
const EDGE_PX = 20;
export const AXIS_FONT = '11px "JetBrains Mono Variable", ui-monospace, monospace';

export interface PaneContext {
  colours: Colours;
  /** Open times, epoch ms. */
  time: Float64Array;
  /** Of them and of the forming one, where there is one. */
  candleCount?: number;
  zone: AxisZone;
  /** Panes with the same key share one crosshair. */
  syncKey: string;
  hasTimeLabels: boolean;
  format: (value: number) => string;
  /** Width of the value axis, read at each draw; the same in all panes, so that their time axes line up. */
  valueAxisPx: () => number;
  /** Least distance of two value labels. */
  labelSpacePx: number;
  /** A value with a label of its own on the axis, which no other label may touch. */
  marked?: () => number | undefined;
  /** A logarithmic scale of the values, which are all above 0. */
  isLog?: boolean;
}

/** Room for labels of so many characters. */
export function valueAxisWidth(longest: number): number {
  return Math.ceil(Math.max(7, longest) * DIGIT_PX + VALUE_AXIS_MARGIN_PX);
}

export function timeAxis({ colours, time, zone, hasTimeLabels }: PaneContext): uPlot.Axis {
  const visible = (u: uPlot) =>
    timeSplits(
      time,
      u.scales.x?.min ?? 0,
      u.scales.x?.max ?? 0,
      Math.max(2, Math.floor(u.width / LABEL_SPACING_PX)),
      zone,
    );
  return {
    scale: 'x',
    stroke: colours.muted,
    font: AXIS_FONT,
    size: hasTimeLabels ? TIME_AXIS_PX : 0,
    gap: 6,
    grid: { stroke: colours.grid, width: 1 },
    ticks: { show: false },
    // A label at the very edge would be cut in two.
    splits: (u) => visible(u).indices.filter((index) => u.valToPos(index, 'x') > EDGE_PX),
    values: (u, splits) => {
      if (!hasTimeLabels) return splits.map(() => '');
      const { stepMs } = visible(u);
      return splits.map((index) => timeLabel(time[index] ?? NaN, stepMs, zone));
    },
  };
}

/** Readout and time labels of a pane, about: the height of the plot itself is not known yet when its labels are chosen. */
const OUTSIDE_PX = 40;

/** uPlot's own would label powers of ten only, of which few charts hold one. */
function logAxis(labelSpacePx: number): Partial<uPlot.Axis> {
  return {
    splits: (u, _axis, min, max) =>
      logSplits(min, max, Math.max(2, Math.floor((u.height - OUTSIDE_PX) / labelSpacePx))),
    filter: (_u, splits) => splits,
  };
}

const MARK_HEIGHT_PX = 15;

/** The labels of an axis; none where the mark would cover half of it. @param yOf pixel of a value */
export function axisLabels(
  splits: readonly number[],
  {
    format,
    yOf,
    marked,
  }: { format: (value: number) => string; yOf: (value: number) => number; marked?: number | undefined },
): string[] {
  const markY = marked === undefined ? -Infinity : yOf(marked);
  return splits.map((value) => (Math.abs(yOf(value) - markY) < MARK_HEIGHT_PX ? '' : format(value)));
}

export function valueAxis(context: PaneContext): uPlot.Axis {
  const { colours, format, valueAxisPx, labelSpacePx, marked, isLog = false } = context;
  const axis: uPlot.Axis = {
    scale: 'y',
    stroke: colours.muted,
    font: AXIS_FONT,
    size: () => valueAxisPx(),
    gap: 8,
    space: labelSpacePx,
    grid: { stroke: colours.grid, width: 1 },
    ticks: { show: false },
    values: (u, splits) => axisLabels(splits, { format, yOf: (value) => u.valToPos(value, 'y'), marked: marked?.() }),
  };
  return Object.assign(axis, atTheRight, isLog ? logAxis(labelSpacePx) : {});
}

export function basicOptions(context: PaneContext, size: { width: number; height: number }): uPlot.Options {
  return {
    ...size,
    // At the top is room for the readout of the pane.
    padding: [22, 0, context.hasTimeLabels ? 0 : 6, 0],
    legend: { show: false },
    plugins: [crosshairLabels(context)],
    cursor: {
      sync: { key: context.syncKey, setSeries: false },
      drag: { x: false, y: false, setScale: false },
      points: { show: false },
    },
    scales: { x: { time: false, auto: false } },
    axes: [timeAxis(context), valueAxis(context)],
    series: [{}],
  };
}

/** The scale of the values. uPlot's names for the kinds are an ambient const enum, as that of the sides. */
export function valueScale(range: uPlot.Scale['range'], isLog = false): uPlot.Scale {
  return Object.assign({ range } as uPlot.Scale, isLog ? { distr: LOG_DISTR, log: 10 } : {});
}

/** A series that uPlot neither draws nor measures: a layer of ours does, at a cost that does not grow with what is in sight. */
export const drawnByLayer: uPlot.Series = { paths: () => null, points: { show: false }, auto: false };

/** Least and greatest of what is in sight; null when nothing is. */
export function visibleRange(u: uPlot, ...columns: Parameters<typeof extremesOf>): [number, number] | null {
  // The scale itself still has the view before while the new one is being worked out; these have it already.
  const [from = 0, to = 0] = u.series[0]?.idxs ?? [];
  return rangeOf(extremesOf(...columns), from, to);
}

let kept = new Float64Array();

/** 0, 1, 2 ... The panes of a chart share them, and the next run on the same candles does. */
export function indicesOf(count: number): Float64Array {
  if (kept.length !== count) kept = Float64Array.from({ length: count }, (_, i) => i);
  return kept;
}
