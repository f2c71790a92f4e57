import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { extremesOf, levelFor, pixelColumns, rangeOf } from '../../src/charts/extremes.ts';

const column = fc.array(
  fc.oneof({ weight: 4, arbitrary: fc.double({ noNaN: true, min: -1e6, max: 1e6 }) }, fc.constant(null)),
  {
    minLength: 1,
    maxLength: 400,
  },
);

describe('extremes of a column', () => {
  it('gives least and greatest of any stretch as a plain search does, holes left out', () => {
    fc.assert(
      fc.property(column, fc.nat(420), fc.nat(420), (values, a, b) => {
        const [from, to] = [Math.min(a, b) - 5, Math.max(a, b) - 5];
        const seen = values.filter((value, i) => value !== null && i >= from && i <= to) as number[];
        const expected = seen.length === 0 ? null : [Math.min(...seen), Math.max(...seen)];
        expect(rangeOf(extremesOf(values), from, to)).toEqual(expected);
      }),
    );
  });

  it('takes the least of one column and the greatest of the other', () => {
    expect(rangeOf(extremesOf(Float64Array.of(3, 1, 2), Float64Array.of(4, 5, 9)), 0, 1)).toEqual([1, 5]);
  });

  it('makes no more columns than there are pixels, each of them the extremes of whole blocks', () => {
    fc.assert(
      fc.property(column, fc.integer({ min: 5, max: 60 }), (values, pixels) => {
        const extremes = extremesOf(values);
        const barWidth = Math.min(0.99, pixels / values.length);
        const x = (index: number) => 10 + index * barWidth;
        const columns = pixelColumns(extremes, { from: 0, to: values.length - 1, x, barWidth });
        expect(columns.count).toBeLessThanOrEqual(Math.ceil(values.length * barWidth) + 1);
        const { size } = levelFor(extremes, 1 / barWidth);
        expect(size).toBeLessThanOrEqual(Math.max(1, 0.25 / barWidth));
        for (let i = 0; i < columns.count; i++) {
          const [first, last] = [columns.first[i] ?? 0, columns.last[i] ?? 0];
          expect(rangeOf(extremes, first, last)).toEqual([columns.low[i], columns.high[i]]);
          expect(Math.abs(x(first) - (columns.x[i] ?? 0))).toBeLessThanOrEqual(0.5);
        }
        const all = rangeOf(extremes, 0, values.length);
        const least = Math.min(...columns.low.subarray(0, columns.count));
        expect(columns.count === 0 ? null : least).toBe(all === null ? null : all[0]);
      }),
    );
  });
});
