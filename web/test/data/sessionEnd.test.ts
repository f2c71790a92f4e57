import { QueryClient } from '@tanstack/react-query';
import { describe, expect, it, vi } from 'vitest';
import { queryKeys } from '../../src/api/queryKeys.ts';

vi.stubGlobal('window', { location: { origin: 'http://sextant.test' } });
/** After the stub: the client reads its origin when it is imported. */
const { confirmSessionEnd } = await import('../../src/data/sessionEnd.ts');

const user = { id: 'u1', email: 'anna@example.com' };

/** Responses to reads of the session, in turn; the last one repeats. */
function serve(...responses: (object | null | 'unreachable')[]): { reads: number } {
  const served = { reads: 0 };
  vi.stubGlobal('fetch', () => {
    const response = responses[Math.min(served.reads++, responses.length - 1)];
    if (response === 'unreachable') return Promise.reject(new TypeError('Failed to fetch'));
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
const isStale = (client: QueryClient): boolean | undefined =>
  client.getQueryState(queryKeys.preferences)?.isInvalidated;

describe('a session that is said to have ended', () => {
  it('ends on the page once the server has none', async () => {
    serve(null);
    const client = signedIn();
    await confirmSessionEnd(client);
    expect(client.getQueryData(queryKeys.session)).toBeNull();
  });

  it('ACC-008 goes on when the rejected request was of the session before a new password, and everything is read again', async () => {
    const served = serve(user);
    const client = signedIn();
    await Promise.all([confirmSessionEnd(client), confirmSessionEnd(client)]);
    expect(client.getQueryData(queryKeys.session)).toEqual(user);
    expect([served.reads, isStale(client)]).toEqual([1, true]);
  });

  it('is not read before a change of the password has its response', async () => {
    const served = serve(user);
    const client = signedIn();
    let respond = (_value: string): void => undefined;
    const change = client
      .getMutationCache()
      .build(client, { mutationFn: () => new Promise<string>((resolve) => (respond = resolve)) })
      .execute(undefined);
    const confirmed = confirmSessionEnd(client);
    await vi.waitUntil(() => client.isMutating() === 1);
    expect(served.reads).toBe(0);
    respond('changed');
    await change;
    await confirmed;
    expect([served.reads, client.getQueryData(queryKeys.session)]).toEqual([1, user]);
  });

  it('stays while the server does not respond, and is read again after the next rejection', async () => {
    const served = serve('unreachable', null);
    const client = signedIn();
    await confirmSessionEnd(client);
    expect(client.getQueryData(queryKeys.session)).toEqual(user);
    await confirmSessionEnd(client);
    expect([served.reads, client.getQueryData(queryKeys.session)]).toEqual([2, null]);
  });

  it('rereads everything once, however many late rejections follow', async () => {
    serve(user);
    const client = signedIn();
    await confirmSessionEnd(client);
    client.setQueryData(queryKeys.preferences, { leverage: 6 });
    await confirmSessionEnd(client);
    expect(isStale(client)).toBe(false);
  });
});
