import type { Candles } from '@sextant/workers/src/protocol.ts';
import type uPlot from 'uplot';
import { inPlot, pixelMap } from './candleLayer.ts';
import type { Colours } from './colours.ts';
import { extremesOf, pixelColumns, rangeOf } from './extremes.ts';

/** Of the height of the plot, for the greatest volume in sight. */
export const VOLUME_FRACTION = 0.16;

/** Bars at the foot of the plot, on a scale of their own, in the colour of their candle. */
export function drawVolume(u: uPlot, { open, close, volume }: Candles, colours: Colours): void {
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
