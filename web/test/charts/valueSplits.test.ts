import { describe, expect, it } from 'vitest';
import { logSplits } from '../../src/charts/paneOptions.ts';

describe('labels of a log scale', () => {
  it('are equal round steps while the range is short', () => {
    expect(logSplits(58_300, 71_200, 8)).toEqual([60_000, 62_000, 64_000, 66_000, 68_000, 70_000]);
    expect(logSplits(0.41, 0.62, 3).map((value) => Number(value.toFixed(6)))).toEqual([0.5, 0.6]);
  });

  it('are 1, 2 and 5 of each power of ten where it is long', () => {
    expect(logSplits(3, 120, 10)).toEqual([5, 10, 20, 50, 100]);
  });

  it('are no more than there is room for', () => {
    expect(logSplits(0.001, 1e6, 5).length).toBeLessThanOrEqual(5);
    for (const max of [1.001, 1.1, 2, 3.9]) expect(logSplits(1, max, 6).length).toBeLessThanOrEqual(7);
  });

  it('are none where there is no logarithm', () => {
    expect(logSplits(0, 5, 5)).toEqual([]);
    expect(logSplits(-1, 5, 5)).toEqual([]);
    expect(logSplits(5, 5, 5)).toEqual([]);
  });
});
