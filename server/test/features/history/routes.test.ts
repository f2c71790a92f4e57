import { inflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { unpackStored } from '@sextant/workers/src/candles/storedCandles.ts';
import { areSameBits } from '../../../src/features/history/chunkCodec.ts';
import { createMarketApp, type MarketApp } from '../../support/createMarketApp.ts';
import { candlesAt, hourMs, opensOf } from './support.ts';

let app: MarketApp;
let headers: Record<string, string>;
beforeAll(async () => {
  app = await createMarketApp();
  const account = await app.signUp();
  headers = account.bearer;
});
afterAll(() => app.close());

const lastMs = Math.floor(Date.now() / hourMs) * hourMs - 2 * hourMs;
const write = (symbol: string, fromHour: number, toHour: number, opens?: number[], drift = 0) => {
  const [fromMs, toMs] = [lastMs - fromHour * hourMs, lastMs - toHour * hourMs];
  const candles = candlesAt(opens ?? opensOf(fromMs, toMs), drift);
  return app.deps.candleStore.write({ exchange: 'binance', symbol, interval: '1h' }, { fromMs, toMs, candles });
};
interface Body {
  series: unknown[];
  revisions: unknown[];
  field?: string;
}
const iso = (hoursAgo: number): string => new Date(lastMs - hoursAgo * hourMs).toISOString();

describe('GET /api/market/history', () => {
  it('HIST-022 says what is stored of a symbol, with gaps and both versions of a revised candle', async () => {
    await write('DOGEUSDT', 100, 0, [
      ...opensOf(lastMs - 100 * hourMs, lastMs - 60 * hourMs),
      ...opensOf(lastMs - 57 * hourMs, lastMs),
    ]);
    await write('DOGEUSDT', 130, 110);
    await write('DOGEUSDT', 20, 20, [lastMs - 20 * hourMs], 3);
    const response = await app.app.inject({ url: '/api/market/history?symbol=dogeusdt', headers });
    expect(response.statusCode).toBe(200);
    const body = response.json<Body>();
    expect(body).toMatchObject({ symbol: 'DOGEUSDT', exchange: 'binance', broken_chunks: 0, backfill: null });
    expect(body.series).toHaveLength(1);
    expect(body.series[0]).toMatchObject({
      interval: '1h',
      price: 'last',
      count: 120,
      first: iso(130),
      last: iso(0),
      missing: 11,
      gap_count: 2,
      gaps: [
        { from: iso(109), to: iso(101), cause: 'not_stored' },
        { from: iso(59), to: iso(58), cause: 'not_sent' },
      ],
      revision_count: 1,
      complete: false,
    });
    const { close: first } = candlesAt([lastMs - 20 * hourMs]);
    expect(body.revisions).toMatchObject([
      { interval: '1h', at: iso(20), first: { close: first[0] }, revised: { close: (first[0] ?? NaN) + 3 } },
    ]);
  });

  it('HIST-022 one user describes one symbol at a time, so that others find threads and memory', async () => {
    let open = (): void => undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    await write('XRPUSDT', 3, 0);
    const { readRange } = app.deps.candleStore;
    const reading = vi.spyOn(app.deps.candleStore, 'readRange').mockImplementation(async (...args) => {
      await gate;
      return readRange(...args);
    });
    const read = () => app.app.inject({ url: '/api/market/history?symbol=XRPUSDT', headers });
    const all = Array.from({ length: 7 }, read);
    // One runs and four wait; the others are rejected while nothing ends.
    const rejected = await Promise.race(all);
    expect(rejected.json<{ code: string }>().code).toBe('overloaded');
    open();
    const statuses = (await Promise.all(all)).map(({ statusCode }) => statusCode).sort();
    reading.mockRestore();
    expect(statuses).toEqual([200, 200, 200, 200, 200, rejected.statusCode, rejected.statusCode]);
  });

  it('HIST-022 makes no chunk of minutes be written before its time', async () => {
    const candles = candlesAt(opensOf(lastMs, lastMs));
    app.deps.candleStore.save(
      { exchange: 'binance', symbol: 'LTCUSDT', interval: '1m', fromMs: lastMs, toMs: lastMs },
      candles,
    );
    const waiting = app.deps.candleStore.pendingCount();
    expect(waiting).toBeGreaterThan(0);
    expect((await app.app.inject({ url: '/api/market/history?symbol=XRPUSDT', headers })).statusCode).toBe(200);
    expect(app.deps.candleStore.pendingCount()).toBeGreaterThanOrEqual(waiting);
    await app.deps.candleStore.flush();
  });

  it('HIST-023 sends the newest contiguous stretch packed, with revisions in place', async () => {
    await write('ADAUSDT', 3000, 2000);
    await write('ADAUSDT', 1500, 0);
    await write('ADAUSDT', 9, 9, [lastMs - 9 * hourMs], 2);
    const read = async (query: string) => {
      const url = `/api/market/history/candles?symbol=ADAUSDT&interval=1h${query}`;
      const response = await app.app.inject({ url, headers });
      expect([response.statusCode, response.headers['content-type']]).toEqual([200, 'application/octet-stream']);
      return unpackStored(response.rawPayload, (bytes) => Promise.resolve(inflateRawSync(bytes)));
    };
    const stretch = await read('');
    expect(stretch?.exchange).toBe('binance');
    const truth = candlesAt(opensOf(lastMs - 1500 * hourMs, lastMs));
    const at = truth.time.length - 10;
    for (const name of ['open', 'high', 'low', 'close'] as const)
      truth[name][at] = candlesAt([lastMs - 9 * hourMs], 2)[name][0] as number;
    expect(stretch !== null && areSameBits(stretch.candles, truth)).toBe(true);
    // The window counts back from the last closed bar, which is not stored.
    expect((await read('&limit=11'))?.candles.time.length).toBe(10);
    expect((await read(`&endTime=${lastMs - 2500 * hourMs}`))?.candles.time.at(-1)).toBe(lastMs - 2501 * hourMs);
    expect(await read('&price=mark')).toBeNull();
  });

  it('HIST-024 names the field of a bad request, and needs an account', async () => {
    const bad = await app.app.inject({ url: '/api/market/history/candles?symbol=ADAUSDT&interval=2h', headers });
    expect([bad.statusCode, bad.json<Body>().field]).toEqual([400, 'interval']);
    const many = await app.app.inject({
      url: '/api/market/history/candles?symbol=ADAUSDT&interval=1h&limit=100001',
      headers,
    });
    expect([many.statusCode, many.json<Body>().field]).toEqual([400, 'limit']);
    expect((await app.app.inject({ url: '/api/market/history?symbol=ADAUSDT' })).statusCode).toBe(401);
  });

  it('HIST-010 serves GET /api/klines from the store, and stores what it fetched', async () => {
    const klines = () => app.exchanges.requests.all().filter(({ endpoint }) => endpoint === 'klines');
    const read = () => app.app.inject({ url: '/api/klines?symbol=BTCUSDT&interval=4h&limit=300', headers });
    const first = await read();
    expect(first.statusCode).toBe(200);
    await app.deps.candleStore.flush();
    const stored = await app.app.inject({ url: '/api/market/history?symbol=BTCUSDT', headers });
    expect(stored.json<Body>().series).toMatchObject([{ interval: '4h', count: 300, complete: true }]);
    expect(klines().length).toBeGreaterThan(0);
  });
});
