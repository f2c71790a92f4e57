import { ok } from '@sextant/workers/src/core/result.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Market } from '../../../src/features/market/port.ts';
import { createFetchShare } from '../../../src/features/market/fetchShare.ts';
import { withPatience } from '../../../src/platform/readPriority.ts';
import { startTestExchanges, type TestExchanges } from '../../adapters/exchanges/support/testExchanges.ts';

describe('the share of a user', () => {
  it('is 120 fetches at once and two more each second; later ones wait for their slot', async () => {
    let nowMs = 0;
    const slept: number[] = [];
    const callerOf = createFetchShare(
      () => nowMs,
      (ms) => Promise.resolve(slept.push(ms)),
    );
    for (let i = 0; i < 12; i++) expect((await callerOf('anna').charge(10, 'binance')).ok).toBe(true);
    expect(slept).toEqual([]);
    expect((await callerOf('anna').charge(10, 'binance')).ok).toBe(true);
    expect((await callerOf('anna').charge(4, 'binance')).ok).toBe(true);
    // Two a second: ten more are there after 5 s, four more after 7 s.
    expect(slept).toEqual([5000, 7000]);
    expect((await callerOf('ben').charge(1, 'binance')).ok).toBe(true);
    nowMs += 7000;
    expect((await callerOf('anna').charge(2, 'binance')).ok).toBe(true);
    expect(slept).toEqual([5000, 7000, 1000]);
    expect((await callerOf(undefined).charge(1e9, 'binance')).ok).toBe(true);
  });

  it('is rejected when its slot is later than 12 s, or than the caller accepts; the error names exchange and time', async () => {
    const callerOf = createFetchShare(
      () => 0,
      () => Promise.resolve(),
    );
    await callerOf('anna').charge(120, 'okx');
    const rejection = { code: 'rate_limited', retryAfterS: 13, exchange: 'okx' };
    const message = 'Your queue for OKX is full. Try again in 13 s.';
    expect(await callerOf('anna').charge(26, 'okx')).toEqual({ ok: false, error: { ...rejection, message } });
    const impatient = await withPatience(2000, 'anna', () => callerOf('anna').charge(6, 'bybit'));
    expect(impatient).toMatchObject({ ok: false, error: { retryAfterS: 3, exchange: 'bybit' } });
    expect((await withPatience(3000, 'anna', () => callerOf('anna').charge(6, 'bybit'))).ok).toBe(true);
  });

  it('of a scan is 360 fetches at once and six more each second, separate from manual requests; it waits up to a minute', async () => {
    const slept: number[] = [];
    const callerOf = createFetchShare(
      () => 0,
      (ms) => Promise.resolve(slept.push(ms)),
    );
    expect((await callerOf('anna', 'scan').charge(360, 'binance')).ok).toBe(true);
    expect((await callerOf('anna', 'scan').charge(12, 'binance')).ok).toBe(true);
    expect(slept).toEqual([2000]);
    expect((await callerOf('anna').charge(120, 'binance')).ok).toBe(true);
    expect((await callerOf('ben', 'scan').charge(360, 'binance')).ok).toBe(true);
    expect((await callerOf('anna', 'scan').charge(348, 'binance')).ok).toBe(true);
    expect(slept).toEqual([2000, 60_000]);
    expect(await callerOf('anna', 'scan').charge(1, 'binance')).toMatchObject({
      ok: false,
      error: { code: 'rate_limited', retryAfterS: 61 },
    });
  });

  it('is four concurrent fetches, and a queue', async () => {
    const caller = createFetchShare(() => 0)('anna');
    let started = 0;
    const ends: (() => void)[] = [];
    const fetches = Array.from({ length: 6 }, () =>
      caller.inPlace(async () => {
        started += 1;
        await new Promise<void>((resolve) => ends.push(resolve));
        return ok(null);
      }),
    );
    await new Promise((resolve) => setImmediate(resolve));
    expect(started).toBe(4);
    for (let i = 0; i < 6; i++) {
      ends[i]?.();
      await fetches[i];
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(started).toBe(6);
  });
});

describe('windows that are not in memory', () => {
  let exchanges: TestExchanges;
  let market: Market;
  beforeAll(async () => {
    exchanges = await startTestExchanges();
    market = exchanges.market(exchanges.venues());
  });
  afterAll(() => exchanges.close());

  it('wait for the next slot of their user; cached windows stay free, and others are served', async () => {
    const latest = (userId: string) => market.candles({ symbol: 'BTCUSDT', interval: '1h', limit: 10, userId });
    const far = (userId: string, i: number) => {
      const endTimeMs = exchanges.clock.now() - (4000 + i * 20) * 3_600_000;
      return market.candles({ symbol: 'BTCUSDT', interval: '1h', limit: 10, endTimeMs, userId });
    };
    expect((await latest('anna')).ok).toBe(true);
    for (let i = 0; i < 119; i++) expect(await far('anna', i)).toMatchObject({ ok: true });
    expect(await withPatience(0, 'anna', () => far('anna', 119))).toMatchObject({
      ok: false,
      error: { code: 'rate_limited', exchange: 'binance' },
    });
    expect((await latest('anna')).ok).toBe(true);
    expect((await far('ben', 119)).ok).toBe(true);
    const funding = { symbol: 'ETHUSDT', sinceMs: 0, untilMs: 1 };
    expect(await withPatience(0, 'anna', () => market.fundingHistory({ ...funding, userId: 'anna' }))).toMatchObject({
      ok: false,
    });
    expect(await withPatience(0, 'anna', () => market.funding({ symbol: 'ETHUSDT', userId: 'anna' }))).toMatchObject({
      ok: false,
    });
    expect((await market.funding({ symbol: 'ETHUSDT', userId: 'ben' })).ok).toBe(true);
    expect((await market.funding({ symbol: 'ETHUSDT', userId: 'anna' })).ok).toBe(true);
  });
});
