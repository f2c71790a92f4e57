import type uPlot from 'uplot';
import { inPlot } from './candleLayer.ts';
import type { ChartLevel } from './chartModel.ts';
import type { PaneContext } from './paneOptions.ts';

const LABEL_GAP_PX = 6;
/** Each name stands beside the one before, so that levels that lie close stay readable. */
const LABEL_STEP_PX = 42;

/** Lines across the plot with their name at the left, above the line. */
export function drawLevels(u: uPlot, levels: readonly ChartLevel[], { colours }: PaneContext): void {
  inPlot(u, (ctx) => {
    const unit = devicePixelRatio;
    ctx.lineWidth = unit;
    ctx.font = `${11 * unit}px "Inter Variable", sans-serif`;
    ctx.textBaseline = 'bottom';
    for (const [at, { price, label, colour }] of levels.entries()) {
      const y = Math.round(u.valToPos(price, 'y', true)) + 0.5;
      ctx.strokeStyle = colours[colour];
      ctx.beginPath();
      ctx.moveTo(u.bbox.left, y);
      ctx.lineTo(u.bbox.left + u.bbox.width, y);
      ctx.stroke();
      ctx.fillStyle = colours[colour];
      ctx.fillText(label, u.bbox.left + (LABEL_GAP_PX + at * LABEL_STEP_PX) * unit, y - unit);
    }
  });
}
