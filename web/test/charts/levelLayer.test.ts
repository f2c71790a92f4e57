import { describe, expect, it } from 'vitest';
import { fitRange, pinnedText, placeLevels } from '../../src/charts/levelsAndMarks.ts';

describe('the price axis', () => {
  it('takes in a level near the candles, and leaves a far one outside', () => {
    expect(fitRange([100, 110], [112, 98])).toEqual([98, 112]);
    expect(fitRange([100, 110], [200])).toEqual([100, 110]);
    expect(fitRange([100, 110], [50, 106, 112])).toEqual([100, 112]);
  });

  it('takes the nearer of two that do not fit together', () =>
    expect(fitRange([100, 110], [113, 96])).toEqual([100, 113]));

  it('never gives the candles less than two thirds of the height', () => {
    for (let seed = 1; seed < 500; seed++) {
      const at = (n: number): number => 50 + ((seed * 7919 * (n + 1)) % 1000) / 10;
      const [low, high] = fitRange([100, 104], [at(1), at(2), at(3), at(4)]);
      expect(high - low).toBeLessThanOrEqual(6 + 1e-9);
      expect([low <= 100, high >= 104]).toEqual([true, true]);
    }
  });
});

describe('the labels of the levels', () => {
  const plot = { top: 20, bottom: 320, labelHeight: 15, yOf: (price: number) => 320 - (price - 100) * 30 };
  const level = (price: number) => ({ price, label: String(price), colour: 'up' as const });
  const placedAt = (...prices: number[]) => placeLevels(prices.map(level), plot);

  it('stand over their lines where there is room', () =>
    expect(placedAt(105, 102).map(({ y, labelY, place }) => [y, labelY, place])).toEqual([
      [170, 170, 'inside'],
      [260, 260, 'inside'],
    ]));

  it('of levels outside stand at the edge, the farthest outermost', () => {
    expect(placedAt(130, 150, 90, 80).map(({ level: { label }, place, labelY }) => [label, place, labelY])).toEqual([
      ['150', 'above', 35],
      ['130', 'above', 50],
      ['90', 'below', 305],
      ['80', 'below', 320],
    ]);
  });

  it.each([[[105, 105, 105]], [[109.99, 109.98, 130, 131]], [[100, 100.1, 90, 80, 70]], [[105, 104.9, 104.8, 104.7]]])(
    'never overlap, and stay inside the plot: %j',
    (prices) => {
      const bottoms = placedAt(...prices).map(({ labelY }) => labelY);
      bottoms.slice(1).forEach((bottom, at) => expect(bottom - (bottoms[at] ?? 0)).toBeGreaterThanOrEqual(15));
      expect(Math.min(...bottoms)).toBeGreaterThanOrEqual(plot.top + 15);
      expect(Math.max(...bottoms)).toBeLessThanOrEqual(plot.bottom);
    },
  );
});

describe('a level out of range', () => {
  const format = (price: number) => price.toFixed(1);

  it('DESK-101 states its price and its distance from the last price', () => {
    expect(pinnedText({ label: 'stop', price: 95 }, format, 100)).toBe('stop 95.0 (\u22125.00\u00a0%)');
    expect(pinnedText({ label: 'target', price: 112.5 }, format, 100)).toBe('target 112.5 (+12.50\u00a0%)');
    expect(pinnedText({ label: 'entry', price: 90 }, format, undefined)).toBe('entry 90.0');
  });
});
