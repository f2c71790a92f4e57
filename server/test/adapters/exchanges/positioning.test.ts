import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { FaultRule } from '../../../fakes/exchanges/faults.ts';
import { longShortRatioOf, openInterestOf } from '../../../fakes/exchanges/market/positioning.ts';
import { mapLimited } from '../../../src/platform/mapLimited.ts';
import { exchangeIds, startTestExchanges, type TestExchanges, testNowMs } from './support/testExchanges.ts';

let exchanges: TestExchanges;
beforeAll(async () => {
  exchanges = await startTestExchanges();
});
afterAll(() => exchanges.close());
afterEach(() => {
  exchanges.fake.faults.clear();
  exchanges.fake.limits.clear();
  exchanges.fake.requests.clear();
  exchanges.clock.set(testNowMs);
});

const ids = { binance: 'BTCUSDT', bybit: 'BTCUSDT', okx: 'BTC-USDT-SWAP' };
const listingOf = (exchange: keyof typeof ids) => {
  const listing = exchanges.fake.listings[exchange].get(ids[exchange]);
  if (listing === undefined) throw new Error('the fake lists it');
  return listing;
};
const MINUTES_5 = 5 * 60_000;

describe.each(exchangeIds)('positioning on %s', (exchange) => {
  it('DESK-125 open interest is in coins, with the time of the exchange', async () => {
    const read = await exchanges.venues().byExchange[exchange].openInterest('BTCUSDT');
    if (!read.ok) throw new Error(read.error.message);
    // The market of the fake states coins; OKX sends contracts of 0.01 BTC with two decimals.
    expect(read.value.quantity).toBeCloseTo(openInterestOf(listingOf(exchange), testNowMs), 1);
    expect(read.value).toMatchObject({ symbol: 'BTCUSDT', atMs: testNowMs });
  });

  it('DESK-125 series are oldest first, at the timestamps of the exchange', async () => {
    const venue = exchanges.venues().byExchange[exchange];
    const [interest, ratios] = [
      await venue.openInterestSeries({ symbol: 'BTCUSDT', interval: '5m' }),
      await venue.longShortSeries({ symbol: 'BTCUSDT', interval: '5m' }),
    ];
    if (!interest.ok || !ratios.ok) throw new Error('both are served');
    const newest = Math.floor(testNowMs / MINUTES_5) * MINUTES_5;
    for (const { time } of [interest.value, ratios.value]) {
      expect(time.length).toBeGreaterThanOrEqual(100);
      expect(time.at(-1)).toBe(newest);
      expect(time.every((at, i) => i === 0 || at - (time[i - 1] ?? 0) === MINUTES_5)).toBe(true);
    }
    expect(interest.value.quantity.at(-1)).toBeCloseTo(openInterestOf(listingOf(exchange), newest), 1);
    expect(interest.value.quantity.at(0)).toBeCloseTo(
      openInterestOf(listingOf(exchange), interest.value.time[0] ?? 0),
      1,
    );
    // Bybit sends both shares with four decimals.
    expect(ratios.value.ratio.at(-1)).toBeCloseTo(longShortRatioOf(listingOf(exchange), newest), 2);
  });

  it('DESK-125 each interval of the charts has its points', async () => {
    const venue = exchanges.venues().byExchange[exchange];
    const spans = { '15m': 15, '1h': 60, '4h': 240, '1d': 1440 } as const;
    for (const [interval, minutes] of Object.entries(spans) as [keyof typeof spans, number][]) {
      const read = await venue.openInterestSeries({ symbol: 'BTCUSDT', interval });
      if (!read.ok) throw new Error(read.error.message);
      const [before = 0, last = 0] = read.value.time.slice(-2);
      expect(last - before, interval).toBe(minutes * 60_000);
    }
  });

  it('DESK-125 an unusable response is an error and never a figure', async () => {
    const venue = exchanges.venues().byExchange[exchange];
    await venue.symbols();
    for (const fault of ['halfJson', 'htmlWithOk', 'serverError'] as const) {
      exchanges.fake.faults.add(FaultRule.parse({ fault, venue: exchange }));
      for (const read of [
        await venue.openInterest('BTCUSDT'),
        await venue.longShortSeries({ symbol: 'BTCUSDT', interval: '5m' }),
      ])
        expect(read, fault).toMatchObject({ ok: false, error: { code: 'upstream_unavailable' } });
      exchanges.fake.faults.clear();
      exchanges.clock.advance(120_000);
    }
    expect(await venue.openInterest('NOPEUSDT')).toMatchObject({ ok: false, error: { code: 'symbol_unknown' } });
  });

  it('DESK-126 forty symbols stay within every limit, and are read once a minute at most', async () => {
    const market = exchanges.market(exchanges.venues());
    const listed = await market.symbols({ exchange });
    if (!listed.ok) throw new Error(listed.error.message);
    const symbols = listed.value.value.filter(({ status }) => status === 'trading').slice(0, 40);
    exchanges.fake.requests.clear();
    // Three at a time, as the route reads them.
    const readAll = () =>
      mapLimited(symbols, 3, async ({ symbol }) => [
        (await market.openInterest({ exchange, symbol })).ok,
        (await market.longShortSeries({ exchange, symbol, interval: '5m' })).ok,
      ]);
    const first = await readAll();
    expect(first.flat()).toEqual(first.flat().map(() => true));
    const sent = exchanges.fake.requests.all();
    expect(sent.filter(({ status }) => status !== 200)).toEqual([]);
    exchanges.fake.requests.clear();
    await readAll();
    // OKX takes 5 ratios in 2 s: reading forty lasts longer than a minute counts as fresh.
    if (exchange !== 'okx') expect(exchanges.fake.requests.all()).toEqual([]);
    expect(exchanges.fake.requests.all().filter(({ status }) => status !== 200)).toEqual([]);
  });
});

describe('the statistics of Binance', () => {
  it('DESK-126 have their own limit of 1,000 requests in 5 minutes, of which 800 are used', async () => {
    const venue = exchanges.venues().byExchange.binance;
    await venue.symbols();
    exchanges.fake.requests.clear();
    const startMs = exchanges.clock.now();
    await Promise.all(Array.from({ length: 850 }, () => venue.longShortSeries({ symbol: 'BTCUSDT', interval: '5m' })));
    const sent = exchanges.fake.requests.all().filter(({ path }) => path.startsWith('/futures/data/'));
    expect(sent.filter(({ atMs }) => atMs < startMs + 300_000).length).toBeLessThanOrEqual(800);
    expect(sent.filter(({ status }) => status !== 200)).toEqual([]);
  });
});
