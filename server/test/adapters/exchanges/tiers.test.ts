import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { LeverageTier } from '@sextant/workers/src/protocol/backtest.ts';
import { exchangeIds, startTestExchanges, type TestExchanges, testNowMs } from './support/testExchanges.ts';

let exchanges: TestExchanges;
beforeAll(async () => {
  exchanges = await startTestExchanges();
});
afterAll(() => exchanges.close());
afterEach(() => {
  exchanges.fake.limits.clear();
  exchanges.clock.set(testNowMs);
});

async function tiersOf(exchange: (typeof exchangeIds)[number], symbol: string, isKeyless = false) {
  const outcome = await exchanges.venues({ isKeyless }).byExchange[exchange].tiers(symbol);
  if (!outcome.ok) throw new Error(outcome.error.message);
  return outcome.value;
}

describe('leverage tiers', () => {
  it('of BTCUSDT on Binance are those it publishes: notional floors, maintenance and its deduction', async () => {
    const tiers = await tiersOf('binance', 'BTCUSDT');
    // 50,000 x (0.5 % - 0.4 %) is 50; 600,000 x (0.65 % - 0.5 %) more is 950.
    expect(tiers?.slice(0, 3)).toEqual([
      { notionalFloor: 0, maintenanceMarginFraction: 0.004, maintenanceAmount: 0, leverageMax: 125 },
      { notionalFloor: 50_000, maintenanceMarginFraction: 0.005, maintenanceAmount: 50, leverageMax: 100 },
      { notionalFloor: 600_000, maintenanceMarginFraction: 0.0065, maintenanceAmount: 950, leverageMax: 75 },
    ]);
  });

  it('of Binance are unknown without a key, and nothing is requested', async () => {
    const before = exchanges.fake.requests.all().length;
    expect(await tiersOf('binance', 'ETHUSDT', true)).toBeNull();
    const paths = exchanges.fake.requests
      .all()
      .slice(before)
      .map(({ path }) => path);
    expect(paths).not.toContain('/fapi/v1/leverageBracket');
  });

  it('of Binance are unknown with a key that it rejects', async () => {
    const binanceKey = { key: 'revoked', secret: 'revoked' };
    const outcome = await exchanges.venues({ binanceKey }).byExchange.binance.tiers('ETHUSDT');
    expect(outcome).toMatchObject({ ok: true, value: null });
  });

  it('of Bybit start at the end of the previous tier, and are fractions', async () => {
    const tiers = await tiersOf('bybit', 'BTCUSDT');
    expect(tiers?.map(({ notionalFloor }) => notionalFloor)).toEqual([0, 2_000_000, 4_000_000, 6_000_000, 8_000_000]);
    expect(tiers?.[0]).toMatchObject({ maintenanceMarginFraction: 0.004, maintenanceAmount: 0, leverageMax: 125 });
    // 2,000,000 x (0.8 % - 0.4 %)
    expect(tiers?.[1]).toMatchObject({ maintenanceMarginFraction: 0.008, maintenanceAmount: 8000, leverageMax: 62.5 });
  });

  it('of OKX are converted from contracts to USDT', async () => {
    const tiers = await tiersOf('okx', 'BTCUSDT');
    const listing = exchanges.fake.listings.okx.get('BTC-USDT-SWAP')!;
    const mark = exchanges.fake.market.quote(listing, testNowMs).mark;
    // 5,000 contracts of 0.01 BTC.
    expect(tiers?.[1]?.notionalFloor).toBeCloseTo(50 * mark, -2);
    expect(tiers?.[0]).toMatchObject({ notionalFloor: 0, maintenanceAmount: 0, leverageMax: 125 });
  });

  it('end at the largest position, with a row that has no leverage', async () => {
    const listing = exchanges.fake.listings.okx.get('BTC-USDT-SWAP')!;
    const { mark } = exchanges.fake.market.quote(listing, testNowMs);
    // Binance: notionalCap of the last bracket. Bybit: the last risk limit. OKX: 20,000 contracts of 0.01 BTC.
    const ends = { binance: 500_000_000, bybit: 8_000_000, okx: 200 * mark };
    for (const exchange of exchangeIds) {
      const tiers = (await tiersOf(exchange, 'BTCUSDT'))!;
      const [last, end] = tiers.slice(-2) as [LeverageTier, LeverageTier];
      expect(end.notionalFloor / ends[exchange]).toBeCloseTo(1, 4);
      expect(end).toEqual({ ...last, notionalFloor: end.notionalFloor, leverageMax: 0 });
    }
  });

  it.each(exchangeIds)('of %s are contiguous, and leverage falls as positions grow', async (exchange) => {
    for (const symbol of ['BTCUSDT', 'DOGEUSDT', 'ORDIUSDT']) {
      const tiers = (await tiersOf(exchange, symbol)) ?? [];
      expect(tiers.length).toBeGreaterThan(3);
      tiers.slice(1).forEach((tier, i) => {
        const before = tiers[i]!;
        expect(tier.leverageMax).toBeLessThanOrEqual(before.leverageMax);
        if (exchange === 'okx') return;
        const at = tier.notionalFloor;
        const below = at * before.maintenanceMarginFraction - before.maintenanceAmount;
        expect(at * tier.maintenanceMarginFraction - tier.maintenanceAmount).toBeCloseTo(below, -1);
      });
    }
  });
});
