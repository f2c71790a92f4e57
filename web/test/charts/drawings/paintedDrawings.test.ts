import type uPlot from 'uplot';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ChartModel } from '../../../src/charts/chartModel.ts';
import type { Colours } from '../../../src/charts/colours.ts';
import type { Drawing } from '../../../src/charts/drawings/drawing.ts';
import { PaintedDrawings } from '../../../src/charts/drawings/PaintedDrawings.ts';

/** A context that counts its calls. */
function countingContext(canvas: object) {
  const counted = { canvas, calls: 0, strokes: 0 };
  return new Proxy(counted, {
    get: (target, name) => {
      if (name in target) return target[name as keyof typeof target];
      return () => {
        target.calls += 1;
        if (name === 'stroke') target.strokes += 1;
      };
    },
    set: () => true,
  });
}
type Counted = ReturnType<typeof countingContext>;

const COUNT = 100;
const column = (value: number) => new Float64Array(COUNT).fill(value);
const model = {
  candles: {
    time: Float64Array.from({ length: COUNT }, (_, i) => i * 60_000),
    open: column(50),
    high: column(51),
    low: column(49),
    close: column(50),
    volume: column(1),
  },
  priceDecimals: 2,
  scoredFrom: 0,
  trades: [],
  panes: [],
} satisfies ChartModel;

/** Ten pixels for each candle and for each unit of price, 0 to 100. */
function plotOf(): { u: uPlot; below: Counted } {
  const below = countingContext({ width: 1000, height: 1000 });
  const u = {
    ctx: below,
    bbox: { left: 0, top: 0, width: 1000, height: 1000 },
    over: { before: () => undefined },
    scales: { x: { min: 0, max: 99 }, y: { min: 0, max: 100, distr: 1 } },
    valToPos: (value: number, scale: string) => (scale === 'x' ? value * 10 : 1000 - value * 10),
  };
  return { u: u as unknown as uPlot, below };
}

const line = (id: string, from: number, price: number): Drawing =>
  ({
    id,
    kind: 'trend',
    anchors: [
      { time: from * 60_000, price },
      { time: (from + 5) * 60_000, price: price + 1 },
    ],
    text: '',
    is_locked: false,
    is_hidden: false,
  }) as unknown as Drawing;

const style = { colours: {} as Colours, decimals: 2, format: String };
let over: Counted[];
beforeEach(() => {
  over = [];
  vi.stubGlobal('devicePixelRatio', 1);
  vi.stubGlobal('document', {
    createElement: () => {
      const canvas = { setAttribute: () => undefined, remove: () => undefined, width: 0, height: 0, nextSibling: null };
      const ctx = countingContext(canvas);
      over.push(ctx);
      return Object.assign(canvas, { getContext: () => ctx });
    },
  });
});
afterEach(() => void vi.unstubAllGlobals());

describe('a drawing that is dragged over 200 others', () => {
  const list = Array.from({ length: 200 }, (_, i) => line(`${i}`, i % 90, 20 + (i % 50)));
  const moved = (by: number) => line('7', 7, 27 + by);

  it('DESK-175 is painted alone at each move', () => {
    const painted = new PaintedDrawings();
    const { u, below } = plotOf();
    painted.paint(u, model, style, { list, draft: null, selectedId: '7' });
    // 200 lines and the rings of the selected one.
    expect([below.strokes, over[0]?.calls]).toEqual([202, 0]);
    // The plot still shows it where it was: it has to be painted without it first.
    expect(painted.paintDraft(u, model, moved(1))).toBe(false);
    const before = below.strokes;
    painted.paint(u, model, style, { list, draft: moved(1), selectedId: '7' });
    expect(below.strokes - before).toBe(199);
    const [calls, strokes] = [below.calls, over[0]?.strokes ?? 0];
    for (let by = 2; by < 12; by++) expect(painted.paintDraft(u, model, moved(by))).toBe(true);
    expect(below.calls).toBe(calls);
    // The line and the rings of its two ends, ten times.
    expect((over[0]?.strokes ?? 0) - strokes).toBe(30);
  });

  it('DESK-175 is painted with all others after any other change, and on a new plot', () => {
    const painted = new PaintedDrawings();
    const { u } = plotOf();
    painted.paint(u, model, style, { list, draft: moved(1), selectedId: '7' });
    expect(painted.paintDraft(plotOf().u, model, moved(2))).toBe(false);
    painted.forget();
    expect(painted.paintDraft(u, model, moved(2))).toBe(false);
  });

  it('DESK-175 leaves out what lies above or below the plot or beside its candles', () => {
    const painted = new PaintedDrawings();
    const { u, below } = plotOf();
    const far = [line('above', 10, 300), line('below', 10, -200), line('beside', 500, 50), line('seen', 10, 99)];
    painted.paint(u, model, style, { list: far, draft: null, selectedId: null });
    expect(below.strokes).toBe(1);
  });
});
