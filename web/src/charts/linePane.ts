import uPlot from 'uplot';
import { inPlot, pixelMap, type PixelMap } from './candleLayer.ts';
import type { LinePane } from './chartModel.ts';
import type { PlotColumn } from './columns.ts';
import { extremesOf, type PixelColumns, pixelColumns } from './extremes.ts';
import { basicOptions, drawnByLayer, indicesOf, type PaneContext, visibleRange } from './paneOptions.ts';

interface LineLook {
  colour: string;
  /** Colour of the area down to zero; none when absent. */
  fill?: string;
}

const LINE_PX = 1.5;

/**
 * A line with its area. Above one value a pixel each pixel column is one box from least to greatest, joined to the one before:
 * stroking thousands of points costs many times as much and gives the same picture.
 */
function drawLine(u: uPlot, values: PlotColumn, look: LineLook): void {
  const map = pixelMap(u, values.length);
  inPlot(u, (ctx) => {
    if (map.barWidth < 1) drawDense(ctx, values, map, look);
    else drawPoints(ctx, values, map, look);
  });
}

function drawDense(ctx: CanvasRenderingContext2D, values: PlotColumn, map: PixelMap, { colour, fill }: LineLook): void {
  const columns = pixelColumns(extremesOf(values), map);
  if (fill !== undefined) {
    ctx.fillStyle = fill;
    fillToZero(ctx, columns, map);
  }
  const { count, x, low, high, first } = columns;
  const thickness = Math.round(LINE_PX * devicePixelRatio);
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
  { colour, fill }: LineLook,
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
  ctx.lineWidth = LINE_PX * devicePixelRatio;
  ctx.lineJoin = 'round';
  for (const [from, to] of pieces(values, map)) {
    trace(ctx, values, map, from, to);
    ctx.stroke();
  }
}

/** First and last index of each stretch in sight without a hole. */
function* pieces(values: PlotColumn, { from, to }: PixelMap): Generator<[number, number]> {
  let begun = -1;
  for (let i = from; i <= to + 1; i++) {
    const isThere = i <= to && hasValue(values, i);
    if (isThere && begun < 0) begun = i;
    if (!isThere && begun >= 0) {
      yield [begun, i - 1];
      begun = -1;
    }
  }
}

function trace(ctx: CanvasRenderingContext2D, values: PlotColumn, map: PixelMap, from: number, to: number): void {
  ctx.beginPath();
  for (let i = from; i <= to; i++) ctx.lineTo(map.x(i), map.y(values[i] ?? 0));
}

/** @param current read at each draw: another result is drawn by redrawing, not by building the pane anew */
export function linePane(
  host: HTMLElement,
  context: PaneContext,
  size: { width: number; height: number },
  current: () => LinePane,
  onCursor: (index: number | null) => void,
): uPlot {
  const options = basicOptions(context, size);
  const colour = context.colours[current().colour];
  const look = current().isFilled ? { colour, fill: `color-mix(in srgb, ${colour} 16%, transparent)` } : { colour };
  options.scales = {
    ...options.scales,
    y: { range: (u) => padded(visibleRange(u, current().values) ?? [], current()) },
  };
  options.series = [{}, drawnByLayer];
  options.hooks = {
    draw: [
      (u) => {
        drawLine(u, current().values, look);
        drawLevels(u, current().levels, context);
      },
    ],
    setCursor: [(u) => onCursor(u.cursor.idx ?? null)],
  };
  return new uPlot(options, linePaneData(current().values), host);
}

export function linePaneData(values: PlotColumn): uPlot.AlignedData {
  return [indicesOf(values.length), values];
}

/** Levels stay on screen: a score far below its threshold should look far below it. */
function padded(seen: readonly number[], pane: LinePane): [number, number] {
  const values = [...seen, ...pane.levels, ...(pane.isFilled ? [0] : [])];
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
