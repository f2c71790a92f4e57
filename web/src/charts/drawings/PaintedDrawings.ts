import type uPlot from 'uplot';
import { pixelMap } from '../candleLayer.ts';
import type { ChartModel } from '../chartModel.ts';
import { DraftCanvas } from './DraftCanvas.ts';
import type { Drawing } from './drawing.ts';
import { paintDrawings, type PlacedDrawing, type Style } from './drawDrawings.ts';
import { areaOf, DrawingIndex, indexDrawing, placeDrawings, reachOf } from './placeDrawings.ts';

/** The drawings of a chart. */
export interface Shown {
  list: readonly Drawing[];
  /** A drawing as it is dragged or placed; it replaces the one of its id. */
  draft: Drawing | null;
  selectedId: string | null;
}

/**
 * What is painted of the drawings: those in sight on the plot, and a draft on a canvas of its own. A move of the draft paints the draft
 * alone, and a pointer meets the pixels that were painted.
 */
export class PaintedDrawings {
  readonly #index = new DrawingIndex();
  readonly #over = new DraftCanvas();
  /** What the plot shows without the draft; null: something changed since. */
  #below: { u: uPlot; placed: readonly PlacedDrawing[]; draftId: string | null } | null = null;
  #style: Style | null = null;

  /** Paints all; call at each drawing of the plot. */
  paint(u: uPlot, model: ChartModel, style: Style, shown: Shown): void {
    this.#style = style;
    this.#below = null;
    const placed = this.placed(u, model, shown);
    paintDrawings(u, placed, style);
    this.#below = { u, placed, draftId: shown.draft?.id ?? null };
    if (shown.draft === null) this.#over.clear();
    else this.paintDraft(u, model, shown.draft);
  }

  /** Paints the draft in place of its last state. @returns false when the plot has to be painted first: without the draft, or again */
  paintDraft(u: uPlot, model: ChartModel, draft: Drawing): boolean {
    const style = this.#style;
    if (style === null || this.#below?.u !== u || this.#below.draftId !== draft.id) return false;
    const placed = placeDrawings({ u, model, selectedId: draft.id }, [indexDrawing(draft, 0, model.candles.time)]);
    this.#over.paint(u, (ctx) => paintDrawings(u, placed, style, ctx));
    return true;
  }

  /** Drawings in sight without the draft, with their pixels. */
  placed(u: uPlot, model: ChartModel, { list, draft, selectedId }: Shown): readonly PlacedDrawing[] {
    if (this.#below?.u === u) return this.#below.placed;
    const { time } = model.candles;
    this.#index.update(list, time);
    const [from, to] = reachOf(pixelMap(u, time.length), areaOf(u));
    const near = this.#index.within(from, to).filter(({ drawing }) => drawing.id !== draft?.id);
    return placeDrawings({ u, model, selectedId: draft?.id ?? selectedId }, near);
  }

  /** Something other than the draft changed. */
  forget(): void {
    this.#below = null;
  }

  /** Nothing is drawn any more. */
  clear(): void {
    this.#below = null;
    this.#over.clear();
  }

  destroy(): void {
    this.#over.destroy();
  }
}
