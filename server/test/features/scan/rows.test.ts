import { tunableVotes } from '@sextant/engine-as/abi/liveWeights.ts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startWorkers } from '../../../src/startWorkers.ts';
import { createMarketApp, type MarketApp } from '../../support/createMarketApp.ts';
import type { TestUser } from '../../support/createTestApp.ts';

/** Requirements of the server, by id: one user, one scan, and the requests about them. */

let test: MarketApp;
let stopWorkers: () => Promise<void>;
let anna: TestUser;
let scan: Scan;
beforeAll(async () => {
  test = await createMarketApp();
  stopWorkers = await startWorkers(test.deps, test.app.log);
  anna = await test.signUp();
  await send('PUT', '/api/preferences', { positions_wanted: 2 });
  const sent = await send('POST', '/api/scan', { symbols, intervals: ['15m', '1h'], ...requested });
  const { scan_id: id } = sent.json<{ scan_id: string }>();
  const state = async () => (await read<{ scan: Scan }>(`/api/scan/${id}`)).scan;
  await vi.waitUntil(async () => (await state()).status === 'done', { timeout: 30_000 });
  scan = await state();
});
afterAll(async () => {
  await stopWorkers();
  await test.close();
});

const symbols = ['BTCUSDT', 'ETHUSDT', 'SOLUSDT', 'XRPUSDT'];
const requested = { limit: 500, balance: 2000, leverage: 5, riskTolerance: 'high' };

interface Scan {
  scan_id: string;
  status: string;
  params: Record<string, unknown>;
  results: { best: Row | null; all: Row[] };
}
type Row = Record<string, unknown> & {
  symbol: string;
  interval: string;
  outcome: string;
  verdict: { state: string };
};

const send = (method: 'POST' | 'PUT', url: string, payload: object, headers: Record<string, string> = {}) =>
  test.app.inject({ method, url, headers: { ...anna.bearer, ...headers }, payload });
const read = async <T>(url: string) => (await test.app.inject({ url, headers: anna.bearer })).json<T>();

describe('the scan', () => {
  it('SIG-033 SIG-034 SIG-036 API-045 DATA-008 takes symbols, intervals, limit 500, balance, leverage and risk, and stores them with what it found', () => {
    expect(scan.params).toMatchObject({ symbols, intervals: ['15m', '1h'], ...requested });
    const pairs = scan.results.all.map(({ symbol, interval }) => `${symbol} ${interval}`);
    const possible = symbols.flatMap((symbol) => [`${symbol} 15m`, `${symbol} 1h`]);
    expect(pairs.length).toBeGreaterThan(0);
    expect(pairs.filter((pair) => !possible.includes(pair))).toEqual([]);
  });

  it('SIG-046 SIG-047 each result holds every field, and the scan has best and all', () => {
    const { best, all } = scan.results;
    expect(best).toEqual(all.find(({ verdict }) => verdict.state !== 'refused') ?? null);
    const fields = ['symbol', 'interval', 'direction', 'confidence', 'price', 'stopLoss', 'takeProfit', 'riskLabel'];
    const ai = ['aiProposal', 'aiApproved', 'aiRationale', 'suggestedRiskMultiplier'];
    for (const row of all) {
      for (const field of [...fields, ...ai]) expect(row, field).toHaveProperty(field);
      expect(row['position']).toMatchObject({ qty: expect.any(Number) as number });
      expect(row['position']).toHaveProperty('liquidationApprox');
      expect(['LONG', 'SHORT']).toContain(row['direction']);
      expect(row['confidence']).toBeGreaterThan(0);
      expect(row['confidence']).toBeLessThanOrEqual(1);
    }
  });

  it('SIG-035 DATA-002 scans no more symbols than max_symbols, which is 100 unless it is set', async () => {
    expect(scan.params['maxSymbols']).toBe(100);
    expect(await read('/api/preferences')).toMatchObject({ max_symbols: 100 });
    expect((await send('PUT', '/api/preferences', { max_symbols: 1001 })).statusCode).toBe(400);
  });

  it('SIG-041 limits what may be opened to the positions wanted', () => {
    const eligible = scan.results.all.filter(({ outcome }) => outcome === 'ELIGIBLE');
    expect(eligible.length).toBeLessThanOrEqual(2);
    expect(new Set(eligible.map(({ symbol }) => symbol)).size).toBe(eligible.length);
  });

  it('SIG-006 SIG-038 SIG-039 SIG-051 FUND-033 DATA-032 X10 X40 X66 costs one credit that the ledger holds and captures, never below 0', async () => {
    const { entries, ...credits } = await read<{ entries: { kind: string; reason: string; delta_credits: number }[] }>(
      '/api/credits',
    );
    expect(credits).toMatchObject({ balance: 9, credits: 9, held: 0 });
    expect(entries.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['grant', 'hold', 'capture']));
    const drained = `update balances set credits = 0 where user_id = $1`;
    await test.database.asOwner(drained, [anna.id]);
    const rejected = await send('POST', '/api/scan', { symbols: ['BTCUSDT'] });
    expect(rejected.json()).toMatchObject({ code: 'insufficient_credits', message: 'Insufficient credits' });
    await expect(
      test.database.asOwner('update balances set credits = -1 where user_id = $1', [anna.id]),
    ).rejects.toThrow(/check/);
    await test.database.asOwner('update balances set credits = 9 where user_id = $1', [anna.id]);
  });

  it('DATA-009 the latest scan is read again with its parameters and results', async () => {
    expect(await read('/api/scan/last')).toEqual({ scan, active: null });
  });
});

