import { liveWeights } from '@sextant/engine-as/abi/liveWeights.ts';
import { expect, it } from 'vitest';
import { runCandles } from '../../src/candles/runCandles.ts';

const live = { weights: liveWeights };
const names = { 1: '1m', 5: '5m', 60: '1h' } as const;
const at = (minutes: keyof typeof names, count: number, scored = 500) =>
  runCandles({ count, scored }, live, names[minutes]);

it('votes on whole UTC days have two days of candles before the scored ones, and a search 100 more', () => {
  // Two days are 2,880 minutes or 576 candles of 5m; 2,880 + 100 + 500 and 576 + 100 + 500.
  expect([at(1, 800), at(1, 1200), at(1, 3379)]).toEqual([3480, 3480, 3480]);
  expect([at(5, 800), at(5, 1075)]).toEqual([1176, 1176]);
  // 500 of 300 are all of them.
  expect(at(5, 300)).toBe(976);
});

it('a history that has them is loaded as requested', () => {
  expect([at(1, 3380), at(1, 5000), at(5, 1076), at(5, 1200), at(60, 800)]).toEqual([3380, 5000, 1076, 1200, 800]);
});

it('rules without such votes load what was requested', () => {
  expect(runCandles({ count: 600, scored: 600 }, { weights: { rsi: 1, pivot: 0 } }, '1m')).toBe(600);
});

it('own rules load what their averages settle on, before the scored candles', () => {
  const intervals = [{ interval: '1h' as const, weight: 1 }];
  const load = (rules: string) => runCandles({ count: 600, scored: 500 }, { weights: {}, rules, intervals }, '1h');
  // A mean of 50 reads 50 candles; 100 are there.
  expect(load('long when close > mean(close, 50)')).toBe(600);
  // An average of 200 fades over ten periods and starts after 199: 2,199, 100 to train on, 500 scored.
  expect(load('long when close > ema(close, 200)')).toBe(2199 + 100 + 500);
  // Two UTC days are 48 candles.
  expect(load('long when close > vwap')).toBe(600);
});
