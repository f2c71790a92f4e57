import uPlot from 'uplot';
import './uplot.css';
import { inPlot, pixelMap, type PixelMap } from './candleLayer.ts';
import type { LinePane, PlotColumn, PlotLine } from './chartModel.ts';
import type { Colours } from './colours.ts';
import { extremesOf, type PixelColumns, pixelColumns } from './extremes.ts';
import { basicOptions, drawnByLayer, indicesOf, type PaneContext, valueScale, visibleRange } from './paneOptions.ts';

interface LineLook {
  colour: string;
  widthPx: number;
  /** Colour of the area down to zero; none when absent. */
  fill?: string;
}

const LINE_PX = 1.5;
/** Over candles, which it must not hide. */
export const OVERLAY_LINE_PX = 1;

const soft = (colour: string, pct: number): string => `color-mix(in srgb, ${colour} ${pct}%, transparent)`;

/**
 * A line with its area, or bars. Above one value per pixel each pixel column is one box from minimum to maximum, joined to the previous
 * one: stroking thousands of points costs many times as much for the same picture.
 */
export function drawLine(u: uPlot, line: PlotLine, colours: Colours, widthPx = LINE_PX): void {
  const { values, isFilled, isBars = false } = line;
  const colour = colours[line.colour];
  const look = isFilled ? { colour, widthPx, fill: soft(colour, 16) } : { colour, widthPx };
  const map = pixelMap(u, values.length);
  inPlot(u, (ctx) => {
    if (isBars) drawBars(ctx, values, map, soft(colour, 60));
    else if (map.barWidth < 1) drawDense(ctx, values, map, look);
    else drawPoints(ctx, values, map, look);
  });
}

function drawBars(ctx: CanvasRenderingContext2D, values: PlotColumn, map: PixelMap, fill: string): void {
  ctx.fillStyle = fill;
  if (map.barWidth < 1) {
    fillToZero(ctx, pixelColumns(extremesOf(values), map), map);
    return;
  }
  const zero = Math.round(map.y(0));
  const width = Math.max(1, Math.floor(map.barWidth * 0.72));
  for (let i = map.from; i <= map.to; i++) {
    const far = Math.round(map.y(values[i] ?? 0));
    ctx.fillRect(Math.round(map.x(i)) - Math.floor(width / 2), Math.min(zero, far), width, Math.abs(far - zero));
  }
}

function drawDense(
  ctx: CanvasRenderingContext2D,
  values: PlotColumn,
  map: PixelMap,
  { colour, widthPx, fill }: LineLook,
): void {
  const columns = pixelColumns(extremesOf(values), map);
  if (fill !== undefined) {
    ctx.fillStyle = fill;
    fillToZero(ctx, columns, map);
  }
  const { count, x, low, high, first } = columns;
  const thickness = Math.max(1, Math.round(widthPx * devicePixelRatio));
  ctx.fillStyle = colour;
  for (let i = 0; i < count; i++) {
    let [least, greatest] = [low[i] ?? NaN, high[i] ?? NaN];
    const isBeside = i > 0 && (x[i] ?? 0) - (x[i - 1] ?? 0) === 1;
    if (isBeside && hasValue(values, (first[i] ?? 0) - 1)) {
      least = Math.min(least, high[i - 1] ?? least);
      greatest = Math.max(greatest, low[i - 1] ?? greatest);
    }
    const top = Math.round(map.y(greatest) - thickness / 2);
    ctx.fillRect(x[i] ?? 0, top, 1, Math.max(thickness, Math.round(map.y(least) + thickness / 2) - top));
  }
}

const hasValue = (values: PlotColumn, at: number): boolean => (values[at] ?? null) !== null;

function fillToZero(ctx: CanvasRenderingContext2D, { count, x, low, high }: PixelColumns, map: PixelMap): void {
  const zero = Math.round(map.y(0));
  for (let i = 0; i < count; i++) {
    const least = low[i] ?? 0;
    const far = Math.round(map.y(least < 0 ? least : (high[i] ?? 0)));
    ctx.fillRect(x[i] ?? 0, Math.min(zero, far), 1, Math.abs(far - zero));
  }
}

