import { describe, expect, it } from 'vitest';
import { parsePriceText } from '../../src/vision/parseText.ts';
import { type AxisLabel, fitScale, priceCandles } from '../../src/vision/priceScale.ts';

const label = (y: number, text: string): AxisLabel => {
  const parsed = parsePriceText(text);
  if (parsed === null) throw new Error(text);
  return { y, text: parsed, confidence: 0.9 };
};

describe('fitScale', () => {
  it('finds a linear scale and gives candles their prices', () => {
    // 100 at row 50, 90 at row 150: one unit is ten rows, so row 0 is 105.
    const scale = fitScale([label(50, '100'), label(100, '95'), label(150, '90')]);
    expect(scale).toMatchObject({ kind: 'linear', residualFraction: expect.closeTo(0, 9) as number });
    const candles = [{ index: 4, x: 7, open: 50, high: 0, low: 150, close: 75 }];
    const prices = scale === null ? null : priceCandles(candles, scale, 3);
    expect(prices?.candles[0]).toMatchObject({ index: 4, open: expect.closeTo(100, 9) as number });
    expect(prices?.candles[0]?.high).toBeCloseTo(105, 9);
    expect(prices?.candles[0]?.low).toBeCloseTo(90, 9);
    expect(prices?.candles[0]?.close).toBeCloseTo(97.5, 9);
    expect(prices).toMatchObject({ scale: 'linear', labelsUsed: 3, labelsRead: 3 });
  });

  it('finds a logarithmic scale', () => {
    // Each hundred rows halve the price.
    const scale = fitScale([label(10, '800'), label(110, '400'), label(210, '200'), label(310, '100')]);
    expect(scale?.kind).toBe('log');
    const at = priceCandles([{ index: 0, x: 0, open: 60, high: 60, low: 60, close: 60 }], scale!, 4);
    expect(at.candles[0]?.close).toBeCloseTo(800 / Math.SQRT2, 6);
  });

  it.each(['70000', '6.0', '60'])('is not moved by one label misread as %s', (wrong) => {
    const labels = [
      label(50, '62000'),
      label(150, '61000'),
      label(250, wrong),
      label(350, '59000'),
      label(450, '58000'),
    ];
    const scale = fitScale(labels);
    expect(scale?.used.map(({ price }) => price)).toEqual([62_000, 61_000, 59_000, 58_000]);
    expect(scale?.perRow).toBeCloseTo(-10, 9);
  });

  it('gives a label its lost point back', () => {
    const labels = [label(0, '60.4'), label(100, '603'), label(200, '60.2'), label(300, '60.1')];
    expect(fitScale(labels)?.used.map(({ price }) => price)).toEqual([60.4, 60.3, 60.2, 60.1]);
  });

  it('states how far the labels lie off', () => {
    // The middle one stands one row too low, so the fitted line runs a third of a row below and the rest is 2/3 of 200 rows.
    const scale = fitScale([label(0, '102'), label(101, '101'), label(200, '100')]);
    expect(scale?.residualFraction).toBeCloseTo(2 / 3 / 200, 4);
  });

  it('is null for labels that agree but were hardly readable', () => {
    const labels = [label(0, '9.3'), label(100, '9.2'), label(200, '9.1')];
    expect(fitScale(labels)).not.toBeNull();
    expect(fitScale(labels.map((one) => ({ ...one, confidence: 0.6 })))).toBeNull();
  });

  it.each([
    ['two labels', [label(0, '10'), label(100, '9')]],
    [
      'labels that agree on nothing',
      [label(0, '10'), label(100, '55'), label(200, '3'), label(300, '41'), label(400, '17')],
    ],
    ['prices that rise down the picture', [label(0, '1'), label(100, '2'), label(200, '3')]],
  ])('is null for %s', (_, labels) => expect(fitScale(labels)).toBeNull());
});
