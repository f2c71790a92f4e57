import type uPlot from 'uplot';
import type { ChartModel } from '../chartModel.ts';
import type { Colours } from '../colours.ts';
import { type Anchor, createDrawing, type Drawing, isSamePlace, placedCount } from './drawing.ts';
import type { DrawingSet } from './drawingSet.ts';
import { arrowSteps, selectNext, type ToolStore, trackPointer } from './drawingTools.ts';
import { handleAt, isHit, type Point } from './geometry.ts';
import { anchorAt, barPx, type Grabbed, movedDrawing, type Plotted, pointOf } from './plotPoints.ts';
import { PaintedDrawings, type Shown } from './PaintedDrawings.ts';

/** CSS pixels within which a drawing, a handle and a price are hit. */
const HIT_PX = 6;
const HANDLE_PX = 9;
const TOUCH_FACTOR = 2;
/** A press that moves further than this draws from where it was pressed to where it is released. */
const DRAG_PX = 6;

interface Held extends Grabbed {
  /** Where it was grabbed, CSS pixels. */
  start: Point;
}

interface Placing {
  anchors: Anchor[];
  /** Where the first point was pressed, CSS pixels; null once it was released there. */
  pressed: Point | null;
}

/**
 * The drawings of a chart: painted over its candles, and placed, selected, moved and resized there by pointer and keyboard. It outlives the
 * plot, which new candles rebuild, also in the middle of a drag.
 */
export class DrawingLayer {
  #set: DrawingSet | null = null;
  #tools: ToolStore | null = null;
  #plot: uPlot | null = null;
  #model: ChartModel | null = null;
  readonly #painted = new PaintedDrawings();
  /** The drawing as it is dragged or placed; it replaces the stored one until the pointer is released. */
  #draft: Drawing | null = null;
  #held: Held | null = null;
  #placing: Placing | null = null;
  #frame = 0;
  #stop: (() => void)[] = [];
  /** Ends the listeners of a drag. */
  #dragging: AbortController | null = null;

