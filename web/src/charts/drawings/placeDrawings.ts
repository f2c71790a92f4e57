import type uPlot from 'uplot';
import { pixelMap, type PixelMap } from '../candleLayer.ts';
import type { ChartModel } from '../chartModel.ts';
import { indexOfTime } from '../timeScale.ts';
import { type Anchor, type Drawing, handlesOf } from './drawing.ts';
import type { PlacedDrawing } from './drawDrawings.ts';
import { type Area, fibonacciRatios, outlineOf, type Point, TEXT_PX_MAX } from './geometry.ts';
import { RangeIndex, type Ranged } from './rangeIndex.ts';

/** A drawing with the candle indices of its anchors. */
export interface Indexed extends Ranged {
  drawing: Drawing;
  indices: readonly number[];
  /** Position among all drawings: later ones lie on top. */
  order: number;
}

/** The candles that a drawing covers: a line without end covers all on its side. */
function coveredBy({ kind }: Drawing, indices: readonly number[]): Ranged {
  const [from, to] = [Math.min(...indices), Math.max(...indices)];
  if (kind === 'horizontal') return { from: -Infinity, to: Infinity };
  if (kind !== 'ray') return { from, to };
  const [first = 0, second = 0] = indices;
  return second >= first ? { from, to: Infinity } : { from: -Infinity, to };
}

/** The candle indices of one drawing. @param time open times of the candles, at least two */
export function indexDrawing(drawing: Drawing, order: number, time: ArrayLike<number>): Indexed {
  const indices = drawing.anchors.map((anchor) => indexOfTime(time, anchor.time));
  return { drawing, indices, order, ...coveredBy(drawing, indices) };
}

/** Finds the drawings of a stretch of candles without reading all of them. Hidden ones are left out. */
export class DrawingIndex {
  #list: readonly Drawing[] | null = null;
  #time: ArrayLike<number> | null = null;
  #index = new RangeIndex<Indexed>([]);

  /** Reads the drawings again when they or the candles are others. */
  update(list: readonly Drawing[], time: ArrayLike<number>): void {
    if (list === this.#list && time === this.#time) return;
    [this.#list, this.#time] = [list, time];
    const shown = list.flatMap((drawing, order) => (drawing.is_hidden ? [] : indexDrawing(drawing, order, time)));
    this.#index = new RangeIndex(time.length < 2 ? [] : shown);
  }

  /** In the order of drawing. */
  within(from: number, to: number): Indexed[] {
    return this.#index.within(from, to).sort((a, b) => a.order - b.order);
  }
}

/** The plot in canvas pixels. */
export const areaOf = ({ bbox: { left, top, width, height } }: uPlot): Area => ({
  left,
  top,
  right: left + width,
  bottom: top + height,
});

/** Candle indices whose drawings can reach into the plot: a text starts left of it. */
export function reachOf(map: PixelMap, { left, right }: Area): [from: number, to: number] {
  const unit = devicePixelRatio;
  const indexAt = (x: number) => (x - map.x(0)) / map.barWidth;
  return [indexAt(left - TEXT_PX_MAX * unit), indexAt(right)];
}

export interface Placing {
  u: uPlot;
  model: ChartModel;
  selectedId: string | null;
}

/** Pixels of drawings on the canvas of a plot. */
export function placeDrawings({ u, model, selectedId }: Placing, indexed: readonly Indexed[]): PlacedDrawing[] {
  const map = pixelMap(u, model.candles.time.length);
  const area = areaOf(u);
  return indexed.map(({ drawing, indices }) => {
    const pointOf = (anchor: Anchor, index: number): Point => ({ x: map.x(index), y: map.y(anchor.price) });
    const points = drawing.anchors.map((anchor, at) => pointOf(anchor, indices[at] ?? 0));
    const [from, to] = drawing.anchors;
    const ratioRows =
      drawing.kind === 'fibonacci' && from !== undefined && to !== undefined
        ? fibonacciRatios.map((ratio) => map.y(to.price + (from.price - to.price) * ratio))
        : [];
    const isSelected = drawing.id === selectedId;
    const { kind, text } = drawing;
    return {
      drawing,
      points,
      outline: outlineOf({ kind, points, ratioRows, textLength: text.length, unit: devicePixelRatio }, area),
      handles: isSelected
        ? handlesOf(drawing).map((anchor) => pointOf(anchor, indexOfTime(model.candles.time, anchor.time)))
        : [],
      candles: Math.round((indices[1] ?? 0) - (indices[0] ?? 0)),
      isSelected,
    };
  });
}