describe('the AI check', () => {
  it('SIG-042 SIG-043 API-046 X40 judges each result separately, ten of a scan, included in its credit', async () => {
    const [first, second] = scan.results.all;
    const credits = await read<{ balance: number; entries: object[] }>('/api/credits');
    const left: number[] = [];
    for (const row of [first, second]) {
      const body = { scan_id: scan.scan_id, symbol: row?.symbol, interval: row?.interval };
      const response = await send('POST', '/api/signal/ai-check', body);
      expect([200, 409]).toContain(response.statusCode);
      const check = response.json<{ symbol: string; interval: string; checks_left: number }>();
      expect(check).toMatchObject({ symbol: row?.symbol, interval: row?.interval });
      left.push(check.checks_left);
    }
    expect(left).toEqual([9, 8]);
    const after = await read<{ balance: number; entries: object[] }>('/api/credits');
    expect([after.balance, after.entries]).toEqual([credits.balance, credits.entries]);
    const alone = await send('POST', '/api/signal/ai-check', { symbol: first?.symbol, interval: first?.interval });
    expect(alone.json()).toMatchObject({ status: 400, field: 'scan_id' });
  });

  it('TUNE-010 takes the tuning the scan was made with, and no other', async () => {
    const [row] = scan.results.all;
    const body = { scan_id: scan.scan_id, symbol: row?.symbol, interval: row?.interval };
    expect([200, 409]).toContain(
      (await send('POST', '/api/signal/ai-check', { ...body, tuning: scan.params['tuning'] })).statusCode,
    );
    const other = { ...(scan.params['tuning'] as object), adx: 1.5 };
    expect((await send('POST', '/api/signal/ai-check', { ...body, tuning: other })).json()).toMatchObject({
      status: 400,
      field: 'tuning',
    });
  });
});

describe('tuning', () => {
  it('TUNE-002 TUNE-004 TUNE-008 DATA-013 has eleven weights of 1 that are read and upserted per user', async () => {
    const eleven = ['adx', 'supertrend', 'ema_cross', 'sma_cross', 'pivot', 'vwap', 'mfi', 'donchian'];
    const ids = [...eleven, 'ich_align', 'ich_cloud', 'news'];
    expect([...tunableVotes].sort()).toEqual([...ids].sort());
    const { weights } = await read<{ weights: Record<string, number> }>('/api/tuning');
    expect(weights).toEqual(Object.fromEntries(ids.map((id) => [id, 1])));
    for (const mfi of [1.2, 0.8]) {
      const saved = await send('PUT', '/api/tuning', { weights: { mfi } });
      expect(saved.json()).toMatchObject({ weights: { ...weights, mfi } });
    }
  });

  it('TUNE-011 adjusts the weights that signals are scored by', async () => {
    const request = async (tuning: Record<string, number>) =>
      (await send('POST', '/api/futures-signal', { symbol: 'BTCUSDT', interval: '1h', tuning })).json<{
        hashes: { params: string; data: string };
        contributions: { vote: string; contribution: number }[];
        score: number;
      }>();
    const all = (value: number) => Object.fromEntries(tunableVotes.map((id) => [id, value]));
    const [low, high] = [await request(all(0.5)), await request(all(1.5))];
    expect(low.hashes.data).toBe(high.hashes.data);
    expect(low.hashes.params).not.toBe(high.hashes.params);
    expect(low.contributions).not.toEqual(high.contributions);
  });
});

