import { afterEach, beforeEach, expect, it, vi } from 'vitest';

/** The server's next response: the last event of its node. */
let lastEventId: string | null;
beforeEach(() => {
  vi.resetModules();
  vi.stubGlobal('window', { location: { origin: 'https://sextant.example' } });
  vi.stubGlobal('fetch', () =>
    Promise.resolve(Response.json({ user: null, expires_at: null, last_event_id: lastEventId })),
  );
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

it('a stream starts after the last session response, and only the first stream of a page does', async () => {
  const { fetchSession, takeEventStart } = await import('../../src/api/auth.ts');
  lastEventId = 'node-4';
  await fetchSession();
  lastEventId = 'node-7';
  await fetchSession();
  expect(takeEventStart()).toBe('node-7');
  // The page has fetched its data by now: a second stream must not start after events it has not seen.
  lastEventId = 'node-9';
  await fetchSession();
  expect(takeEventStart()).toBe('');
});

it('a stream has no start position when the server is not listening to its database', async () => {
  const { fetchSession, takeEventStart } = await import('../../src/api/auth.ts');
  lastEventId = null;
  await fetchSession();
  expect(takeEventStart()).toBe('');
});
