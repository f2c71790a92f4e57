// Long because its cases share one app, one database and their helpers: a start of them costs more than most cases.
import { createEnginePool } from '@sextant/workers/src/node/pool.ts';
import { loadModule } from '@sextant/workers/src/node/loadModule.ts';
import type { EnginePool } from '@sextant/workers/src/protocol/tasks.ts';
import Fastify from 'fastify';
import { serializerCompiler, validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { FaultRule } from '../../../fakes/exchanges/faults.ts';
import type { Venues } from '../../../src/adapters/exchanges/createVenues.ts';
import type { SymbolsResponse } from '../../../src/features/market/contract.ts';
import { externalStatus } from '../../../src/features/market/externalStatus.ts';
import { addPatience } from '../../../src/features/market/patience.ts';
import { marketRoutes } from '../../../src/features/market/routes.ts';
import { addRequireUser } from '../../../src/platform/auth/requireUser.ts';
import type { App } from '../../../src/platform/http/app.ts';
import { handleError } from '../../../src/platform/http/errorHandler.ts';
import { readErrorCodes } from '../../../src/platform/http/problem.ts';
import { startTestExchanges, type TestExchanges } from '../../adapters/exchanges/support/testExchanges.ts';

/** The routes over the real market, adapter and engine; only the exchanges are fakes, over loopback. */
let exchanges: TestExchanges;
let venues: Venues;
let engine: EnginePool;
let app: App;

beforeAll(async () => {
  exchanges = await startTestExchanges();
  venues = exchanges.venues();
  engine = createEnginePool({ engine: await loadModule(), threads: 1, queueMax: 4, deadlineMs: 20_000 });
  app = Fastify().withTypeProvider<ZodTypeProvider>();
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.setErrorHandler(handleError);
  readErrorCodes(app);
  addRequireUser(app, ({ authorization }) =>
    Promise.resolve(
      authorization === undefined ? null : { id: authorization, email: 'trader@example.com', sessionId: 'session' },
    ),
  );
  addPatience(app);
  const deps = {
    market: exchanges.market(venues),
    isRegionBlocked: () => false,
    engine,
    config: { market: 'simulated' as const },
    now: exchanges.clock.now,
  };
  await app.register((scope) => {
    marketRoutes(scope, deps);
    return Promise.resolve();
  });
});
afterAll(async () => {
  await Promise.all([app.close(), engine.close(), exchanges.close()]);
});
afterEach(() => {
  exchanges.fake.faults.clear();
  exchanges.fake.limits.clear();
  // Past every ban, breaker and cached response of the previous test.
  exchanges.clock.advance(20 * 60_000);
});

const signedIn = { authorization: 'Bearer test' };
async function get(url: string, headers: Record<string, string> = signedIn) {
  const response = await app.inject({ method: 'GET', url, headers });
  return { status: response.statusCode, headers: response.headers, body: response.json<Record<string, never>>() };
}
async function post(url: string, payload: object, headers: Record<string, string> = signedIn) {
  const response = await app.inject({ method: 'POST', url, payload, headers });
  return { status: response.statusCode, body: response.json<Record<string, never>>() };
}
const source = { exchange: 'binance', market: 'simulated' };

describe('access', () => {
  it.each(['/api/futures-symbols', '/api/price?symbol=BTCUSDT'])('%s needs no session', async (url) => {
    expect((await get(url, {})).status).toBe(200);
  });
  it.each([
    '/api/price/batch?symbols=BTCUSDT',
    '/api/klines?symbol=BTCUSDT&interval=1h',
    '/api/funding?symbol=BTCUSDT',
  ])('%s needs a session', async (url) => {
    expect(await get(url, {})).toMatchObject({ status: 401, body: { code: 'not_authenticated' } });
  });
  it('POST /api/technical-indicators needs a session', async () => {
    expect((await post('/api/technical-indicators', { symbol: 'BTCUSDT', interval: '1h' }, {})).status).toBe(401);
  });
});

describe('without a session', () => {
  it('a client may send 240 requests a minute; after that the response says how long to wait', async () => {
    for (let i = 0; i < 240; i++) expect((await get('/api/price?symbol=BTCUSDT', {})).status).toBe(200);
    const response = await get('/api/price?symbol=BTCUSDT', {});
    expect(response).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    expect(Number(response.headers['retry-after'])).toBeLessThanOrEqual(60);
  });
});

describe('Prefer: wait', () => {
  it('holds ten slots of one account; one more is 429 with what to do, and another account is not affected', async () => {
    // 8 in 2 s are our share of what OKX allows.
    const symbols = ['BTC', 'ETH', 'SOL', 'XRP', 'DOGE', 'BNB', 'ADA', 'SUI', 'LINK', 'AVAX'];
    symbols.push(...['TRX', 'TON', 'DOT', 'LTC', 'BCH', 'NEAR', 'APT', 'ARB', 'OP', 'FIL', 'ATOM']);
    const request = (base: string, authorization: string) =>
      get(`/api/funding?symbol=${base}USDT&exchange=okx`, { authorization, prefer: 'wait=0' });
    const codes: unknown[] = [];
    for (const base of symbols) {
      const { status, body } = await request(base, 'Bearer anna');
      codes.push(status === 200 ? 'sent' : body['code']);
    }
    expect(codes).toEqual([
      ...Array.from({ length: 8 }, () => 'sent'),
      ...Array.from({ length: 10 }, () => 'upstream_rate_limited'),
      ...Array.from({ length: 3 }, () => 'rate_limited'),
    ]);
    const rejected = await request('ATOM', 'Bearer anna');
    expect(rejected).toMatchObject({ status: 429, body: { code: 'rate_limited', exchange: 'okx' } });
    expect(rejected.body['message']).toMatch(
      /^10 of your requests are queued for OKX\. Repeat those first\. Try again in \d+ s\.$/,
    );
    expect(Number(rejected.headers['retry-after'])).toBeGreaterThan(0);
    expect((await request('ATOM', 'Bearer bert')).body['code']).toBe('upstream_rate_limited');
  });
});

describe('GET /api/futures-symbols', () => {
  it('RULE-094 lists the largest turnover of a day first', async () => {
    const { body } = await get('/api/futures-symbols?sort=turnover');
    const plain = await get('/api/futures-symbols');
    const namesOf = (from: Record<string, unknown>) =>
      (from['symbols'] as { symbol: string }[]).map((each) => each.symbol);
    const turnovers = await exchanges.market(venues).turnovers({ exchange: 'binance' });
    if (!turnovers.ok) throw new Error(turnovers.error.message);
    const listed = new Set(namesOf(plain.body));
    // Largest first, and no symbol is lost.
    const ranked = turnovers.value.value
      .toSorted((a, b) => b.turnoverUsdt - a.turnoverUsdt)
      .map(({ symbol }) => symbol)
      .filter((symbol) => listed.has(symbol));
    expect(ranked.length).toBeGreaterThan(100);
    expect(namesOf(body).slice(0, ranked.length)).toEqual(ranked);
    expect(namesOf(body).toSorted()).toEqual([...listed].toSorted());
  });

  it('NFR-007 lists more than 100 symbols that trade, each with its steps', async () => {
    const { body } = await get('/api/futures-symbols');
    expect(body).toMatchObject(source);
    const symbols = body['symbols'] as unknown as Record<string, unknown>[];
    expect(symbols.filter(({ status }) => status === 'trading').length).toBeGreaterThan(100);
    expect(symbols.find(({ symbol }) => symbol === 'BTCUSDT')).toEqual({
      symbol: 'BTCUSDT',
      base: 'BTC',
      tick_size: 0.1,
      step_size: 0.001,
      min_notional: 100,
      max_quantity: 1_000_000,
      max_leverage: null,
      listed_at: '2022-01-01T00:00:00.000Z',
      status: 'trading',
    });
  });

  it.each([
    ['binance', { commodity: 1, datedFuture: 1 }],
    ['bybit', { stock: 2 }],
    ['okx', { stock: 1, otherAsset: 1 }],
  ])('counts what %s lists beside the perpetuals of coins, and suspended symbols', async (exchange, leftOut) => {
    const { body } = await get(`/api/futures-symbols?exchange=${exchange}`);
    const { symbols, counts } = body as unknown as z.infer<typeof SymbolsResponse>;
    expect(Object.fromEntries(Object.entries(counts.left_out).filter(([, count]) => count > 0))).toEqual(leftOut);
    expect(counts.trading).toBe(symbols.filter(({ status }) => status === 'trading').length);
    expect(counts.suspended).toBe(exchange === 'binance' ? 1 : 0);
    expect(counts.trading + counts.suspended).toBe(symbols.length);
  });

  it('lists another exchange on request, with its steps in coins', async () => {
    const { body } = await get('/api/futures-symbols?exchange=okx');
    const symbols = body['symbols'] as unknown as Record<string, unknown>[];
    // OKX trades hundredths of contracts of 0.01 BTC.
    expect(symbols.find(({ symbol }) => symbol === 'BTCUSDT')).toMatchObject({ step_size: 0.0001, max_leverage: 125 });
  });
});

describe('GET /api/price', () => {
  it('gives the last price with bid, ask, mark, time and age', async () => {
    const { status, body } = await get('/api/price?symbol=ethusdt');
    expect(status).toBe(200);
    const listing = exchanges.fake.listings.binance.get('ETHUSDT')!;
    const quote = exchanges.fake.market.quote(listing, exchanges.clock.now());
    expect(body).toMatchObject({
      ...source,
      symbol: 'ETHUSDT',
      price: quote.last / 100,
      bid: quote.bid / 100,
      ask: quote.ask / 100,
      at: new Date(exchanges.clock.now()).toISOString(),
      data_age_ms: 0,
    });
    expect(Number(body['mark'])).toBeCloseTo(quote.mark, 3);
  });

  it('says how old a cached response is', async () => {
    await get('/api/price?symbol=BTCUSDT');
    exchanges.clock.advance(640);
    expect((await get('/api/price?symbol=ETHUSDT')).body).toMatchObject({ data_age_ms: 640 });
  });

  it('returns a price of some seconds ago while the exchange fails, and says so; later it returns an error', async () => {
    await get('/api/price?symbol=BTCUSDT');
    exchanges.fake.faults.add(FaultRule.parse({ fault: 'serverError', endpoint: 'price' }));
    exchanges.clock.advance(5000);
    const stale = await get('/api/price?symbol=BTCUSDT');
    expect(stale.status).toBe(200);
    expect(Number(stale.body['data_age_ms'])).toBeGreaterThanOrEqual(5000);
    exchanges.clock.advance(10_000);
    expect(await get('/api/price?symbol=BTCUSDT')).toMatchObject({
      status: 502,
      body: { code: 'upstream_unavailable' },
    });
  });

  it.each([
    ['/api/price', 400, 'symbol'],
    ['/api/price?symbol=BTC', 400, 'symbol'],
    ['/api/price?symbol=BTCUSDT&exchange=kraken', 400, 'exchange'],
    ['/api/price?symbol=BTCUSDT&extra=1', 400, 'extra'],
    ['/api/price?symbol=NOPEUSDT', 404, 'symbol'],
    ['/api/price?symbol=LUNAUSDT', 404, 'symbol'],
  ])('%s is rejected and names the field', async (url, status, field) => {
    const response = await get(url);
    expect(response).toMatchObject({ status, body: { field } });
    expect(response.headers['content-type']).toContain('application/problem+json');
  });
});

describe('GET /api/price/batch', () => {
  it('returns the symbols in the requested order, each once', async () => {
    const { body } = await get('/api/price/batch?symbols=SOLUSDT,btcusdt,%20ETHUSDT,SOLUSDT');
    expect((body['prices'] as unknown as { symbol: string }[]).map(({ symbol }) => symbol)).toEqual([
      'SOLUSDT',
      'BTCUSDT',
      'ETHUSDT',
    ]);
  });

  it('sends the exchange as many requests for twelve symbols as for one', async () => {
    exchanges.fake.requests.clear();
    await get(
      '/api/price/batch?symbols=BTCUSDT,ETHUSDT,SOLUSDT,XRPUSDT,DOGEUSDT,BNBUSDT,ADAUSDT,SUIUSDT,LINKUSDT,AVAXUSDT,TRXUSDT,TONUSDT',
    );
    expect(exchanges.fake.requests.all().filter(({ endpoint }) => endpoint === 'price')).toHaveLength(3);
  });

  it.each([
    ['/api/price/batch', 'symbols'],
    ['/api/price/batch?symbols=', 'symbols'],
    [`/api/price/batch?symbols=${Array.from({ length: 13 }, (_, i) => `A${i}USDT`).join(',')}`, 'symbols'],
    ['/api/price/batch?symbols=BTCUSDT,btc-usdt', 'symbols.1'],
  ])('%s is rejected', async (url, field) => {
    expect(await get(url)).toMatchObject({ status: 400, body: { code: 'validation_failed', field } });
  });
});

describe('GET /api/klines', () => {
  it('CONST-009 returns 200 closed candles as columns by default', async () => {
    const { body } = await get('/api/klines?symbol=BTCUSDT&interval=15m');
    const candles = body['candles'] as unknown as Record<string, number[]>;
    for (const column of ['time', 'open', 'high', 'low', 'close', 'volume']) expect(candles[column]).toHaveLength(200);
    const nowMs = exchanges.clock.now();
    const closeMs = candles['time']!.at(-1)! + 900_000;
    expect(closeMs <= nowMs && closeMs > nowMs - 900_000).toBe(true);
    expect(body).toMatchObject({
      ...source,
      symbol: 'BTCUSDT',
      interval: '15m',
      gaps: [],
      candle_close_at: new Date(closeMs).toISOString(),
    });
  });

  it.each(['1m', '5m', '15m', '1h', '4h', '1d'])('X5 knows the interval %s', async (interval) => {
    const { body } = await get(`/api/klines?symbol=ETHUSDT&interval=${interval}&limit=1000`);
    expect((body['candles'] as unknown as { time: number[] }).time).toHaveLength(1000);
  });

  it('ends at the end time', async () => {
    const endTime = Date.UTC(2025, 1, 1, 12, 30);
    const { body } = await get(`/api/klines?symbol=BTCUSDT&interval=1h&limit=5&endTime=${endTime}`);
    expect(body['candle_close_at']).toBe('2025-02-01T12:00:00.000Z');
  });

  it('names the candles an exchange did not send', async () => {
    exchanges.fake.faults.add(FaultRule.parse({ fault: 'gap', endpoint: 'klines' }));
    const { body } = await get('/api/klines?symbol=XRPUSDT&interval=5m&limit=100');
    const gaps = body['gaps'] as unknown as { from: string; to: string; missing: number }[];
    expect(gaps.length).toBeGreaterThan(0);
    const missing = gaps.reduce((sum, gap) => sum + gap.missing, 0);
    expect((body['candles'] as unknown as { time: number[] }).time.length + missing).toBe(100);
  });

  it.each([
    ['/api/klines?symbol=BTCUSDT', 'interval'],
    ['/api/klines?symbol=BTCUSDT&interval=7m', 'interval'],
    ['/api/klines?symbol=BTCUSDT&interval=1h&limit=0', 'limit'],
    ['/api/klines?symbol=BTCUSDT&interval=1h&limit=1001', 'limit'],
    ['/api/klines?symbol=BTCUSDT&interval=1h&limit=0x10', 'limit'],
    ['/api/klines?symbol=BTCUSDT&interval=1h&endTime=soon', 'endTime'],
  ])('%s is rejected and names the field', async (url, field) => {
    expect(await get(url)).toMatchObject({ status: 400, body: { code: 'validation_failed', field } });
  });

  it('passes a ban on as 503 with Retry-After', async () => {
    exchanges.fake.faults.add(FaultRule.parse({ fault: 'banned', endpoint: 'klines', retryAfterS: 45 }));
    const response = await get('/api/klines?symbol=ADAUSDT&interval=1h');
    expect(response).toMatchObject({
      status: 503,
      body: { code: 'upstream_rate_limited' },
      headers: { 'retry-after': '45' },
    });
    expect(response.body['detail']).toMatch(/Binance/);
    expect(externalStatus(venues.byExchange)).toMatch(/^(down|degraded)$/);
  });
});

describe('GET /api/funding', () => {
  it('goes back as far as requested: 60 days of fundings every 8 hours', async () => {
    const since = exchanges.clock.now() - 60 * 86_400_000;
    const { body } = await get(`/api/funding?symbol=BTCUSDT&since=${since}`);
    const history = body['history'] as unknown as { at: string }[];
    expect(history).toHaveLength(180);
    expect(Date.parse(history[0]?.at ?? '')).toBeGreaterThanOrEqual(since);
  });

  it('returns 400 days at most, and older ones in a second response: 450 days of fundings, each once', async () => {
    const now = exchanges.clock.now();
    const since = now - 450 * 86_400_000;
    const timesOf = async (query: string): Promise<number[]> => {
      const { body } = await get(`/api/funding?symbol=BTCUSDT&${query}`);
      return (body['history'] as unknown as { at: string }[]).map(({ at }) => Date.parse(at));
    };
    const newer = await timesOf(`since=${since}`);
    expect(newer).toHaveLength(1200);
    const older = await timesOf(`since=${since}&until=${newer[0]}`);
    expect(older).toHaveLength(150);
    expect(new Set([...older, ...newer]).size).toBe(1350);
    expect(Math.max(...older)).toBeLessThan(newer[0] ?? 0);
  });

  it('gives the next rate, its time and the last settled ones with their own stamps', async () => {
    const { body } = await get('/api/funding?symbol=BTCUSDT');
    expect(body).toMatchObject({ ...source, symbol: 'BTCUSDT', interval_hours: 8 });
    expect(Date.parse(String(body['next_funding_at']))).toBeGreaterThan(exchanges.clock.now());
    const history = body['history'] as unknown as { at: string; funding_rate: number }[];
    expect(history).toHaveLength(42);
    expect(Date.parse(history.at(-1)!.at)).toBeLessThanOrEqual(exchanges.clock.now());
    expect(history.every(({ funding_rate }) => Math.abs(funding_rate) < 0.02)).toBe(true);
  });

  it('knows symbols that pay every four hours', async () => {
    expect((await get('/api/funding?symbol=MOVEUSDT')).body).toMatchObject({ interval_hours: 4 });
  });
});

describe('POST /api/technical-indicators', () => {
  it('computes the five named indicators at the last closed candle', async () => {
    const { status, body } = await post('/api/technical-indicators', { symbol: 'btcusdt', interval: '1h' });
    expect(status).toBe(200);
    expect(body).toMatchObject({ ...source, symbol: 'BTCUSDT', interval: '1h', candle_count: 500 });
    const { sma20, ema50, rsi14, macd, bollinger } = body['indicators'] as unknown as {
      sma20: number;
      ema50: number;
      rsi14: number;
      macd: Record<string, number>;
      bollinger: Record<string, number>;
    };
    const klines = await get('/api/klines?symbol=BTCUSDT&interval=1h&limit=20');
    const closes = (klines.body['candles'] as unknown as { close: number[] }).close;
    const mean = closes.reduce((sum, close) => sum + close, 0) / 20;
    const deviation = Math.sqrt(closes.reduce((sum, close) => sum + (close - mean) ** 2, 0) / 20);
    expect(sma20).toBeCloseTo(mean, 6);
    expect(bollinger['middle']).toBeCloseTo(mean, 6);
    expect(bollinger['upper']).toBeCloseTo(mean + 2 * deviation, 6);
    expect(bollinger['lower']).toBeCloseTo(mean - 2 * deviation, 6);
    expect(Math.abs(ema50 / mean - 1)).toBeLessThan(0.2);
    expect(rsi14 > 0 && rsi14 < 100).toBe(true);
    expect(macd['macd']! - macd['signal']!).toBeCloseTo(macd['histogram']!, 9);
  });

  it('returns whole series on request, null while there are too few candles', async () => {
    const request = { symbol: 'ETHUSDT', interval: '15m', limit: 30, indicators: ['sma20', 'ema50'], series: true };
    const { body } = await post('/api/technical-indicators', request);
    const series = body['series'] as unknown as Record<string, Record<string, (number | null)[]>>;
    expect(series['sma20']!['sma20']!.slice(0, 19)).toEqual(Array.from({ length: 19 }, () => null));
    expect(series['sma20']!['sma20']!.slice(19).every((value) => typeof value === 'number')).toBe(true);
    expect(body['indicators']).toMatchObject({ ema50: null });
    expect(body['time']).toHaveLength(30);
  });

  it('takes one indicator with several parameters and names each by them', async () => {
    const indicators = [{ id: 'sma', period: 20 }, { id: 'sma', period: 50 }, 'rsi'];
    const { status, body } = await post('/api/technical-indicators', { symbol: 'BTCUSDT', interval: '1h', indicators });
    expect(status).toBe(200);
    const values = body['indicators'] as unknown as Record<string, number>;
    expect(Object.keys(values)).toEqual(['sma20', 'sma50', 'rsi']);
    const klines = await get('/api/klines?symbol=BTCUSDT&interval=1h&limit=50');
    const closes = (klines.body['candles'] as unknown as { close: number[] }).close;
    const mean = (of: number[]): number => of.reduce((sum, close) => sum + close, 0) / of.length;
    expect(values['sma20']).toBeCloseTo(mean(closes.slice(-20)), 6);
    expect(values['sma50']).toBeCloseTo(mean(closes), 6);
  });

  it('names a parameter that is out of bounds, as the request spells it', async () => {
    const indicators = ['rsi', { id: 'sma', period: 0 }];
    const { body } = await post('/api/technical-indicators', { symbol: 'BTCUSDT', interval: '1h', indicators });
    expect(body).toMatchObject({ code: 'validation_failed', field: 'indicators.1' });
    expect(body['message']).toMatch(/^indicators\.1 \(sma\): period /);
  });

  it.each([
    [{ symbol: 'BTCUSDT' }, 'interval'],
    [{ symbol: 'BTCUSDT', interval: '1h', limit: '500' }, 'limit'],
    [{ symbol: 'BTCUSDT', interval: '1h', limit: 1001 }, 'limit'],
    [{ symbol: 'BTCUSDT', interval: '1h', indicators: [] }, 'indicators'],
    [{ symbol: 'BTCUSDT', interval: '1h', indicators: ['sma20', 'sma20'] }, 'indicators'],
    [{ symbol: 'BTCUSDT', interval: '1h', indicators: ['sma20', 'magic'] }, 'indicators.1'],
    [{ symbol: 'BTCUSDT', interval: '1h', period: 3 }, 'period'],
  ])('rejects %j and names the field', async (payload, field) => {
    expect(await post('/api/technical-indicators', payload)).toMatchObject({
      status: 400,
      body: { code: 'validation_failed', field },
    });
  });
});

describe('candles of the mark price and minutes inside candles', () => {
  const opens = (count: number): number[] => {
    const last = Math.floor(exchanges.clock.now() / 3_600_000) * 3_600_000 - 3_600_000;
    return Array.from({ length: count }, (_, i) => last - (count - 1 - i) * 3_600_000);
  };

  it.each(['binance', 'bybit', 'okx'])(
    'of %s: the minutes make up the candle, the mark price has no volume',
    async (exchange) => {
      const query = `symbol=BTCUSDT&interval=1h&limit=3&exchange=${exchange}`;
      const { body } = await get(`/api/klines?${query}`);
      const marks = await get(`/api/klines?${query}&price=mark`);
      const requested = { symbol: 'BTCUSDT', interval: '1h', opens: opens(3), exchange };
      const result = await post('/api/minute-candles', requested);
      const { candles } = body as unknown as { candles: Record<string, number[]> };
      const { candles: mark } = marks.body as unknown as { candles: Record<string, number[]> };
      const { candles: minutes } = result.body as unknown as { candles: Record<string, number[]> };
      expect([marks.status, result.status, minutes['time']?.length]).toEqual([200, 200, 180]);
      expect(result.body).toMatchObject({ symbol: 'BTCUSDT', exchange, market: 'simulated' });
      for (let hour = 0; hour < 3; hour++) {
        const part = (name: string) => minutes[name]!.slice(60 * hour, 60 * hour + 60);
        expect(Math.max(...part('high'))).toBe(candles['high']![hour]);
        expect(Math.min(...part('low'))).toBe(candles['low']![hour]);
        expect([part('open')[0], part('close')[59]]).toEqual([candles['open']![hour], candles['close']![hour]]);
      }
      expect(mark['time']).toEqual(candles['time']);
      expect(mark['volume']).toEqual([0, 0, 0]);
      expect(mark['high']).not.toEqual(candles['high']);
    },
  );

  it.each([
    [{ opens: [] }, 'must name at least one candle'],
    [{ opens: [1_700_000_000_001] }, 'must be open times of the interval'],
    [{ opens: opens1d(6), interval: '1d' }, 'hold more than 7200 minutes; request fewer candles'],
    [{ opens: opens1d(1), interval: '1m' }, 'must be one of 5m 15m 1h 4h 1d'],
  ])('%j is rejected with a reason', async (change, words) => {
    const { status, body } = await post('/api/minute-candles', {
      symbol: 'BTCUSDT',
      interval: '1h',
      ...change,
    });
    expect(status).toBe(400);
    expect(JSON.stringify(body)).toContain(words);
  });

  it.each([
    ['serverError', 502, 'upstream_unavailable'],
    ['rateLimited', 503, 'upstream_rate_limited'],
  ] as const)('return an error code after %s of the exchange', async (fault, status, code) => {
    exchanges.fake.faults.add(FaultRule.parse({ fault, endpoint: 'klines' }));
    const { status: actual, body } = await post('/api/minute-candles', {
      symbol: 'ETHUSDT',
      interval: '1h',
      opens: opens(2),
    });
    expect([actual, body['code']]).toEqual([status, code]);
  });
});

function opens1d(count: number): number[] {
  return Array.from({ length: count }, (_, i) => Date.UTC(2025, 1, 1 + i));
}
