import { ok } from '@sextant/workers/src/core/result.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { probeHealth, startHealthProbe } from '../../../../src/features/status/measured/healthProbe.ts';
import { noneLeftOut } from '../../../../src/adapters/exchanges/universe.ts';
import type { Market } from '../../../../src/features/market/port.ts';
import { reject } from '../../../../src/platform/errors.ts';
import { rejectionError } from '../../../../src/platform/http/rejectionError.ts';
import { createTestApp, type TestApp } from '../../../support/createTestApp.ts';

const minuteMs = 60_000;
const start = Date.UTC(2026, 5, 1, 12);
/** Clock of the app: advancing it expires the cached response of the route. */
let nowMs = start;
let hasSymbols = true;
let test: TestApp;

const symbol = {
  base: 'BTC',
  tickSize: 0.1,
  stepSize: 0.001,
  minNotional: 5,
  maxQuantity: null,
  maxLeverage: 125,
  listedAtMs: null,
  fundingHours: null,
};
const symbols: Market['symbols'] = () =>
  Promise.resolve(
    hasSymbols
      ? ok({
          exchange: 'binance',
          fetchedAtMs: start - 5000,
          leftOut: noneLeftOut(),
          value: [
            { ...symbol, symbol: 'BTCUSDT', status: 'trading' as const },
            { ...symbol, symbol: 'OLDUSDT', status: 'halted' as const },
          ],
        })
      : reject('upstream_unavailable', 'Binance did not respond.'),
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

interface ResponseBody {
  symbols: unknown;
  latency: { count: number; p50Ms: number | null; p95Ms: number | null };
  uptime: { fraction: number; upMinutes: number; minutes: number; from: string } | null;
}
const measured = async () => (await test.app.inject({ url: '/api/measured' })).json<ResponseBody>();
const probe = (atMs: number) => probeHealth(test.deps, atMs);

describe('the health of the service', () => {
  it('NFR-011 is recorded by the server itself, with no page open and no request', async () => {
    const count = async (): Promise<number> =>
      (await test.database.asOwner<{ n: number }>('select count(*)::int as n from health_checks'))[0]?.n ?? 0;
    await test.database.asOwner('delete from health_checks');
    const failures: unknown[] = [];
    const stop = startHealthProbe(test.deps, (failure) => failures.push(failure));
    await expect.poll(count).toBe(1);
    stop();
    expect(failures).toEqual([]);
    await test.database.asOwner('delete from health_checks');
  });
});

describe('GET /api/measured', () => {
  it('counts the symbols that are trading, and says where and when', async () => {
    expect(await measured()).toMatchObject({
      market: 'simulated',
      symbols: { count: 1, exchange: 'binance', at: new Date(start - 5000).toISOString() },
    });
  });

  it('has no symbols when the exchange does not return them, and still responds', async () => {
    hasSymbols = false;
    expect((await measured()).symbols).toBeNull();
  });

  it('times the responses with market data, excludes errors, and shows nothing below twenty', async () => {
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

  const dayMinutes = 24 * 60;
  /** Good checks of all minutes from..to, in minutes from `first`. */
  const store = (first: number, from: number, to: number) =>
    test.database.asOwner(
      `insert into health_checks (minute, status, message, external_api_status)
       select to_timestamp($1::double precision / 1000) + n * interval '1 minute', 'ok', 'good', 'ok'
       from generate_series($2::int, $3::int) n`,
      [first, from, to - 1],
    );

  it('shows no uptime before a whole day has been measured', async () => {
    await test.database.asOwner('delete from health_checks');
    const first = Math.floor(nowMs / minuteMs) * minuteMs;
    await store(first, 0, 6);
    nowMs = first + 19 * minuteMs;
    expect((await measured()).uptime).toBeNull();
    nowMs = first + (dayMinutes - 1) * minuteMs;
    expect((await measured()).uptime).toBeNull();
    nowMs = first + dayMinutes * minuteMs;
    expect((await measured()).uptime).toEqual({
      fraction: 6 / dayMinutes,
      upMinutes: 6,
      minutes: dayMinutes,
      from: new Date(first).toISOString(),
    });
  });

  it('reports the longest of 24 hours, 7 days and 30 days that has been measured completely', async () => {
    await test.database.asOwner('delete from health_checks');
    const first = Math.floor(nowMs / minuteMs) * minuteMs;
    // Good from the first minute of each day on but for half of the eighth day; the first check is the oldest one.
    await store(first, 0, 7.5 * dayMinutes);
    nowMs = first + (7 * dayMinutes - 1) * minuteMs;
    expect((await measured()).uptime).toMatchObject({ upMinutes: dayMinutes, minutes: dayMinutes });
    nowMs = first + 8 * dayMinutes * minuteMs;
    expect((await measured()).uptime).toMatchObject({ upMinutes: 6.5 * dayMinutes, minutes: 7 * dayMinutes });
    nowMs = first + 31 * dayMinutes * minuteMs;
    expect((await measured()).uptime).toMatchObject({ upMinutes: 6.5 * dayMinutes, minutes: 30 * dayMinutes });
  });

  it('counts minutes without a stored check as down, but for a single missed one', async () => {
    await test.database.asOwner('delete from health_checks');
    const first = Math.floor(nowMs / minuteMs) * minuteMs;
    // Checked in minutes 0, 1 and 3, twice in the last; nothing in minute 2 nor after.
    for (const at of [0, 1, 3, 3.5]) await probe(first + at * minuteMs);
    nowMs = first + dayMinutes * minuteMs;
    expect((await measured()).uptime).toMatchObject({ upMinutes: 3, minutes: dayMinutes - 1 });
  });

  it('counts a minute as up when one of two nodes saw the database', async () => {
    await test.database.asOwner('delete from health_checks');
    const first = Math.floor(nowMs / minuteMs) * minuteMs;
    const blind = { ...test.deps, pingDatabase: () => Promise.reject(rejectionError('database_unavailable')) };
    await probeHealth(blind, first);
    await probe(first);
    await probe(first + minuteMs);
    await probeHealth(blind, first + minuteMs);
    await probeHealth(blind, first + 2 * minuteMs);
    nowMs = first + dayMinutes * minuteMs;
    expect((await measured()).uptime).toMatchObject({ upMinutes: 2, minutes: dayMinutes });
  });

  it('deletes checks after ninety days, and counts the last thirty', async () => {
    await test.database.asOwner('delete from health_checks');
    const old = Math.floor(nowMs / minuteMs) * minuteMs;
    await probe(old);
    nowMs = old + 40 * 24 * 60 * minuteMs;
    expect((await measured()).uptime).toMatchObject({ upMinutes: 0, minutes: 30 * 24 * 60 });
    await probe(old + 91 * 24 * 60 * minuteMs);
    expect(await test.database.asOwner('select minute from health_checks')).toHaveLength(1);
  });
});
