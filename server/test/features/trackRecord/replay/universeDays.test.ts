import { DAY_MS } from '@sextant/engine-as/abi/intervals.ts';
import { describe, expect, it } from 'vitest';
import type { FuturesSymbol } from '../../../../src/features/market/port.ts';
import { largestByTurnover, universeDays } from '../../../../src/features/trackRecord/replay/universeDays.ts';

const startMs = Date.UTC(2026, 0, 1);
const symbol = (name: string, more: Partial<FuturesSymbol> = {}): FuturesSymbol => ({
  symbol: name,
  base: name,
  tickSize: 0.1,
  stepSize: 0.1,
  minNotional: 5,
  maxLeverage: 100,
  maxQuantity: null,
  listedAtMs: startMs - 400 * DAY_MS,
  status: 'trading',
  fundingHours: null,
  ...more,
});
/** Daily candles at a price of 10 with these turnovers in million USDT. */
const daily = (turnovers: readonly number[], fromDay = 0) => {
  const ten = Float64Array.from(turnovers, () => 10);
  const time = Float64Array.from(turnovers, (_, i) => startMs + (fromDay + i) * DAY_MS);
  return {
    time,
    open: ten,
    high: ten,
    low: ten,
    close: ten,
    volume: Float64Array.from(turnovers, (each) => each * 1e5),
  };
};
const daysOf = (series: Parameters<typeof universeDays>[0], symbolsMax: number) =>
  Object.fromEntries(
    [...universeDays(series, symbolsMax)].map(([name, days]) => [name, [...days].map((ms) => (ms - startMs) / DAY_MS)]),
  );

describe('the universe of a past day', () => {
  it('HIST-037 has the largest turnovers of the day before, worked out by hand', () => {
    const series = [
      { symbol: symbol('AUSDT'), candles: daily([5, 5, 9, 5]) },
      { symbol: symbol('BUSDT'), candles: daily([7, 3, 3, 7]) },
      { symbol: symbol('CUSDT'), candles: daily([6, 6, 0.5, 0.5]) },
    ];
    // Day 1 by day 0: B 7, C 6. Day 2 by day 1: C 6, A 5. Day 3: A 9, B 3; C is below a million. Day 4: B 7, A 5.
    expect(daysOf(series, 2)).toEqual({ AUSDT: [2, 3, 4], BUSDT: [1, 3, 4], CUSDT: [1, 2] });
  });

  it('HIST-037 does not know the turnover of the day itself: a surge counts from the next day on', () => {
    const quiet = { symbol: symbol('AUSDT'), candles: daily([5, 5, 5]) };
    const surging = (turnovers: number[]) => [quiet, { symbol: symbol('BUSDT'), candles: daily(turnovers) }];
    expect(daysOf(surging([2, 90, 2]), 1)).toEqual({ AUSDT: [1, 3], BUSDT: [2] });
    // A universe by the turnover of the same day, planted by shifting the candles a day back, is another one.
    const shifted = surging([2, 90, 2]).map((each) => ({
      ...each,
      candles: { ...each.candles, time: each.candles.time.map((ms) => ms - DAY_MS) },
    }));
    expect(daysOf(shifted, 1)).not.toEqual(daysOf(surging([2, 90, 2]), 1));
  });

  it('HIST-037 has a symbol that is halted today on the days it traded, and none in its first 14 days', () => {
    const halted = { symbol: symbol('OLDUSDT', { status: 'halted' }), candles: daily([5, 5, 0, 0]) };
    const young = { symbol: symbol('NEWUSDT', { listedAtMs: startMs - 11 * DAY_MS }), candles: daily([5, 5, 5, 5]) };
    expect(daysOf([halted, young], 10)).toEqual({ OLDUSDT: [1, 2], NEWUSDT: [3, 4] });
  });

  it('HIST-033 leaves out a symbol that the list of the day before did not have', () => {
    const series = [
      { symbol: symbol('AUSDT'), candles: daily([5, 5, 5, 5]) },
      { symbol: symbol('BUSDT'), candles: daily([6, 6, 6, 6]) },
    ];
    const day = (count: number) => startMs + count * DAY_MS;
    // B is listed in the course of day 1 and gone from the list of day 3; no list of day 0 is stored.
    const lists = new Map([
      [day(1), new Set(['AUSDT', 'BUSDT'])],
      [day(2), new Set(['AUSDT', 'BUSDT'])],
      [day(3), new Set(['AUSDT'])],
    ]);
    const found = universeDays(series, 10, lists);
    expect([...found.get('BUSDT')!]).toEqual([day(1), day(2), day(3)]);
    expect([...found.get('AUSDT')!]).toEqual([day(1), day(2), day(3), day(4)]);
  });

  it('HIST-037 is the same up to a day whatever comes after it', () => {
    const whole = [
      { symbol: symbol('AUSDT'), candles: daily([5, 2, 9, 5, 1, 8]) },
      { symbol: symbol('BUSDT'), candles: daily([4, 3, 3, 7, 9, 2]) },
    ];
    const cut = whole.map(({ symbol: each, candles }) => ({
      symbol: each,
      candles: Object.fromEntries(
        Object.entries(candles).map(([name, column]) => [name, column.slice(0, 3)]),
      ) as typeof candles,
    }));
    const before = (days: Record<string, number[]>) =>
      Object.fromEntries(Object.entries(days).map(([name, own]) => [name, own.filter((day) => day <= 3)]));
    expect(before(daysOf(whole, 1))).toEqual(daysOf(cut, 1));
  });
});

