import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

const origin = 'https://sextant.example';
/** Requests that were sent; the server never answers. */
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
  it('API-001 sends every call to the host of the page', async () => {
    const { api } = await import('../../src/api/client.ts');
    void api.GET('/api/credits', {});
    void api.POST('/api/watchlist', { body: { symbol: 'BTCUSDT' } });
    await vi.waitFor(() => expect(sent).toHaveLength(2));
    expect(sent.map(({ url }) => url)).toEqual([`${origin}/api/credits`, `${origin}/api/watchlist`]);
    // The cookie of the session goes along, to this host only.
    expect(sent.map(({ credentials }) => credentials)).toEqual(['same-origin', 'same-origin']);
  });

  it('API-003 sets no timeout, and ends a call when its caller does', async () => {
    const { api, dataOf } = await import('../../src/api/client.ts');
    const caller = new AbortController();
    let outcome: unknown = 'still waiting';
    dataOf(api.GET('/api/credits', { signal: caller.signal })).catch((thrown: unknown) => (outcome = thrown));
    await vi.waitFor(() => expect(sent).toHaveLength(1));
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(sent[0]?.signal.aborted).toBe(false);
    expect(outcome).toBe('still waiting');
    caller.abort();
    await vi.waitFor(() => expect(outcome).toMatchObject({ name: 'AbortError' }));
  });
});
