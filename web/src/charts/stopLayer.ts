import type uPlot from 'uplot';
import { inPlot, pixelMap } from './candleLayer.ts';
import type { Colours } from './colours.ts';
import type { PlotColumn } from './columns.ts';

/** The stop through time: flat while it stands, a step where it moved. */
export function drawStops(u: uPlot, stops: PlotColumn, colours: Colours): void {
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
