import type { Candles } from '@sextant/workers/src/protocol/backtest.ts';
import uPlot from 'uplot';
import './uplot.css';
import { drawCandles, inPlot, pixelMap } from './candleLayer.ts';
import type { ChartLine, ChartModel, FormingCandle, PlotColumn } from './chartModel.ts';
import type { Colours } from './colours.ts';
import type { DrawingLayer } from './drawings/DrawingLayer.ts';
import { extremesOf, pixelColumns, rangeOf } from './extremes.ts';
import type { LevelHandles } from './levelHandles.ts';
import { drawLevels, drawMarks, fitRange } from './levelsAndMarks.ts';
import { drawLine, OVERLAY_LINE_PX } from './linePane.ts';
import { basicOptions, drawnByLayer, indicesOf, type PaneContext, valueScale, visibleRange } from './paneOptions.ts';
import { StillLayer } from './stillLayer.ts';
import { drawTrades } from './tradeLayer.ts';

/** The stop over time: flat while unchanged, a step where it moved. */
function drawStops(u: uPlot, stops: PlotColumn, colours: Colours): void {
  if (stops.length === 0) return;
  const map = pixelMap(u, stops.length);
  inPlot(u, (ctx) => {
    ctx.strokeStyle = colours.down;
    ctx.lineWidth = 1.5 * devicePixelRatio;
    ctx.beginPath();
    let isDrawing = false;
    for (let i = map.from; i <= map.to; i++) {
      const stop = stops[i] ?? null;
      if (stop === null) {
        isDrawing = false;
        continue;
      }
      const left = map.x(i) - map.barWidth / 2;
      if (isDrawing) ctx.lineTo(left, map.y(stop));
      else ctx.moveTo(left, map.y(stop));
      ctx.lineTo(left + map.barWidth, map.y(stop));
      isDrawing = true;
    }
    ctx.stroke();
  });
}

const HEADROOM_FRACTION = 0.08;
/** Gap between the readout and the content below it. */
const READOUT_GAP_PX = 6;
/** Room for the warm-up label. */
const WARMUP_LABEL_PX = 130;

export interface Drawn {
  model: ChartModel;
  selectedTrade: number | null;
  handles: LevelHandles;
  drawings: DrawingLayer;
  /** Canvas of the pane that draws it. */
  still?: StillLayer;
}

/**
 * @param readout the line over the pane, already in the page: the plot starts below it
 * @param drawn read at each draw: a new result is drawn by redrawing, not by rebuilding the chart
 */
export function candlePane(
  host: HTMLElement,
  context: PaneContext,
  size: { width: number; height: number },
  drawn: Drawn,
  onCursor: (index: number | null) => void,
  readout: HTMLElement,
): uPlot {
  const options = basicOptions({ ...context, marked: () => lastPrice(drawn.model) }, size);
  options.scales = {
    ...options.scales,
    y: valueScale((u) => drawn.handles.heldRange() ?? priceRange(u, drawn.model, context.isLog), context.isLog),
  };
  // The readout may wrap to several lines; labels of levels at the top edge must stay below it.
  options.padding = [() => readout.offsetHeight + READOUT_GAP_PX, 0, context.hasTimeLabels ? 0 : 6, 0];
  options.series = [{}, drawnByLayer];
  const still = new StillLayer((u) => drawAbove(u, drawn, context));
  drawn.still = still;
  options.hooks = {
    drawClear: [(u) => shadeWarmup(u, drawn.model.scoredFrom, context)],
    draw: [
      (u) => {
        const { candles, overlays = [], forming = null } = drawn.model;
        drawVolume(u, candles, context.colours);
        drawCandles(u, candles, context.colours);
        if (forming !== null) drawForming(u, { candles, forming }, context.colours);
        for (const { lines } of overlays) for (const line of lines) drawLine(u, line, context.colours, OVERLAY_LINE_PX);
        still.finish(u);
      },
    ],
    setCursor: [(u) => onCursor(u.cursor.idx ?? null)],
  };
  return new uPlot(options, candlePaneData(drawn.model), host);
}

/** All over the candles, first the trades. */
function drawAbove(u: uPlot, { model, selectedTrade: selected, drawings, handles }: Drawn, context: PaneContext): void {
  const { candles, trades, stops = [], lines = [], levels = [], marks = [], forming = null } = model;
  const { colours } = context;
  drawTrades(u, { candles, trades, selected, isForming: forming !== null }, colours);
  drawStops(u, stops, colours);
  drawLines(u, candles.time.length, lines, colours);
  drawings.paint(u, model, colours, context.format);
  drawLevels(u, levels, context, lastPrice(model));
  drawMarks(u, candles.time.length, marks, colours);
  drawLastPrice(u, lastPrice(model), context);
  handles.place(u, levels);
}

