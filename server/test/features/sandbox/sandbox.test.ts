import { apiScopeNames, TEST_HOURLY_LIMIT } from '@sextant/workers/src/core/apiAccess.ts';
import type { LightMyRequestResponse } from 'fastify';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type ExchangesFake, startExchanges } from '../../../fakes/exchanges/server.ts';
import { exampleLogs } from '../../../src/features/apiKeys/exampleUse.ts';
import { settledHour } from '../../support/hours.ts';
import { createTestApp, type TestApp, type TestUser } from '../../support/createTestApp.ts';
import { giveCredits, type MadeKey, makeKey } from '../apiKeys/support.ts';

let exchanges: ExchangesFake;
let test: TestApp;
let owner: TestUser;
let testKey: MadeKey;
let liveKey: MadeKey;
/** Another installation, whose exchanges do not respond. */
let other: TestApp;
let othersKey: MadeKey;
beforeAll(async () => {
  exchanges = await startExchanges();
  test = await createTestApp({ env: { EXCHANGES_URL: exchanges.url } });
  owner = await test.signUp();
  testKey = await makeKey(test, owner, { mode: 'test', name: 'CI', scopes: apiScopeNames });
  liveKey = await makeKey(test, owner, { scopes: apiScopeNames });
  // Beside the ten of a new account.
  await giveCredits(test, owner.id, 50);
  other = await createTestApp({ env: { EXCHANGES_URL: 'http://127.0.0.1:9' } });
  othersKey = await makeKey(other, await other.signUp(), { mode: 'test', scopes: apiScopeNames });
});
afterAll(async () => {
  await other.close();
  await test.close();
  await exchanges.close();
});

interface FrozenCall {
  method?: 'GET' | 'POST';
  url: string;
  payload?: object;
}
const call = (requested: FrozenCall, key: MadeKey = testKey): Promise<LightMyRequestResponse> =>
  test.app.inject({ ...requested, headers: key.header });
const codeOf = ({ statusCode, body }: LightMyRequestResponse): string =>
  `${statusCode} ${(JSON.parse(body) as { code?: string }).code ?? ''}`.trim();

const market = { symbol: 'BTCUSDT', interval: '1h' };
const frozenCalls: FrozenCall[] = [
  { url: '/api/futures-symbols' },
  { url: '/api/price?symbol=ETHUSDT' },
  { url: '/api/price/batch?symbols=BTCUSDT,SOLUSDT' },
  { url: '/api/klines?symbol=BTCUSDT&interval=15m&limit=20' },
  { url: '/api/klines?symbol=BTCUSDT&interval=1d&limit=1000' },
  { url: '/api/funding?symbol=BTCUSDT' },
  { method: 'POST', url: '/api/technical-indicators', payload: { ...market, limit: 200 } },
  { method: 'POST', url: '/api/futures-signal', payload: { ...market, intervals: ['4h'] } },
  { url: '/api/ensemble?symbol=BTCUSDT&intervals=15m,1h,4h' },
  { method: 'POST', url: '/api/backtest', payload: { ...market, limit: 300, honesty: true } },
  {
    method: 'POST',
    url: '/api/backtest',
    payload: { ...market, limit: 900, scored: 200, optimize: { samples: 20, seed: 3 } },
  },
  { method: 'POST', url: '/api/rules/check', payload: { rules: 'long when rsi(14) < 30' } },
  { method: 'POST', url: '/api/backtest', payload: { ...market, rules: 'long when rsi(14) < 30', honesty: true } },
  {
    method: 'POST',
    url: '/api/arbitrage-scan',
    payload: { symbols: ['BTCUSDT', 'ETHUSDT'], minSpreadPct: 0.001, notionalUsdt: 1000 },
  },
  { url: '/api/arbitrage/books?symbol=BTCUSDT&buy=okx&sell=binance' },
  { url: '/api/credits' },
  { url: '/api/positions?state=open' },
  { url: '/api/scan/last' },
  { url: '/api/historic-signals' },
  { url: '/api/account/api-usage' },
];

