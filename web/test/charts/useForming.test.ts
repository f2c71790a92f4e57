import { describe, expect, it } from 'vitest';
import { withPrice } from '../../src/charts/useForming.ts';

const closed = { timeMs: 1000, close: 100 };

describe('the forming candle', () => {
  it('opens at the last close and holds the highest and the lowest price that was seen', () => {
    const first = withPrice(null, closed, 102);
    expect(first).toEqual({ afterMs: 1000, open: 100, high: 102, low: 100, close: 102 });
    const second = withPrice(withPrice(first, closed, 97), closed, 99);
    expect(second).toEqual({ afterMs: 1000, open: 100, high: 102, low: 97, close: 99 });
  });

  it('restarts after the next closed candle', () => {
    const before = withPrice(null, closed, 110);
    expect(withPrice(before, { timeMs: 2000, close: 108 }, 107)).toEqual({
      afterMs: 2000,
      open: 108,
      high: 108,
      low: 107,
      close: 107,
    });
  });

  it('is the same object while the price is the same, so that nothing is drawn again', () => {
    const before = withPrice(null, closed, 102);
    expect(withPrice(before, closed, 102)).toBe(before);
  });
});
