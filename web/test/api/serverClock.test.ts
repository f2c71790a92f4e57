import { describe, expect, it } from 'vitest';
import { createServerClock } from '../../src/api/serverClock.ts';

const LOCAL = Date.parse('2026-11-22T09:00:00Z');
/** The server is at 12:00 when the clock of the page shows 0. */
const SERVER = Date.parse('2026-11-22T12:00:00Z');
const header = (serverMs: number) => new Date(serverMs).toUTCString();

describe('the clock of the server', () => {
  it('is that of the machine until a response was seen, and after a response without a date', () => {
    const clock = createServerClock(
      () => 0,
      () => LOCAL,
    );
    clock.note(null, { sentMs: 0, receivedMs: 10 });
    clock.note('yesterday', { sentMs: 0, receivedMs: 10 });
    expect(clock.now()).toBe(LOCAL);
  });

  it('follows the server however wrong the machine is, and runs on between responses', () => {
    let pageMs = 0;
    const clock = createServerClock(
      () => pageMs,
      () => LOCAL,
    );
    clock.note(header(SERVER), { sentMs: 0, receivedMs: 40 });
    expect(Math.abs(clock.now() - SERVER)).toBeLessThanOrEqual(520);
    pageMs = 60_000;
    expect(Math.abs(clock.now() - (SERVER + 60_000))).toBeLessThanOrEqual(520);
  });

  it('becomes exact to the latency of a response by seeing the second change', () => {
    const clock = createServerClock(
      () => 10_000,
      () => LOCAL,
    );
    // Written at 12:00:00.990 and at 12:00:01.010: the headers differ by a second.
    clock.note(header(SERVER), { sentMs: 985, receivedMs: 995 });
    clock.note(header(SERVER + 1000), { sentMs: 1005, receivedMs: 1015 });
    expect(Math.abs(clock.now() - (SERVER + 10_000))).toBeLessThanOrEqual(15);
  });

  it('restarts when a response contradicts those before: a clock was set', () => {
    const clock = createServerClock(
      () => 0,
      () => LOCAL,
    );
    clock.note(header(SERVER), { sentMs: 0, receivedMs: 10 });
    clock.note(header(SERVER + 3_600_000), { sentMs: 0, receivedMs: 10 });
    expect(Math.abs(clock.now() - (SERVER + 3_600_000))).toBeLessThanOrEqual(510);
  });
});
