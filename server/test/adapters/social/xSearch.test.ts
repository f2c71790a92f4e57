import { failWith } from '@sextant/workers/src/core/result.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { fakeX, type FeedsFake, startFeeds } from '../../../fakes/feeds/server.ts';
import { startExchanges } from '../../../fakes/exchanges/server.ts';
import { createXSearch } from '../../../src/adapters/social/createXSearch.ts';

const NOW = Date.parse('2026-03-02T12:07:00Z');
let fake: FeedsFake;
let stopExchanges: () => Promise<void>;
beforeAll(async () => {
  const exchanges = await startExchanges({ now: () => NOW });
  const { market, listings } = exchanges;
  stopExchanges = () => exchanges.close();
  fake = await startFeeds({ market: { market, listings: listings.binance, now: () => NOW } });
});
afterAll(async () => {
  await fake.close();
  await stopExchanges();
});
afterEach(() => fake.playX(undefined));
const source = (token = fakeX.token) => createXSearch({ token, apiUrl: fake.origin, query: 'crypto' });

describe('the search for posts', () => {
  it('returns posts as plain text with their time, and only newer ones afterwards', async () => {
    const x = source();
    const first = await x.recent(null);
    if (!first.ok) throw new Error(first.error.message);
    expect(first.value.posts.length).toBeGreaterThan(5);
    expect(first.value.posts[0]?.text).toMatch(/^\[simulated\] /);
    expect(first.value.posts[0]?.author).toBe('sim_trader');
    expect(first.value.posts[0]?.postedAtMs).toBeLessThanOrEqual(NOW);
    expect(first.value.posts.every(({ link }) => link.startsWith('https://x.com/i/web/status/'))).toBe(true);
    const second = await x.recent(first.value.newestId);
    expect(second.ok && second.value.posts).toEqual([]);
    await x.close();
  });

  it('waits until the time that the rate limit states', async () => {
    fake.playX('rateLimited');
    const x = source();
    const result = await x.recent(null);
    expect(result).toMatchObject(failWith({ message: 'X limits our requests.' }));
    expect(!result.ok && result.error.retryAtMs).toBeGreaterThan(Date.now());
    await x.close();
  });

  it('reports a rejected token, and survives an invalid response', async () => {
    const wrong = source('another-token-of-some-length');
    expect(await wrong.recent(null)).toMatchObject(failWith({ message: 'X rejected the token of this installation.' }));
    await wrong.close();
    fake.playX('html');
    const x = source();
    expect(await x.recent(null)).toMatchObject(failWith({ message: 'X sent an unexpected response.' }));
    await x.close();
  });
});
