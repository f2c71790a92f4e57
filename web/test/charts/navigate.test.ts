import { describe, expect, it } from 'vitest';
import { clampViewport, panBy, reveal, zoomAbout } from '../../src/charts/navigate.ts';

const bounds = { count: 1000, spanMin: 12 };
const spanOf = ({ min, max }: { min: number; max: number }) => max - min;

describe('zoom', () => {
  it('keeps the candle under the cursor where it is', () => {
    const view = zoomAbout({ min: 400, max: 600 }, 450, 0.5, bounds);
    expect(view).toEqual({ min: 425, max: 525 });
    expect((450 - view.min) / spanOf(view)).toBe(0.25);
  });

  it('ends at the fewest candles without drifting away', () => {
    let view = { min: 400, max: 600 };
    for (let i = 0; i < 50; i++) view = zoomAbout(view, 450, 0.5, bounds);
    expect(spanOf(view)).toBeCloseTo(12, 9);
    expect(view.min).toBeLessThan(450);
    expect(view.max).toBeGreaterThan(450);
  });

  it('ends at all candles with their margin', () => {
    const view = zoomAbout({ min: 400, max: 600 }, 450, 1000, bounds);
    // 1000 candles are 92 % of the width, the margins 4 % each.
    expect(view.min).toBeCloseTo(-0.5 - 1000 * (0.04 / 0.92), 9);
    expect(view.max).toBeCloseTo(999.5 + 1000 * (0.04 / 0.92), 9);
  });
});

describe('pan', () => {
  it('moves by candles', () => expect(panBy({ min: 400, max: 500 }, 30, bounds)).toEqual({ min: 430, max: 530 }));

  it('stops a margin beyond the first and the last candle', () => {
    expect(panBy({ min: 400, max: 500 }, -1e6, bounds)).toEqual({ min: -4.5, max: 95.5 });
    expect(panBy({ min: 400, max: 500 }, 1e6, bounds)).toEqual({ min: 903.5, max: 1003.5 });
  });
});

describe('reveal', () => {
  it('leaves a view that shows the trade', () => {
    const view = { min: 400, max: 500 };
    expect(reveal(view, 420, 440, bounds)).toBe(view);
  });

  it('moves to a trade outside without changing the zoom', () =>
    expect(reveal({ min: 400, max: 500 }, 700, 720, bounds)).toEqual({ min: 660, max: 760 }));

  it('widens for a trade longer than the view', () =>
    expect(reveal({ min: 400, max: 420 }, 600, 700, bounds)).toEqual({ min: 575, max: 725 }));
});

it('a few candles fill the view', () => {
  const view = clampViewport({ min: 0, max: 3 }, { count: 3, spanMin: 12 });
  expect(view.min).toBeLessThanOrEqual(-0.5);
  expect(view.max).toBeGreaterThanOrEqual(2.5);
});
