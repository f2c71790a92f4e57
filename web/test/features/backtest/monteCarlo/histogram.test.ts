import { describe, expect, it } from 'vitest';
import { countText, histogramOf, withoutWords } from '../../../../src/features/backtest/monteCarlo/MonteCarloPanel.tsx';
import { runOf } from '../../../support/runs.ts';

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

it('counts markets, so that all of 200 do not read as certain', () =>
  expect([1, 0.995, 0].map((share) => countText(share, 200))).toEqual([
    '200 of 200 markets',
    '199 of 200 markets',
    '0 of 200 markets',
  ]));

it('says what the run had and generated markets have not', () => {
  const run = runOf({});
  const { candles } = run.loaded;
  const marks = { prices: { open: candles.open, high: candles.high, low: candles.low }, missingCount: 0 };
  expect(withoutWords(run)).toBe('');
  expect(withoutWords({ ...run, minutes: candles })).toBe('without minute candles');
  const fine = { ...run, fineData: true, loaded: { ...run.loaded, marks }, minutes: candles };
  expect(withoutWords(fine)).toBe('without minute candles and mark prices');
});
