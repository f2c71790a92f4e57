import type uPlot from 'uplot';

/**
 * A canvas over the plot for the drawing that is dragged or placed. A move paints it alone: the candles and the other drawings below stay
 * as they were painted.
 */
export class DraftCanvas {
  readonly #canvas: HTMLCanvasElement = document.createElement('canvas');
  #isEmpty = true;

  constructor() {
    this.#canvas.className = 'chart-draft';
    this.#canvas.setAttribute('aria-hidden', 'true');
  }

  /** Paints in place of what was painted before, in the pixels of the plot's own canvas. */
  paint(u: uPlot, draw: (ctx: CanvasRenderingContext2D) => void): void {
    const canvas = this.#canvas;
    const { width, height } = u.ctx.canvas;
    // A new plot, or a plot of another size.
    if (canvas.nextSibling !== u.over) u.over.before(canvas);
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    const ctx = canvas.getContext('2d');
    if (ctx === null) return;
    this.clear();
    draw(ctx);
    this.#isEmpty = false;
  }

  clear(): void {
    if (this.#isEmpty) return;
    this.#isEmpty = true;
    const { width, height } = this.#canvas;
    this.#canvas.getContext('2d')?.clearRect(0, 0, width, height);
  }

  destroy(): void {
    this.#canvas.remove();
  }
}
