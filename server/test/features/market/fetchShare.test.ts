import { ok } from '@sextant/workers/src/result.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Market } from '../../../src/features/market/port.ts';
import { createFetchShare } from '../../../src/features/market/fetchShare.ts';
import { startTestExchanges, type TestExchanges } from '../../adapters/exchanges/support/testExchanges.ts';

describe('the share of a user', () => {
  it('is 120 fetches at once and two more each second; the refusal says how long to wait', () => {
    let nowMs = 0;
    const callerOf = createFetchShare(() => nowMs);
    for (let i = 0; i < 12; i++) expect(callerOf('anna').charge(10).ok).toBe(true);
    expect(callerOf('anna').charge(10)).toMatchObject({
      ok: false,
      error: { code: 'rate_limited', retryAfterS: 5 },
    });
    expect(callerOf('ben').charge(1).ok).toBe(true);
    nowMs += 5000;
    expect(callerOf('anna').charge(10).ok).toBe(true);
    expect(callerOf('anna').charge(1).ok).toBe(false);
    expect(callerOf(undefined).charge(1e9).ok).toBe(true);
  });

  it('of a scan is 360 fetches at once and six more each second, apart from what is asked by hand', () => {
    let nowMs = 0;
    const callerOf = createFetchShare(() => nowMs);
    expect(callerOf('anna', 'scan').charge(360).ok).toBe(true);
    expect(callerOf('anna', 'scan').charge(12)).toMatchObject({
      ok: false,
      error: { code: 'rate_limited', retryAfterS: 2 },
    });
    expect(callerOf('anna').charge(120).ok).toBe(true);
    expect(callerOf('ben', 'scan').charge(360).ok).toBe(true);
    nowMs += 2000;
    expect(callerOf('anna', 'scan').charge(12).ok).toBe(true);
    expect(callerOf('anna', 'scan').charge(1).ok).toBe(false);
  });

  it('is four fetches under way at the same time, and a queue', async () => {
    const caller = createFetchShare(() => 0)('anna');
    let begun = 0;
    const ends: (() => void)[] = [];
    const fetches = Array.from({ length: 6 }, () =>
      caller.inPlace(async () => {
        begun += 1;
        await new Promise<void>((resolve) => ends.push(resolve));
        return ok(null);
      }),
    );
    await new Promise((resolve) => setImmediate(resolve));
    expect(begun).toBe(4);
    for (let i = 0; i < 6; i++) {
      ends[i]?.();
      await fetches[i];
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(begun).toBe(6);
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

  it('end for who has used up a share; what is in memory stays free, and others are served', async () => {
    const latest = (userId: string) => market.candles({ symbol: 'BTCUSDT', interval: '1h', limit: 10, userId });
    const far = (userId: string, i: number) => {
      const endTimeMs = exchanges.clock.now() - (4000 + i * 20) * 3_600_000;
      return market.candles({ symbol: 'BTCUSDT', interval: '1h', limit: 10, endTimeMs, userId });
    };
    expect((await latest('anna')).ok).toBe(true);
    for (let i = 0; i < 119; i++) expect(await far('anna', i)).toMatchObject({ ok: true });
    expect(await far('anna', 119)).toMatchObject({ ok: false, error: { code: 'rate_limited' } });
    expect((await latest('anna')).ok).toBe(true);
    expect((await far('ben', 119)).ok).toBe(true);
    const funding = { symbol: 'ETHUSDT', sinceMs: 0, untilMs: 1 };
    expect(await market.fundingHistory({ ...funding, userId: 'anna' })).toMatchObject({ ok: false });
    expect(await market.funding({ symbol: 'ETHUSDT', userId: 'anna' })).toMatchObject({ ok: false });
    expect((await market.funding({ symbol: 'ETHUSDT', userId: 'ben' })).ok).toBe(true);
    expect((await market.funding({ symbol: 'ETHUSDT', userId: 'anna' })).ok).toBe(true);
  });
});
