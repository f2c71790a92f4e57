import { describe, expect, it } from 'vitest';
import { type DataMark, isSameData, isSameFamily, sampleCloses } from '../../src/candles/sameData.ts';
import type { Candles } from '../../src/protocol/backtest.ts';
import { cutCandles } from '../../src/candles/candleColumns.ts';
import { randomCandles, seededRandom } from '../support/randomRuns.ts';

const HOUR_MS = 3_600_000;
const START_MS = 1_750_000_000_000 - (1_750_000_000_000 % HOUR_MS);
const market = (seed: number, count = 700): Candles => {
  const candles = randomCandles(seededRandom(seed), count);
  return { ...candles, time: candles.time.map((_, i) => START_MS + i * HOUR_MS) };
};
let made = 0;
/** The mark of a file, whose hash is always another one. */
function file(candles: Candles, first = 0, series: string | null = null): DataMark {
  const { time } = candles;
  made += 1;
  return {
    hash: `${made}`,
    series,
    fromMs: time[first] ?? 0,
    toMs: time.at(-1) ?? 0,
    closes: sampleCloses(candles, first),
  };
}
const rows = (candles: Candles, from: number, until = candles.time.length): Candles =>
  cutCandles(candles, START_MS + from * HOUR_MS, START_MS + until * HOUR_MS);

describe('candles without a symbol are the same data', () => {
  const whole = market(1);

  it.each([1, 2, 39])('with %i rows left out at the start, or at the end', (left) => {
    expect(isSameData(file(whole, 200), file(rows(whole, left), 200 - left))).toBe(true);
    expect(isSameData(file(whole), file(rows(whole, left)))).toBe(true);
    expect(isSameData(file(whole), file(rows(whole, 0, 700 - left)))).toBe(true);
  });

  it('with rows left out in the middle', () => {
    const retained = Array.from({ length: 700 }, (_, i) => i).filter((i) => i % 3 > 0);
    const thinned = { time: retained.map((i) => whole.time[i]!), close: retained.map((i) => whole.close[i]!) };
    const columns = { time: Float64Array.from(thinned.time), close: Float64Array.from(thinned.close) };
    expect(isSameData(file(whole), file({ ...whole, ...columns }))).toBe(true);
  });

  it('while they share at least half of the shorter window', () => {
    // 699 hours: half of them are shared at an offset of 349, and fewer at 350.
    const long = market(2, 1400);
    const at = (from: number) => file(rows(long, from, from + 700));
    expect([349, 350].map((from) => isSameData(at(0), at(from)))).toEqual([true, false]);
    expect(isSameData(file(long), at(350))).toBe(true);
  });

  it('as the candles of an exchange that they were copied from, and then no other market', () => {
    const named = file(whole, 200, 'binance BTCUSDT 1h');
    const sent = file(rows(whole, 1), 199);
    expect(isSameData(named, sent)).toBe(true);
    const other = { ...sent, series: 'binance ETHUSDT 1h' };
    expect([isSameData(named, other), isSameFamily(named, other)]).toEqual([true, false]);
  });

  it('never with other closes, other times or an unknown sample', () => {
    const one = file(whole);
    expect(isSameData(one, file(market(3)))).toBe(false);
    expect(isSameData(one, file({ ...whole, time: whole.time.map((at) => at + 60_000) }))).toBe(false);
    const { closes: _none, ...old } = file(whole);
    expect([isSameData(one, old), isSameData(old, { ...file(whole), closes: null })]).toEqual([false, false]);
    expect(isSameData(one, { ...old, hash: one.hash })).toBe(true);
  });
});

it('a sample is short enough to store, whatever the length of the history', () => {
  expect(sampleCloses(market(4, 100_000), 0).split(' ')).toHaveLength(48);
  expect(sampleCloses(market(4, 100_000), 0).length).toBeLessThan(1000);
  expect(sampleCloses(market(4, 10), 0).split(' ')).toHaveLength(10);
});
