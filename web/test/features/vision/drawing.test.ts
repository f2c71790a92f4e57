import { describe, expect, it } from 'vitest';
import { linesOf, onCandles, onPicture, rowOfPrice } from '../../../src/features/vision/ResultCharts.tsx';

const candles = {
  is_real: true,
  time: null,
  open: [],
  high: [10, 12, 11, 13, 12, 15],
  low: [8, 9, 7, 10, 9, 11],
  close: [9, 11, 8, 12, 10, 14],
  volume: null,
  has_prices: true,
};
const point = (index: number, side: 'high' | 'low' | 'close') => ({ index, side });

describe('the lines of a formation', () => {
  it('are a zigzag through its swings', () =>
    expect(
      linesOf(
        { drawn: 'zigzag', index: 5, points: [point(1, 'high'), point(2, 'low'), point(3, 'high')] },
        onCandles(candles),
      ),
    ).toEqual([
      [
        { index: 1, value: 12, side: 'high' },
        { index: 2, value: 7, side: 'low' },
        { index: 3, value: 13, side: 'high' },
      ],
    ]));

  it('go through the swings of each side to the candle that completes it', () => {
    const points = [point(1, 'high'), point(2, 'low'), point(3, 'high'), point(4, 'low')];
    // Highs rise by 1 in two candles, lows by 2 in two.
    expect(linesOf({ drawn: 'sides', index: 5, points }, onCandles(candles))).toMatchObject([
      [
        { index: 1, value: 12 },
        { index: 5, value: 14 },
      ],
      [
        { index: 2, value: 7 },
        { index: 5, value: 10 },
      ],
    ]);
  });

  it('are one level, and none where a swing is not shown or for a single candle', () => {
    const points = [point(4, 'low'), point(1, 'low')];
    expect(linesOf({ drawn: 'level', index: 5, points }, onCandles(candles))).toEqual([
      [
        { index: 1, value: 9 },
        { index: 5, value: 9 },
      ],
    ]);
    expect(linesOf({ drawn: 'level', index: 5, points: [point(9, 'low')] }, onCandles(candles))).toEqual([]);
    expect(linesOf({ drawn: 'candle', index: 5, points: [] }, onCandles(candles))).toEqual([]);
  });
});

describe('on the picture', () => {
  const spots = [0, 1, 3, 5].map((index) => ({ index, x: 0.1 + index * 0.1, high: 0.2, low: 0.4, close: 0.3 }));

  it('points are where they were read, columns also between them', () => {
    const place = onPicture(spots);
    expect([place.value(point(1, 'low')), place.value(point(2, 'low'))]).toEqual([0.4, undefined]);
    expect(place.column(2)).toBeCloseTo(0.3, 12);
  });

  it('a price has the row of its scale, linear or logarithmic', () => {
    const rows = (rowOf: (price: number) => number) =>
      spots.map((spot) => ({ ...spot, close: rowOf(candles.close[spot.index] ?? 0) }));
    expect(
      rowOfPrice(
        candles,
        rows((price) => 1 - price / 20),
      )?.(16),
    ).toBeCloseTo(0.2, 12);
    expect(
      rowOfPrice(
        candles,
        rows((price) => 2 - Math.log2(price) / 2),
      )?.(16),
    ).toBeCloseTo(0, 12);
    expect(rowOfPrice(candles, [])).toBeNull();
  });
});
