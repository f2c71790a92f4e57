import { describe, expect, it } from 'vitest';
import { summarise } from '../src/load/figures.ts';
import { readShape } from '../src/load/shape.ts';
import type { Read } from '../src/load/traffic.ts';

describe('npm run load', () => {
  it('NODE-196 has the size of the goal, or that of its flags', () => {
    expect(readShape([])).toEqual({
      users: 10_000,
      streams: 2000,
      scansPerHour: 1000,
      positions: 10_000,
      alerts: 10_000,
      readsPerS: 100,
      minutes: 20,
    });
    const small = ['--users', '1000', '--streams', '200', '--scans', '300', '--alerts=0', '--minutes', '2.5'];
    expect(readShape(small)).toMatchObject({ users: 1000, streams: 200, scansPerHour: 300, alerts: 0, minutes: 2.5 });
  });

  it.each([
    [['--users', 'many'], '--users must be a whole number'],
    [['--users', '0'], '--users must be a whole number above 0'],
    [['--minutes', '0'], '--minutes must be above 0, at most 600'],
    [['--users', '10', '--streams', '11'], '--streams must be at most --users'],
  ])('NODE-196 names the flag that is wrong: %j', (args, message) => {
    expect(() => readShape(args)).toThrow(message);
  });

  it('NODE-196 counts reads outside of faults and the ten seconds after them', () => {
    const read = (dueMs: number, latencyMs: number, status = 200): Read => ({ path: '/a', dueMs, latencyMs, status });
    const reads = [
      read(0, 10),
      read(98_999, 20),
      // A request that was due a second before the fault may still wait when it comes.
      read(99_000, 900),
      read(105_000, 5000, 0),
      read(119_999, 700),
      read(120_000, 30),
      read(130_000, 40, 503),
    ];
    const { count, failed, quiet, p99ByPath } = summarise(reads, [{ name: 'a', fromMs: 100_000, toMs: 110_000 }]);
    expect({ count, failed }).toEqual({ count: 7, failed: 2 });
    expect(quiet).toMatchObject({ count: 4, failed: 1, p50: 25, max: 40 });
    // Between the third and the fourth of four values: 30 + 0.97 x 10.
    expect(p99ByPath['/a']).toBeCloseTo(39.7, 9);
  });
});
