import type uPlot from 'uplot';
import { type ChartModel } from './chartModel.ts';
import type { PriceSpot } from './priceActions.ts';
import { timeAt } from './readout.ts';
import { countOf } from './view.ts';

/** Steps of the crosshair by keyboard, in candles and in pixels of price. */
const steps: Partial<Record<string, readonly [candles: number, px: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -4],
  ArrowDown: [0, 4],
};

export const isCrosshairKey = (key: string): boolean => key in steps;

const within = (px: number, most: number): number => Math.min(most, Math.max(0, px));

/** Pixels of the plot; at the last price where the chart has no crosshair. */
function placeOf(plot: uPlot, model: ChartModel): { left: number; top: number } {
  const { left = -1, top = -1 } = plot.cursor;
  if (left >= 0 && top >= 0) return { left, top };
  const { clientWidth, clientHeight } = plot.over;
  const price = model.forming?.close ?? model.candles.close.at(-1) ?? 0;
  return {
    left: within(plot.valToPos(countOf(model) - 1, 'x'), clientWidth),
    top: within(plot.valToPos(price, 'y'), clientHeight),
  };
}

/** Moves the crosshair of the candles by one step of an arrow key. */
export function moveCrosshair(plot: uPlot, model: ChartModel, key: string): void {
  const [candles, px] = steps[key] ?? [0, 0];
  const { left, top } = placeOf(plot, model);
  const index = Math.round(plot.posToVal(left, 'x')) + candles;
  // Until the pointer moves, the pane has the crosshair without a pointer over it.
  plot.root.dataset['keys'] = '';
  plot.setCursor({
    left: within(plot.valToPos(index, 'x'), plot.over.clientWidth),
    top: within(top + px, plot.over.clientHeight),
  });
}

/** Price and candle at a point of the window; null outside the plot of the candles. */
export function spotAt(plot: uPlot, model: ChartModel, clientX: number, clientY: number): PriceSpot | null {
  const box = plot.over.getBoundingClientRect();
  const [left, top] = [clientX - box.left, clientY - box.top];
  if (left < 0 || top < 0 || left > box.width || top > box.height) return null;
  const price = Number(plot.posToVal(top, 'y').toFixed(model.priceDecimals));
  const index = Math.max(0, Math.round(plot.posToVal(left, 'x')));
  return { price, time: timeAt(model.candles.time, index), clientX, clientY };
}

/** The same at the crosshair; at the last price where there is none. */
export function spotAtCrosshair(plot: uPlot, model: ChartModel): PriceSpot | null {
  const { left, top } = placeOf(plot, model);
  const box = plot.over.getBoundingClientRect();
  return spotAt(plot, model, box.left + left, box.top + top);
}
