import type uPlot from 'uplot';
import type { ChartLevel } from './chartModel.ts';

type OnMove = (id: string, price: number) => void;

interface Held {
  id: string;
  /** Prices of the axis while a level is dragged: an axis that followed it would move it on. */
  range: [number, number];
}

const DOWN_BUTTON = 0;

/**
 * Strips over the levels of a chart that can be dragged. They outlive the plot: new candles rebuild it, also in the middle of a drag. For
 * the pointer only; a view that uses them has a field for each level too.
 */
export class LevelHandles {
  #plot: uPlot | null = null;
  #onMove: OnMove | null = null;
  #held: Held | null = null;
  #strips = new Map<string, HTMLElement>();
  #dragging: AbortController | null = null;

  /** @param onMove called with the price under the pointer; null: nothing can be dragged */
  setMover(onMove: OnMove | null): void {
    this.#onMove = onMove;
  }

  /** The price axis while a level is dragged. */
  heldRange(): [number, number] | null {
    return this.#held?.range ?? null;
  }

  /** Puts the strips over their levels; call after each drawing. A level outside the axis has its strip at the edge. */
  place(plot: uPlot, levels: readonly ChartLevel[]): void {
    if (this.#plot !== plot) this.#strips.clear();
    this.#plot = plot;
    const movable = this.#onMove === null ? [] : levels.filter(({ id }) => id !== undefined);
    for (const [id, strip] of this.#strips) {
      if (movable.some((level) => level.id === id)) continue;
      strip.remove();
      this.#strips.delete(id);
    }
    for (const { id = '', price, colour } of movable) {
      const strip = this.#strips.get(id) ?? this.#addStrip(plot, id);
      const y = Math.min(plot.over.clientHeight, Math.max(0, plot.valToPos(price, 'y')));
      strip.style.top = `${y}px`;
      strip.style.setProperty('--handle', `var(--${colour})`);
    }
  }

  destroy(): void {
    this.#dragging?.abort();
    this.#strips.clear();
    this.#plot = null;
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
    if (event.button !== DOWN_BUTTON || min == null || max == null) return;
    // Neither the chart's own drag nor a selection of text starts.
    event.preventDefault();
    event.stopPropagation();
    this.#held = { id, range: [min, max] };
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
    const { top, height } = this.#plot.over.getBoundingClientRect();
    const y = Math.min(height, Math.max(0, clientY - top));
    this.#onMove?.(this.#held.id, this.#plot.posToVal(y, 'y'));
  }

  #end(): void {
    this.#dragging?.abort();
    this.#held = null;
    // The axis fits the levels again.
    const { min, max } = this.#plot?.scales['x'] ?? {};
    if (min != null && max != null) this.#plot?.setScale('x', { min, max });
  }
}
