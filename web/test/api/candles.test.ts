import { describe, expect, it } from 'vitest';
import { intervalToMs, joinCandles, lastCandles, msToInterval } from '../../src/api/candles.ts';
import { candlesFrom } from '../support/candles.ts';

describe('interval names', () => {
  it.each([
    ['1m', 60_000],
    ['15m', 900_000],
    ['4h', 14_400_000],
    ['1d', 86_400_000],
  ])('%s is %i ms, and back', (name, ms) => {
    expect(intervalToMs(name)).toBe(ms);
    expect(msToInterval(ms)).toBe(name);
  });

  it('that are none have no length', () => {
    expect(intervalToMs('soon')).toBeNaN();
    expect(msToInterval(1500)).toBeNull();
  });
});

it('older and newer candles join in every column', () => {
  const joined = joinCandles(candlesFrom([1, 2]), candlesFrom([3], 2));
  expect([...joined.close]).toEqual([1, 2, 3]);
  expect([...joined.time]).toEqual([0, 3_600_000, 7_200_000]);
});

it('the last candles are the newest', () => {
  expect([...lastCandles(candlesFrom([1, 2, 3]), 2).close]).toEqual([2, 3]);
  const few = candlesFrom([1, 2]);
  expect(lastCandles(few, 5)).toBe(few);
});
