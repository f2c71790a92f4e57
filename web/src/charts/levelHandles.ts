import type uPlot from 'uplot';
import type { ChartLevel } from './chartModel.ts';

type OnMove = (id: string, price: number) => void;

interface Held {
  id: string;
  /** Prices of the axis while a level is dragged: an axis that followed it would move it on. */
  range: [number, number];
  /** Where the drag started. */
  price: number;
  clientY: number;
}

/** Room beyond a level that the axis did not show, of the height of the axis. */
const ROOM_FRACTION = 0.1;

const DOWN_BUTTON = 0;

/** Heights of a strip in `controls.css`. */
const STRIP_PX = 14;
const COARSE_STRIP_PX = 32;

/**
 * Places of strips for levels at `ys`, pixels from the top. Those outside the axis stand at its edge one beside the other, the farthest
 * outermost, so that each can be grabbed.
 */
export function placeStrips(ys: readonly number[], height: number, stripPx: number): number[] {
  const tops = ys.map((y) => Math.min(height, Math.max(0, y)));
  const stack = (isOut: (y: number) => boolean, from: number, step: number) => {
    const out = [...ys.keys()].filter((at) => isOut(ys[at] ?? 0));
    out.sort((a, b) => ((ys[a] ?? 0) - (ys[b] ?? 0)) * Math.sign(step));
    out.forEach((at, place) => (tops[at] = from + place * step));
  };
  stack((y) => y < 0, 0, stripPx);
  stack((y) => y > height, height, -stripPx);
  return tops;
}

/**
 * Strips over the levels of a chart that can be dragged. They outlive the plot: new candles rebuild it, also in the middle of a drag. For
 * the pointer only; a view that uses them has a field for each level too.
 */
export class LevelHandles {
  #plot: uPlot | null = null;
  #onMove: OnMove | null = null;
  #held: Held | null = null;
  #strips = new Map<string, HTMLElement>();
  #levels: readonly ChartLevel[] = [];
  #dragging: AbortController | null = null;

  /** @param onMove called with the price under the pointer; null: nothing can be dragged */
  setMover(onMove: OnMove | null): void {
    this.#onMove = onMove;
  }

  /** The price axis while a level is dragged. */
  heldRange(): [number, number] | null {
    return this.#held?.range ?? null;
  }

  /** Puts the strips over their levels; call after each drawing. Levels outside the axis have their strips at the edge. */
  place(plot: uPlot, levels: readonly ChartLevel[]): void {
    if (this.#plot !== plot) this.#clear();
    this.#plot = plot;
    const movable = this.#onMove === null ? [] : levels.filter(({ id }) => id !== undefined);
    this.#levels = movable;
    for (const [id, strip] of this.#strips) {
      if (movable.some((level) => level.id === id)) continue;
      strip.remove();
      this.#strips.delete(id);
    }
    // Reading sizes lays out the whole page: drawings without such levels do without.
    if (movable.length === 0) return;
    const tops = placeStrips(
      movable.map(({ price }) => plot.valToPos(price, 'y')),
      plot.over.clientHeight,
      matchMedia('(pointer: coarse)').matches ? COARSE_STRIP_PX : STRIP_PX,
    );
    for (const [at, { id = '', colour }] of movable.entries()) {
      const strip = this.#strips.get(id) ?? this.#addStrip(plot, id);
      strip.style.top = `${tops[at] ?? 0}px`;
      strip.style.setProperty('--handle', `var(--${colour})`);
    }
  }

  destroy(): void {
    this.#dragging?.abort();
    this.#clear();
    this.#plot = null;
  }

  /** Off the page too: a plot that was replaced draws once more after its successor, which then would have each strip twice. */
  #clear(): void {
    for (const strip of this.#strips.values()) strip.remove();
    this.#strips.clear();
  }

  #addStrip(plot: uPlot, id: string): HTMLElement {
    const strip = document.createElement('div');
    strip.className = 'chart-handle';
    strip.dataset['level'] = id;
    strip.ariaHidden = 'true';
    strip.addEventListener('pointerdown', (event) => this.#start(id, event));
    plot.over.append(strip);
    this.#strips.set(id, strip);
    return strip;
  }

  #start(id: string, event: PointerEvent): void {
    const { min, max } = this.#plot?.scales['y'] ?? {};
    const level = this.#levels.find((each) => each.id === id);
    if (event.button !== DOWN_BUTTON || min == null || max == null || level === undefined) return;
    // Neither the chart's own drag nor a selection of text starts.
    event.preventDefault();
    event.stopPropagation();
    this.#held = { id, range: withLevel([min, max], level.price), price: level.price, clientY: event.clientY };
    this.#fitAxis();
    this.#dragging?.abort();
    this.#dragging = new AbortController();
    const { signal } = this.#dragging;
    // The strip may be replaced while it is dragged.
    window.addEventListener('pointermove', (move) => this.#move(move), { signal });
    for (const end of ['pointerup', 'pointercancel'] as const)
      window.addEventListener(end, () => this.#end(), { signal });
  }

  #move({ clientY }: PointerEvent): void {
    if (this.#plot === null || this.#held === null) return;
    const { id, price, clientY: startY } = this.#held;
    const y = this.#plot.valToPos(price, 'y') + clientY - startY;
    const inPlot = Math.min(this.#plot.over.clientHeight, Math.max(0, y));
    this.#onMove?.(id, this.#plot.posToVal(inPlot, 'y'));
  }

  #end(): void {
    this.#dragging?.abort();
    this.#held = null;
    this.#fitAxis();
  }

  /** The price axis is read again with the next drawing. */
  #fitAxis(): void {
    const { min, max } = this.#plot?.scales['x'] ?? {};
    if (min != null && max != null) this.#plot?.setScale('x', { min, max });
  }
}

/** The axis with a level in sight: one that is pinned at the edge would jump there when it is grabbed. */
function withLevel([low, high]: readonly [number, number], price: number): [number, number] {
  if (price >= low && price <= high) return [low, high];
  const [least, greatest] = [Math.min(low, price), Math.max(high, price)];
  const room = (greatest - least) * ROOM_FRACTION;
  // A logarithmic axis has no 0.
  return price < low ? [Math.max(least - room, least / 2), greatest] : [least, greatest + room];
}
