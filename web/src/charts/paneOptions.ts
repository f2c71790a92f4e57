import type uPlot from 'uplot';
import type { Colours } from './colours.ts';
import { timeLabel, timeSplits } from './timeAxis.ts';

const VALUE_AXIS_PX = 72;
/** uPlot counts the sides from the top, clockwise. */
const RIGHT = 1 as uPlot.Axis.Side;
const TIME_AXIS_PX = 26;
const LABEL_SPACING_PX = 96;
const axisFont = '11px "JetBrains Mono Variable", ui-monospace, monospace';

export interface PaneContext {
  colours: Colours;
  /** Open times, epoch ms. */
  time: Float64Array;
  /** Panes with the same key share one crosshair. */
  syncKey: string;
  hasTimeLabels: boolean;
  format: (value: number) => string;
}

export function timeAxis({ colours, time, hasTimeLabels }: PaneContext): uPlot.Axis {
  const visible = (u: uPlot) =>
    timeSplits(time, u.scales.x?.min ?? 0, u.scales.x?.max ?? 0, Math.max(2, Math.floor(u.width / LABEL_SPACING_PX)));
  return {
    scale: 'x',
    stroke: colours.muted,
    font: axisFont,
    size: hasTimeLabels ? TIME_AXIS_PX : 0,
    gap: 6,
    grid: { stroke: colours.grid, width: 1 },
    ticks: { show: false },
    splits: (u) => visible(u).indices,
    values: (u, splits) => {
      if (!hasTimeLabels) return splits.map(() => '');
      const { stepMs } = visible(u);
      return splits.map((index) => timeLabel(time[index] ?? NaN, stepMs));
    },
  };
}

export function valueAxis({ colours, format }: PaneContext): uPlot.Axis {
  return {
    scale: 'y',
    side: RIGHT,
    stroke: colours.muted,
    font: axisFont,
    size: VALUE_AXIS_PX,
    gap: 8,
    space: 28,
    grid: { stroke: colours.grid, width: 1 },
    ticks: { show: false },
    values: (_u, splits) => splits.map((value) => format(value)),
  };
}

export function basicOptions(context: PaneContext, size: { width: number; height: number }): uPlot.Options {
  return {
    ...size,
    padding: [10, 0, context.hasTimeLabels ? 0 : 6, 0],
    legend: { show: false },
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
