import { describe, expect, it } from 'vitest';
import { scalable, withRoom } from '../../src/charts/candlePane.ts';
import { overlayValues, timeAt } from '../../src/charts/readout.ts';
import { linePaneData } from '../../src/charts/linePane.ts';

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

it('a line that falls to 0 or below takes no part in a logarithmic range', () => {
  expect(scalable([-5, 0, 3, null, 8], true)).toEqual([3, 8]);
  expect(scalable([-5, 0, 3, null, 8], false)).toEqual([-5, 0, 3, 8]);
});

it('a pane below the candles has a place for the forming one, so that the crosshair stands on it in both', () => {
  expect(linePaneData([4, 5], 3)).toEqual([Float64Array.of(0, 1, 2), [4, 5, null]]);
  expect(linePaneData([4, 5], 2)).toEqual([Float64Array.of(0, 1), [4, 5]]);
});

describe('the values of an overlay', () => {
  const line = (label: string, values: (number | null)[]) =>
    ({ label, values, colour: 'series-1', isFilled: false }) as const;
  const price = (value: number | undefined) => (value === undefined ? '–' : String(value));

  it('are the last ones at rest and those of the candle under the crosshair; a forming candle has none', () => {
    const overlay = { label: 'EMA50', lines: [line('ema', [7, 8])] };
    expect([null, 0, 2].map((index) => overlayValues(overlay, index, price))).toEqual([
      [['EMA50', '8']],
      [['EMA50', '7']],
      [['EMA50', '–']],
    ]);
  });

  it('have their names where there are many', () => {
    const lines = ['P', 'R1', 'S1', 'R2'].map((label, at) => line(label, [at]));
    expect(overlayValues({ label: 'PIVOT', lines }, 0, price)).toEqual([
      ['PIVOT P', '0'],
      ['R1', '1'],
      ['S1', '2'],
      ['R2', '3'],
    ]);
  });
});

it('the crosshair has a time on the candle that forms, too: one step after the last', () => {
  expect([0, 1, 2].map((index) => timeAt([1000, 1060], index))).toEqual([1000, 1060, 1120]);
});
