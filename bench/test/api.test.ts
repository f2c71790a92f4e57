import { describe, expect, it } from 'vitest';
import { judgeResponseTime } from '../src/api/responseTime.ts';
import { highestRate } from '../src/api/highestRate.ts';
import { histogramOf, openLoop, percentilesOf, poissonArrivals } from '../src/api/openLoop.ts';

describe('open-loop load', () => {
  it('arrives as a Poisson process: the mean and the variance of a second are the rate', () => {
    const arrivals = poissonArrivals({ ratePerS: 40, durationMs: 1_000_000, seed: 3 });
    const perSecond = new Array<number>(1000).fill(0);
    for (const atMs of arrivals) perSecond[Math.floor(atMs / 1000)]! += 1;
    const mean = arrivals.length / 1000;
    const variance = perSecond.reduce((sum, count) => sum + (count - mean) ** 2, 0) / 1000;
    expect(mean).toBeGreaterThan(39);
    expect(mean).toBeLessThan(41);
    expect(variance / mean).toBeGreaterThan(0.85);
    expect(variance / mean).toBeLessThan(1.15);
    expect(poissonArrivals({ ratePerS: 40, durationMs: 1000, seed: 3 })).toEqual(
      arrivals.filter((atMs) => atMs < 1000),
    );
  });

  it('charges a server that stood still for everybody who came meanwhile', async () => {
    // One request at a time, 20 ms each, while one comes every 5 ms on average: a closed loop would report 20 ms for each.
    let free = Promise.resolve();
    const send = () => (free = free.then(() => new Promise((resolve) => setTimeout(resolve, 20))));
    const { latenciesMs, failures } = await openLoop({ ratePerS: 200, durationMs: 300, seed: 7, send });
    expect(failures).toEqual([]);
    const arrivals = poissonArrivals({ ratePerS: 200, durationMs: 300, seed: 7 });
    expect(latenciesMs).toHaveLength(arrivals.length);
    // The last one waits for all before it: it came at most 300 ms after the first, and they take 20 ms each.
    expect(Math.max(...latenciesMs)).toBeGreaterThan(20 * arrivals.length - 305);
  });

  it('counts failed requests and leaves them out of the latencies', async () => {
    const send = (index: number) => (index % 2 === 0 ? Promise.resolve() : Promise.reject(new Error('503')));
    const { latenciesMs, failures } = await openLoop({ ratePerS: 500, durationMs: 100, seed: 1, send });
    expect(failures[0]).toBe('Error: 503');
    expect(latenciesMs.length + failures.length).toBe(
      poissonArrivals({ ratePerS: 500, durationMs: 100, seed: 1 }).length,
    );
  });

  it('computes percentiles and histogram as worked out by hand', () => {
    const latencies = Array.from({ length: 101 }, (_, i) => i / 10);
    expect(percentilesOf(latencies)).toMatchObject({ p50: 5, p90: 9, p99: 9.9, max: 10 });
    expect(histogramOf([0.1, 0.25, 0.3, 0.9, 1.5])).toBe('<=0.25 ms: 2  <=0.5 ms: 1  <=1 ms: 1  <=2 ms: 1');
  });
});

describe('the highest rate', () => {
  /** A server that responds in 10 ms up to a rate, and in a second above it; each attempt in `pauses` meets a stalled machine. */
  const search = (limitPerS: number, { pauses = [] as number[], startPerS = 64, failsAbove = Infinity } = {}) =>
    highestRate({
      p99MaxMs: 50,
      startPerS,
      maxPerS: 4096,
      run: (ratePerS, attempt) => {
        const latencyMs = pauses.includes(attempt) || ratePerS > limitPerS ? 1000 : 10;
        const failures = ratePerS > failsAbove ? ['Error: 503'] : [];
        return Promise.resolve({ latenciesMs: [latencyMs], failures, latenessMs: [0] });
      },
    });

  it('is found within a sixteenth of the gap that doubling leaves', async () => {
    const { perS, failedAtPerS } = await search(1000);
    expect(perS).toBeLessThanOrEqual(1000);
    expect(failedAtPerS).toBeGreaterThan(1000);
    expect((failedAtPerS ?? 0) - perS).toBe(32);
  });

  it('is found below the rate the search starts with', async () => {
    const { perS, failedAtPerS } = await search(10);
    expect([perS, failedAtPerS]).toEqual([10, 11]);
  });

  it('does not fall for one pause of the machine, and is not talked out of two', async () => {
    expect((await search(1000, { pauses: [1] })).perS).toBe((await search(1000)).perS);
    expect((await search(1000, { pauses: [0, 2] })).perS).toBe(0);
  });

  it('treats a rate as failed after one rejected request, however quick the others were', async () => {
    expect((await search(5000, { failsAbove: 100 })).perS).toBeLessThanOrEqual(100);
  });

  it('says when it ended at its own maximum instead of at the server', async () => {
    expect(await search(1e9)).toMatchObject({ perS: 4096, failedAtPerS: null });
  });
});

describe('the promised response time', () => {
  const ramp = (toMs: number) => Array.from({ length: 101 }, (_, i) => (toMs * i) / 100);

  it('NFR-008 is reported as p95, and a p95 above 150 ms is a mismatch, which fails the run', () => {
    expect(judgeResponseTime('klines', ramp(100))).toEqual([
      { suite: 'api', case: 'klines p95', figure: 95, unit: 'ms' },
    ]);
    expect(judgeResponseTime('klines', ramp(200))).toEqual([
      { suite: 'api', case: 'klines p95', figure: 190, unit: 'ms' },
      { suite: 'api', case: 'klines p95', mismatch: 'p95 is 190.0 ms, the promise is 150 ms' },
    ]);
  });
});
