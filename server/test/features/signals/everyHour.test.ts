import { intervalMs, intervals } from '@sextant/engine-as/abi/intervals.ts';
import { liveRules } from '@sextant/engine-as/abi/strategy.ts';
import { ok } from '@sextant/workers/src/core/result.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PictureReader, ReadPicture } from '../../../src/features/vision/readPicture.ts';
import type { ClosedBar, ExchangeId, Interval } from '../../../src/features/market/port.ts';
import { startTestExchanges, type TestExchanges } from '../../adapters/exchanges/support/testExchanges.ts';
import { createTestApp, type TestApp, type TestUser } from '../../support/createTestApp.ts';
import { type EventReader, listenOn, readEvents } from '../../support/readEvents.ts';
import { giveCredits, makeKey } from '../apiKeys/support.ts';
import { png } from '../profile/pictures.ts';
import { formOf, klines, pictured, readingOf } from '../vision/support.ts';
import { scanParams } from '../../support/scanParams.ts';

let exchanges: TestExchanges;
let test: TestApp;
let anna: TestUser;
let picture: ReadPicture;
const listeners = new Set<(exchange: ExchangeId, bar: ClosedBar) => void>();

beforeAll(async () => {
  exchanges = await startTestExchanges();
  const market = exchanges.market(exchanges.venues());
  const readChart: PictureReader = () => Promise.resolve(ok(picture));
  test = await createTestApp({
    deps: {
      now: exchanges.clock.now,
      readChart,
      market: {
        ...market,
        onCandle: (listener) => {
          listeners.add(listener);
          return () => void listeners.delete(listener);
        },
        keep: () => () => undefined,
      },
    },
  });
  anna = await test.signUp();
  await giveCredits(test, anna.id, 500);
});
afterAll(async () => {
  test.app.server.closeAllConnections();
  await test.close();
  await exchanges.close();
});

let days = 0;
/** The hours of the next day: the clock never goes back, and the request budget of the exchange is unused. */
function nextDay(): number[] {
  const midnight = Date.UTC(2025, 2, 14 + days++);
  return Array.from({ length: 24 }, (_, hour) => midnight + hour * 3_600_000 + 41 * 60_000 + 20_000);
}

async function send(
  method: 'GET' | 'POST',
  url: string,
  payload?: object,
  user = anna,
): Promise<{ status: number; body: string }> {
  const response = await test.app.inject({ method, url, headers: user.bearer, ...(payload && { payload }) });
  return { status: response.statusCode, body: response.body.slice(0, 300) };
}