describe('the market and signal calls', () => {
  it('API-005 API-006 a signal takes its fields, with 500 candles, 1000 USDT, medium and 10x by default', async () => {
    const base = { symbol: 'BTCUSDT', interval: '1h' };
    const written = { ...base, limit: 500, balance: 1000, riskTolerance: 'medium', leverage: 10 };
    const [short, long] = [
      await send('POST', '/api/futures-signal', base),
      await send('POST', '/api/futures-signal', written),
    ];
    const ageless = (text: string) => text.replace(/"data_age_ms":\d+/, '');
    expect(ageless(long.body)).toBe(ageless(short.body));
  });

  it('API-012 API-013 API-014 API-018 API-044 ensemble, history, performance and credits serve a signed-in user', async () => {
    expect(await read('/api/ensemble?symbol=BTCUSDT&intervals=15m,1h')).toMatchObject({ interval: '15m' });
    const history = await read<{ signals: object[] }>('/api/historic-signals');
    expect(history.signals.length).toBe(scan.results.all.length);
    type Engine = { signals: number; open: number; resolved: number; hit_rate: number | null };
    const { engine } = await read<{ engine: Engine }>('/api/performance');
    expect(engine.signals).toBe(history.signals.length);
    // The workers poll each minute: a signal of 15 minutes may have met its stop or its target by then.
    expect(engine.open + engine.resolved).toBe(engine.signals);
    expect(engine.hit_rate === null).toBe(engine.resolved === 0);
    expect(Object.keys(await read<object>('/api/credits'))).toEqual(
      expect.arrayContaining(['balance', 'credits', 'held', 'entries']),
    );
  });

  it('API-004 API-007 API-008 API-009 API-010 API-011 symbols, funding, prices, candles and indicators', async () => {
    const listed = await read<{ symbols: { symbol: string }[] }>('/api/futures-symbols');
    expect(listed.symbols.map(({ symbol }) => symbol)).toEqual(expect.arrayContaining(symbols));
    expect(await read('/api/funding?symbol=BTCUSDT')).toMatchObject({ symbol: 'BTCUSDT' });
    expect(await read('/api/price?symbol=BTCUSDT')).toMatchObject({ price: expect.any(Number) as number });
    const batch = await read<{ prices: { symbol: string }[] }>(`/api/price/batch?symbols=${symbols.join()}`);
    expect(batch.prices.map(({ symbol }) => symbol)).toEqual(symbols);
    const klines = await read<{ candles: { time: number[] } }>('/api/klines?symbol=BTCUSDT&interval=1h');
    expect(klines.candles.time).toHaveLength(200);
    const tooMany = '/api/klines?symbol=BTCUSDT&interval=1h&limit=1001';
    expect((await test.app.inject({ url: tooMany, headers: anna.bearer })).statusCode).toBe(400);
    const indicators = await send('POST', '/api/technical-indicators', { symbol: 'BTCUSDT', interval: '1h' });
    expect(indicators.json()).toMatchObject({ candle_count: 500 });
  });
});

it('keeps candidates for which the account is too small, with the rule of sizing that left no quantity', async () => {
  const { bearer: headers } = await test.signUp();
  // The smallest balance: no order of the exchange is so small that its stop loses less than 0.05 USDT.
  const payload = {
    symbols,
    intervals: ['15m', '1h', '4h'],
    limit: 500,
    balance: 10,
    leverage: 1,
    riskTolerance: 'low',
  };
  await test.app.inject({ method: 'PUT', url: '/api/preferences', headers, payload: { min_auto_conf_pct: 0 } });
  const sent = await test.app.inject({ method: 'POST', url: '/api/scan', headers, payload });
  const { scan_id: id } = sent.json<{ scan_id: string }>();
  const state = async () =>
    (await test.app.inject({ url: `/api/scan/${id}`, headers })).json<{ scan: Scan }>().scan.status;
  await vi.waitUntil(async () => !['queued', 'running'].includes(await state()), { timeout: 30_000 });
  expect(await state()).toBe('done');
  const listed = await test.app.inject({ url: `/api/scan/${id}/candidates`, headers });
  const { candidates } = listed.json<{ candidates: { outcome: string; filtered_by: string | null }[] }>();
  const rows = candidates.filter(({ outcome }) => outcome === 'ZERO_QTY');
  const rejections = ['margin_full', 'min_above_risk'];
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.filter(({ filtered_by: rule }) => !rejections.includes(rule ?? ''))).toEqual([]);
});
