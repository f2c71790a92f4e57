import { describe, expect, it } from 'vitest';
import { histogramOf } from '../../../../src/features/backtest/monteCarlo/MonteCarloPanel.tsx';

describe('the histogram of generated markets', () => {
  it('counts every value once, from the least to the most, the real one inside', () => {
    const bins = histogramOf(Float64Array.from([-10, -9, 0, 21.9]), 22);
    expect(bins).toHaveLength(32);
    expect([bins[0]?.from, bins.at(-1)?.to]).toEqual([-10, 22]);
    // Bins of width 1: -10 in the first, -9 in the second, 0 in the eleventh, 21.9 in the last.
    expect(bins.flatMap(({ count }, at) => (count > 0 ? [[at, count]] : []))).toEqual([
      [0, 1],
      [1, 1],
      [10, 1],
      [31, 1],
    ]);
  });
  it('is one bin when all are alike', () =>
    expect(histogramOf(Float64Array.from([3, 3]), 3)).toEqual([{ from: 3, to: 3, count: 2 }]));
});
