import type { Candles } from '@sextant/workers/src/protocol.ts';
import type uPlot from 'uplot';
import { inPlot, pixelMap } from './candleLayer.ts';
import type { ChartMark } from './chartModel.ts';
import type { Colours } from './colours.ts';

const HALF_PX = 4.5;
const ABOVE_AXIS_PX = 9;
const colourOf = { bullish: 'up', bearish: 'down', neutral: 'muted' } as const;

/** The candle in which a moment lies, or -1. @param stepMs length of a candle */
export function candleAt({ time }: Candles, stepMs: number, atMs: number): number {
  let low = 0;
  let high = time.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((time[middle] ?? Infinity) <= atMs) low = middle + 1;
    else high = middle;
  }
  const index = low - 1;
  return index >= 0 && atMs < (time[index] ?? 0) + stepMs ? index : -1;
}

/** Diamonds at the foot of the plot, one for each candle with stories, in the colour of the first of them. */
export function drawMarks(u: uPlot, count: number, marks: readonly ChartMark[], colours: Colours): void {
  if (marks.length === 0) return;
  const map = pixelMap(u, count);
  const half = HALF_PX * devicePixelRatio;
  const y = u.bbox.top + u.bbox.height - ABOVE_AXIS_PX * devicePixelRatio;
  const drawn = new Set<number>();
  inPlot(u, (ctx) => {
    for (const { index, direction } of marks) {
      if (index < map.from || index > map.to || drawn.has(index)) continue;
      drawn.add(index);
      const x = map.x(index);
      ctx.beginPath();
      ctx.moveTo(x, y - half);
      ctx.lineTo(x + half, y);
      ctx.lineTo(x, y + half);
      ctx.lineTo(x - half, y);
      ctx.closePath();
      // The outline in the panel's colour keeps a mark readable on top of a candle of its own colour.
      ctx.strokeStyle = colours.panel;
      ctx.lineWidth = 2 * devicePixelRatio;
      ctx.stroke();
      ctx.fillStyle = colours[colourOf[direction]];
      ctx.fill();
    }
  });
}

const TITLE_MAX = 90;

/** `Bitcoin surges 5 % (and 2 more)`; undefined for a candle without a story. */
export function marksText(marks: readonly ChartMark[], index: number): string | undefined {
  const own = marks.filter((mark) => mark.index === index);
  const [first] = own;
  if (first === undefined) return undefined;
  const title = first.title.length > TITLE_MAX ? `${first.title.slice(0, TITLE_MAX).trimEnd()}…` : first.title;
  return own.length === 1 ? title : `${title} (and ${own.length - 1} more)`;
}