describe('X83 at every hour of the day, on every interval', () => {
  it('a signal is computed, whatever limit is requested, and an ensemble of all intervals', async () => {
    const failures: string[] = [];
    for (const nowMs of nextDay()) {
      exchanges.clock.set(nowMs);
      const requested = [
        ...intervals.flatMap((interval) =>
          [{}, { limit: 100 }, { limit: 1000 }].map((limit) => ({ symbol: 'BTCUSDT', interval, ...limit })),
        ),
        { symbol: 'ETHUSDT', interval: '1m', intervals: ['5m', '1h', '1d'], limit: 100 },
      ];
      for (const payload of requested) {
        const { status, body } = await send('POST', '/api/futures-signal', payload);
        if (status !== 200) failures.push(`${new Date(nowMs).toISOString()} ${JSON.stringify(payload)} ${body}`);
      }
      for (const names of ['1m,5m,15m,1h', '5m,4h,1d', '1d', '1m']) {
        const { status, body } = await send('GET', `/api/ensemble?symbol=BTCUSDT&intervals=${names}`);
        if (status !== 200) failures.push(`${new Date(nowMs).toISOString()} ensemble ${names} ${body}`);
      }
    }
    expect(failures).toEqual([]);
  }, 120_000);

  it('the limit has no effect below what the votes need', async () => {
    exchanges.clock.set(nextDay()[23] ?? 0);
    for (const interval of intervals) {
      const [few, usual] = await Promise.all(
        [100, 500].map(async (limit) => {
          const payload = { symbol: 'BTCUSDT', interval, limit };
          const response = await test.app.inject({
            method: 'POST',
            url: '/api/futures-signal',
            headers: anna.bearer,
            payload,
          });
          return response.json<{ score: number; hashes: object }>();
        }),
      );
      expect(few?.score, interval).toBe(usual?.score);
      expect(few?.hashes, interval).toEqual(usual?.hashes);
    }
  });

  it('an open stream sends the signal of each candle and misses none', async () => {
    const origin = await listenOn(test.app);
    const key = await makeKey(test, anna);
    const reported: EventReader[] = [];
    try {
      for (const nowMs of nextDay()) {
        // Opened late, so that each reader follows its series from this moment on.
        exchanges.clock.set(nowMs);
        const query = `symbols=BTCUSDT&intervals=${intervals.join(',')}`;
        const reader = await readEvents(`${origin}/api/stream?${query}`, key.header);
        reported.push(reader);
        await expect.poll(() => reader.names()).toContain('ready');
        for (const interval of intervals) closeCandle('BTCUSDT', interval, nowMs);
        const hour = new Date(nowMs).toISOString();
        // Longer candles that were sent an hour ago are not sent again.
        await expect.poll(() => reader.names().length, { message: hour, timeout: 20_000 }).toBeGreaterThanOrEqual(4);
        expect(reader.names().slice(1), hour).not.toContain('missed');
        const sent = reader.events.map(({ data }) => data['interval']);
        expect(sent, hour).toEqual(expect.arrayContaining(['1m', '5m', '15m']));
        reader.close();
      }
    } finally {
      for (const reader of reported) reader.close();
    }
  }, 120_000);

  it('a run of Live rules in the lab scores its window', async () => {
    const failures: string[] = [];
    for (const nowMs of nextDay()) {
      exchanges.clock.set(nowMs);
      // One account may have 120 runs a minute.
      const user = await test.signUp();
      const others = new Date(nowMs).getUTCHours() % 8 === 7 ? intervals : (['1m', '5m'] as const);
      for (const interval of others) {
        const strategy = liveRules([interval]);
        const payload = { symbol: 'BTCUSDT', interval, strategy, limit: 300, scored: 200, fineData: false };
        const { status, body } = await send('POST', '/api/backtest', payload, user);
        if (status !== 200) failures.push(`${new Date(nowMs).toISOString()} ${interval} ${body}`);
      }
    }
    expect(failures).toEqual([]);
  }, 120_000);

  it.each(['1m', '5m'] as const)(
    'a default run of Live rules on %s has a score from the first scored candle on, by API and by MCP',
    async (interval) => {
      const failures: string[] = [];
      for (const nowMs of nextDay()) {
        exchanges.clock.set(nowMs);
        const user = await test.signUp();
        const key = await makeKey(test, user, { scopes: ['run:backtest'] });
        const payload = { symbol: 'BTCUSDT', interval, strategy: liveRules([interval]) };
        const send = { method: 'POST', headers: key.header } as const;
        const ran = await test.app.inject({ ...send, url: '/api/backtest', payload: { ...payload, fineData: false } });
        const { score, ...run } = ran.json<{ score?: (number | null)[]; loadedCount: number; scoredCount: number }>();
        const isScored = score?.length === 500 && score.every((each) => each !== null);
        if (!isScored) failures.push(`${new Date(nowMs).toISOString()} API ${ran.body.slice(0, 200)}`);
        const call = { name: 'run_backtest', arguments: payload };
        const reported = await test.app.inject({
          ...send,
          url: '/mcp',
          headers: { ...key.header, accept: 'application/json, text/event-stream' },
          payload: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call },
        });
        const isSame = reported.body.includes(`\\"loadedCount\\":${run.loadedCount}`);
        if (!isSame) failures.push(`${new Date(nowMs).toISOString()} MCP ${reported.body.slice(0, 200)}`);
      }
      expect(failures).toEqual([]);
    },
    240_000,
  );

  it('a run that names its exact number of candles has no others, as Verify and saved runs need', async () => {
    exchanges.clock.set(nextDay()[12] ?? 0);
    const payload = { symbol: 'BTCUSDT', interval: '1m', strategy: liveRules(['1m']), scored: 200, fineData: false };
    const counts = await Promise.all(
      [{ limit: 2900, isExact: true }, { limit: 2900 }].map(async (requested) => {
        const sent = { ...payload, ...requested };
        const ran = await test.app.inject({
          method: 'POST',
          url: '/api/backtest',
          headers: anna.bearer,
          payload: sent,
        });
        return ran.json<{ loadedCount: number }>().loadedCount;
      }),
    );
    // Two days of minutes, 100 to train on, 200 scored.
    expect(counts).toEqual([2900, 3180]);
  });

  it('a scan reads enough of its shortest interval, and stores the number it has read', async () => {
    const body = { limit: 100, intervals: ['15m' as const] };
    const params = await scanParams(test.deps, anna.id, body);
    expect(params.limit).toBe(500);
    expect((await scanParams(test.deps, anna.id, { ...body, limit: 700 })).limit).toBe(700);
  });

  it('a picture of the newest candles is judged by the votes', async () => {
    const image = await png();
    const failures: string[] = [];
    for (const nowMs of nextDay().filter((_, hour) => hour % 4 === 3 || hour === 0)) {
      exchanges.clock.set(nowMs);
      for (const interval of ['1m', '5m', '15m'] as const) {
        const bars = await klines(test, anna, 'BTCUSDT', interval, 90);
        picture = pictured(readingOf(bars, { title: { symbol: 'BTCUSDT', interval } }));
        const form = formOf(image);
        const response = await test.app.inject({
          method: 'POST',
          url: '/api/vision/analyze',
          payload: form.payload,
          headers: { ...anna.bearer, ...form.headers },
        });
        const text = response.body;
        if (response.statusCode !== 200 || text.includes('Too few candles'))
          failures.push(`${new Date(nowMs).toISOString()} ${interval} ${text.slice(0, 300)}`);
      }
    }
    expect(failures).toEqual([]);
  }, 120_000);
});

/** The exchange closes the candle of `symbol` that ended last. */
function closeCandle(symbol: string, interval: Interval, nowMs: number): void {
  const step = intervalMs[interval];
  const time = Math.floor(nowMs / step) * step - step;
  const bar = { symbol, interval, time, open: 1, high: 2, low: 0.5, close: 1.5, volume: 1 };
  for (const listener of listeners) listener('binance', bar);
}
