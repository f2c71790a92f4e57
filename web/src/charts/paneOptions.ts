import { candleLengthMs } from '@sextant/workers/src/candles/closedCandles.ts';
import type uPlot from 'uplot';
import { isDated, isRepeatedTime, zoneName } from '../format/time.ts';
import { LOG_DISTR } from './candleLayer.ts';
import type { Colours } from './colours.ts';
import { crosshairLabels } from './readout.ts';
import { extremesOf, rangeOf } from './extremes.ts';

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
}

/** Width for labels of this many characters. */
export function valueAxisWidth(longest: number): number {
  return Math.ceil(Math.max(7, longest) * DIGIT_PX + VALUE_AXIS_MARGIN_PX);
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
      const { stepMs } = visible(u);
      return splits.map((index) => timeLabel(time[index] ?? NaN, stepMs, zone));
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

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

interface Step {
  /** Length, or for months their least. */
  ms: number;
  /** Start of the local period that holds a moment. */
  startOf: (ms: number) => number;
  /** Start of the next period. */
  next: (startMs: number) => number;
}

/** Time zone in which a day starts and labels are written. */
type AxisZone = 'local' | 'utc';

/** Periods of equal length, counted in the time of the zone. */
function even(length: number, zone: AxisZone): Step {
  const offsetOf = (ms: number) => (zone === 'utc' ? 0 : new Date(ms).getTimezoneOffset() * MINUTE);
  const startOf = (ms: number) => {
    const offset = offsetOf(ms);
    return Math.floor((ms - offset) / length) * length + offset;
  };
  // Daylight-saving changes would otherwise shift longer periods away from midnight.
  const slack = zone === 'local' && length > HOUR ? HOUR : 0;
  return { ms: length, startOf, next: (startMs) => startOf(startMs + length + slack) };
}

/** Months differ in length: a year must start in January, on whatever day. */
function months(count: number, zone: AxisZone): Step {
  const monthOf = (ms: number, further: number) => {
    const date = new Date(ms);
    const month =
      zone === 'utc' ? date.getUTCFullYear() * 12 + date.getUTCMonth() : date.getFullYear() * 12 + date.getMonth();
    const sinceEpoch = (Math.floor(month / count) + further) * count - 1900 * 12;
    return zone === 'utc' ? Date.UTC(1900, sinceEpoch) : new Date(1900, sinceEpoch).getTime();
  };
  return { ms: count * 30 * DAY, startOf: (ms) => monthOf(ms, 0), next: (startMs) => monthOf(startMs, 1) };
}

/** Distances between labels that read well. */
const stepsIn = (zone: AxisZone): readonly Step[] => [
  ...[5, 15, 30].map((minutes) => even(minutes * MINUTE, zone)),
  ...[1, 2, 4, 6, 12].map((hours) => even(hours * HOUR, zone)),
  ...[1, 2, 5, 10].map((days) => even(days * DAY, zone)),
  ...[1, 3, 12].map((count) => months(count, zone)),
];
const steps: Record<AxisZone, readonly Step[]> = { local: stepsIn('local'), utc: stepsIn('utc') };
const longest: Record<AxisZone, Step> = { local: months(12, 'local'), utc: months(12, 'utc') };

interface TimeSplits {
  /** Candle indices that carry a label. */
  indices: number[];
  stepMs: number;
}

/**
 * Labels for a time axis that counts candles, so that gaps take no room: the first candle of each round period. Costs a binary search per
 * label, independent of the number of visible candles.
 * @param time open times, epoch ms, rising
 * @param min first visible index, may lie before the first candle
 * @param countMax maximum number of labels that fit
 */
export function timeSplits(
  time: ArrayLike<number>,
  min: number,
  max: number,
  countMax: number,
  zone: AxisZone = 'local',
): TimeSplits {
  const from = Math.max(0, Math.ceil(min));
  const to = Math.min(time.length - 1, Math.floor(max));
  const first = time[from];
  const last = time[to];
  if (first === undefined || last === undefined || to <= from) return { indices: [], stepMs: HOUR };
  const step = steps[zone].find(({ ms }) => (last - first) / ms <= countMax) ?? longest[zone];
  const indices: number[] = [];
  // The period of the candle before the first visible one has already started; its start is not labelled again.
  const started = step.next(step.startOf(time[from - 1] ?? first));
  for (let start = Math.max(started, step.startOf(first)); start <= last; start = step.next(start)) {
    const index = firstFrom(time, start, from, to);
    if (index !== indices.at(-1)) indices.push(index);
  }
  // A gap can put more period starts close together than fit.
  const every = Math.ceil(indices.length / Math.max(1, countMax));
  return { indices: every > 1 ? indices.filter((_, at) => at % every === 0) : indices, stepMs: step.ms };
}

/** First index within [low, high] whose time is not before `ms`; must exist. */
function firstFrom(time: ArrayLike<number>, ms: number, low: number, high: number): number {
  let [from, to] = [low, high];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((time[middle] ?? NaN) < ms) from = middle + 1;
    else to = middle;
  }
  return from;
}

const monthNames = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `14:30` within a day, `01:30 EST` where the clock reads so twice, `3 Jan` for whole days, `May 2022` for months, `2022` for years. */
export function timeLabel(ms: number, stepMs: number, zone: AxisZone = 'local'): string {
  // Shifted, then read as UTC, so that the parts are those of the zone.
  const date = new Date(zone === 'utc' ? ms : ms - new Date(ms).getTimezoneOffset() * MINUTE);
  const [hour, minute] = [date.getUTCHours(), date.getUTCMinutes()];
  if (stepMs < DAY && (hour !== 0 || minute !== 0)) {
    const clock = `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
    return zone === 'local' && isRepeatedTime(ms) ? `${clock} ${zoneName(ms).replace('GMT', '')}` : clock;
  }
  const month = monthNames[date.getUTCMonth()] ?? '';
  if (stepMs >= longest[zone].ms) return String(date.getUTCFullYear());
  return stepMs >= 30 * DAY ? `${month} ${date.getUTCFullYear()}` : `${date.getUTCDate()} ${month}`;
}
