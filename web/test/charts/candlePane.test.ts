import { describe, expect, it } from 'vitest';
import { withRoom } from '../../src/charts/candlePane.ts';
import { timeAt } from '../../src/charts/crosshair.ts';

describe('the range of prices', () => {
  it('has room for the volume below and a little above', () => {
    // 100 to 200: a quarter of 100 below, a tenth above.
    expect(withRoom([100, 200], { below: 0.25, above: 0.1, isLog: false })).toEqual([75, 210]);
  });

  it('has the same shares of its height on a logarithmic scale', () => {
    // 100 to 10,000 are two powers of ten: half of that below is one power, a quarter above half of one.
    const [low, high] = withRoom([100, 10_000], { below: 0.5, above: 0.25, isLog: true });
    expect(low).toBeCloseTo(10, 9);
    expect(high).toBeCloseTo(10_000 * Math.sqrt(10), 6);
  });

  it('surrounds a single price, on both scales', () => {
    expect(withRoom([50, 50], { below: 1, above: 1, isLog: false })).toEqual([49.5, 50.5]);
    const [low, high] = withRoom([50, 50], { below: 1, above: 1, isLog: true });
    expect([low < 50, high > 50]).toEqual([true, true]);
  });

  it('stays even where a price has no logarithm', () =>
    expect(withRoom([0, 10], { below: 0.1, above: 0.1, isLog: true })).toEqual([-1, 11]));
});

it('the crosshair has a time on the candle that forms, too: one step after the last', () => {
  expect([0, 1, 2].map((index) => timeAt([1000, 1060], index))).toEqual([1000, 1060, 1120]);
});
