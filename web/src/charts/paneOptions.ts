import { candleLengthMs } from '@sextant/workers/src/candles/closedCandles.ts';
import type uPlot from 'uplot';
import { formatSigned } from '../format/number.ts';
import { isDated } from '../format/time.ts';
import { LOG_DISTR } from './candleLayer.ts';
import type { LinePane } from './chartModel.ts';
import type { Colours } from './colours.ts';
import { crosshairLabels } from './readout.ts';
import { extremesOf, rangeOf } from './extremes.ts';
import { type AxisZone, offsetName, timeLabels, timeSplits } from './timeAxis.ts';

const DIGIT_PX = 6.7;
const VALUE_AXIS_MARGIN_PX = 16;
/** uPlot's name for the right side is an ambient const enum, which a module compiled on its own cannot read. */
const atTheRight = { side: 1 };
const TIME_AXIS_PX = 26;
const LABEL_SPACING_PX = 96;
const EDGE_PX = 20;
const ZONE_GAP_PX = 8;
export const AXIS_FONT = '11px "JetBrains Mono Variable", ui-monospace, monospace';

export interface PaneContext {
  colours: Colours;
  /** Open times, epoch ms. */
  time: Float64Array;
  /** Number of candles, including a forming one. */
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
  /** A value with a separate label on the axis, which no other label may overlap. */
  marked?: () => number | undefined;
  /** A logarithmic scale of the values, which are all above 0. */
  isLog?: boolean;
  /** The value that is 0 % where the labels are percentages; NaN: none. */
  percentBase?: (u: uPlot) => number;
}

/** Width for labels of this many characters. */
export function valueAxisWidth(longest: number): number {
  return Math.ceil(Math.max(7, longest) * DIGIT_PX + VALUE_AXIS_MARGIN_PX);
}

/** Width for the labels of a line alone: a round label beyond its values may have a digit or a sign more, −10 % over −9.87 %. */
export function lineAxisWidth({ values, format }: Pick<LinePane, 'values' | 'format'>): number {
  return valueAxisWidth(1 + values.reduce<number>((most, value) => Math.max(most, format(value).length), 0));
}

function timeAxis({ colours, time, zone: chosenZone, hasTimeLabels }: PaneContext): uPlot.Axis {
  const zone = isDated(candleLengthMs(time)) ? 'utc' : chosenZone;
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
      return timeLabels(
        splits.map((index) => time[index] ?? NaN),
        visible(u).stepMs,
        zone,
      );
    },
  };
}

/** Approximate height of readout and time labels: the height of the plot is not known yet when its labels are chosen. */
const OUTSIDE_PX = 40;

/** uPlot's default labels powers of ten only, of which few charts contain one. */
function logAxis(labelSpacePx: number): Partial<uPlot.Axis> {
  return {
    splits: (u, _axis, min, max) =>
      logSplits(min, max, Math.max(2, Math.floor((u.height - OUTSIDE_PX) / labelSpacePx))),
    filter: (_u, splits) => splits,
  };
}

/** Labels in percent of a base, at round percentages. */
function percentAxis(base: (u: uPlot) => number, labelSpacePx: number): Partial<uPlot.Axis> {
  return {
    splits: (u, _axis, min, max) =>
      percentSplits(min, max, base(u), Math.max(2, Math.floor((u.height - OUTSIDE_PX) / labelSpacePx))),
    values: (u, splits) => {
      const pcts = splits.map((value) => (value / base(u) - 1) * 100);
      const step = Math.abs((pcts[1] ?? 0) - (pcts[0] ?? 0)) || 1;
      const decimals = Math.max(0, Math.ceil(-Math.log10(step) - 1e-9));
      return pcts.map((pct) => `${formatSigned(pct, decimals)} %`);
    },
  };
}

/** Values at round percentages from a base. */
export function percentSplits(min: number, max: number, base: number, countMax: number): number[] {
  if (!(base > 0) || !(max > min)) return [];
  const [from, to] = [(min / base - 1) * 100, (max / base - 1) * 100];
  const step = roundStep((to - from) / Math.max(1, countMax));
  const first = Math.ceil(from / step - 1e-9);
  const count = Math.floor(to / step + 1e-9) - first + 1;
  return Array.from({ length: count }, (_, at) => base * (1 + ((first + at) * step) / 100));
}

