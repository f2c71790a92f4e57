import { DAY_MS, HOUR_MS, intervalMs, type IntervalName } from '@sextant/engine-as/abi/intervals.ts';
import { describe, expect, it } from 'vitest';
import { defaultCosts } from '../../../src/protocol/wire/defaults.ts';
import { clockColumns, fundingColumns } from '../../../src/tasks/ownRules/inputs.ts';

/** Open of a candle, its length, and hour and weekday (0 is Monday) of its close, from a calendar. */
const closes: [open: string, interval: IntervalName, hour: number, weekday: number, why: string][] = [
  ['1970-01-01T00:00Z', '1h', 1, 3, 'the epoch was a Thursday'],
  ['1970-01-04T22:00Z', '1h', 23, 6, 'the last hour but one of a Sunday'],
  ['1970-01-04T23:00Z', '1h', 0, 0, 'closes when Monday starts'],
  ['2024-02-29T23:00Z', '1h', 0, 4, 'closes on Friday, 1 March'],
  ['2024-02-28T23:45Z', '15m', 0, 3, 'closes on Thursday, 29 February'],
  ['2024-02-28T23:30Z', '15m', 23, 2, 'closes at 23:45 of Wednesday'],
  ['2026-11-29T12:58Z', '1m', 12, 6, 'closes at 12:59 of Sunday'],
  ['2026-11-29T12:59Z', '1m', 13, 6, 'closes at 13:00'],
  ['2026-11-28T20:00Z', '4h', 0, 6, 'closes when Sunday starts'],
  ['2026-11-28T00:00Z', '1d', 0, 6, 'a day closes when the next one starts'],
  ['2025-12-31T00:00Z', '1d', 0, 3, 'closes on Thursday, 1 January 2026'],
];

describe('clock of own rules', () => {
  it.each(closes)('RULE-046 %s of %s closes in hour %d of weekday %d: %s', (open, interval, hour, weekday) => {
    const { hour: hours, weekday: weekdays } = clockColumns(Float64Array.of(Date.parse(open)), intervalMs[interval]);
    expect([hours[0], weekdays[0]]).toEqual([hour, weekday]);
  });
});

const day = Date.parse('2024-01-03T00:00Z');
const at = (hour: number): number => day + hour * HOUR_MS;
/** Hourly candles by the hour of their close. */
const opens = (hours: number[]): Float64Array => Float64Array.from(hours, (hour) => at(hour - 1));
const settled = (rows: [hour: number, rate: number][]) => ({
  ...defaultCosts,
  funding: {
    time: Float64Array.from(rows, ([hour]) => at(hour)),
    rate: Float64Array.from(rows, ([, rate]) => rate),
  },
});
const none = Number.NaN;

describe('funding of own rules', () => {
  it('RULE-046 is the last settlement at or before the close; the next one by the distance of the last two', () => {
    const costs = settled([
      [8, 0.0001],
      [16, 0.0003],
      [20, -0.0002],
    ]);
    // Before 8:00 nothing is known. One settlement: 8 hours are assumed. From 20:00 on the distance is 4 hours: 24:00 is the next one, and
    // where it is missing in the history, the one after it.
    const columns = fundingColumns(opens([7, 8, 9, 15, 16, 19, 20, 21, 24, 25]), HOUR_MS, costs)!;
    expect([...columns.rate]).toEqual([
      none,
      0.0001,
      0.0001,
      0.0001,
      0.0003,
      0.0003,
      -0.0002,
      -0.0002,
      -0.0002,
      -0.0002,
    ]);
    expect([...columns.hours]).toEqual([none, 8, 7, 1, 8, 5, 4, 3, 4, 3]);
  });

  it('RULE-046 is unknown when the last settlement is more than 24 hours old', () => {
    const columns = fundingColumns(opens([31, 32, 33]), HOUR_MS, settled([[8, 0.0005]]))!;
    expect([...columns.rate]).toEqual([0.0005, 0.0005, none]);
    expect([...columns.hours]).toEqual([1, 8, none]);
  });

  it('RULE-046 a gap of days between two settlements counts as one day', () => {
    const costs = settled([
      [-100, 0.0001],
      [8, 0.0002],
    ]);
    expect([...fundingColumns(opens([9, 20]), HOUR_MS, costs)!.hours]).toEqual([23, 12]);
  });

  it('RULE-046 a stamp some milliseconds after the hour is known at the next close only', () => {
    const costs = settled([[8 + 36 / 3_600_000, 0.0004]]);
    const columns = fundingColumns(opens([8, 9]), HOUR_MS, costs)!;
    expect([...columns.rate]).toEqual([none, 0.0004]);
    expect(columns.hours[1]).toBeCloseTo(7 + 36 / 3_600_000, 12);
  });

  it('RULE-046 on candles of a day the settlement of the close itself counts', () => {
    const rows: [number, number][] = [0, 8, 16, 24].map((hour) => [hour, hour / 1000]);
    const columns = fundingColumns(Float64Array.of(day), DAY_MS, settled(rows))!;
    expect([columns.rate[0], columns.hours[0]]).toEqual([0.024, 8]);
  });

  it('RULE-046 an assumed rate is due at 0, 8 and 16 h UTC; without history and assumption there is none', () => {
    const assumed = { ...defaultCosts, fundingSource: 'assumed' as const, assumedFundingFraction: 0.0002 };
    const columns = fundingColumns(opens([7, 7.75, 8, 17, 24]), HOUR_MS, assumed)!;
    expect([...columns.rate]).toEqual([0.0002, 0.0002, 0.0002, 0.0002, 0.0002]);
    expect([...columns.hours]).toEqual([1, 0.25, 8, 7, 8]);
    for (const fundingSource of ['history', 'off'] as const)
      expect(fundingColumns(opens([7]), HOUR_MS, { ...defaultCosts, fundingSource })).toBeUndefined();
  });
});
