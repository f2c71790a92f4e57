import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestExchanges, type TestExchanges } from '../../adapters/exchanges/support/testExchanges.ts';
import { createTestApp, type TestApp, type TestUser } from '../../support/createTestApp.ts';

let exchanges: TestExchanges;
let test: TestApp;
let anna: TestUser;
let bert: TestUser;
beforeAll(async () => {
  exchanges = await startTestExchanges();
  test = await createTestApp({ deps: { market: exchanges.market(exchanges.venues()) } });
});
afterAll(async () => {
  await test.close();
  await exchanges.close();
});
beforeEach(async () => {
  [anna, bert] = [await test.signUp(), await test.signUp()];
});

interface ResponseBody {
  entries: { symbol: string }[];
  code?: string;
  field?: string;
}
const call = async (method: 'GET' | 'POST' | 'DELETE', user: TestUser, symbol?: string) => {
  const url = method === 'DELETE' ? `/api/watchlist/${symbol ?? ''}` : '/api/watchlist';
  const payload = method === 'POST' ? { payload: { symbol } } : {};
  const response = await test.app.inject({ method, url, headers: user.bearer, ...payload });
  const body = response.json<ResponseBody>();
  return {
    status: response.statusCode,
    body,
    symbols: (body as Partial<ResponseBody>).entries?.map((entry) => entry.symbol),
  };
};

describe('the watch list', () => {
  it('accepts coins of one letter and of other scripts, from the exchange to the database', async () => {
    for (const symbol of ['wusdt', '币安人生USDT']) expect((await call('POST', anna, symbol)).status).toBeLessThan(300);
    expect((await call('GET', anna)).symbols).toEqual(['WUSDT', '币安人生USDT']);
    expect((await call('DELETE', anna, encodeURIComponent('币安人生USDT'))).symbols).toEqual(['WUSDT']);
  });

  it('API-015 API-016 API-017 DATA-024 starts empty, keeps the order of adding, and drops removed symbols', async () => {
    expect((await call('GET', anna)).symbols).toEqual([]);
    for (const symbol of ['ETHUSDT', 'btcusdt', 'SOLUSDT']) expect((await call('POST', anna, symbol)).status).toBe(200);
    expect((await call('GET', anna)).symbols).toEqual(['ETHUSDT', 'BTCUSDT', 'SOLUSDT']);
    expect((await call('DELETE', anna, 'BTCUSDT')).symbols).toEqual(['ETHUSDT', 'SOLUSDT']);
    expect((await call('GET', bert)).symbols).toEqual([]);
  });

  it('API-017 removes a symbol named in the body or the path, and names a wrong field', async () => {
    for (const symbol of ['ETHUSDT', 'BTCUSDT']) await call('POST', anna, symbol);
    const remove = (payload: object) =>
      test.app.inject({ method: 'DELETE', url: '/api/watchlist', headers: anna.bearer, payload });
    expect((await remove({ symbol: 'ethusdt' })).json<ResponseBody>().entries.map(({ symbol }) => symbol)).toEqual([
      'BTCUSDT',
    ]);
    expect((await remove({ symbol: 'ETHUSDT' })).statusCode).toBe(200);
    expect((await remove({})).json()).toMatchObject({ status: 400, field: 'symbol' });
    expect((await remove({ symbol: 'BTCUSDT', all: true })).statusCode).toBe(400);
    expect((await call('GET', anna)).symbols).toEqual(['BTCUSDT']);
    expect((await test.app.inject({ method: 'DELETE', url: '/api/watchlist', payload: {} })).statusCode).toBe(401);
  });

  it('adds a symbol once, and removes a missing one without an error', async () => {
    await call('POST', anna, 'BTCUSDT');
    expect((await call('POST', anna, 'BTCUSDT')).symbols).toEqual(['BTCUSDT']);
    await call('DELETE', bert, 'BTCUSDT');
    expect((await call('GET', anna)).symbols).toEqual(['BTCUSDT']);
    expect((await call('DELETE', anna, 'BTCUSDT')).symbols).toEqual([]);
    expect((await call('DELETE', anna, 'BTCUSDT')).status).toBe(200);
  });

  it('takes the symbol to remove from body or path, never from a query', async () => {
    await call('POST', anna, 'BTCUSDT');
    const headers = anna.bearer;
    const byQuery = await test.app.inject({ method: 'DELETE', url: '/api/watchlist?symbol=BTCUSDT', headers });
    expect(byQuery.statusCode).toBe(400);
    expect((await call('GET', anna)).symbols).toEqual(['BTCUSDT']);
    const nonsense = await test.app.inject({ method: 'DELETE', url: '/api/watchlist/BTC%00', headers });
    expect([nonsense.statusCode, nonsense.json<ResponseBody>().field]).toEqual([400, 'symbol']);
  });

  it('rejects untraded symbols, naming the field', async () => {
    const { status, body } = await call('POST', anna, 'NOPEUSDT');
    expect([status, body.code, body.field]).toEqual([404, 'symbol_unknown', 'symbol']);
    expect((await call('POST', anna, 'BTC/USD')).status).toBe(400);
  });

  it('holds 200 symbols and rejects the next, also when ten are added at once', async () => {
    await test.database.asOwner(
      `insert into watchlist (user_id, symbol) select $1, 'X' || n || 'USDT' from generate_series(10, 204) n`,
      [anna.id],
    );
    const traded = ['BTC', 'ETH', 'SOL', 'BNB', 'XRP', 'DOGE', 'ADA', 'LINK', 'AVAX', 'LTC'].map(
      (base) => `${base}USDT`,
    );
    const responses = await Promise.all(traded.map((symbol) => call('POST', anna, symbol)));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 409, 409, 409, 409, 409]);
    expect((await call('GET', anna)).symbols).toHaveLength(200);
  });
});
