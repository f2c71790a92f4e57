import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { exchangeIds, startTestExchanges, type TestExchanges, testNowMs } from './support/testExchanges.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
let exchanges: TestExchanges;
beforeAll(async () => {
  exchanges = await startTestExchanges();
});
afterAll(() => exchanges.close());
afterEach(() => {
  exchanges.fake.limits.clear();
  exchanges.clock.set(testNowMs);
});

describe.each(exchangeIds)('funding history of %s', (exchange) => {
  // A page holds 1,000 on Binance, 200 on Bybit, 100 on OKX.
  it.each([1, 30, 400])(
    'of %i days is complete over all its pages, each funding once with its own stamp',
    async (days) => {
      const venue = exchanges.venues().byExchange[exchange];
      const [sinceMs, untilMs] = [testNowMs - days * DAY, testNowMs];
      const found = await venue.fundingHistory({ symbol: 'BTCUSDT', sinceMs, untilMs });
      if (!found.ok) throw new Error(found.error.message);
      const { time, rate } = found.value;
      const listing = exchanges.fake.listings[exchange].get(exchange === 'okx' ? 'BTC-USDT-SWAP' : 'BTCUSDT')!;
      const settled = Array.from(
        { length: days * 3 },
        (_, i) => Math.floor(untilMs / (8 * HOUR)) * 8 * HOUR - i * 8 * HOUR,
      ).reverse();
      expect(Array.from(time, (atMs) => Math.floor(atMs / HOUR) * HOUR)).toEqual(settled);
      rate.forEach((each, i) =>
        expect(each).toBeCloseTo(exchanges.fake.market.fundingRate(listing, settled[i]!, untilMs), 12),
      );
    },
  );

  it('keeps to the span that was asked for', async () => {
    const venue = exchanges.venues().byExchange[exchange];
    const [sinceMs, untilMs] = [Date.UTC(2025, 0, 10, 0, 1), Date.UTC(2025, 0, 12, 0, 1)];
    const found = await venue.fundingHistory({ symbol: 'ETHUSDT', sinceMs, untilMs });
    if (!found.ok) throw new Error(found.error.message);
    expect(found.value.time).toHaveLength(6);
    expect(found.value.time[0]).toBeGreaterThanOrEqual(sinceMs);
    expect(found.value.time.at(-1)).toBeLessThanOrEqual(untilMs);
  });

  it('knows the interval of a symbol that pays every four hours, and of one that pays every eight', async () => {
    const venue = exchanges.venues().byExchange[exchange];
    const [four, eight] = [await venue.funding('MOVEUSDT'), await venue.funding('BTCUSDT')];
    expect(four).toMatchObject({ ok: true, value: { intervalHours: 4, nextFundingAtMs: Date.UTC(2025, 2, 14, 12) } });
    expect(eight).toMatchObject({ ok: true, value: { intervalHours: 8, nextFundingAtMs: Date.UTC(2025, 2, 14, 16) } });
  });
});
