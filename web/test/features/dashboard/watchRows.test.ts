import { expect, it } from 'vitest';
import { dayFigures } from '../../../src/features/dashboard/watchList.ts';
import { candlesFrom } from '../../support/candles.ts';

/** 25 hourly candles reach back a whole day: closes 100, then 101 to 124. */
const day = candlesFrom(Array.from({ length: 25 }, (_, i) => 100 + i));

it('the change is from the close of 24 hours ago to the last price', () =>
  expect(dayFigures(day, 90)?.changeFraction).toBeCloseTo(-0.1, 12));

it('the range holds the last 24 hours and the last price', () => {
  expect(dayFigures(day, 110)).toMatchObject({ high: 125, low: 99, place: 11 / 26 });
  expect(dayFigures(day, 200)).toMatchObject({ high: 200, place: 1 });
});

it('there is none when the candles do not reach back a day', () =>
  expect(dayFigures(candlesFrom(Array.from({ length: 24 }, () => 100)), 100)).toBeNull());

it('there is none without candles', () => expect(dayFigures(candlesFrom([]), 100)).toBeNull());
