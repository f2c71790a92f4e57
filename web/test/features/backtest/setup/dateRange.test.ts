import { intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import { failWith, ok } from '@sextant/workers/src/core/result.ts';
import { describe, expect, it } from 'vitest';
import { plannedWindow, type WindowForm } from '../../../../src/features/backtest/backtestState.ts';
import { dayOf, newestDays, readRange } from '../../../../src/features/backtest/setup/dateRange.ts';

const HOUR = 3_600_000;
/** Noon of a day in spring. */
const now = Date.parse('2026-03-10T12:00:00Z');
const read = (from: string, to: string, interval: '1m' | '1h' | '1d' = '1h') => readRange({ from, to }, interval, now);

describe('the dates of a window', () => {
  it('are whole days of UTC, the last one included', () => {
    // 1 to 3 March are three days: 72 candles of an hour, from midnight to midnight.
    expect(read('2026-03-01', '2026-03-03')).toEqual(
      ok({ fromMs: Date.parse('2026-03-01T00:00Z'), untilMs: Date.parse('2026-03-04T00:00Z'), scored: 72 }),
    );
  });

  it('end now on a day that is under way', () => {
    // Two days and twelve hours.
    expect(read('2026-03-08', '2026-03-10')).toEqual(ok({ fromMs: now - 60 * HOUR, untilMs: now, scored: 60 }));
  });

  it.each([
    ['no first day', '', '2026-03-03', 'from', 'Choose the first day.'],
    ['no last day', '2026-03-01', '', 'to', 'Choose the last day.'],
    ['a day that is not in the calendar', '2026-02-30', '2026-03-03', 'from', 'Choose the first day.'],
    ['a last day before the first', '2026-03-03', '2026-03-01', 'to', 'Choose 2026-03-03 or later as the last day.'],
    ['a first day in the future', '2026-03-11', '2026-03-12', 'from', '2026-03-11 is in the future (UTC).'],
    ['a last day in the future', '2026-03-01', '2026-03-11', 'to', '2026-03-11 is in the future (UTC): choose today'],
    ['a day before there were perpetuals', '2009-01-03', '2026-03-01', 'from', 'Start on 2017-01-01 or later'],
    ['too few candles', '2026-03-01', '2026-03-02', 'to', '48 candles of 1h in these days; a run needs 50.'],
  ] as const)('with %s are rejected at their field', (_what, from, to, field, text) => {
    expect(read(from, to)).toEqual(failWith({ field, message: expect.stringContaining(text) as string }));
  });

  it('hold no more candles than are scored at most', () => {
    // 30 days of minutes are 43,200.
    expect(read('2026-02-08', '2026-03-09', '1m')).toMatchObject(
      failWith({
        field: 'from',
        message: expect.stringContaining('43,200 candles of 1m in these days; the limit is 41,666') as string,
      }),
    );
    expect(read('2020-01-01', '2026-03-09', '1d')).toMatchObject(ok({ scored: 2260 }));
  });

  it('that were never chosen are those of the newest candles, as many as can be run', () => {
    // 500 hours before noon of 10 March: 20 days and 20 hours.
    expect(newestDays(now, 500 * HOUR, '1h')).toEqual({ from: '2026-02-17', to: '2026-03-10' });
    for (const interval of ['1m', '5m', '15m', '1h', '4h', '1d'] as const) {
      const { from, to } = newestDays(now, 41_666 * intervalMs[interval], interval);
      expect(readRange({ from, to }, interval, now)).toMatchObject({ ok: true });
    }
  });

  it('are named by their day', () => expect(dayOf(now)).toBe('2026-03-10'));
});

describe('the candles that a setup loads', () => {
  const form: WindowForm = {
    source: 'exchange',
    csvScored: 'window',
    interval: '1h',
    window: 'range',
    historyCount: 1200,
    range: { from: '2024-01-01', to: '2024-01-03' },
  };

  it('are those of its days and at least 700 before them, for warm-up and search', () => {
    expect(plannedWindow(form)).toEqual({ loaded: 772, scored: 72 });
    // 366 days of 24 hours are 8,784; twelve fifths of them are 21,081.6.
    expect(plannedWindow({ ...form, range: { from: '2024-01-01', to: '2024-12-31' } })).toEqual({
      loaded: 21_082,
      scored: 8784,
    });
  });

  it('are the newest ones, and those of a file, whatever the days are', () => {
    expect(plannedWindow({ ...form, window: 'count' })).toEqual({ loaded: 1200, scored: 500 });
    expect(plannedWindow({ ...form, source: 'csv' }, 600)).toEqual({ loaded: 600, scored: 500 });
  });

  it('are none while the days make no window', () =>
    expect(plannedWindow({ ...form, range: { from: '2024-01-03', to: '2024-01-01' } })).toBeUndefined());
});
