import type uPlot from 'uplot';
import type { ChartModel } from '../chartModel.ts';
import { indexOfTime, timeOfIndex } from '../timeScale.ts';
import { type Anchor, type Drawing, handlesOf, moveAll, moveHandle } from './drawing.ts';
import { magnetPrice, type Point } from './geometry.ts';

/** CSS pixels within which a point snaps to a price of its candle. */
const MAGNET_PX = 14;

/** The plot that a pointer moves over, with at least two candles. */
export interface Plotted {
  u: uPlot;
  model: ChartModel;
  /** Points snap to the prices of the nearest candle. */
  isMagnet: boolean;
}

/** Canvas pixels of a pointer. */
export function pointOf({ over, bbox }: uPlot, { clientX, clientY }: { clientX: number; clientY: number }): Point {
  const box = over.getBoundingClientRect();
  const unit = devicePixelRatio;
  return { x: (clientX - box.left) * unit + bbox.left, y: (clientY - box.top) * unit + bbox.top };
}

/** A price with the decimals of the chart; unchanged where it would become 0. */
function rounded({ priceDecimals }: ChartModel, price: number): number {
  const result = Number(price.toFixed(priceDecimals));
  return result > 0 ? result : price;
}

function snapped({ u, model, isMagnet }: Plotted, index: number, price: number): number {
  if (!isMagnet) return price;
  const { open, high, low, close } = model.candles;
  const candidates = [open, high, low, close].map((column) => column[index]).filter((value) => value !== undefined);
  const reach = MAGNET_PX * devicePixelRatio;
  return magnetPrice(price, candidates, { yOf: (value) => u.valToPos(value, 'y', true), reach });
}

/** The candle and the price at a point. */
export function anchorAt(plotted: Plotted, { x, y }: Point): Anchor {
  const { u, model } = plotted;
  const index = Math.round(u.posToVal(x, 'x', true));
  const price = snapped(plotted, index, u.posToVal(y, 'y', true));
  return { time: timeOfIndex(model.candles.time, index), price: rounded(model, price) };
}

/** Pixels from one candle to the next. */
export const barPx = (u: uPlot): number => u.valToPos(1, 'x', true) - u.valToPos(0, 'x', true);

export interface Grabbed {
  drawing: Drawing;
  /** The handle that moves; null: all of it. */
  handle: number | null;
}

/** A drawing moved by whole candles and by pixels of price: on a logarithmic scale too it keeps its form on screen. */
export function movedDrawing(
  plotted: Plotted,
  { drawing, handle }: Grabbed,
  { candles, px }: { candles: number; px: number },
): Drawing {
  const { u, model } = plotted;
  const { time } = model.candles;
  const move = (anchor: Anchor, isSnapped: boolean): Anchor => {
    const index = indexOfTime(time, anchor.time) + candles;
    const price = px === 0 ? anchor.price : u.posToVal(u.valToPos(anchor.price, 'y', true) + px, 'y', true);
    const near = isSnapped ? snapped(plotted, Math.round(index), price) : price;
    return {
      time: candles === 0 ? anchor.time : timeOfIndex(time, index),
      price: px === 0 && near === anchor.price ? near : rounded(model, near),
    };
  };
  // A drawing of several points that snapped as a whole would lose its form.
  if (handle === null) return moveAll(drawing, (anchor) => move(anchor, drawing.anchors.length === 1));
  const from = handlesOf(drawing)[handle];
  return from === undefined ? drawing : moveHandle(drawing, handle, move(from, true));
}
