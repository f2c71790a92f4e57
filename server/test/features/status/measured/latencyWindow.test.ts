import { expect, it } from 'vitest';
import { createLatencyWindow } from '../../../../src/features/status/measured/latencyWindow.ts';

const minuteMs = 60_000;
const start = Date.UTC(2026, 0, 1);

/** Nearest rank over all values: the slow reference. */
function quantile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.ceil(share * sorted.length) - 1]!;
}

it('has no figures before the first response', () =>
  expect(createLatencyWindow(() => start).read()).toEqual({ count: 0, p50Ms: null, p95Ms: null }));

it('returns the nearest rank, never too low and at most 5 % too high', () => {
  const window = createLatencyWindow(() => start);
  const values = Array.from({ length: 1000 }, (_, i) => 0.3 * 1.0083 ** ((i * 617) % 1000));
  for (const value of values) window.record(value);
  const { count, p50Ms, p95Ms } = window.read();
  expect(count).toBe(1000);
  for (const [actual, share] of [
    [p50Ms!, 0.5],
    [p95Ms!, 0.95],
  ] as const) {
    const exact = quantile(values, share);
    expect(actual).toBeGreaterThanOrEqual(exact);
    expect(actual / exact).toBeLessThanOrEqual(1.05 + 1e-9);
  }
});

it('drops what is an hour old, minute by minute', () => {
  let nowMs = start;
  const window = createLatencyWindow(() => nowMs);
  window.record(900);
  nowMs = start + 30 * minuteMs;
  window.record(1);
  nowMs = start + 59 * minuteMs;
  expect(window.read().count).toBe(2);
  nowMs = start + 60 * minuteMs;
  expect(window.read().count).toBe(1);
  expect(window.read().p95Ms).toBeLessThan(1.06);
  nowMs = start + 24 * 60 * minuteMs;
  window.record(2);
  expect(window.read().count).toBe(1);
});

it('records responses of zero time and of more than a minute', () => {
  const window = createLatencyWindow(() => start);
  window.record(0);
  window.record(1e9);
  expect(window.read()).toMatchObject({ count: 2, p50Ms: 0.05 });
  expect(window.read().p95Ms).toBeGreaterThan(60_000);
});
