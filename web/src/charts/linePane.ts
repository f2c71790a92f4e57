import uPlot from 'uplot';
import { inPlot } from './candleLayer.ts';
import type { LinePane } from './chartModel.ts';
import type { PlotColumn } from './columns.ts';
import { basicOptions, type PaneContext } from './paneOptions.ts';

export function linePane(
  host: HTMLElement,
  context: PaneContext,
  size: { width: number; height: number },
  pane: LinePane,
  onCursor: (index: number | null) => void,
): uPlot {
  const options = basicOptions(context, size);
  const colour = context.colours[pane.colour];
  options.scales = { ...options.scales, y: { range: (_u, low, high) => padded(low, high, pane) } };
  options.series = [
    {},
    {
      stroke: colour,
      width: 1.5,
      points: { show: false },
      ...(pane.isFilled ? { fill: `color-mix(in srgb, ${colour} 16%, transparent)`, fillTo: 0 } : {}),
    },
  ];
  options.hooks = {
    draw: [(u) => drawLevels(u, pane.levels, context)],
    setCursor: [(u) => onCursor(u.cursor.idx ?? null)],
  };
  return new uPlot(options, linePaneData(pane.values), host);
}

export function linePaneData(values: PlotColumn): uPlot.AlignedData {
  return [values.map((_, i) => i), values];
}

/** Levels stay on screen: a score far below its threshold should look far below it. */
function padded(low: number | null, high: number | null, pane: LinePane): [number, number] {
  const values = [low, high, ...pane.levels, ...(pane.isFilled ? [0] : [])].filter((value) => value !== null);
  const min = Math.min(...values);
  const max = Math.max(...values);
  if (!Number.isFinite(min) || !Number.isFinite(max)) return [-1, 1];
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