describe('a test key', () => {
  it('KEY-013 is made beside live ones, with a separate prefix, and listed as a test key', async () => {
    expect(testKey.key).toMatch(/^sx_test_[0-9A-Za-z]{8}_[0-9A-Za-z]{49}$/);
    expect(liveKey.key).toMatch(/^sx_live_/);
    const listed = await test.app.inject({ url: '/api/account/api-keys', headers: owner.bearer });
    const { keys } = listed.json<{ keys: { id: string; mode: string; masked: string }[] }>();
    const own = keys.find(({ id }) => id === testKey.id);
    expect(own).toMatchObject({ mode: 'test' });
    expect(own?.masked).toMatch(/^sx_test_/);
    const rotated = await test.app.inject({
      method: 'POST',
      url: `/api/account/api-keys/${testKey.id}/rotate`,
      headers: owner.bearer,
      payload: {},
    });
    expect(rotated.json<{ api_key: string }>().api_key).toMatch(/^sx_test_/);
  });

  it('reads its own identity, and nothing else of its owner', async () => {
    const response = await call({ url: '/api/account/whoami' });
    expect(response.json()).toMatchObject({
      user_id: owner.id,
      mode: 'test',
      key: { id: testKey.id, name: 'CI' },
      hourly_limit: TEST_HOURLY_LIMIT,
    });
    expect((await call({ url: '/api/account/whoami' }, liveKey)).json()).toMatchObject({ mode: 'live' });
    expect((await call({ url: '/api/credits' })).json()).toEqual({ balance: 0, credits: 0, held: 0, entries: [] });
    expect((await call({ url: '/api/credits' }, liveKey)).json()).toMatchObject({ balance: 60 });
  });

  it.each(frozenCalls)('gets the same bytes from two servers: $url', async (requested) => {
    const first = await call(requested);
    expect(first.statusCode, first.body).toBe(200);
    const second = await other.app.inject({ ...requested, headers: othersKey.header });
    expect(second.body).toBe(first.body);
    expect((await call(requested)).body).toBe(first.body);
  });

  it('gets the same bytes in more than a year, from a server that is started then', async () => {
    const now: string[] = [];
    for (const requested of frozenCalls) now.push((await call(requested)).body);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 400 * 86_400_000 });
    try {
      const future = await createTestApp({ env: { EXCHANGES_URL: 'http://127.0.0.1:9' } });
      // Its database still uses the time of today, and has no partition for calls of that day.
      await future.database.asOwner('create table api_log.calls_later partition of api_calls default');
      try {
        const key = await makeKey(future, await future.signUp(), { mode: 'test', scopes: apiScopeNames });
        for (const [at, requested] of frozenCalls.entries()) {
          const { body } = await future.app.inject({ ...requested, headers: key.header });
          expect(body, requested.url).toBe(now[at]);
        }
      } finally {
        await future.close();
      }
    } finally {
      vi.useRealTimers();
    }
  });

  it('sees candles that are the bundled ones: the last day has closed and the prices stand still', async () => {
    const { candles, candle_close_at: closeAt } = (
      await call({ url: '/api/klines?symbol=BTCUSDT&interval=1h&limit=2' })
    ).json<{ candles: { time: number[]; close: number[] }; candle_close_at: string }>();
    expect(closeAt).toBe('2026-06-01T12:00:00.000Z');
    expect(candles.time).toEqual([Date.UTC(2026, 5, 1, 10), Date.UTC(2026, 5, 1, 11)]);
    const { price } = (await call({ url: '/api/price?symbol=BTCUSDT' })).json<{ price: number }>();
    expect(candles.close.at(-1)).toBe(price);
    expect((await call({ url: '/api/klines?symbol=BTCUSDT&interval=1h&limit=2' }, liveKey)).json()).not.toMatchObject({
      candle_close_at: closeAt,
    });
  });

  it('is rejected for what the sandbox does not have, with a code of the catalogue', async () => {
    for (const requested of [
      { method: 'POST', url: '/api/scan/00000000-0000-4000-8000-000000000000/cancel' },
      { method: 'POST', url: '/api/vision/analyze' },
      { url: '/api/stream?symbols=BTCUSDT&intervals=1h' },
      { method: 'POST', url: '/api/webhook/test', payload: {} },
      { url: '/api/account/api-subscription' },
      { url: '/api/klines?symbol=BTCUSDT&interval=1h&exchange=okx' },
      { method: 'POST', url: '/api/backtest', payload: { ...market, optimize: { samples: 2000 } } },
    ] satisfies FrozenCall[]) {
      const rejected = await call(requested);
      expect(`${requested.url} ${codeOf(rejected)}`).toBe(`${requested.url} 403 not_in_sandbox`);
      expect(rejected.json()).toMatchObject({ request_id: '00000000-0000-4000-8000-000000000000' });
    }
    expect(codeOf(await call({ url: '/api/klines?symbol=DOGEUSDT&interval=1h' }))).toBe('404 symbol_unknown');
    expect(codeOf(await call({ url: '/api/klines?symbol=BTCUSDT&interval=2h' }))).toBe('400 validation_failed');
  });

  it('costs nothing: credits and ledger are unchanged, and no scan or run is stored', async () => {
    const state = () =>
      test.database.asOwner(
        `select (select count(*) from credit_ledger where user_id = $1) as entries,
          (select credits from balances where user_id = $1) as credits,
          (select count(*) from arbitrage_scans where user_id = $1) as scans,
          (select count(*) from backtests where user_id = $1) as runs`,
        [owner.id],
      );
    const before = await state();
    for (const requested of frozenCalls) await call(requested);
    expect(await state()).toEqual(before);
  });

  it('X39 counts separately: its hourly limit, calls and usage are not those of live keys', async () => {
    await settledHour();
    const user = await test.signUp();
    const [live, trial] = [await makeKey(test, user), await makeKey(test, user, { mode: 'test' })];
    const path = { url: '/api/price?symbol=BTCUSDT' };
    const used = await call(path, trial);
    expect(used.headers).toMatchObject({
      'ratelimit-policy': `"hour";q=${TEST_HOURLY_LIMIT};w=3600`,
      ratelimit: expect.stringContaining(`r=${TEST_HOURLY_LIMIT - 1};`) as string,
    });
    await call(path, trial);
    const first = await call(path, live);
    expect(first.headers['ratelimit']).toContain('r=59;');
    const read = async <T>(url: string): Promise<T> => (await test.app.inject({ url, headers: user.bearer })).json<T>();
    type Calls = { items: { mode: string; request_id: string }[] };
    const of = async (query: string) => (await read<Calls>(`/api/account/api-logs${query}`)).items;
    // Calls of one millisecond have no defined order.
    expect((await of('')).map(({ mode }) => mode).toSorted()).toEqual(['live', 'test', 'test']);
    expect((await of('?mode=test')).map(({ mode }) => mode)).toEqual(['test', 'test']);
    expect((await of('?mode=live')).map((each) => each.request_id)).toEqual([first.headers['x-request-id']]);
    expect(await read('/api/account/api-usage')).toMatchObject({ total: 1 });
    expect(await read('/api/account/api-usage?mode=test')).toMatchObject({ total: 2, success: 2, credits: 0 });
    expect(await read('/api/account/api-subscription')).toMatchObject({ current: { window_count: 1 } });
    // The sandbox returns an invented log, without the user's calls.
    const invented = await call({ url: '/api/account/api-logs' }, await makeKey(test, user, { mode: 'test' }));
    expect(invented.json()).toEqual(exampleLogs);
  });
});
