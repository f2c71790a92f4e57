import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { queryKeys } from '../../src/api/queryKeys.ts';

vi.stubGlobal('window', { location: { origin: 'http://sextant.test' } });
/** After the stub: the client reads its origin when it is imported. */
const { confirmSessionEnd } = await import('../../src/data/sessionEnd.ts');

const user = { id: 'u1', email: 'anna@example.com' };
type Response_ = object | null | 'unreachable' | 'silent';

/** Responses to reads of the session, in turn; the last one repeats. */
function serve(...responses: Response_[]): { reads: number } {
  const served = { reads: 0 };
  vi.stubGlobal('fetch', ({ signal }: Request) => {
    const response = responses[Math.min(served.reads++, responses.length - 1)];
    if (response === 'unreachable') return Promise.reject(new TypeError('Failed to fetch'));
    if (response === 'silent')
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
    return Promise.resolve(Response.json({ user: response, last_event_id: '1-0' }));
  });
  return served;
}

const signedIn = (): QueryClient => {
  const client = new QueryClient();
  client.setQueryData(queryKeys.session, user);
  client.setQueryData(queryKeys.preferences, { leverage: 5 });
  return client;
};
const sessionOf = (client: QueryClient): unknown => client.getQueryData(queryKeys.session);
const isStale = (client: QueryClient): boolean | undefined =>
  client.getQueryState(queryKeys.preferences)?.isInvalidated;

/** A change that is on its way until it is ended. */
function change(client: QueryClient, meta: Record<string, unknown>): () => void {
  let respond = (_value: string): void => undefined;
  void client
    .getMutationCache()
    .build(client, { meta, mutationFn: () => new Promise<string>((resolve) => (respond = resolve)) })
    .execute(undefined);
  return () => respond('changed');
}

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => vi.useRealTimers());
const wait = (ms: number) => vi.advanceTimersByTimeAsync(ms);

describe('a session that is said to have ended', () => {
  it('ends on the page once the server has none, read twice', async () => {
    const served = serve(null);
    const client = signedIn();
    void confirmSessionEnd(client);
    await wait(1400);
    expect([served.reads, sessionOf(client)]).toEqual([1, user]);
    await wait(200);
    expect([served.reads, sessionOf(client)]).toEqual([2, null]);
  });

  it('continues when another tab has set the next one between the reads', async () => {
    serve(null, user);
    const client = signedIn();
    void confirmSessionEnd(client);
    await wait(2000);
    expect([sessionOf(client), isStale(client)]).toEqual([user, true]);
  });

  it('ACC-008 continues when the rejected request was of the session before a new password, and all is read again', async () => {
    const served = serve(user);
    const client = signedIn();
    void confirmSessionEnd(client);
    await wait(0);
    expect([served.reads, sessionOf(client), isStale(client)]).toEqual([1, user, true]);
  });

  it('is read after the response of a change that sets another, within ten seconds', async () => {
    for (const isEnded of [true, false]) {
      const served = serve(user);
      const client = signedIn();
      const end = change(client, { changesSession: true });
      void confirmSessionEnd(client);
      await wait(9000);
      expect(served.reads).toBe(0);
      if (isEnded) end();
      await wait(isEnded ? 0 : 1100);
      expect(served.reads).toBe(1);
    }
  });

  it('does not wait for other changes', async () => {
    const served = serve(null);
    const client = signedIn();
    change(client, {});
    void confirmSessionEnd(client);
    await wait(2000);
    expect([served.reads, sessionOf(client)]).toEqual([2, null]);
  });

  it('stays while the server does not respond, and is read again after the next rejection', async () => {
    for (const failure of ['unreachable', 'silent'] as const) {
      serve(failure, null);
      const client = signedIn();
      void confirmSessionEnd(client);
      await wait(16_000);
      expect(sessionOf(client)).toEqual(user);
      void confirmSessionEnd(client);
      await wait(2000);
      expect(sessionOf(client)).toBeNull();
    }
  });

  it('is read again when it is said to have ended during a read', async () => {
    const served = serve(user, null);
    const client = signedIn();
    void confirmSessionEnd(client);
    void confirmSessionEnd(client);
    await wait(0);
    expect(served.reads).toBe(2);
    await wait(2000);
    expect(sessionOf(client)).toBeNull();
  });

  it('reads all again once for late rejections, at the end of five seconds', async () => {
    serve(user);
    const client = signedIn();
    void confirmSessionEnd(client);
    await wait(1000);
    client.setQueryData(queryKeys.preferences, { leverage: 6 });
    for (let i = 0; i < 3; i++) void confirmSessionEnd(client);
    await wait(3000);
    expect(isStale(client)).toBe(false);
    await wait(1500);
    expect(isStale(client)).toBe(true);
  });

  it('becomes that of another user who has signed in in this browser, without mixing their data', async () => {
    const other = { id: 'u2', email: 'berta@example.com' };
    serve(other);
    const client = signedIn();
    void confirmSessionEnd(client);
    await wait(6000);
    expect([sessionOf(client), isStale(client)]).toEqual([other, false]);
  });

  it('does not end one that was opened on this page meanwhile', async () => {
    serve(null);
    const client = signedIn();
    void confirmSessionEnd(client);
    await wait(1000);
    client.setQueryData(queryKeys.session, null, { updatedAt: Date.now() + 1 });
    client.setQueryData(queryKeys.session, user, { updatedAt: Date.now() + 2 });
    await wait(2000);
    expect(sessionOf(client)).toEqual(user);
  });

  it('is not read on a page that is signed out', async () => {
    const served = serve(user);
    const client = signedIn();
    client.setQueryData(queryKeys.session, null);
    void confirmSessionEnd(client);
    await wait(3000);
    expect(served.reads).toBe(0);
  });
});
