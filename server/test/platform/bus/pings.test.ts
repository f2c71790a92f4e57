import type pg from 'pg';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createPings } from '../../../src/platform/bus/pings.ts';

/** The clock stands still between steps. */
let nowMs = 0;
beforeEach(() => {
  nowMs = 1000;
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
});
afterEach(() => vi.restoreAllMocks());

/** A connection that stores what is sent. */
function fakeClient(result: () => Promise<unknown> = () => Promise.resolve()) {
  const sent: string[] = [];
  const query = (_text: string, [, payload = '']: string[]): Promise<unknown> => {
    sent.push(payload);
    return result();
  };
  return { sent, client: { query } as unknown as pg.Client };
}

it('NODE-070 the lag of notices is the time of a ping; one under way counts by what it has taken', () => {
  const { sent, client } = fakeClient();
  const pings = createPings('events', 60_000);
  expect(pings.lagMs()).toBeUndefined();
  const stop = pings.start(client, () => undefined);
  const [first = ''] = sent;
  nowMs += 300;
  expect(pings.lagMs()).toBe(300);
  // Of another node: no event, and not ours.
  expect(pings.take('ping 0123456789ab 1')).toBe(true);
  expect(pings.lagMs()).toBe(300);
  nowMs += 100;
  expect(pings.take(first)).toBe(true);
  nowMs += 5000;
  expect(pings.lagMs()).toBe(400);
  // A second delivery of the same ping changes nothing.
  expect(pings.take(first)).toBe(true);
  expect(pings.lagMs()).toBe(400);
  expect(pings.take('{"u":null,"t":"news"}')).toBe(false);
  stop();
  expect(pings.lagMs()).toBeUndefined();
});

it('NODE-070 a ping that fails shows that the connection is dead', async () => {
  const lost = new Error('connection terminated');
  const { client } = fakeClient(() => Promise.reject(lost));
  const failures: unknown[] = [];
  const stop = createPings('events', 60_000).start(client, (error) => failures.push(error));
  await Promise.resolve();
  await Promise.resolve();
  stop();
  expect(failures).toEqual([lost]);
});
