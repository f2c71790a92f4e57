import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { FaultRule } from '../../../fakes/exchanges/faults.ts';
import type { PositioningRowWire } from '../../../src/features/positioning/contract.ts';
import { readPositioningRows, readPositioningSeries } from '../../../src/features/positioning/readPositioning.ts';
import { startTestExchanges, type TestExchanges, testNowMs } from '../../adapters/exchanges/support/testExchanges.ts';
import { createTestApp, type TestApp } from '../../support/createTestApp.ts';

let exchanges: TestExchanges;
beforeAll(async () => {
  exchanges = await startTestExchanges();
});
afterAll(() => exchanges.close());
afterEach(() => {
  exchanges.fake.faults.clear();
  exchanges.clock.set(testNowMs);
});

const caller = { exchange: 'binance', userId: 'anna', signal: new AbortController().signal } as const;

describe('positioning of the watch list', () => {
  it('DESK-125 DESK-127 has open interest in coins and USDT, the ratio and the next funding, each with its time', async () => {
    const market = exchanges.market(exchanges.venues());
    const { rows, failures } = await readPositioningRows({ market }, ['BTCUSDT', 'ETHUSDT'], caller);
    expect(failures).toEqual([]);
    expect(rows.map(({ symbol }) => symbol)).toEqual(['BTCUSDT', 'ETHUSDT']);
    const prices = await market.prices({ symbols: ['BTCUSDT'] });
    const last = prices.ok ? (prices.value.value[0]?.last ?? 0) : 0;
    const [btc] = rows as [PositioningRowWire];
    expect(btc.open_interest_usdt).toBeCloseTo((btc.open_interest ?? 0) * last, 2);
    expect(btc.open_interest_at).toBe(new Date(testNowMs).toISOString());
    // Of 10:07:30 the newest five minutes are those of 10:05, and the next funding is at 16:00.
    expect(btc.long_short_at).toBe('2025-03-14T10:05:00.000Z');
    expect(btc.next_funding_at).toBe('2025-03-14T16:00:00.000Z');
  });

  it('DESK-125 what an exchange does not provide is null with the reason; nothing at all is an error', async () => {
    const market = exchanges.market(exchanges.venues());
    const partly = await readPositioningRows({ market }, ['BTCUSDT', 'NOPEUSDT'], caller);
    expect(partly.rows[1]).toMatchObject({ symbol: 'NOPEUSDT', open_interest: null, long_short_ratio: null });
    expect(partly.failures.join()).toMatch(/does not trade NOPEUSDT/);
    expect(partly.firstError).toBeUndefined();
    exchanges.fake.faults.add(FaultRule.parse({ fault: 'serverError', venue: 'binance', endpoint: 'positioning' }));
    const other = exchanges.market(exchanges.venues());
    const failed = await readPositioningRows({ market: other }, ['BTCUSDT'], caller);
    expect(failed.firstError).toMatchObject({ code: 'upstream_unavailable' });
    const series = await readPositioningSeries({ market: other }, { symbol: 'BTCUSDT', interval: '1h' }, caller);
    expect(series.firstError).toMatchObject({ code: 'upstream_unavailable' });
  });
});

describe('the routes', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await createTestApp();
  });
  afterAll(() => test.close());

  it('DESK-125 reject what they cannot read with the field', async () => {
    const { bearer: headers } = await test.signUp();
    for (const [path, field] of [
      ['?symbols=', 'symbols'],
      [`?symbols=${Array.from({ length: 41 }, (_, i) => `A${i}USDT`).join(',')}`, 'symbols'],
      ['?symbols=BTCUSDT&exchange=kraken', 'exchange'],
      ['/BTCUSDT?interval=2h', 'interval'],
    ] as const) {
      const response = await test.app.inject({ url: `/api/market/positioning${path}`, headers });
      expect(response.statusCode, path).toBe(400);
      expect(response.json<{ field: string }>().field, path).toMatch(new RegExp(`^${field}`));
    }
    expect((await test.app.inject({ url: '/api/market/positioning?symbols=BTCUSDT' })).statusCode).toBe(401);
  });
});
