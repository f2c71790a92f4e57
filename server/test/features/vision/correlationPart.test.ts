import { expect, it } from 'vitest';
import { correlationText, partOf } from '../../../src/features/vision/groundingWire.ts';

it('the correlation names the candles of the picture that it covers, unless it covers all', () => {
  expect(partOf({ measured: { from: 0, to: 79 }, count: 80 })).toBeNull();
  expect(partOf({ measured: { from: 32, to: 79 }, count: 80 })).toEqual({ first: 33, last: 80 });
  expect(partOf({ measured: { from: 0, to: 47 }, count: 80 })).toEqual({ first: 1, last: 48 });
  expect(correlationText({ correlation: 0.9987, correlation_part: null })).toBe('0.999');
  expect(correlationText({ correlation: 0.9987, correlation_part: { first: 33, last: 80 } })).toBe(
    '0.999, of candles 33 to 80',
  );
});
