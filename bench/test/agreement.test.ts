import { expect, it } from 'vitest';
import { disagreement, firstDifference } from '../src/agreement.ts';

it('takes 1e-9 of the larger value, and 1e-9 near zero, for the same', () => {
  expect(disagreement([30_000, 1e-12], [30_000 * (1 + 9e-10), 0])).toBeUndefined();
  expect(disagreement([30_000], [30_000 * (1 + 2e-9)])).toContain('candle 0');
  expect(disagreement([0], [2e-9])).toContain('candle 0');
});

it('names the worst candle', () => expect(disagreement([1, 2, 3], [1.1, 2.9, 3])).toMatch(/^candle 1: 2 against 2.9/));

it('lets undefined agree only with undefined', () => {
  expect(disagreement([NaN, 1], [NaN, 1])).toBeUndefined();
  expect(disagreement([NaN], [1])).toContain('candle 0');
  expect(disagreement([1], [NaN])).toContain('candle 0');
});

it('does not compare columns of different length', () => expect(disagreement([1, 2], [1])).toBe('2 values against 1'));

it('ignores candles before the requested one', () => expect(disagreement([5, 1], [6, 1], 1)).toBeUndefined());

it('finds the first place that is not the same bits', () => {
  expect(firstDifference([1, NaN, 3], [1, NaN, 3])).toBeUndefined();
  expect(firstDifference([1, 2, 3], [1, 2 + 5e-16, 4])).toBe('place 1: 2 against 2.0000000000000004');
});
