import { instantiate } from '@sextant/workers/src/engine/engine.ts';
import { loadModule } from '@sextant/workers/src/node/loadModule.ts';
import { describe, expect, it } from 'vitest';
import { findOpportunities } from '../../../src/features/arbitrage/findOpportunities.ts';
import { takerFeesOf } from '../../../src/features/arbitrage/takerFees.ts';
import type { ExchangeId, Market } from '../../../src/features/market/port.ts';
import { reject } from '../../../src/platform/errors.ts';

const nowMs = Date.UTC(2026, 0, 5);

/** Binance sells at 1,000; the bids of OKX, one coin each, are given. Fundings and books are not known. */
async function scan(bids: readonly number[], funding?: Partial<Record<ExchangeId, number>>) {
  const coins = bids.map((_, i) => `C${i}A`);
  const listing = (coin: string) => ({
    symbol: `${coin}USDT`,
    base: coin,
    tickSize: 0.01,
    stepSize: 0.001,
    minNotional: 5,
    maxQuantity: null,
    maxLeverage: null,
    listedAtMs: null,
    status: 'trading' as const,
    fundingHours: 8,
  });
  const top = (exchange: ExchangeId, symbol: string) => {
    const bid = exchange === 'binance' ? 999 : (bids[coins.indexOf(symbol.slice(0, -4))] ?? NaN);
    return {
      symbol,
      bid,
      ask: exchange === 'binance' ? 1000 : bid + 1,
      atMs: nowMs,
      receivedAtMs: nowMs,
      source: 'stream' as const,
      fundingRate: funding?.[exchange] ?? null,
      nextFundingAtMs: funding === undefined ? null : nowMs + 3_600_000,
      fundingIntervalHours: 8,
    };
  };
  const market: Pick<Market, 'symbols' | 'tops' | 'orderBook'> = {
    symbols: ({ exchange = 'binance' } = {}) =>
      Promise.resolve({
        ok: true,
        value: { exchange, fetchedAtMs: nowMs, value: coins.map(listing), leftOut: {} as never },
      }),
    tops: ({ exchange = 'binance', symbols }) =>
      Promise.resolve({ ok: true, value: symbols.map((symbol) => top(exchange, symbol)) }),
    orderBook: () => Promise.resolve(reject('upstream_unavailable', 'no book')),
  };
  const kernel = instantiate((await loadModule()).module);
  const outcome = await findOpportunities(
    { market, kernel: () => kernel, now: () => nowMs },
    {
      symbols: coins.map((coin) => `${coin}USDT`),
      minSpreadPct: 0,
      notionalUsdt: 1000,
      exchanges: ['binance', 'okx'],
      maxCount: 100,
      holdHours: 8,
      takerFees: takerFeesOf(),
    },
    { userId: 'somebody', signal: AbortSignal.timeout(60_000), onProgress: () => Promise.resolve() },
  );
  if (!outcome.ok) throw new Error(outcome.error.message);
  return outcome.value;
}

describe('thresholds of spreads', () => {
  it.each([
    [1005, 0.5, 'high'],
    [1004.9, 0.49, 'medium'],
    [1002, 0.2, 'medium'],
    [1001.9, 0.19, 'low'],
  ] as const)('ARB-015 CONST-027 X47 a bid of %d against an ask of 1,000 is %d %%: %s', async (bid, pct, badge) => {
    const { items } = await scan([bid]);
    expect(items).toMatchObject([{ badge, spreadPct: expect.closeTo(pct, 9) as number }]);
  });

  it.each([
    [[1005], 'MEDIUM'],
    [[1005.1], 'HIGH'],
    [[1002], 'LOW'],
    [[1002.1], 'MEDIUM'],
    // The average counts: 0.3 % of 0.1 % and 0.5 %.
    [[1001, 1005], 'MEDIUM'],
    [[1001, 1002], 'LOW'],
  ] as const)('ARB-016 CONST-027 X47 an average of bids %j is %s', async (bids, riskLevel) => {
    expect((await scan(bids)).riskLevel).toBe(riskLevel);
  });

  it('subtracts funding that is paid from the net, and never adds what would be received', async () => {
    const [free] = (await scan([1010])).items;
    const [paid] = (await scan([1010], { binance: 0.0003, okx: 0.0001 })).items;
    const [received] = (await scan([1010], { binance: -0.0003, okx: 0.0001 })).items;
    // Four fees of 0.05 % of 1,000 and 1,010, and of the middle twice.
    const fees = 0.0005 * (1000 + 1010) + 0.001 * 1005;
    expect(free!.netAtBestPricesPct).toBeCloseTo(((10 - fees) / 1000) * 100, 9);
    expect(paid!.netAtBestPricesPct).toBeCloseTo(((10 - fees - 0.0002 * 1005) / 1000) * 100, 9);
    expect(received!.netAtBestPricesPct).toBe(free!.netAtBestPricesPct);
  });
});