describe('the symbols of a replay of a saved strategy', () => {
  const of = (name: string, turnovers: readonly number[], days: readonly number[], fromDay = 0) => ({
    symbol: name,
    days: Float64Array.from(days, (day) => startMs + day * DAY_MS),
    candles: daily(turnovers, fromDay),
  });
  const chosen = (universe: Parameters<typeof largestByTurnover>[0], symbolsMax: number, spanDays: number) =>
    largestByTurnover(universe, { symbolsMax, spanMs: spanDays * DAY_MS, endMs: startMs + 10 * DAY_MS }).map(
      ({ symbol: name }) => name,
    );

  it('HIST-159 are those with the largest turnover over the replayed days in the universe, worked out by hand', () => {
    // Days of ten: the turnover of a day in the universe is that of the day before.
    const steady = of('STEADY', [4, 4, 4, 4, 4, 4, 4, 4, 4, 4], [6, 7, 8, 9]);
    const late = of('LATE', [1, 1, 1, 1, 1, 1, 1, 1, 9, 9], [9]);
    const early = of('EARLY', [90, 90, 1, 1, 1, 1, 1, 1, 1, 1], [1, 2]);
    // Over the last four days: STEADY 16, LATE 9, EARLY 0. Over all: EARLY 180.
    expect(chosen([late, early, steady], 2, 4)).toEqual(['STEADY', 'LATE']);
    expect(chosen([late, early, steady], 2, 10)).toEqual(['EARLY', 'STEADY']);
    expect(chosen([late, early, steady], 9, 4)).toEqual(['STEADY', 'LATE', 'EARLY']);
  });

  it('HIST-159 leave out no contract because it ended: its own last days count', () => {
    // Ended after day 4. Its replay ends there; by the last day in the universe it was the first to be cut.
    const ended = of('ENDED', [8, 8, 8, 8, 8], [3, 4]);
    const small = of('SMALL', [3, 3, 3, 3, 3, 3, 3, 3, 3, 3], [8, 9]);
    expect(chosen([small, ended], 1, 2)).toEqual(['ENDED']);
    // Equal turnovers: by name, on every node.
    expect(chosen([of('B', [3, 3, 3], [1]), of('A', [3, 3, 3], [1])], 1, 10)).toEqual(['A']);
  });
});
