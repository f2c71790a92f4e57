import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';

/** A market of hourly candles that started at hour 100 and has closed hour 2599; the close of a candle is its hour. */
const FIRST = 100;
const LAST = 2599;
const HOUR = 3_600_000;
const requested: URLSearchParams[] = [];

const server = createServer((request, response) => {
  const query = new URL(request.url ?? '/', 'http://fake').searchParams;
  requested.push(query);
  const end = query.has('endTime') ? Number(query.get('endTime')) / HOUR - 1 : LAST;
  const from = Math.max(FIRST, end - Number(query.get('limit')) + 1);
  const hours = Array.from({ length: Math.max(0, end - from + 1) }, (_, i) => from + i);
  const candles = {
    time: hours.map((hour) => hour * HOUR),
    ...Object.fromEntries(['open', 'high', 'low', 'close', 'volume'].map((name) => [name, hours])),
  };
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ candles, exchange: 'binance', data_age_ms: 250 }));
});

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  vi.stubGlobal('window', { location: { origin: `http://127.0.0.1:${port}` } });
});
afterAll(() => {
  vi.unstubAllGlobals();
  server.close();
});
beforeEach(() => {
  requested.length = 0;
});

async function hours(limit: number, endTimeMs?: number, exchange: 'binance' | 'okx' = 'binance'): Promise<number[]> {
  const { fetchCandles } = await import('../../src/data/market.ts');
  const { candles } = await fetchCandles({ exchange, symbol: 'BTCUSDT', interval: '1h', limit, endTimeMs });
  expect([...candles.time]).toEqual([...candles.close].map((hour) => hour * HOUR));
  return [...candles.close];
}

it('sends one request when one page is enough', async () => {
  expect(await hours(500)).toEqual(Array.from({ length: 500 }, (_, i) => 2100 + i));
  expect(requested.map((query) => query.get('limit'))).toEqual(['500']);
});

it('joins pages without a gap or a repeat', async () => {
  expect(await hours(1200)).toEqual(Array.from({ length: 1200 }, (_, i) => 1400 + i));
  expect(requested.map((query) => query.get('limit'))).toEqual(['1000', '200']);
});

it('requests each page from the named exchange', async () => {
  await hours(1200, undefined, 'okx');
  expect(requested.map((query) => query.get('exchange'))).toEqual(['okx', 'okx']);
});

it('ends where the market started', async () => {
  const all = await hours(5000);
  expect([all.length, all[0]]).toEqual([2500, FIRST]);
});

it('keeps a window of the past', async () => expect(await hours(3, 2000 * HOUR)).toEqual([1997, 1998, 1999]));

it('POS-015 X24 fetches a long list in batches of 4 to 12 of nearly equal size', async () => {
  const { priceBatches } = await import('../../src/data/market.ts');
  const sizes = (count: number) =>
    priceBatches(Array.from({ length: count }, (_, i) => `S${i}`)).map(({ length }) => length);
  expect([0, 1, 12, 13, 25].map(sizes)).toEqual([[], [1], [12], [7, 6], [8, 9, 8]]);
  for (let count = 4; count <= 200; count++) expect(sizes(count).every((size) => size >= 4 && size <= 12)).toBe(true);
});