/** Minimum and maximum price in view, including the forming candle if it is visible. */
function seenRange(u: uPlot, { candles: { time, low, high }, forming = null }: ChartModel): [number, number] {
  const closed = visibleRange(u, low, high);
  const isFormingSeen = (u.series[0]?.idxs?.[1] ?? 0) >= time.length;
  if (forming === null || !isFormingSeen) return closed ?? [0, 0];
  const [least, greatest] = closed ?? [Infinity, -Infinity];
  return [Math.min(least, forming.low), Math.max(greatest, forming.high)];
}

/** Prices a scale can show: values of 0 or below have no logarithm. */
export const scalable = (prices: readonly (number | null)[], isLog: boolean): number[] =>
  prices.filter((price): price is number => price !== null && (!isLog || price > 0));

/**
 * The prices in view with room for the volume below them; overlays and levels extend the range as long as they do not flatten the candles.
 */
function priceRange(u: uPlot, model: ChartModel, isLog = false): [number, number] {
  const { candles, levels = [], stops = [], overlays = [] } = model;
  const lines = overlays.flatMap(({ lines: all }) => all.flatMap(({ values }) => visibleRange(u, values) ?? []));
  const prices = [...levels.map(({ price }) => price), ...Array.from(stops), ...lines];
  const fitted = fitRange(seenRange(u, model), scalable(prices, isLog));
  const [, traded] = visibleRange(u, candles.volume) ?? [0, 0];
  const below = traded > 0 ? HEADROOM_FRACTION + VOLUME_FRACTION : HEADROOM_FRACTION;
  return withRoom(fitted, { below, above: HEADROOM_FRACTION, isLog });
}

interface Room {
  /** Share of the range's height left below, on its own scale. */
  below: number;
  above: number;
  isLog: boolean;
}

/** A range with empty room at its ends; of a single price some room around it. */
export function withRoom(
  [least, greatest]: readonly [number, number],
  { below, above, isLog }: Room,
): [number, number] {
  if (isLog && least > 0) {
    const ratio = greatest / least === 1 ? 1.01 : greatest / least;
    return [least / ratio ** below, greatest * ratio ** above];
  }
  const room = greatest - least || Math.abs(greatest) * 0.01 || 1;
  return [least - room * below, greatest + room * above];
}

/** The closes serve the crosshair; the layer draws from the columns themselves. */
export function candlePaneData({ candles, forming = null }: ChartModel): uPlot.AlignedData {
  const { close } = candles;
  if (forming === null) return [indicesOf(close.length), close];
  const withForming = new Float64Array(close.length + 1);
  withForming.set(close);
  withForming[close.length] = forming.close;
  return [indicesOf(withForming.length), withForming];
}

function shadeWarmup(u: uPlot, scoredFrom: number, { colours }: PaneContext): void {
  if (scoredFrom <= 0) return;
  inPlot(u, (ctx) => {
    const edge = pixelMap(u, scoredFrom).x(scoredFrom - 0.5);
    if (edge <= u.bbox.left) return;
    ctx.fillStyle = colours.bg;
    ctx.fillRect(u.bbox.left, u.bbox.top, edge - u.bbox.left, u.bbox.height);
    ctx.fillStyle = colours.muted;
    ctx.fillRect(Math.round(edge), u.bbox.top, 1, u.bbox.height);
    const isRoomy = edge - u.bbox.left > WARMUP_LABEL_PX * devicePixelRatio;
    if (!isRoomy) return;
    ctx.font = `${11 * devicePixelRatio}px "Inter Variable", sans-serif`;
    ctx.textAlign = 'right';
    ctx.textBaseline = 'bottom';
    ctx.fillText('warm-up, not traded', edge - 8 * devicePixelRatio, u.bbox.top + u.bbox.height - 6 * devicePixelRatio);
  });
}

const lastPrice = ({ candles, forming = null }: ChartModel): number | undefined =>
  forming?.close ?? candles.close.at(-1);

function drawLastPrice(u: uPlot, last: number | undefined, { colours, format }: PaneContext): void {
  if (last === undefined) return;
  const { ctx, bbox } = u;
  const y = Math.round(u.valToPos(last, 'y', true)) + 0.5;
  if (y < bbox.top || y > bbox.top + bbox.height) return;
  const unit = devicePixelRatio;
  ctx.save();
  ctx.strokeStyle = colours.muted;
  ctx.lineWidth = unit;
  ctx.setLineDash([2 * unit, 3 * unit]);
  ctx.beginPath();
  ctx.moveTo(bbox.left, y);
  ctx.lineTo(bbox.left + bbox.width, y);
  ctx.stroke();
  ctx.fillStyle = colours.text;
  ctx.fillRect(bbox.left + bbox.width + 1, y - 8 * unit, u.ctx.canvas.width - bbox.left - bbox.width - 1, 16 * unit);
  ctx.fillStyle = colours.panel;
  ctx.font = `${11 * unit}px "JetBrains Mono Variable", monospace`;
  ctx.textAlign = 'left';
  ctx.textBaseline = 'middle';
  ctx.fillText(format(last), bbox.left + bbox.width + 8 * unit, y + 0.5 * unit);
  ctx.restore();
}

