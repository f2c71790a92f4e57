import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createGuard } from '../../../src/adapters/exchanges/guard.ts';

const guardAt = (startMs: number) => {
  let nowMs = startMs;
  const guard = createGuard({ now: () => nowMs });
  return { guard, at: (ms: number) => (nowMs = startMs + ms) };
};

describe('guard', () => {
  it('admits nothing while a ban is active, and the first request when it is over', () => {
    const { guard, at } = guardAt(1_000_000);
    guard.ban(1_000_000 + 30_000);
    expect(guard.admit()).toEqual({ admitted: false, why: 'banned', retryAfterMs: 30_000 });
    at(29_999);
    expect(guard.admit()).toEqual({ admitted: false, why: 'banned', retryAfterMs: 1 });
    expect(guard.state()).toBe('banned');
    at(30_000);
    expect(guard.admit()).toEqual({ admitted: true });
  });

  it('does not shorten a long ban by a shorter one', () => {
    const { guard, at } = guardAt(0);
    guard.ban(600_000);
    guard.ban(1000);
    at(599_999);
    expect(guard.admit().admitted).toBe(false);
  });

  it('opens after five failures within 30 s and then lets one probe through every 10 s', () => {
    const { guard, at } = guardAt(0);
    for (let i = 0; i < 4; i++) {
      at(i * 1000);
      guard.failed();
    }
    expect(guard.admit().admitted).toBe(true);
    at(4000);
    guard.failed();
    expect(guard.state()).toBe('broken');
    expect(guard.admit()).toEqual({ admitted: false, why: 'broken', retryAfterMs: 10_000 });
    at(14_000);
    expect(guard.admit().admitted).toBe(true);
    expect(guard.admit().admitted).toBe(false);
    guard.failed();
    at(23_999);
    expect(guard.admit().admitted).toBe(false);
    at(24_000);
    expect(guard.admit().admitted).toBe(true);
    guard.succeeded();
    expect(guard.state()).toBe('ok');
    expect(guard.admit().admitted).toBe(true);
  });

  it('stays closed when five failures are spread over more than 30 s', () => {
    const { guard, at } = guardAt(0);
    for (let i = 0; i < 20; i++) {
      at(i * 7600);
      guard.failed();
    }
    expect(guard.admit().admitted).toBe(true);
  });

  it('gives the probe to the next caller when the probing caller left', () => {
    const { guard, at } = guardAt(0);
    for (let i = 0; i < 5; i++) guard.failed();
    at(10_000);
    expect(guard.admit().admitted).toBe(true);
    guard.abandoned();
    expect(guard.admit().admitted).toBe(true);
    expect(guard.admit().admitted).toBe(false);
  });

  it('sends nothing during any ban and at most one probe per 10 s while open, in any order of events', () => {
    const event = fc.record({
      kind: fc.constantFrom('ask', 'fail', 'succeed', 'ban'),
      waitMs: fc.integer({ min: 0, max: 9000 }),
      banMs: fc.integer({ min: 1000, max: 200_000 }),
    });
    fc.assert(
      fc.property(fc.array(event, { minLength: 50, maxLength: 300, size: 'max' }), (events) => {
        const { guard, at } = guardAt(0);
        let nowMs = 0;
        let bannedUntilMs = 0;
        let lastProbeMs = -Infinity;
        for (const { kind, waitMs, banMs } of events) {
          nowMs += waitMs;
          at(nowMs);
          if (kind === 'ban') {
            guard.ban(nowMs + banMs);
            bannedUntilMs = Math.max(bannedUntilMs, nowMs + banMs);
          }
          if (kind === 'fail') guard.failed();
          if (kind === 'succeed') guard.succeeded();
          if (kind !== 'ask') continue;
          const wasBroken = guard.state() === 'broken';
          if (!guard.admit().admitted) continue;
          expect(nowMs).toBeGreaterThanOrEqual(bannedUntilMs);
          if (!wasBroken) lastProbeMs = -Infinity;
          else {
            expect(nowMs - lastProbeMs).toBeGreaterThanOrEqual(10_000);
            lastProbeMs = nowMs;
          }
        }
      }),
      { numRuns: 300, seed: 42 },
    );
  });
});
