import { liveWeights } from '@sextant/engine-as/abi/liveWeights.ts';
import { expect, it } from 'vitest';
import { runCandles } from '../../src/candles/runCandles.ts';

const MINUTE = 60_000;
const live = { weights: liveWeights };
const at = (minutes: number, count: number, scored = 500) => runCandles({ count, scored }, live, minutes * MINUTE);

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
  expect(runCandles({ count: 600, scored: 600 }, { weights: { rsi: 1, pivot: 0 } }, MINUTE)).toBe(600);
});
