import type { Candles } from '@sextant/workers/src/protocol/backtest.ts';
import type uPlot from 'uplot';
import type { Colours } from './colours.ts';
import { extremesOf, pixelColumns } from './extremes.ts';

/** Straight-line maps from index and price to canvas pixels: calling valToPos for each of 50,000 candles costs six times as much. */
export interface PixelMap {
  x: (index: number) => number;
  y: (value: number) => number;
  /** Distance between candles in canvas pixels. */
  barWidth: number;
  from: number;
  to: number;
}

export function pixelMap(u: uPlot, count: number): PixelMap {
  const x0 = u.valToPos(0, 'x', true);
  const barWidth = u.valToPos(1, 'x', true) - x0;
  return {
    x: (index) => x0 + barWidth * index,
    y: valueMap(u),
    barWidth,
    from: Math.max(0, Math.floor(u.scales.x?.min ?? 0) - 1),
    to: Math.min(count - 1, Math.ceil(u.scales.x?.max ?? 0) + 1),
  };
}

/** uPlot's number of a logarithmic scale. */
export const LOG_DISTR = 3;

function valueMap(u: uPlot): (value: number) => number {
  const isLog = Number(u.scales.y?.distr) === LOG_DISTR;
  // Two points define the scale; on a log scale it is linear in the logarithms.
  const { min: low = 0, max: high = 1 } = u.scales.y ?? {};
  const along = isLog ? Math.log : (value: number) => value;
  const y0 = u.valToPos(low, 'y', true);
  const step = high > low ? (u.valToPos(high, 'y', true) - y0) / (along(high) - along(low)) : 0;
  const start = along(low);
  return (value) => y0 + (along(value) - start) * step;
}

/** Clips to the plot area while `draw` runs. @param ctx of a canvas over the plot, of its size; the plot's own when absent */
export function inPlot(
  { bbox, ctx: own }: uPlot,
  draw: (ctx: CanvasRenderingContext2D) => void,
  ctx: CanvasRenderingContext2D = own,
): void {
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  draw(ctx);
  ctx.restore();
}

/** Candles as boxes of two colours. Below one pixel per candle, all candles of a pixel become one box from their low to their high. */
export function drawCandles(u: uPlot, candles: Candles, colours: Colours): void {
  const map = pixelMap(u, candles.time.length);
  const boxes = map.barWidth < 1 ? mergedBars(candles, map) : fullBars(candles, map);
  inPlot(u, (ctx) => {
    ctx.fillStyle = colours.up;
    fillBoxes(ctx, boxes.up);
    ctx.fillStyle = colours.down;
    fillBoxes(ctx, boxes.down);
  });
}

/** Left, top, width and height of each box in turn. Filling a path of thousands of boxes takes many times as long. */
interface Boxes {
  up: number[];
  down: number[];
}

function fillBoxes(ctx: CanvasRenderingContext2D, boxes: readonly number[]): void {
  for (let i = 0; i + 3 < boxes.length; i += 4)
    ctx.fillRect(boxes[i] ?? 0, boxes[i + 1] ?? 0, boxes[i + 2] ?? 0, boxes[i + 3] ?? 0);
}

function fullBars({ open, high, low, close }: Candles, map: PixelMap): Boxes {
  const boxes: Boxes = { up: [], down: [] };
  const width = Math.max(1, Math.floor(map.barWidth * 0.72));
  const wick = Math.max(1, Math.round(Math.min(devicePixelRatio, map.barWidth * 0.2)));
  for (let i = map.from; i <= map.to; i++) {
    const opened = open[i] ?? NaN;
    const closed = close[i] ?? NaN;
    const own = closed >= opened ? boxes.up : boxes.down;
    const centre = Math.round(map.x(i));
    const top = Math.round(map.y(high[i] ?? NaN));
    own.push(centre - Math.floor(wick / 2), top, wick, Math.max(1, Math.round(map.y(low[i] ?? NaN)) - top));
    if (width <= 2) continue;
    const bodyTop = Math.round(map.y(Math.max(opened, closed)));
    const bodyHeight = Math.max(1, Math.round(map.y(Math.min(opened, closed))) - bodyTop);
    own.push(centre - Math.floor(width / 2), bodyTop, width, bodyHeight);
  }
  return boxes;
}

function mergedBars({ open, high, low, close }: Candles, map: PixelMap): Boxes {
  const boxes: Boxes = { up: [], down: [] };
  const columns = pixelColumns(extremesOf(low, high), map);
  for (let i = 0; i < columns.count; i++) {
    const isUp = (close[columns.last[i] ?? 0] ?? NaN) >= (open[columns.first[i] ?? 0] ?? NaN);
    const top = Math.round(map.y(columns.high[i] ?? NaN));
    const height = Math.max(1, Math.round(map.y(columns.low[i] ?? NaN)) - top);
    (isUp ? boxes.up : boxes.down).push(columns.x[i] ?? 0, top, 1, height);
  }
  return boxes;
}
