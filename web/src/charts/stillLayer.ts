import type uPlot from 'uplot';
import type { ChartModel } from './chartModel.ts';

/**
 * A copy of what a plot has drawn below its trades. A slider of the lab changes what is above it alone: putting the copy back costs a tenth
 * of drawing axes, volume and candles again.
 */
export class StillLayer {
  readonly #above: (u: uPlot) => void;
  #copy: HTMLCanvasElement | null = null;
  #isWanted = false;

  /** @param above draws the rest */
  constructor(above: (u: uPlot) => void) {
    this.#above = above;
  }

  /** Ends a whole drawing of the plot: call when all below the trades is drawn. Makes a copy only where one was missing. */
  finish(u: uPlot): void {
    this.#copy = this.#isWanted ? copyOf(u.ctx.canvas) : null;
    this.#isWanted = false;
    this.#above(u);
  }

  /** Draws again above the copy. @returns false without one: the plot has to be drawn whole, which makes it */
  repaint(u: uPlot): boolean {
    const { ctx } = u;
    if (this.#copy === null) {
      this.#isWanted = true;
      return false;
    }
    ctx.clearRect(0, 0, ctx.canvas.width, ctx.canvas.height);
    ctx.drawImage(this.#copy, 0, 0);
    this.#above(u);
    return true;
  }
}

function copyOf(canvas: HTMLCanvasElement): HTMLCanvasElement {
  const copy = document.createElement('canvas');
  copy.width = canvas.width;
  copy.height = canvas.height;
  copy.getContext('2d')?.drawImage(canvas, 0, 0);
  return copy;
}

/** Whether two models differ in trades, lines and drawings alone. Levels and stops move the scale of the prices. */
export function isSameBelow(a: ChartModel, b: ChartModel): boolean {
  const valuesOf = ({ overlays = [] }: ChartModel) =>
    overlays.flatMap(({ lines }) => lines.map(({ values }) => values));
  const [before, now] = [valuesOf(a), valuesOf(b)];
  return (
    a.candles === b.candles &&
    a.forming === b.forming &&
    a.marks === b.marks &&
    a.scoredFrom === b.scoredFrom &&
    a.priceDecimals === b.priceDecimals &&
    [a, b].every(({ levels = [], stops = [] }) => levels.length === 0 && stops.length === 0) &&
    before.length === now.length &&
    before.every((values, at) => values === now[at])
  );
}