const MARK_HEIGHT_PX = 15;

/** The labels of an axis, without one that the mark would half cover. @param yOf pixel of a value */
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

function valueAxis(context: PaneContext): uPlot.Axis {
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
  const { percentBase } = context;
  const labels =
    percentBase !== undefined ? percentAxis(percentBase, labelSpacePx) : isLog ? logAxis(labelSpacePx) : {};
  return Object.assign(axis, atTheRight, labels);
}

/** The time zone of the labels, under the axis of values: that of the last candle in sight. */
function zoneCorner({ colours, time, zone: chosenZone }: PaneContext): uPlot.Plugin {
  const isUtc = chosenZone === 'utc' || isDated(candleLengthMs(time));
  const draw = (u: uPlot): void => {
    const last = Math.min(time.length - 1, Math.floor(u.scales.x?.max ?? 0));
    const { ctx, bbox } = u;
    const unit = devicePixelRatio;
    ctx.save();
    ctx.fillStyle = colours.muted;
    ctx.font = `${10 * unit}px "JetBrains Mono Variable", monospace`;
    ctx.textAlign = 'left';
    ctx.textBaseline = 'top';
    const text = isUtc ? 'UTC' : offsetName(time[last] ?? NaN);
    const room = ctx.canvas.width - bbox.left - bbox.width - ZONE_GAP_PX * unit;
    ctx.fillText(text, bbox.left + bbox.width + ZONE_GAP_PX * unit, bbox.top + bbox.height + ZONE_GAP_PX * unit, room);
    ctx.restore();
  };
  return { hooks: { draw } };
}

export function basicOptions(context: PaneContext, size: { width: number; height: number }): uPlot.Options {
  return {
    ...size,
    // At the top is room for the readout of the pane.
    padding: [22, 0, context.hasTimeLabels ? 0 : 6, 0],
    legend: { show: false },
    plugins: [crosshairLabels(context), ...(context.hasTimeLabels ? [zoneCorner(context)] : [])],
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

/** A series that uPlot neither draws nor measures: our own layer draws it, at a cost independent of the visible range. */
export const drawnByLayer: uPlot.Series = { paths: () => null, points: { show: false }, auto: false };

/** Minimum and maximum of the visible range; null when nothing is visible. */
export function visibleRange(u: uPlot, ...columns: Parameters<typeof extremesOf>): [number, number] | null {
  // The scale still has the previous range while the new one is computed; idxs are already current.
  const [from = 0, to = 0] = u.series[0]?.idxs ?? [];
  return rangeOf(extremesOf(...columns), from, to);
}

let stored = new Float64Array();

/** 0, 1, 2 ... Shared by the panes of a chart and by the next run on the same candles. */
export function indicesOf(count: number): Float64Array {
  if (stored.length !== count) stored = Float64Array.from({ length: count }, (_, i) => i);
  return stored;
}

/** The least of 1, 2, 5, 10 ... times a power of ten that is not below `least`. */
function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return power * ([1, 2, 5].find((factor) => factor * power >= least * (1 - 1e-9)) ?? 10);
}

/** Above this ratio of the ends equal steps would leave the lower half of a log scale without a label. */
const EVEN_RATIO_MAX = 4;
const factors = [1, 2, 5];

/**
 * Round values for the labels of a log scale: equal steps for a short range, as in most charts; 1, 2, 5 of each power of ten for a long
 * one.
 * @param min above 0
 * @param countMax maximum number of labels that fit
 */
export function logSplits(min: number, max: number, countMax: number): number[] {
  if (!(min > 0) || !(max > min)) return [];
  if (max / min <= EVEN_RATIO_MAX) {
    const step = roundStep((max - min) / Math.max(1, countMax));
    const first = Math.ceil(min / step - 1e-9);
    return Array.from({ length: Math.floor(max / step + 1e-9) - first + 1 }, (_, at) => (first + at) * step);
  }
  const from = Math.floor(Math.log10(min));
  const to = Math.ceil(Math.log10(max));
  const round = Array.from({ length: to - from + 1 }, (_, at) => from + at)
    .flatMap((power) => factors.map((factor) => factor * 10 ** power))
    .filter((value) => value >= min && value <= max);
  const every = Math.ceil(round.length / Math.max(1, countMax));
  return round.filter((_, at) => at % every === 0);
}
