import { expect, it } from 'vitest';
import { createRecentCandles } from '../../../src/features/backtest/recentCandles.ts';
import { runOf } from '../../support/runs.ts';

const HOUR = 3_600_000;
/** Close of the last hourly candle of `runOf`. */
const CLOSE = Date.UTC(2026, 0, 1);
const { loaded } = runOf({});

it('RULE-121 candles of this visit are used again until the next one has closed', () => {
  let nowMs = CLOSE + 1;
  const recent = createRecentCandles(() => nowMs);
  recent.note('btc 1h', loaded);
  expect(recent.read('btc 1h')).toBe(loaded);
  expect(recent.read('eth 1h')).toBeUndefined();
  nowMs = CLOSE + HOUR - 1;
  expect(recent.read('btc 1h')).toBe(loaded);
  nowMs = CLOSE + HOUR;
  expect(recent.read('btc 1h')).toBeUndefined();
  // A range that ends with these candles has no newer ones.
  expect(recent.read('btc 1h', CLOSE)).toBe(loaded);
  expect(recent.read('btc 1h', CLOSE + HOUR)).toBeUndefined();
});

it('RULE-121 twelve setups are remembered; stored candles of a lost connection and long histories are not', () => {
  const recent = createRecentCandles(() => CLOSE);
  for (let n = 0; n < 13; n++) recent.note(`setup ${n}`, loaded);
  expect([0, 1, 12].map((n) => recent.read(`setup ${n}`) !== undefined)).toEqual([false, true, true]);
  recent.note('offline', { ...loaded, isOffline: true });
  const long = new Float64Array(5001).fill(1);
  recent.note('long', { ...loaded, candles: { ...loaded.candles, time: long } });
  expect([recent.read('offline'), recent.read('long')]).toEqual([undefined, undefined]);
  recent.clear();
  expect(recent.read('setup 12')).toBeUndefined();
});
