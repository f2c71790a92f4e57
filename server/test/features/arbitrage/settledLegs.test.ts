import { HOUR_MS, MINUTE_MS } from '@sextant/engine-as/abi/intervals.ts';
import { describe, expect, it } from 'vitest';
import { legOfHistory, settlementsOf } from '../../../src/features/arbitrage/readFunding.ts';

const startMs = Date.UTC(2026, 0, 5);
const at = (hour: number): number => startMs + hour * HOUR_MS;
/** A settlement every eight hours up to an hour, of one rate; stamps are some milliseconds late. */
const paid = (rate: number, lastHour: number) =>
  Array.from({ length: lastHour / 8 + 1 }, (_, i) => ({ atMs: at(8 * i) + 3, rate }));
const hours = (rows: ReturnType<typeof settlementsOf>) => rows.map(({ atMs }) => (atMs - startMs) / HOUR_MS);

describe('settlements of a pair', () => {
  it('HIST-173 end with the leg whose history is behind', () => {
    // Of the one the history failed after hour 8; the other one is read hourly.
    const behind = legOfHistory(paid(0.0001, 8), at(8) + 20 * MINUTE_MS);
    const current = legOfHistory(paid(0.0003, 24), at(24) + 20 * MINUTE_MS);
    for (const rows of [settlementsOf(behind, current), settlementsOf(current, behind)])
      expect(hours(rows)).toEqual([0, 8]);
    expect(settlementsOf(behind, current).map(({ differencePct }) => differencePct.toFixed(4))).toEqual([
      '0.0200',
      '0.0200',
    ]);
  });

  it('HIST-173 have an hour in which one leg alone settles, once the other was read after it', () => {
    const eight = legOfHistory(paid(0.0001, 8), at(13) + 16 * MINUTE_MS);
    const hourly = legOfHistory(
      Array.from({ length: 14 }, (_, hour) => ({ atMs: at(hour), rate: 0.0002 })),
      at(13) + 16 * MINUTE_MS,
    );
    expect(hours(settlementsOf(eight, hourly)).at(-1)).toBe(13);
    // A minute after the hour its exchange may not have published the payment.
    const early = legOfHistory(paid(0.0001, 8), at(13) + MINUTE_MS);
    expect(hours(settlementsOf(early, hourly)).at(-1)).toBe(12);
    expect(settlementsOf(legOfHistory([], -Infinity), hourly)).toEqual([]);
  });
});
