import { request } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type ExchangesFake, startExchanges } from '../../../fakes/exchanges/server.ts';

/** The wire formats as documented by the vendors; the adapter's tests show that ccxt accepts them. */
const nowMs = Date.UTC(2025, 2, 14, 10, 7, 30);
let fake: ExchangesFake;
beforeAll(async () => {
  fake = await startExchanges({ seed: 7, now: () => nowMs });
});
afterAll(() => fake.close());
afterEach(() => {
  fake.faults.clear();
  fake.limits.clear();
  fake.requests.clear();
});

interface Got {
  status: number;
  headers: Headers;
  body: never;
}
async function get(path: string): Promise<Got> {
  const response = await fetch(fake.url + path);
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: JSON.parse(text) as never };
}
const times = (rows: unknown[][]): number[] => rows.map((row) => Number(row[0]));

/** Symbols that trade at `nowMs`: some are listed later. */
const listedBy = (venue: 'binance' | 'bybit'): number =>
  [...fake.listings[venue].values()].filter((listing) => fake.market.listedAtMs(listing) <= nowMs).length;

describe('Binance', () => {
  it('sends candles oldest first with the running one last, 500 by default and never more than 1,500', async () => {
    const { body } = await get('/fapi/v1/klines?symbol=BTCUSDT&interval=15m');
    const rows = body as unknown[][];
    expect(rows).toHaveLength(500);
    expect(times(rows)).toEqual([...times(rows)].sort((a, b) => a - b));
    expect(rows.at(-1)![0]).toBe(Date.UTC(2025, 2, 14, 10));
    expect(rows.at(-1)![6]).toBe(Date.UTC(2025, 2, 14, 10, 15) - 1);
    expect(rows[0]!.slice(1, 6).every((cell) => typeof cell === 'string')).toBe(true);
    expect((await get('/fapi/v1/klines?symbol=BTCUSDT&interval=1m&limit=9999')).body).toHaveLength(1500);
  });

  it('returns errors as code and msg', async () => {
    expect(await get('/fapi/v1/klines?symbol=NOPE&interval=15m')).toMatchObject({ status: 400, body: { code: -1121 } });
    expect(await get('/fapi/v1/klines?symbol=BTCUSDT&interval=7m')).toMatchObject({
      status: 400,
      body: { code: -1120 },
    });
    expect(await get('/fapi/v1/klines?interval=15m')).toMatchObject({ status: 400, body: { code: -1102 } });
    expect((await get('/fapi/v1/nothing')).status).toBe(404);
  });

  it('counts weight by limit, states it in a header, and returns 429 and then 418 when it is used up', async () => {
    const used = async (limit: number): Promise<number> => {
      fake.limits.clear();
      const { headers } = await get(`/fapi/v1/klines?symbol=BTCUSDT&interval=1m&limit=${limit}`);
      return Number(headers.get('x-mbx-used-weight-1m'));
    };
    expect([await used(99), await used(499), await used(1000), await used(1001)]).toEqual([1, 2, 5, 10]);
    fake.limits.clear();
    const statuses: number[] = [];
    for (let i = 0; i < 75; i++) statuses.push((await get('/fapi/v1/ticker/24hr?symbol=BTCUSDT')).status);
    expect(new Set(statuses)).toEqual(new Set([200]));
    fake.limits.clear();
    for (let i = 0; i < 240; i++) fake.limits.count('binance', '/x', 10, nowMs);
    const over = await get('/fapi/v1/ping');
    expect(over).toMatchObject({ status: 429, body: { code: -1003 } });
    expect(Number(over.headers.get('retry-after'))).toBe(30);
    for (let i = 0; i < 60; i++) fake.limits.count('binance', '/x', 10, nowMs);
    expect((await get('/fapi/v1/ping')).status).toBe(418);
  });

  it('lists trading contracts that are no USDT perpetuals too: a client must filter them', async () => {
    const { symbols } = (await get('/fapi/v1/exchangeInfo')).body as {
      symbols: { contractType: string; status: string }[];
    };
    expect(
      symbols.filter(({ contractType, status }) => contractType === 'PERPETUAL' && status === 'TRADING').length,
    ).toBe(listedBy('binance'));
    expect(symbols.some(({ contractType }) => contractType !== 'PERPETUAL')).toBe(true);
    expect(symbols.some(({ status }) => status !== 'TRADING')).toBe(true);
  });

  it('names in fundingInfo only symbols with a changed interval, and stamps fundings some milliseconds late', async () => {
    const info = (await get('/fapi/v1/fundingInfo')).body as { symbol: string; fundingIntervalHours: number }[];
    expect(info.every(({ fundingIntervalHours }) => fundingIntervalHours === 4)).toBe(true);
    expect(info.some(({ symbol }) => symbol === 'BTCUSDT')).toBe(false);
    const rates = (await get('/fapi/v1/fundingRate?symbol=BTCUSDT&limit=9')).body as { fundingTime: number }[];
    expect(rates.map(({ fundingTime }) => fundingTime - (fundingTime % 28_800_000))).toEqual(
      Array.from({ length: 9 }, (_, i) => Date.UTC(2025, 2, 14, 8) - (8 - i) * 28_800_000),
    );
  });
});

