import type uPlot from 'uplot';
import { inPlot, pixelMap, type PixelMap } from './candleLayer.ts';
import type { PlotColumn } from './columns.ts';
import { extremesOf, type PixelColumns, pixelColumns } from './extremes.ts';

export interface LineLook {
  colour: string;
  /** Colour of the area down to zero; none when absent. */
  fill?: string;
}

const LINE_PX = 1.5;

/**
 * A line with its area. Above one value a pixel each pixel column is one box from least to greatest, joined to the one before:
 * stroking thousands of points costs many times as much and gives the same picture.
 */
export function drawLine(u: uPlot, values: PlotColumn, look: LineLook): void {
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
