import { afterEach, beforeEach, expect, it, vi } from 'vitest';

/** What the server answers next: the last event of its node. */
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

it('a stream begins after the last answer about the session, and only the first of a page does', async () => {
  const { fetchSession, takeEventStart } = await import('../../src/api/auth.ts');
  lastEventId = 'node-4';
  await fetchSession();
  lastEventId = 'node-7';
  await fetchSession();
  expect(takeEventStart()).toBe('node-7');
  // The page has asked its questions by now: a second stream must not begin after what they have not seen.
  lastEventId = 'node-9';
  await fetchSession();
  expect(takeEventStart()).toBe('');
});

it('a stream begins anywhere when the server does not hear its database', async () => {
  const { fetchSession, takeEventStart } = await import('../../src/api/auth.ts');
  lastEventId = null;
  await fetchSession();
  expect(takeEventStart()).toBe('');
});