describe('Bybit', () => {
  it('wraps everything in its envelope and sends candles newest first, 200 by default and never more than 1,000', async () => {
    const { body } = await get('/v5/market/kline?category=linear&symbol=BTCUSDT&interval=15');
    expect(body).toMatchObject({
      retCode: 0,
      retMsg: 'OK',
      time: nowMs,
      result: { symbol: 'BTCUSDT', category: 'linear' },
    });
    const { list } = (body as { result: { list: string[][] } }).result;
    expect(list).toHaveLength(200);
    expect(times(list)).toEqual([...times(list)].sort((a, b) => b - a));
    const many = await get('/v5/market/kline?category=linear&symbol=BTCUSDT&interval=1&limit=5000');
    expect((many.body as { result: { list: unknown[] } }).result.list).toHaveLength(1000);
  });

  it('returns its own errors with status 200', async () => {
    expect(await get('/v5/market/kline?category=linear&symbol=NOPE&interval=15')).toMatchObject({
      status: 200,
      body: { retCode: 10001 },
    });
    expect(await get('/v5/market/funding/history?category=linear&symbol=BTCUSDT&startTime=1')).toMatchObject({
      body: { retCode: 10001 },
    });
  });

  it('pages its instruments with a cursor', async () => {
    const seen: string[] = [];
    let cursor = '';
    do {
      const { body } = await get(
        `/v5/market/instruments-info?category=linear&limit=50${cursor === '' ? '' : `&cursor=${cursor}`}`,
      );
      const { list, nextPageCursor } = (body as { result: { list: { symbol: string }[]; nextPageCursor: string } })
        .result;
      seen.push(...list.map(({ symbol }) => symbol));
      cursor = encodeURIComponent(nextPageCursor);
    } while (cursor !== '');
    expect(new Set(seen).size).toBe(seen.length);
    // Two stocks are listed beside the coins.
    expect(seen.length).toBe(listedBy('bybit') + 2);
  });

  it('returns 403 after 600 requests in five seconds', async () => {
    for (let i = 0; i < 600; i++) fake.limits.count('bybit', '/x', 1, nowMs);
    const response = await fetch(`${fake.url}/v5/market/time`);
    expect([response.status, await response.text()]).toEqual([403, 'access too frequent']);
  });

  it('sends tiers whose maintenance is continuous at the boundary', async () => {
    const { body } = await get('/v5/market/risk-limit?category=linear&symbol=BTCUSDT');
    const tiers = (body as { result: { list: Record<string, string>[] } }).result.list;
    expect(tiers).toHaveLength(4);
    for (let i = 1; i < tiers.length; i++) {
      const boundary = Number(tiers[i - 1]!['riskLimitValue']);
      const due = (tier: Record<string, string>): number =>
        boundary * Number(tier['maintenanceMargin']) - Number(tier['mmDeduction'] === '' ? 0 : tier['mmDeduction']);
      expect(due(tiers[i]!)).toBeCloseTo(due(tiers[i - 1]!), 1);
    }
  });
});

