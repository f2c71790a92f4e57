import { describe, expect, it } from 'vitest';
import { median, medianInterval, quantile } from '../src/statistics.ts';

describe('median and quantile', () => {
  it('takes the middle value, or the mean of the two middle ones', () => {
    expect(median([5, 1, 3])).toBe(3);
    expect(median([4, 1, 3, 2])).toBe(2.5);
  });

  it('interpolates between order statistics', () => {
    expect(quantile([10, 20, 30, 40, 50], 0.25)).toBe(20);
    expect(quantile([0, 10], 0.25)).toBe(2.5);
  });

  it('leaves its input in order', () => {
    const values = [3, 1, 2];
    median(values);
    expect(values).toEqual([3, 1, 2]);
  });

  it('rejects the median of an empty list', () => expect(() => median([])).toThrow(RangeError));
});

describe('medianInterval', () => {
  it('is a point when every sample is the same', () =>
    expect(medianInterval([2, 2, 2, 2])).toEqual({ low: 2, high: 2 }));

  it('holds the median and ignores a few wild samples', () => {
    const samples = Array.from({ length: 101 }, (_, i) => 1 + (i - 50) / 1000);
    samples[3] = 40;
    samples[77] = 90;
    const { low, high } = medianInterval(samples);
    expect(low).toBeGreaterThan(0.98);
    expect(high).toBeLessThan(1.02);
    expect(low).toBeLessThanOrEqual(median(samples));
    expect(high).toBeGreaterThanOrEqual(median(samples));
  });

  it('gives the same interval for the same samples', () => {
    const samples = [1, 5, 2, 8, 3, 9];
    expect(medianInterval(samples)).toEqual(medianInterval(samples));
  });
});
