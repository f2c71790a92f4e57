import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { patiently } from '../support/patiently.ts';

const origin = 'https://sextant.example';
/** Requests that were sent; the server never responds. */
const sent: Request[] = [];

beforeEach(() => {
  sent.length = 0;
  vi.resetModules();
  vi.useFakeTimers();
  vi.stubGlobal('window', { location: { origin } });
  vi.stubGlobal('fetch', (request: Request) => {
    sent.push(request);
    return new Promise<Response>((_resolve, reject) => {
      request.signal.addEventListener('abort', () => reject(request.signal.reason as Error));
    });
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.resetModules();
});

describe('the client of the API', () => {
  it('API-001 API-002 sends every call to the host of the page, with its session', async () => {
    const { api } = await import('../../src/api/client.ts');
    void api.GET('/api/credits', {});
    void api.POST('/api/watchlist', { body: { symbol: 'BTCUSDT' } });
    await vi.waitFor(() => expect(sent).toHaveLength(2), patiently);
    expect(sent.map(({ url }) => url)).toEqual([`${origin}/api/credits`, `${origin}/api/watchlist`]);
    // The cookie of the session goes along, to this host only.
    expect(sent.map(({ credentials }) => credentials)).toEqual(['same-origin', 'same-origin']);
  });

  it('AUTH-018 names the user of the page with each change, not with reads, sign-in or without a user', async () => {
    const { api } = await import('../../src/api/client.ts');
    const { setOwner } = await import('../../src/api/ownerId.ts');
    const change = () => void api.POST('/api/watchlist', { body: { symbol: 'BTCUSDT' } });
    change();
    setOwner('user-1');
    change();
    void api.GET('/api/credits', {});
    void api.POST('/api/auth/signout', {});
    await vi.waitFor(() => expect(sent).toHaveLength(4), patiently);
    const named = sent.map(({ method, url, headers }) => [method, new URL(url).pathname, headers.get('x-user-id')]);
    expect(named.sort()).toEqual(
      [
        ['GET', '/api/credits', null],
        ['POST', '/api/auth/signout', null],
        ['POST', '/api/watchlist', 'user-1'],
        ['POST', '/api/watchlist', null],
      ].sort(),
    );
  });

  it('AUTH-043 drops the response to a user who has left meanwhile, but not to a sign-in or a visitor', async () => {
    const { api, dataOf } = await import('../../src/api/client.ts');
    const { setOwner } = await import('../../src/api/ownerId.ts');
    const responses: (() => void)[] = [];
    vi.stubGlobal('fetch', () => new Promise<Response>((done) => responses.push(() => done(Response.json({})))));
    const outcomeOf = (pending: Promise<unknown>) =>
      pending.then(
        () => 'data',
        (failure: unknown) => (failure as Error).name,
      );
    const visitors = outcomeOf(dataOf(api.GET('/api/app', {})));
    setOwner('user-1');
    const read = outcomeOf(dataOf(api.GET('/api/credits', {})));
    const change = outcomeOf(dataOf(api.POST('/api/watchlist', { body: { symbol: 'BTCUSDT' } })));
    const signOut = outcomeOf(dataOf(api.POST('/api/auth/signout', {})));
    await vi.waitFor(() => expect(responses).toHaveLength(4), patiently);
    setOwner('user-2');
    responses.forEach((respond) => respond());
    expect(await Promise.all([visitors, read, change, signOut])).toEqual(['data', 'AbortError', 'AbortError', 'data']);
  });

  it('API-003 X58 sets no timeout, and ends a call when its caller does', async () => {
    const { api, dataOf } = await import('../../src/api/client.ts');
    const caller = new AbortController();
    let outcome: unknown = 'still waiting';
    dataOf(api.GET('/api/credits', { signal: caller.signal })).catch((thrown: unknown) => (outcome = thrown));
    await vi.waitFor(() => expect(sent).toHaveLength(1), patiently);
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(sent[0]?.signal.aborted).toBe(false);
    expect(outcome).toBe('still waiting');
    caller.abort();
    await vi.waitFor(() => expect(outcome).toMatchObject({ name: 'AbortError' }), patiently);
  });
});

describe('a client without a session', () => {
  const reject = (request: Request): Promise<Response> => {
    sent.push(request);
    const body = { code: 'not_authenticated', status: 401, title: 'Not signed in', message: 'Sign in first.' };
    const headers = { 'content-type': 'application/problem+json' };
    return Promise.resolve(new Response(JSON.stringify(body), { status: 401, headers }));
  };

  it('DATA-027 X57 reads nothing, notifies the page that the session has ended, and rejects saving', async () => {
    vi.stubGlobal('fetch', reject);
    const { onSignedOut } = await import('../../src/api/client.ts');
    const { fetchPreferences, savePreferences } = await import('../../src/data/preferences.ts');
    const { fetchProfile } = await import('../../src/api/profile.ts');
    const { fetchCredits } = await import('../../src/api/credits.ts');
    const { fetchWatchlist } = await import('../../src/data/watchlist.ts');
    const { fetchLastScan } = await import('../../src/api/scan.ts');
    const { fetchLastArbitrage } = await import('../../src/api/arbitrage.ts');
    let endings = 0;
    const stop = onSignedOut(() => (endings += 1));
    const reads = [fetchPreferences, fetchProfile, fetchCredits, fetchWatchlist, fetchLastScan, fetchLastArbitrage];
    const responses = [];
    for (const read of reads) responses.push(await read());
    expect(responses).toEqual([
      null,
      null,
      null,
      { entries: [] },
      { scan: null, active: null },
      { scanId: null, items: [], scan: null, emptyAt: null, active: null },
    ]);
    expect(endings).toBe(reads.length);
    await expect(savePreferences({ leverage: 5 })).rejects.toMatchObject({ code: 'not_authenticated', status: 401 });
    expect(sent.map(({ method }) => method)).toEqual([...reads.map(() => 'GET'), 'PUT']);
    stop();
  });

  it('throws every other failure of a read', async () => {
    vi.stubGlobal('fetch', () => Promise.resolve(new Response('', { status: 500 })));
    const { fetchCredits } = await import('../../src/api/credits.ts');
    await expect(fetchCredits()).rejects.toMatchObject({ status: 500 });
  });
});
