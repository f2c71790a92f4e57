import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { timeLabel, timeLabels, timeSplits } from '../../src/charts/timeAxis.ts';
import {
  formatCandle,
  formatCandleZoned,
  formatTime,
  formatUtc,
  isRepeatedTime,
  zoneName,
} from '../../src/format/time.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const at = (text: string): number => Date.parse(text);

const zoneOfTheMachine = process.env.TZ;
function inZone(zone: string): void {
  beforeEach(() => {
    process.env.TZ = zone;
  });
  afterEach(() => {
    if (zoneOfTheMachine === undefined) delete process.env.TZ;
    else process.env.TZ = zoneOfTheMachine;
  });
}

describe.each(['America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe', 'UTC'])('in %s', (zone) => {
  inZone(zone);

  it.each([
    ['2026-09-09', DAY],
    ['2026-11-01', DAY],
    ['2026-03-30', 7 * DAY],
  ])('a candle of %s that lasts a day or longer bears its UTC date', (date, length) => {
    const open = at(`${date}T00:00Z`);
    for (const chosen of ['local', 'utc'] as const) {
      expect(formatCandle(open, length, chosen)).toEqual([date, `${date} 00:00 UTC`]);
      expect(formatCandleZoned(open, length, chosen)).toBe(date);
    }
  });

  it('a candle of hours has the local time, and the other one on the hover', () => {
    const open = at('2026-09-09T12:00Z');
    expect(formatCandle(open, 12 * HOUR, 'local')).toEqual([formatTime(open), formatUtc(open)]);
    expect(formatCandleZoned(open, HOUR, 'local')).toBe(`${formatTime(open)} ${zoneName(open)}`);
    expect(formatCandleZoned(open, HOUR, 'utc')).toBe('2026-09-09 12:00 UTC');
  });
});

describe('where clocks go back in New York', () => {
  inZone('America/New_York');

  it('the two candles of one hour read differently', () => {
    expect(formatTime(at('2026-11-01T04:00Z'))).toBe('2026-11-01 00:00');
    expect(formatTime(at('2026-11-01T05:00Z'))).toBe('2026-11-01 01:00 EDT');
    expect(formatTime(at('2026-11-01T06:00Z'))).toBe('2026-11-01 01:00 EST');
    expect(formatTime(at('2026-11-01T06:59:30Z'), true)).toBe('2026-11-01 01:59:30 EST');
    expect(formatTime(at('2026-11-01T07:00Z'))).toBe('2026-11-01 02:00');
  });

  it('a chart names the zone of every hour once', () => {
    const read = (text: string) => formatCandleZoned(at(text), HOUR, 'local');
    expect(read('2026-11-01T04:00Z')).toBe('2026-11-01 00:00 EDT');
    expect(read('2026-11-01T05:00Z')).toBe('2026-11-01 01:00 EDT');
    expect(read('2026-11-01T06:00Z')).toBe('2026-11-01 01:00 EST');
    expect(read('2026-11-01T07:00Z')).toBe('2026-11-01 02:00 EST');
  });

  it('the labels of the axis are distinct', () => {
    const time = Float64Array.from({ length: 6 }, (_, i) => at('2026-11-01T03:00Z') + i * HOUR);
    const { indices, stepMs } = timeSplits(time, 0, 5, 6);
    expect(indices.map((index) => timeLabel(time[index] ?? NaN, stepMs))).toEqual([
      '1 Nov',
      '01:00 EDT',
      '01:00 EST',
      '02:00',
      '03:00',
    ]);
  });

  it('the hour that is left out in spring repeats nothing', () =>
    expect([6, 7, 8].map((hour) => isRepeatedTime(at(`2026-03-08T0${hour}:00Z`)))).toEqual([false, false, false]));
});

describe('where clocks go back by half an hour, on Lord Howe', () => {
  inZone('Australia/Lord_Howe');

  it('only the half hour that repeats bears an offset', () => {
    // 2:00 +11:00 becomes 1:30 +10:30 at 15:00 UTC.
    expect(formatTime(at('2026-04-04T14:15Z'))).toBe('2026-04-05 01:15');
    expect(formatTime(at('2026-04-04T14:30Z'))).toBe('2026-04-05 01:30 GMT+11');
    expect(formatTime(at('2026-04-04T15:00Z'))).toBe('2026-04-05 01:30 GMT+10:30');
    expect(formatTime(at('2026-04-04T15:30Z'))).toBe('2026-04-05 02:00');
    expect(timeLabel(at('2026-04-04T15:00Z'), HOUR / 2)).toBe('01:30 +10:30');
  });
});

describe('in Kolkata', () => {
  inZone('Asia/Kolkata');

  it('no hour repeats, and a chart names the offset', () => {
    for (let hour = 0; hour < 24 * 366; hour += 7)
      expect(isRepeatedTime(at('2026-01-01T00:00Z') + hour * HOUR)).toBe(false);
    expect(formatCandleZoned(at('2026-01-03T14:00Z'), HOUR, 'local')).toBe('2026-01-03 19:30 GMT+5:30');
  });
});

describe('labels of an axis around a clock change', () => {
  const labels = (from: string, count: number, stepMs: number, room: number) => {
    const time = Float64Array.from({ length: count }, (_, i) => at(from) + i * stepMs);
    const splits = timeSplits(time, 0, count - 1, room);
    return timeLabels(
      splits.indices.map((index) => time[index] ?? NaN),
      splits.stepMs,
    );
  };

  describe('in New York', () => {
    inZone('America/New_York');

    it('DESK-102 a day starts at its midnight, and the first time after the change names the zone', () => {
      // Midnight of 1 November is 04:00 UTC; clocks go back at 06:00 UTC.
      expect(labels('2026-11-01T00:00Z', 49, HOUR, 13)).toEqual([
        '1 Nov',
        '04:00 EST',
        '08:00',
        '12:00',
        '16:00',
        '20:00',
        '2 Nov',
        '04:00',
        '08:00',
        '12:00',
        '16:00',
      ]);
      // In spring 02:00 is left out: midnight is 05:00 UTC, 04:00 EDT is 08:00 UTC.
      expect(labels('2026-03-08T04:00Z', 13, HOUR, 13)).toEqual([
        '8 Mar',
        '01:00',
        '03:00 EDT',
        '04:00',
        '05:00',
        '06:00',
        '07:00',
        '08:00',
        '09:00',
        '10:00',
        '11:00',
        '12:00',
      ]);
    });

    it('DESK-102 a view that starts on the day of the change has the next day at its midnight', () =>
      expect(labels('2026-11-01T17:00Z', 49, HOUR, 3)).toEqual(['2 Nov', '3 Nov']));
  });

  describe('on Lord Howe', () => {
    inZone('Australia/Lord_Howe');

    it('DESK-102 whole hours are labelled on both sides of a change by half an hour', () => {
      // 2:00 +11:00 becomes 1:30 +10:30 at 15:00 UTC; candles of half an hour.
      expect(labels('2026-04-04T12:00Z', 12, HOUR / 2, 8)).toEqual([
        '5 Apr',
        '01:00',
        '02:00 +10:30',
        '03:00',
        '04:00',
      ]);
    });
  });

  describe('in Kolkata', () => {
    inZone('Asia/Kolkata');

    it('DESK-102 hours of UTC read half an hour later, and days start at the candle after midnight', () =>
      expect(labels('2026-01-03T12:00Z', 13, HOUR, 4)).toEqual(['20:30', '4 Jan', '04:30']));
  });
});
