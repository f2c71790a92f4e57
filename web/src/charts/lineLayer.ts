import type uPlot from 'uplot';
import { inPlot, pixelMap } from './candleLayer.ts';
import type { ChartLine } from './chartModel.ts';
import type { Colours } from './colours.ts';

/** Straight lines from point to point, over the candles. */
export function drawLines(u: uPlot, count: number, lines: readonly ChartLine[], colours: Colours): void {
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