describe('OKX', () => {
  it('sends sizes in contracts and in coins, newest first, at most 300, the running bar with confirm 0', async () => {
    const { body } = await get('/api/v5/market/candles?instId=BTC-USDT-SWAP&bar=15m&limit=500');
    const { code, data } = body as { code: string; data: string[][] };
    expect(code).toBe('0');
    expect(data).toHaveLength(300);
    expect(times(data)).toEqual([...times(data)].sort((a, b) => b - a));
    expect(data.map((row) => row[8]).slice(0, 3)).toEqual(['0', '1', '1']);
    // One contract is 0.01 BTC.
    for (const row of data) expect(Number(row[6])).toBeCloseTo(Number(row[5]) * 0.01, 8);
  });

  it('excludes the times named by before and after', async () => {
    const bar = (index: number): number => Date.UTC(2025, 2, 14, 9) + index * 60_000;
    const { body } = await get(
      `/api/v5/market/history-candles?instId=BTC-USDT-SWAP&bar=1m&before=${bar(0)}&after=${bar(4)}`,
    );
    expect(times((body as { data: string[][] }).data)).toEqual([bar(3), bar(2), bar(1)]);
  });

  it('returns only closed bars in its history and only the last 1,440 in its recent list', async () => {
    const history = (await get('/api/v5/market/history-candles?instId=BTC-USDT-SWAP&bar=1H')).body as {
      data: string[][];
    };
    expect(history.data.every((row) => row[8] === '1')).toBe(true);
    const old = nowMs - 2000 * 60_000;
    const recent = (await get(`/api/v5/market/candles?instId=BTC-USDT-SWAP&bar=1m&after=${old}`)).body as {
      data: unknown[];
    };
    expect(recent.data).toEqual([]);
  });

  it('returns its own codes for unknown instruments and overuse', async () => {
    expect(await get('/api/v5/market/candles?instId=NOPE-USDT-SWAP')).toMatchObject({
      body: { code: '51001', data: [] },
    });
    for (let i = 0; i < 10; i++) fake.limits.count('okx', '/api/v5/public/mark-price', 1, nowMs);
    expect(await get('/api/v5/public/mark-price?instType=SWAP')).toMatchObject({
      status: 429,
      body: { code: '50011' },
    });
  });
});

describe('the exchanges together', () => {
  it('lists cheap coins by the thousand where the exchange does, at a thousand times the price', async () => {
    const binance = (await get('/fapi/v1/ticker/price?symbol=1000PEPEUSDT')).body as { price: string };
    const okx = (await get('/api/v5/market/ticker?instId=PEPE-USDT-SWAP')).body as { data: { last: string }[] };
    expect(Number(binance.price) / Number(okx.data[0]!.last) / 1000).toBeCloseTo(1, 1);
  });
});

describe('the control endpoint', () => {
  const control = async (method: string, path: string, body?: unknown): Promise<{ status: number; body: unknown }> => {
    const response = await fetch(`${fake.url}/__control${path}`, {
      method,
      ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    return { status: response.status, body: await response.json() };
  };

  it('activates a fault for one exchange and one kind of response, for a number of times', async () => {
    await control('POST', '/faults', {
      fault: 'rateLimited',
      venue: 'binance',
      endpoint: 'klines',
      times: 1,
      retryAfterS: 17,
    });
    const limited = await get('/fapi/v1/klines?symbol=BTCUSDT&interval=15m');
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '17']);
    expect((await get('/fapi/v1/klines?symbol=BTCUSDT&interval=15m')).status).toBe(200);
    expect((await get('/fapi/v1/ticker/price?symbol=BTCUSDT')).status).toBe(200);
  });

  it('rejects an unknown rule and names the field', async () => {
    expect(await control('POST', '/faults', { fault: 'nothing' })).toMatchObject({ status: 400 });
    expect(await control('POST', '/faults', { fault: 'hang', often: true })).toMatchObject({ status: 400 });
    expect(await control('GET', '/nothing')).toMatchObject({ status: 404 });
  });

  it('lists active faults, removes them, and logs the requests', async () => {
    await control('POST', '/faults', { fault: 'emptyBody', venue: 'okx' });
    expect(await control('GET', '/faults')).toMatchObject({ body: { active: [{ fault: 'emptyBody', venue: 'okx' }] } });
    await control('DELETE', '/faults');
    expect(await control('GET', '/faults')).toMatchObject({ body: { active: [] } });
    await get('/api/v5/market/ticker?instId=BTC-USDT-SWAP');
    const { body } = await control('GET', '/requests');
    expect((body as { requests: unknown[] }).requests).toMatchObject([
      { venue: 'okx', endpoint: 'price', path: '/api/v5/market/ticker', status: 200, weight: 1 },
    ]);
  });

  it.each([
    ['a page of another site', { origin: 'https://evil.example' }],
    ['a page that hides its origin', { 'sec-fetch-site': 'cross-site' }],
    ['a name pointed at loopback', { host: 'evil.example' }],
    ['another port', { host: '127.0.0.1:1' }],
    ['a form', { 'content-type': 'text/plain' }],
  ])('takes no order from %s', async (_who, headers: Record<string, string>) => {
    const status = await new Promise((resolve, reject) => {
      const all = { 'content-type': 'application/json', ...headers };
      const sent = request(`${fake.url}/__control/faults`, { method: 'POST', headers: all }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      sent.on('error', reject).end('{"fault":"hang"}');
    });
    expect(status).toBe(403);
    expect(await control('GET', '/faults')).toMatchObject({ body: { active: [] } });
  });

  it('listens on loopback only', () => {
    expect(new URL(fake.url).hostname).toBe('127.0.0.1');
  });
});
