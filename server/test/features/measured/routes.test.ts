import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { probeHealth } from '../../../src/features/measured/healthProbe.ts';
import type { Market } from '../../../src/features/market/port.ts';
import { ok, refuse } from '../../../src/platform/errors.ts';
import { refusalError } from '../../../src/platform/http/refusalError.ts';
import { createTestApp, type TestApp } from '../../support/createTestApp.ts';

const minuteMs = 60_000;
const start = Date.UTC(2026, 5, 1, 12);
/** Time the shared answer of the route is over. */
let nowMs = start;
let hasSymbols = true;
let test: TestApp;

const symbol = { base: 'BTC', tickSize: 0.1, stepSize: 0.001, minNotional: 5, maxLeverage: 125, listedAtMs: null };
const symbols: Market['symbols'] = () =>
  Promise.resolve(
    hasSymbols
      ? ok({
          exchange: 'binance',
          fetchedAtMs: start - 5000,
          value: [
            { ...symbol, symbol: 'BTCUSDT', status: 'trading' as const },
            { ...symbol, symbol: 'OLDUSDT', status: 'halted' as const },
          ],
        })
      : refuse('upstream_unavailable', 'Binance did not answer.'),
  );

beforeAll(async () => {
  test = await createTestApp({ deps: { now: () => nowMs, externalStatus: { status: () => 'ok' } } });
  test.deps.market.symbols = symbols;
});
afterAll(() => test.close());
beforeEach(() => {
  nowMs += 24 * 60 * minuteMs;
  hasSymbols = true;
});

interface Answer {
  symbols: unknown;
  latency: { count: number; p50Ms: number | null; p95Ms: number | null };
  uptime: { fraction: number; upMinutes: number; minutes: number; from: string } | null;
}
const measured = async () => (await test.app.inject({ url: '/api/measured' })).json<Answer>();
const probe = (atMs: number) => probeHealth(test.deps, atMs);

describe('GET /api/measured', () => {
  it('counts the symbols that are trading, and says where and when', async () => {
    expect(await measured()).toMatchObject({
      market: 'simulated',
      symbols: { count: 1, exchange: 'binance', at: new Date(start - 5000).toISOString() },
    });
  });

  it('has no symbols when the exchange does not give them, and answers all the same', async () => {
    hasSymbols = false;
    expect((await measured()).symbols).toBeNull();
  });

  it('times the answers with market data, leaves refusals out, and shows nothing below twenty', async () => {
    const before = (await measured()).latency.count;
    for (let i = 0; i < 19; i++) expect((await test.app.inject({ url: '/api/futures-symbols' })).statusCode).toBe(200);
    for (let i = 0; i < 5; i++) await test.app.inject({ url: '/api/price' });
    await test.app.inject({ url: '/api/health' });
    nowMs += minuteMs;
    const few = (await measured()).latency;
    expect(few).toMatchObject({ count: before + 19, p50Ms: null, p95Ms: null });
    await test.app.inject({ url: '/api/futures-symbols' });
    nowMs += minuteMs;
    const { p50Ms, p95Ms } = (await measured()).latency;
    expect(p50Ms).toBeGreaterThan(0);
    expect(p95Ms).toBeGreaterThanOrEqual(p50Ms!);
  });

  it('counts a minute without a stored check as down', async () => {
    await test.database.asOwner('delete from health_checks');
    const first = Math.floor(nowMs / minuteMs) * minuteMs;
    expect((await measured()).uptime).toBeNull();
    // Checked in minutes 0, 1 and 3, twice in the last; nothing in minute 2.
    for (const at of [0, 1, 3, 3.5]) await probe(first + at * minuteMs);
    nowMs = first + 4 * minuteMs + 1000;
    expect((await measured()).uptime).toEqual({
      ...{ fraction: 0.75, upMinutes: 3, minutes: 4 },
      from: new Date(first).toISOString(),
    });
  });

  it('counts a minute as up when one of two nodes saw the database', async () => {
    await test.database.asOwner('delete from health_checks');
    const first = Math.floor(nowMs / minuteMs) * minuteMs;
    const blind = { ...test.deps, pingDatabase: () => Promise.reject(refusalError('database_unavailable')) };
    await probeHealth(blind, first);
    await probe(first);
    await probe(first + minuteMs);
    await probeHealth(blind, first + minuteMs);
    await probeHealth(blind, first + 2 * minuteMs);
    nowMs = first + 3 * minuteMs;
    expect((await measured()).uptime).toMatchObject({ upMinutes: 2, minutes: 3 });
  });

  it('forgets checks after ninety days, and counts the last thirty', async () => {
    await test.database.asOwner('delete from health_checks');
    const old = Math.floor(nowMs / minuteMs) * minuteMs;
    await probe(old);
    nowMs = old + 40 * 24 * 60 * minuteMs;
    expect((await measured()).uptime).toBeNull();
    await probe(old + 91 * 24 * 60 * minuteMs);
    expect(await test.database.asOwner('select minute from health_checks')).toHaveLength(1);
  });
});
