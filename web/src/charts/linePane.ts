import uPlot from 'uplot';
import { inPlot } from './candleLayer.ts';
import type { LinePane } from './chartModel.ts';
import type { PlotColumn } from './columns.ts';
import { drawLine } from './lineLayer.ts';
import { basicOptions, drawnByLayer, indicesOf, type PaneContext, visibleRange } from './paneOptions.ts';

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
