import { expect, it } from 'vitest';
import { fundingWithin } from '../../../src/features/backtest/funding.ts';
import { candlesFrom } from '../../support/candles.ts';

const HOUR = 3_600_000;
/** Candles of the hours 10, 11 and 12: the window ends with the close at hour 13. */
const candles = candlesFrom([1, 1, 1], 10);
const stamps = (...hours: number[]) => ({
  time: Float64Array.from(hours, (hour) => hour * HOUR),
  rate: Float64Array.from(hours, (hour) => hour / 1e4),
});

it('fundings of the window are those from its first open to before its last close', () => {
  const within = fundingWithin(stamps(9, 10, 12.99, 13), candles, HOUR);
  expect([...(within?.rate ?? [])]).toEqual([10 / 1e4, 12.99 / 1e4]);
});

it('a window without one has none', () => expect(fundingWithin(stamps(1, 2, 20), candles, HOUR)).toBeNull());