  /** Drawings and tools of the chart; null: nothing is drawn. */
  attach(drawing: { set: DrawingSet; tools: ToolStore } | null): void {
    const { set = null, tools = null } = drawing ?? {};
    for (const stop of this.#stop) stop();
    this.#cancel();
    [this.#set, this.#tools] = [set, tools];
    this.#stop = [set?.store.subscribe(() => this.#redraw()), tools?.subscribe(() => this.#onTools())].filter(
      (stop) => stop !== undefined,
    );
    this.#onTools();
  }

  /** Paints what lies in sight; call at each drawing of the plot. */
  paint(u: uPlot, model: ChartModel, colours: Colours, format: (price: number) => string): void {
    this.#model = model;
    this.#plot = u;
    if (this.#set === null || model.candles.time.length < 2) this.#painted.clear();
    else this.#painted.paint(u, model, { colours, decimals: model.priceDecimals, format }, this.#shown());
  }

  /** Listens on a new plot. @returns removes the listeners */
  listen(plot: uPlot): () => void {
    this.#plot = plot;
    const stop = new AbortController();
    const { signal } = stop;
    plot.over.addEventListener('pointerdown', (event) => this.#onDown(event), { signal });
    plot.over.addEventListener('pointermove', (event) => this.#onHover(event), { signal });
    plot.over.addEventListener('dblclick', (event) => this.#selected() !== undefined && event.stopPropagation(), {
      signal,
    });
    this.#onTools();
    return () => stop.abort();
  }

  /** Adds a drawing at a point, for the price menu. */
  draw(kind: Drawing['kind'], anchors: readonly Anchor[]): void {
    const drawing = createDrawing(kind, anchors);
    this.#set?.put(drawing);
    this.#tools?.set({ tool: null, selectedId: drawing.id, handle: null });
  }

  /**
   * Keys of a tool or of the selected drawing.
   * @param crosshair time and price of the crosshair, for a tool
   * @returns whether the key was used
   */
  key(key: string, crosshair: () => Anchor | null): boolean {
    const tools = this.#tools;
    if (tools === null) return false;
    const { tool, selectedId } = tools.current;
    if (key === 'Escape' && (tool !== null || selectedId !== null)) {
      this.#cancel();
      tools.set({ tool: null, selectedId: null, handle: null });
      return true;
    }
    if (tool !== null && (key === 'Enter' || key === ' ')) {
      const point = crosshair();
      if (point !== null) this.#placePoint(point);
      return true;
    }
    if (key === '[' || key === ']') return selectNext(this.#set, tools, key === ']' ? 1 : -1);
    const selected = this.#selected();
    return selected !== undefined && this.#keyOfSelected(key, selected);
  }

  undo(): void {
    this.#cancel();
    this.#set?.undo();
  }

  redo(): void {
    this.#cancel();
    this.#set?.redo();
  }

  /** The first point of a drawing follows the crosshair of the keyboard. */
  follow(point: Anchor | null): void {
    if (this.#placing === null || point === null) return;
    this.#preview(point);
  }

  destroy(): void {
    this.attach(null);
    cancelAnimationFrame(this.#frame);
    this.#painted.destroy();
    this.#plot = null;
  }

  #selected(): Drawing | undefined {
    return this.#set?.find(this.#tools?.current.selectedId ?? null);
  }

  #keyOfSelected(key: string, selected: Drawing): boolean {
    const { handle } = this.#tools?.current ?? { handle: null };
    if (key === 'Delete' || key === 'Backspace') {
      if (!selected.is_locked) this.#set?.remove(selected.id);
      return true;
    }
    if (key === ' ') {
      const count = selected.anchors.length;
      this.#tools?.set({ handle: handle === null ? 0 : handle + 1 >= count ? null : handle + 1 });
      return true;
    }
    const step = arrowSteps[key];
    if (step === undefined) return false;
    const [candles, px] = step;
    // The magnet would hold a point that a key moves by a few pixels.
    const plotted = this.#plotted(false);
    if (selected.is_locked || plotted === null) return true;
    const by = { candles, px: px * devicePixelRatio };
    this.#set?.put(movedDrawing(plotted, { drawing: selected, handle }, by));
    return true;
  }

  #shown(): Shown {
    return {
      list: this.#set?.store.current.list ?? [],
      draft: this.#draft,
      selectedId: this.#tools?.current.selectedId ?? null,
    };
  }

  #onTools(): void {
    const { tool = null, selectedId = null } = this.#tools?.current ?? {};
    if (this.#placing !== null && this.#draft?.kind !== tool) this.#cancel();
    const plot = this.#plot;
    if (plot === null) return;
    // A finger then drags the drawing, not the page.
    plot.root.parentElement?.toggleAttribute('data-drawing', tool !== null || selectedId !== null);
    this.#redraw();
  }

  /** The plot with its candles; null until it is drawn. */
  #plotted(isMagnet = this.#tools?.current.isMagnet === true): Plotted | null {
    const [u, model] = [this.#plot, this.#model];
    return u === null || model === null || model.candles.time.length < 2 ? null : { u, model, isMagnet };
  }

  #anchorAt(event: PointerEvent): Anchor | null {
    const plotted = this.#plotted();
    return plotted === null ? null : anchorAt(plotted, pointOf(plotted.u, event));
  }

  #onDown(event: PointerEvent): void {
    const tools = this.#tools;
    if (event.button !== 0 || !event.isPrimary || this.#set === null || tools === null) return;
    if (tools.current.tool !== null) {
      const anchor = this.#anchorAt(event);
      if (anchor === null) return;
      this.#take(event);
      const isFirst = this.#placing === null;
      this.#placePoint(anchor);
      if (isFirst && this.#placing !== null) {
        this.#placing.pressed = { x: event.clientX, y: event.clientY };
        this.#track(
          (move) => this.#onPlacingMove(move),
          (up) => this.#onPlacingUp(up),
        );
      }
      return;
    }
    this.#grab(event, tools);
  }

  /** Grabs a handle of the selected drawing, or the drawing under the pointer, or nothing. */
  #grab(event: PointerEvent, tools: ToolStore): void {
    const hit = this.#hitAt(event, event.pointerType === 'touch' ? TOUCH_FACTOR : 1);
    if (hit === null) {
      if (tools.current.selectedId !== null) tools.set({ selectedId: null, handle: null });
      return;
    }
    this.#take(event);
    if (tools.current.selectedId !== hit.drawing.id) tools.set({ selectedId: hit.drawing.id, handle: null });
    if (hit.drawing.is_locked) return;
    this.#held = { ...hit, start: { x: event.clientX, y: event.clientY } };
    this.#track(
      (move) => this.#onDrag(move),
      () => this.#onDrop(),
    );
  }

  /** Neither the chart's own drag nor the long press of the menu starts. */
  #take(event: PointerEvent): void {
    event.stopPropagation();
    event.preventDefault();
    this.#plot?.root.closest<HTMLElement>('[tabindex]')?.focus({ preventScroll: true });
  }

  #track(onMove: (event: PointerEvent) => void, onEnd: (event: PointerEvent) => void): void {
    this.#dragging?.abort();
    this.#dragging = trackPointer(onMove, onEnd);
  }

  #hitAt(event: PointerEvent, factor: number): Grabbed | null {
    const plotted = this.#plotted();
    if (plotted === null) return null;
    const { u, model } = plotted;
    const point = pointOf(u, event);
    const unit = devicePixelRatio * factor;
    // What is painted is what can be hit; its pixels are known.
    const placed = this.#painted.placed(u, model, this.#shown()).toReversed();
    const selected = placed.find(({ isSelected }) => isSelected);
    const handle = selected === undefined ? -1 : handleAt(point, selected.handles, HANDLE_PX * unit);
    if (selected !== undefined && handle >= 0) return { drawing: selected.drawing, handle };
    const hit = placed.find(({ outline }) => isHit(point, outline, HIT_PX * unit));
    return hit === undefined ? null : { drawing: hit.drawing, handle: null };
  }

  #onHover(event: PointerEvent): void {
    const [u, tools] = [this.#plot, this.#tools];
    if (u === null || tools === null || this.#held !== null || event.buttons !== 0) return;
    if (tools.current.tool !== null) {
      const anchor = this.#anchorAt(event);
      if (this.#placing !== null && anchor !== null) this.#preview(anchor);
      return;
    }
    const hit = this.#hitAt(event, 1);
    u.over.style.cursor = hit === null ? '' : hit.handle === null ? 'pointer' : 'grab';
  }

  /** Places the next point of the tool. The last one ends the drawing. */
  #placePoint(anchor: Anchor): void {
    const tools = this.#tools;
    const tool = tools?.current.tool ?? null;
    if (tools === null || tool === null) return;
    const anchors = [...(this.#placing?.anchors ?? []), anchor];
    if (anchors.length >= placedCount(tool)) {
      const drawing = createDrawing(tool, anchors, this.#draft?.id);
      this.#cancel();
      this.#set?.put(drawing);
      tools.set({ tool: null, selectedId: drawing.id, handle: null });
      return;
    }
    this.#placing = { anchors, pressed: null };
    this.#draft = createDrawing(tool, [...anchors, anchor]);
    this.#redraw();
  }

  #preview(anchor: Anchor): void {
    if (this.#placing === null || this.#draft === null) return;
    this.#draft = createDrawing(this.#draft.kind, [...this.#placing.anchors, anchor], this.#draft.id);
    this.#redrawDraft();
  }

  #onPlacingMove(event: PointerEvent): void {
    const anchor = this.#anchorAt(event);
    if (anchor !== null) this.#preview(anchor);
  }

  /** A press that was dragged ends the drawing where it is released; a click waits for the second one. */
  #onPlacingUp(event: PointerEvent): void {
    const pressed = this.#placing?.pressed ?? null;
    if (this.#placing === null || pressed === null) return;
    this.#placing.pressed = null;
    const anchor = this.#anchorAt(event);
    const isDragged = Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) > DRAG_PX;
    if (isDragged && anchor !== null && event.type === 'pointerup') this.#placePoint(anchor);
  }

  #onDrag(event: PointerEvent): void {
    const [plotted, held] = [this.#plotted(), this.#held];
    if (plotted === null || held === null) return;
    const [right, down] = [event.clientX - held.start.x, event.clientY - held.start.y].map(
      (px) => px * devicePixelRatio,
    );
    const candles = Math.round((right ?? 0) / barPx(plotted.u));
    this.#draft = movedDrawing(plotted, held, { candles, px: down ?? 0 });
    this.#redrawDraft();
  }

  #onDrop(): void {
    const [draft, before] = [this.#draft, this.#held?.drawing];
    this.#cancel();
    if (draft !== null && before !== undefined && !isSamePlace(draft, before)) this.#set?.put(draft);
  }

  #cancel(): void {
    this.#dragging?.abort();
    this.#held = null;
    this.#placing = null;
    this.#draft = null;
    this.#redraw();
  }

  #redraw(): void {
    this.#painted.forget();
    this.#redrawDraft();
  }

  /** The draft alone, once the plot is painted without it. */
  #redrawDraft(): void {
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      const [u, model, draft] = [this.#plot, this.#model, this.#draft];
      if (u === null || model === null) return;
      if (draft === null || !this.#painted.paintDraft(u, model, draft)) u.redraw(false);
    });
  }
}
