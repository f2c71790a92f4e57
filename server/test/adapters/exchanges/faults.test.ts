// Long because every fault is tested with every kind of request.
import { intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { bookOf } from '../../../fakes/exchanges/market/book.ts';
import { type EndpointName, type FaultName, faultNames, FaultRule } from '../../../fakes/exchanges/faults.ts';
import type { CandleWindow, ExchangeId, Market } from '../../../src/features/market/port.ts';
import type { Outcome } from '../../../src/platform/errors.ts';
import {
  exchangeIds,
  startTestExchanges,
  type TestExchanges,
  testNowMs,
  trueCandles,
} from './support/testExchanges.ts';

/** Every fault on every exchange for every kind of request: a typed error that names the exchange, or correct data. */
let exchanges: TestExchanges;
beforeAll(async () => {
  exchanges = await startTestExchanges();
});
afterAll(() => exchanges.close());
afterEach(() => {
  exchanges.fake.faults.clear();
  exchanges.fake.limits.clear();
  exchanges.clock.set(testNowMs);
});

const names: Record<ExchangeId, RegExp> = { binance: /binance/i, bybit: /bybit/i, okx: /okx/i };

/** The error for each fault of a whole response, whatever was requested. */
const rejections: Partial<Record<FaultName, string>> = {
  rateLimited: 'upstream_rate_limited',
  banned: 'upstream_rate_limited',
  bannedUntil: 'upstream_rate_limited',
  forbidden: 'upstream_rate_limited',
  regionRefused: 'upstream_unavailable',
  serverError: 'upstream_unavailable',
  hang: 'deadline_exceeded',
  reset: 'upstream_unavailable',
  htmlWithOk: 'upstream_unavailable',
  halfJson: 'upstream_unavailable',
  emptyBody: 'upstream_unavailable',
  nullBody: 'upstream_unavailable',
};

function breakIt(exchange: ExchangeId, endpoint: EndpointName, fault: FaultName): void {
  exchanges.fake.faults.add(FaultRule.parse({ fault, venue: exchange, endpoint, retryAfterS: 30, delayMs: 40 }));
}

/** Short only when no response will come; a valid response may take its time on a busy machine. */
const venuesFor = (fault: FaultName, hangMs = 120) =>
  exchanges.venues(fault === 'hang' ? { requestTimeoutMs: hangMs } : {});
/** No response takes longer, however busy the machine is. */
const hangMsMax = 10_000;

async function readyMarket(exchange: ExchangeId, fault: FaultName): Promise<Market> {
  // A short timeout can also cut valid responses on a busy machine: retry with twice the time and fresh adapters without recorded failures.
  for (let hangMs = 120; ; hangMs *= 2) {
    const market = exchanges.market(venuesFor(fault, hangMs));
    const symbols = await market.symbols({ exchange });
    if (symbols.ok) return market;
    if (hangMs > hangMsMax) throw new Error(symbols.error.message);
  }
}

function expectRejection(outcome: Outcome<unknown>, exchange: ExchangeId, code: string | undefined): void {
  if (outcome.ok) throw new Error(`expected ${code ?? 'a rejection'}, got data`);
  expect(outcome.error.message).toMatch(names[exchange]);
  if (code !== undefined) expect(outcome.error.code).toBe(code);
  else expect(outcome.error.code).toMatch(/^(upstream_unavailable|upstream_rate_limited|deadline_exceeded)$/);
  if (outcome.error.code === 'upstream_rate_limited') expect(outcome.error.retryAfterS).toBeGreaterThan(0);
}

const interval = '15m';
const limit = 120;
const lastOpenMs = Math.floor(testNowMs / intervalMs[interval]) * intervalMs[interval] - intervalMs[interval];
const firstOpenMs = lastOpenMs - (limit - 1) * intervalMs[interval];

/** Each candle equals the market's; each missing candle is listed in a gap. */
function expectTruth(window: CandleWindow, exchange: ExchangeId): void {
  const truth = trueCandles(exchanges.fake, exchange, 'BTCUSDT', interval, firstOpenMs, lastOpenMs);
  const { time, open, high, low, close, volume } = window.candles;
  time.forEach((openMs, i) => {
    expect([openMs, open[i], high[i], low[i], close[i], volume[i]]).toEqual(truth.get(openMs));
    expect(openMs + intervalMs[interval]).toBeLessThanOrEqual(testNowMs);
    if (i > 0) expect(openMs).toBeGreaterThan(time[i - 1] as number);
  });
  const missing = window.gaps.reduce((sum, gap) => sum + gap.missingCount, 0);
  expect(time.length + missing).toBe(limit);
  for (const gap of window.gaps) {
    for (let openMs = gap.fromMs; openMs <= gap.toMs; openMs += intervalMs[interval])
      expect(time).not.toContain(openMs);
  }
}

describe.each(exchangeIds)('candles of %s', (exchange) => {
  const request = async (fault: FaultName): Promise<Outcome<CandleWindow>> => {
    const market = await readyMarket(exchange, fault);
    breakIt(exchange, 'klines', fault);
    const outcome = await market.candles({ exchange, symbol: 'BTCUSDT', interval, limit });
    return outcome.ok ? { ok: true, value: outcome.value.value } : outcome;
  };

  it.each(faultNames.filter((fault) => rejections[fault] !== undefined))('%s is a typed error', async (fault) =>
    expectRejection(await request(fault), exchange, rejections[fault]),
  );

  it.each(['slow', 'outOfOrder', 'duplicate', 'unclosedBar', 'futureBar'] as const)(
    '%s does no harm',
    async (fault) => {
      const outcome = await request(fault);
      if (!outcome.ok) throw new Error(outcome.error.message);
      expectTruth(outcome.value, exchange);
      expect(outcome.value.gaps).toEqual([]);
    },
  );

  it.each(['notANumber', 'text', 'hugeNumber', 'gap', 'staleClock'] as const)(
    '%s leaves a named gap and no wrong candle',
    async (fault) => {
      const outcome = await request(fault);
      if (!outcome.ok) throw new Error(outcome.error.message);
      expectTruth(outcome.value, exchange);
      expect(outcome.value.gaps.length).toBeGreaterThan(0);
    },
  );

  it.each(['emptyList', 'negativeVolume', 'highBelowLow', 'wrongSymbol'] as const)(
    '%s invalidates the whole response, which is rejected',
    async (fault) => expectRejection(await request(fault), exchange, 'upstream_unavailable'),
  );

  it('corrects a fault that occurred only once', async () => {
    const market = await readyMarket(exchange, 'gap');
    exchanges.fake.faults.add(FaultRule.parse({ fault: 'gap', venue: exchange, endpoint: 'klines', times: 1 }));
    const outcome = await market.candles({ exchange, symbol: 'BTCUSDT', interval, limit });
    if (!outcome.ok) throw new Error(outcome.error.message);
    expect(outcome.value.value.gaps).toEqual([]);
    expectTruth(outcome.value.value, exchange);
  });
});

describe.each(exchangeIds)('prices of %s', (exchange) => {
  const symbols = ['BTCUSDT', 'ETHUSDT', 'SOLUSDT'];
  const request = async (fault: FaultName) => {
    const market = await readyMarket(exchange, fault);
    breakIt(exchange, 'price', fault);
    return market.prices({ exchange, symbols });
  };
  const noPrice = ['emptyList', 'notANumber', 'text', 'hugeNumber', 'wrongSymbol'] as const;

  it.each([...faultNames.filter((fault) => rejections[fault] !== undefined), ...noPrice])(
    '%s is a typed error',
    async (fault) => expectRejection(await request(fault), exchange, rejections[fault]),
  );

  it.each([
    'slow',
    'outOfOrder',
    'duplicate',
    'gap',
    'negativeVolume',
    'highBelowLow',
    'unclosedBar',
    'futureBar',
  ] as const)('%s does no harm', async (fault) => {
    const outcome = await request(fault);
    if (!outcome.ok) {
      expectRejection(outcome, exchange, undefined);
      return;
    }
    expect(outcome.value.value.map(({ symbol }) => symbol)).toEqual(symbols);
    for (const { symbol, last, bid, ask: best, atMs } of outcome.value.value) {
      const id = exchange === 'okx' ? `${symbol.slice(0, -4)}-USDT-SWAP` : symbol;
      const listing = exchanges.fake.listings[exchange].get(id)!;
      const quote = exchanges.fake.market.quote(listing, testNowMs);
      expect(last).toBe(quote.last / 10 ** listing.priceDecimals);
      expect(bid! <= best!).toBe(true);
      expect(atMs).toBe(testNowMs);
    }
  });

  it('staleClock is passed on with the age the exchange states', async () => {
    const outcome = await request('staleClock');
    if (!outcome.ok) throw new Error(outcome.error.message);
    for (const quote of outcome.value.value) expect(testNowMs - quote.atMs).toBe(3_600_000);
  });
});

describe.each(exchangeIds)('X1 best prices of %s', (exchange) => {
  const symbols = ['BTCUSDT', 'ETHUSDT', 'SOLUSDT'];
  const request = async (fault: FaultName) => {
    const market = await readyMarket(exchange, fault);
    breakIt(exchange, 'price', fault);
    return market.tops({ exchange, symbols, streamAgeMs: 1000 });
  };
  const unusable = ['emptyList', 'notANumber', 'text', 'hugeNumber', 'wrongSymbol'] as const;

  it.each([...faultNames.filter((fault) => rejections[fault] !== undefined), ...unusable])(
    '%s is a typed error',
    async (fault) => expectRejection(await request(fault), exchange, rejections[fault]),
  );

  it.each([
    'slow',
    'outOfOrder',
    'duplicate',
    'gap',
    'negativeVolume',
    'highBelowLow',
    'unclosedBar',
    'futureBar',
    'staleClock',
  ] as const)("%s returns correct prices with the exchange's timestamp", async (fault) => {
    const outcome = await request(fault);
    if (!outcome.ok) throw new Error(outcome.error.message);
    const atMs = testNowMs - (fault === 'staleClock' ? 3_600_000 : 0);
    for (const top of outcome.value) {
      const id = exchange === 'okx' ? `${top.symbol.slice(0, -4)}-USDT-SWAP` : top.symbol;
      const listing = exchanges.fake.listings[exchange].get(id)!;
      const { bid, ask: best } = exchanges.fake.market.quote(listing, atMs);
      const tick = 10 ** listing.priceDecimals;
      expect(top).toMatchObject({ bid: bid / tick, ask: best / tick, atMs, source: 'request' });
    }
    if (fault !== 'gap') expect(outcome.value.map(({ symbol }) => symbol)).toEqual(symbols);
  });
});

describe.each(exchangeIds)('X1 order books of %s', (exchange) => {
  const request = async (fault: FaultName) => {
    const market = await readyMarket(exchange, fault);
    breakIt(exchange, 'book', fault);
    return market.orderBook({ exchange, symbol: 'SOLUSDT' });
  };
  const unusable = ['notANumber', 'text', 'hugeNumber', 'outOfOrder', 'duplicate'] as const;

  it.each([...faultNames.filter((fault) => rejections[fault] !== undefined), ...unusable])(
    '%s is a typed error',
    async (fault) => expectRejection(await request(fault), exchange, rejections[fault]),
  );

  it.each(['slow', 'unclosedBar', 'futureBar', 'wrongSymbol', 'staleClock', 'negativeVolume', 'highBelowLow'] as const)(
    '%s returns a correct book or none',
    async (fault) => {
      const outcome = await request(fault);
      if (!outcome.ok) {
        expectRejection(outcome, exchange, undefined);
        return;
      }
      const atMs = testNowMs - (fault === 'staleClock' ? 3_600_000 : 0);
      const listing = exchanges.fake.listings[exchange].get(exchange === 'okx' ? 'SOL-USDT-SWAP' : 'SOLUSDT')!;
      const truth = bookOf(exchanges.fake.market, listing, atMs, 50);
      const coins = exchange === 'okx' ? listing.contractValue / 100 : 10 ** -listing.quantityDecimals;
      const { bids, asks, atMs: stamp } = outcome.value.value;
      expect(stamp).toBe(atMs);
      for (const [levels, expected] of [
        [bids, truth.bids],
        [asks, truth.asks],
      ] as const) {
        expect(levels.map(([price]) => price)).toEqual(
          expected.map(({ ticks }) => ticks / 10 ** listing.priceDecimals),
        );
        levels.forEach(([, quantity], i) => expect(quantity).toBeCloseTo(expected[i]!.lots * coins, 9));
      }
    },
  );

  it('emptyList and gap return fewer levels, never a wrong one', async () => {
    for (const fault of ['emptyList', 'gap'] as const) {
      exchanges.fake.faults.clear();
      const outcome = await request(fault);
      if (!outcome.ok) throw new Error(outcome.error.message);
      const { asks, bids } = outcome.value.value;
      expect(bids).toHaveLength(50);
      expect(asks.length).toBeLessThan(50);
      asks.forEach(([price], i) => expect(price).toBeGreaterThan(asks[i - 1]?.[0] ?? 0));
    }
  });
});

describe.each(exchangeIds)('symbols of %s', (exchange) => {
  it.each(faultNames)('%s returns a typed error or a usable list', async (fault) => {
    breakIt(exchange, 'symbols', fault);
    const outcome = await exchanges.market(venuesFor(fault)).symbols({ exchange });
    const code = rejections[fault];
    if (code !== undefined || !outcome.ok) {
      expectRejection(outcome, exchange, code);
      return;
    }
    const matches = outcome.value.value;
    expect(new Set(matches.map(({ symbol }) => symbol)).size).toBe(matches.length);
    for (const { symbol, tickSize, stepSize } of matches) {
      expect(symbol).toMatch(/^([A-Z0-9]+|币安人生)USDT$/);
      expect(tickSize > 0 && stepSize > 0).toBe(true);
    }
  });
});

describe.each(exchangeIds)('funding of %s', (exchange) => {
  const symbol = 'BTCUSDT';
  const id = exchange === 'okx' ? 'BTC-USDT-SWAP' : symbol;
  const listing = () => exchanges.fake.listings[exchange].get(id)!;

  it.each(faultNames)('%s returns a typed error, or a correct rate and history', async (fault) => {
    const market = await readyMarket(exchange, fault);
    breakIt(exchange, 'funding', fault);
    const code = rejections[fault];
    const current = await market.funding({ exchange, symbol });
    if (code !== undefined || !current.ok) expectRejection(current, exchange, code);
    else {
      const { rate, nextFundingAtMs } = current.value.value;
      const atMs = fault === 'staleClock' ? testNowMs - 3_600_000 : testNowMs;
      expect(nextFundingAtMs).toBe(Date.UTC(2025, 2, 14, 16));
      expect(rate).toBeCloseTo(exchanges.fake.market.fundingRate(listing(), nextFundingAtMs, atMs), 12);
    }
    const sinceMs = testNowMs - 20 * 86_400_000;
    const history = await market.fundingHistory({ exchange, symbol, sinceMs, untilMs: testNowMs });
    if (code !== undefined || !history.ok) {
      expectRejection(history, exchange, code);
      return;
    }
    const { time, rate } = history.value.value;
    time.forEach((atMs, i) => {
      const settledMs = Math.floor(atMs / 28_800_000) * 28_800_000;
      expect(atMs - settledMs).toBeLessThan(20);
      expect(rate[i]).toBeCloseTo(exchanges.fake.market.fundingRate(listing(), settledMs, testNowMs), 12);
      if (i > 0) expect(atMs).toBeGreaterThan(time[i - 1]!);
    });
  });
});

describe('the end of a ban and a region block', () => {
  it("are read from Binance's message when no header names the end", async () => {
    const market = await readyMarket('binance', 'bannedUntil');
    exchanges.fake.faults.add(
      FaultRule.parse({ fault: 'bannedUntil', venue: 'binance', endpoint: 'klines', retryAfterS: 3600 }),
    );
    const response = await market.candles({
      exchange: 'binance',
      symbol: 'BTCUSDT',
      interval,
      limit,
      endTimeMs: testNowMs,
    });
    if (response.ok) throw new Error('expected a rejection');
    expect(response.error.code).toBe('upstream_rate_limited');
    // Without the message the ban would count as two minutes.
    expect(response.error.retryAfterS).toBeGreaterThan(3500);
    expect(response.error.retryAfterS).toBeLessThanOrEqual(3600);
  });

  it.each(['binance', 'bybit'] as const)(
    'are reported on %s as an unsupported region, not as a rate limit',
    async (exchange) => {
      const market = await readyMarket(exchange, 'regionRefused');
      breakIt(exchange, 'klines', 'regionRefused');
      const response = await market.candles({ exchange, symbol: 'BTCUSDT', interval, limit, endTimeMs: testNowMs });
      expectRejection(response, exchange, 'upstream_unavailable');
      if (!response.ok) expect(response.error.message).toMatch(/does not serve the region of this server/);
    },
  );

  it.each(['code', 'bare'] as const)(
    'NODE-015 are reported on Bybit as an unsupported region, detected by its %s',
    async (region) => {
      const market = await readyMarket('bybit', 'regionRefused');
      exchanges.fake.faults.add(
        FaultRule.parse({ fault: 'regionRefused', venue: 'bybit', endpoint: 'klines', region }),
      );
      const response = await market.candles({
        exchange: 'bybit',
        symbol: 'BTCUSDT',
        interval,
        limit,
        endTimeMs: testNowMs,
      });
      expectRejection(response, 'bybit', 'upstream_unavailable');
      if (!response.ok) expect(response.error.message).toMatch(/does not serve the region of this server/);
    },
  );
});
