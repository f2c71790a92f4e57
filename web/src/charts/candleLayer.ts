import type { Candles } from '@sextant/workers/src/protocol.ts';
import type uPlot from 'uplot';
import type { Colours } from './colours.ts';

/** Straight-line maps from index and price to canvas pixels: calling valToPos for each of 50,000 candles costs six times as much. */
export interface PixelMap {
  x: (index: number) => number;
  y: (value: number) => number;
  /** Canvas pixels from one candle to the next. */
  barWidth: number;
  from: number;
  to: number;
}

export function pixelMap(u: uPlot, count: number): PixelMap {
  const x0 = u.valToPos(0, 'x', true);
  const y0 = u.valToPos(0, 'y', true);
  const barWidth = u.valToPos(1, 'x', true) - x0;
  const yStep = u.valToPos(1, 'y', true) - y0;
  return {
    x: (index) => x0 + barWidth * index,
    y: (value) => y0 + yStep * value,
    barWidth,
    from: Math.max(0, Math.floor(u.scales.x?.min ?? 0) - 1),
    to: Math.min(count - 1, Math.ceil(u.scales.x?.max ?? 0) + 1),
  };
}

/** Clips to the plot area while `draw` runs. */
export function inPlot(u: uPlot, draw: (ctx: CanvasRenderingContext2D) => void): void {
  const { ctx, bbox } = u;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  draw(ctx);
  ctx.restore();
}

/** Candles in one pass and two fills. Below one pixel a candle, those that share a pixel become one bar from their low to their high. */
export function drawCandles(u: uPlot, candles: Candles, colours: Colours): void {
  const map = pixelMap(u, candles.time.length);
  const paths = map.barWidth < 1 ? mergedBars(candles, map) : fullBars(candles, map);
  inPlot(u, (ctx) => {
    ctx.fillStyle = colours.up;
    ctx.fill(paths.up);
    ctx.fillStyle = colours.down;
    ctx.fill(paths.down);
  });
}

interface TwoPaths {
  up: Path2D;
  down: Path2D;
}

function fullBars({ open, high, low, close }: Candles, map: PixelMap): TwoPaths {
  const paths = { up: new Path2D(), down: new Path2D() };
  const width = Math.max(1, Math.floor(map.barWidth * 0.72));
  const wick = Math.max(1, Math.round(Math.min(devicePixelRatio, map.barWidth * 0.2)));
  for (let i = map.from; i <= map.to; i++) {
    const opened = open[i] ?? NaN;
    const closed = close[i] ?? NaN;
    const path = closed >= opened ? paths.up : paths.down;
    const centre = Math.round(map.x(i));
    const top = Math.round(map.y(high[i] ?? NaN));
    path.rect(centre - Math.floor(wick / 2), top, wick, Math.max(1, Math.round(map.y(low[i] ?? NaN)) - top));
    if (width <= 2) continue;
    const bodyTop = Math.round(map.y(Math.max(opened, closed)));
    const bodyHeight = Math.max(1, Math.round(map.y(Math.min(opened, closed))) - bodyTop);
    path.rect(centre - Math.floor(width / 2), bodyTop, width, bodyHeight);
  }
  return paths;
}

function mergedBars({ open, high, low, close }: Candles, map: PixelMap): TwoPaths {
  const paths = { up: new Path2D(), down: new Path2D() };
  let column = NaN;
  let first = 0;
  let top = 0;
  let bottom = 0;
  let last = 0;
  const flush = () => {
    if (Number.isNaN(column)) return;
    const y = Math.round(map.y(top));
    (last >= first ? paths.up : paths.down).rect(column, y, 1, Math.max(1, Math.round(map.y(bottom)) - y));
  };
  for (let i = map.from; i <= map.to; i++) {
    const x = Math.round(map.x(i));
    if (x !== column) {
      flush();
      column = x;
      first = open[i] ?? NaN;
      top = high[i] ?? NaN;
      bottom = low[i] ?? NaN;
    }
    top = Math.max(top, high[i] ?? top);
    bottom = Math.min(bottom, low[i] ?? bottom);
    last = close[i] ?? NaN;
  }
  flush();
  return paths;
}