function drawPoints(
  ctx: CanvasRenderingContext2D,
  values: PlotColumn,
  map: PixelMap,
  { colour, widthPx, fill }: LineLook,
): void {
  if (fill !== undefined) {
    ctx.fillStyle = fill;
    for (const [from, to] of pieces(values, map)) {
      trace(ctx, values, map, from, to);
      ctx.lineTo(map.x(to), map.y(0));
      ctx.lineTo(map.x(from), map.y(0));
      ctx.fill();
    }
  }
  ctx.strokeStyle = colour;
  ctx.lineWidth = widthPx * devicePixelRatio;
  ctx.lineJoin = 'round';
  for (const [from, to] of pieces(values, map)) {
    trace(ctx, values, map, from, to);
    ctx.stroke();
  }
}

/** First and last index of each stretch in sight without a hole. */
function* pieces(values: PlotColumn, { from, to }: PixelMap): Generator<[number, number]> {
  let started = -1;
  for (let i = from; i <= to + 1; i++) {
    const isThere = i <= to && hasValue(values, i);
    if (isThere && started < 0) started = i;
    if (!isThere && started >= 0) {
      yield [started, i - 1];
      started = -1;
    }
  }
}

function trace(ctx: CanvasRenderingContext2D, values: PlotColumn, map: PixelMap, from: number, to: number): void {
  ctx.beginPath();
  for (let i = from; i <= to; i++) ctx.lineTo(map.x(i), map.y(values[i] ?? 0));
}

/** @param current read at each draw: another result is drawn by redrawing, not by rebuilding the pane */
export function linePane(
  host: HTMLElement,
  context: PaneContext,
  size: { width: number; height: number },
  current: () => LinePane,
  onCursor: (index: number | null) => void,
): uPlot {
  const options = basicOptions(context, size);
  options.scales = { ...options.scales, y: valueScale((u) => padded(u, current())) };
  options.series = [{}, drawnByLayer];
  options.hooks = {
    draw: [
      (u) => {
        for (const line of linesOf(current())) drawLine(u, line, context.colours);
        drawLevels(u, current().levels, context);
      },
    ],
    setCursor: [(u) => onCursor(u.cursor.idx ?? null)],
  };
  return new uPlot(options, linePaneData(current().values, context.candleCount ?? 0), host);
}

/** @param count candles of the pane above, including the forming one, so that the crosshair is on the same candle in both */
export function linePaneData(values: PlotColumn, count: number): uPlot.AlignedData {
  const missing = Math.max(0, count - values.length);
  return [indicesOf(values.length + missing), missing === 0 ? values : [...values, ...Array<null>(missing).fill(null)]];
}

/** All lines of a pane, the first on top. */
const linesOf = (pane: LinePane): PlotLine[] => [...(pane.others ?? []), pane];

/** Levels stay on screen: a score far below its threshold should look far below it. */
function padded(u: uPlot, pane: LinePane): [number, number] {
  const seen = linesOf(pane).flatMap((line) => visibleRange(u, line.values) ?? []);
  const values = [
    ...seen,
    ...pane.levels,
    ...(linesOf(pane).some(({ isFilled, isBars = false }) => isFilled || isBars) ? [0] : []),
  ];
  const min = Math.min(...values);
  const max = Math.max(...values);
  if (!Number.isFinite(min) || !Number.isFinite(max)) return [-1, 1];
  if (pane.isFilled && min === 0 && max === 0) return [-1, 0];
  const room = (max - min || Math.abs(max) * 0.01 || 1) * 0.08;
  return [pane.isFilled && min >= 0 ? 0 : min - room, pane.isFilled && max <= 0 ? 0 : max + room];
}

function drawLevels(u: uPlot, levels: readonly number[], { colours }: PaneContext): void {
  inPlot(u, (ctx) => {
    ctx.strokeStyle = colours.muted;
    ctx.lineWidth = devicePixelRatio;
    ctx.setLineDash([3 * devicePixelRatio, 3 * devicePixelRatio]);
    for (const level of levels) {
      const y = Math.round(u.valToPos(level, 'y', true)) + 0.5;
      ctx.beginPath();
      ctx.moveTo(u.bbox.left, y);
      ctx.lineTo(u.bbox.left + u.bbox.width, y);
      ctx.stroke();
    }
  });
}