/** Straight lines from point to point, over the candles. */
function drawLines(u: uPlot, count: number, lines: readonly ChartLine[], colours: Colours): void {
  if (lines.length === 0) return;
  const map = pixelMap(u, count);
  inPlot(u, (ctx) => {
    ctx.lineWidth = 1.5 * devicePixelRatio;
    ctx.lineJoin = 'round';
    for (const { points, colour } of lines) {
      ctx.strokeStyle = colours[colour];
      ctx.beginPath();
      for (const { index, price } of points) ctx.lineTo(map.x(index), map.y(price));
      ctx.stroke();
    }
  });
}

/** Share of the plot's height that the greatest visible volume takes. */
const VOLUME_FRACTION = 0.16;

/** Bars at the foot of the plot, on a separate scale, in the colour of their candle. */
function drawVolume(u: uPlot, { open, close, volume }: Candles, colours: Colours): void {
  const map = pixelMap(u, volume.length);
  const extremes = extremesOf(volume);
  const [, greatest] = rangeOf(extremes, map.from, map.to) ?? [0, 0];
  if (!(greatest > 0)) return;
  const bottom = Math.round(u.bbox.top + u.bbox.height);
  const perUnit = (u.bbox.height * VOLUME_FRACTION) / greatest;
  const isUp = (first: number, last: number) => (close[last] ?? 0) >= (open[first] ?? 0);
  inPlot(u, (ctx) => {
    ctx.globalAlpha = 0.32;
    const bar = (left: number, width: number, value: number, isRise: boolean) => {
      const height = Math.round(value * perUnit);
      ctx.fillStyle = isRise ? colours.up : colours.down;
      ctx.fillRect(left, bottom - height, width, height);
    };
    if (map.barWidth < 1) {
      const columns = pixelColumns(extremes, map);
      for (let i = 0; i < columns.count; i++)
        bar(columns.x[i] ?? 0, 1, columns.high[i] ?? 0, isUp(columns.first[i] ?? 0, columns.last[i] ?? 0));
      return;
    }
    const width = Math.max(1, Math.floor(map.barWidth * 0.72));
    for (let i = map.from; i <= map.to; i++)
      bar(Math.round(map.x(i)) - Math.floor(width / 2), width, volume[i] ?? 0, isUp(i, i));
  });
}

const LABEL_GAP_PX = 4;
const LABEL_PX = 44;
const LABEL_HEIGHT_PX = 12;

interface Shown {
  candles: Candles;
  forming: FormingCandle;
}

/** The forming candle, hollow and labelled: it may still change. */
function drawForming(u: uPlot, { candles, forming }: Shown, colours: Colours): void {
  const index = candles.time.length;
  const map = pixelMap(u, index + 1);
  if (map.to < index) return;
  const unit = devicePixelRatio;
  inPlot(u, (ctx) => {
    const centre = Math.round(map.x(index)) + 0.5;
    const width = Math.max(3 * unit, Math.floor(map.barWidth * 0.72));
    const [top, bottom] = [map.y(forming.high), map.y(forming.low)];
    const bodyTop = map.y(Math.max(forming.open, forming.close));
    const bodyBottom = map.y(Math.min(forming.open, forming.close));
    ctx.strokeStyle = forming.close >= forming.open ? colours.up : colours.down;
    ctx.lineWidth = unit;
    ctx.beginPath();
    ctx.moveTo(centre, top);
    ctx.lineTo(centre, bodyTop);
    ctx.moveTo(centre, bodyBottom);
    ctx.lineTo(centre, bottom);
    ctx.stroke();
    ctx.strokeRect(centre - width / 2, bodyTop, width, Math.max(unit, bodyBottom - bodyTop));

    // Above the candles that the label covers.
    const reach = Math.ceil((LABEL_PX * unit) / map.barWidth);
    const [, highest] = rangeOf(extremesOf(candles.low, candles.high), index - reach, index - 1) ?? [0, forming.high];
    const foot = map.y(Math.max(highest, forming.high)) - LABEL_GAP_PX * unit;
    ctx.fillStyle = colours.muted;
    ctx.font = `${10 * unit}px "Inter Variable", sans-serif`;
    ctx.textAlign = 'right';
    ctx.textBaseline = 'bottom';
    const right = Math.min(u.bbox.left + u.bbox.width - LABEL_GAP_PX * unit, centre + width / 2);
    ctx.fillText('forming', right, Math.max(foot, u.bbox.top + LABEL_HEIGHT_PX * unit));
  });
}
