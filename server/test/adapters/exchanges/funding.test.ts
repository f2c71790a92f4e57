import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { FaultRule } from '../../../fakes/exchanges/faults.ts';
import type { CcxtFunding } from '../../../src/adapters/exchanges/ccxtClient.ts';
import type { VenueContext } from '../../../src/adapters/exchanges/context.ts';
import { readFundingHistory } from '../../../src/adapters/exchanges/funding.ts';
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
    'of %i days is complete over all pages, each funding once with its own timestamp',
    async (days) => {
      const venue = exchanges.venues().byExchange[exchange];
      const [sinceMs, untilMs] = [testNowMs - days * DAY, testNowMs];
      const outcome = await venue.fundingHistory({ symbol: 'BTCUSDT', sinceMs, untilMs });
      if (!outcome.ok) throw new Error(outcome.error.message);
      const { time, rate } = outcome.value;
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

  it('reports each page it requests', async () => {
    const venue = exchanges.venues().byExchange[exchange];
    // Three fundings a day; a page holds 1,000 on Binance, 200 on Bybit, 100 on OKX, and a full page is followed by another.
    const pagesOf = { binance: 2, bybit: 7, okx: 13 }[exchange];
    let pages = 0;
    const span = { symbol: 'BTCUSDT', sinceMs: testNowMs - 400 * DAY, untilMs: testNowMs };
    expect((await venue.fundingHistory({ ...span, onPage: () => void (pages += 1) })).ok).toBe(true);
    expect(pages).toBe(pagesOf);
  });

  it('returns only the requested span', async () => {
    const venue = exchanges.venues().byExchange[exchange];
    const [sinceMs, untilMs] = [Date.UTC(2025, 0, 10, 0, 1), Date.UTC(2025, 0, 12, 0, 1)];
    const outcome = await venue.fundingHistory({ symbol: 'ETHUSDT', sinceMs, untilMs });
    if (!outcome.ok) throw new Error(outcome.error.message);
    expect(outcome.value.time).toHaveLength(6);
    expect(outcome.value.time[0]).toBeGreaterThanOrEqual(sinceMs);
    expect(outcome.value.time.at(-1)).toBeLessThanOrEqual(untilMs);
  });

  it('knows the interval of symbols that settle every four and every eight hours', async () => {
    const venue = exchanges.venues().byExchange[exchange];
    const [four, eight] = [await venue.funding('MOVEUSDT'), await venue.funding('BTCUSDT')];
    expect(four).toMatchObject({ ok: true, value: { intervalHours: 4, nextFundingAtMs: Date.UTC(2025, 2, 14, 12) } });
    expect(eight).toMatchObject({ ok: true, value: { intervalHours: 8, nextFundingAtMs: Date.UTC(2025, 2, 14, 16) } });
  });
});

describe('an empty realised rate of OKX', () => {
  it('NODE-017 does not fail the history: the rate announced for that settlement stands in', async () => {
    const venue = exchanges.venues().byExchange.okx;
    const span = { symbol: 'BTCUSDT', sinceMs: testNowMs - 2 * DAY, untilMs: testNowMs };
    const whole = await venue.fundingHistory(span);
    exchanges.fake.faults.add(FaultRule.parse({ fault: 'emptyRate', venue: 'okx', endpoint: 'funding' }));
    const withEmpty = await venue.fundingHistory(span);
    exchanges.fake.faults.clear();
    expect(whole).toMatchObject({ ok: true });
    expect(withEmpty).toEqual(whole);
  });
});

describe('a span with more fundings than the page limit', () => {
  const symbol = 'BTC/USDT:USDT';
  const size = 200;

  /** An exchange that has settled every hour since 1970 and returns the youngest of a span first. */
  function contextOf(requested: number[]): VenueContext {
    const fetchFundingRateHistory = (
      _symbol: string,
      sinceMs: number | undefined,
      limit: number,
      { until }: { until: number },
    ): Promise<CcxtFunding[]> => {
      requested.push(until);
      const last = Math.floor(until / HOUR) * HOUR;
      const stamps = Array.from({ length: limit }, (_, i) => last - i * HOUR).filter((at) => at >= (sinceMs ?? 0));
      return Promise.resolve(stamps.map((timestamp) => ({ symbol, timestamp, fundingRate: 0.0001 })));
    };
    const dialect = {
      fundingHasStart: true,
      fundingPage: { size, order: 'youngestFirst' },
      fundingParams: (until: number) => ({ until }),
    };
    return {
      rules: { name: 'Bybit' },
      dialect,
      listed: () => Promise.resolve({ ccxtSymbol: symbol }),
      client: () => Promise.resolve({ fetchFundingRateHistory }),
    } as unknown as VenueContext;
  }

  it('is rejected: a partial history would pass for a complete one', async () => {
    const requested: number[] = [];
    const untilMs = 30_000 * HOUR;
    const read = readFundingHistory(contextOf(requested), { symbol: 'BTCUSDT', sinceMs: 1, untilMs });
    await expect(read).rejects.toMatchObject({
      failure: 'refused',
      message: expect.stringContaining('shorter') as string,
    });
    expect(requested).toHaveLength(100);
  });

  it('400 days of hourly fundings are within the limit', async () => {
    const requested: number[] = [];
    const untilMs = 30_000 * HOUR;
    const { time } = await readFundingHistory(contextOf(requested), {
      symbol: 'BTCUSDT',
      sinceMs: untilMs - 400 * DAY,
      untilMs,
    });
    // 48 full pages of 200; the older part of the last one is outside the span.
    expect(time).toHaveLength(9600);
    expect(time[0]).toBe(untilMs - 400 * DAY);
    expect(time.at(-1)).toBe(untilMs - HOUR);
  });
});

it('X82 lists the same funding interval of a contract as its funding states: 4 h on every exchange', async () => {
  for (const exchange of ['binance', 'bybit'] as const) {
    const venue = exchanges.venues().byExchange[exchange];
    const list = await venue.symbols();
    if (!list.ok) throw new Error(list.error.message);
    const hoursOf = (symbol: string) => list.value.symbols.find((each) => each.symbol === symbol)?.fundingHours;
    expect(['MOVEUSDT', 'PENGUUSDT', 'ETHUSDT', 'BTCUSDT'].map(hoursOf)).toEqual([4, 4, 8, 8]);
    expect(await venue.funding('MOVEUSDT')).toMatchObject({ value: { intervalHours: 4 } });
  }
});
