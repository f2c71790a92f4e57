import { instantiate } from '@sextant/workers/src/engine/engine.ts';
import { loadModule } from '@sextant/workers/src/node/loadModule.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { faultNames, type FaultName, FaultRule } from '../../../fakes/exchanges/faults.ts';
import { bookOf } from '../../../fakes/exchanges/market/book.ts';
import { StreamFaultRule } from '../../../fakes/exchanges/streams/streamFaults.ts';
import type { ArbitrageResults } from '../../../src/features/arbitrage/contract.ts';
import { findOpportunities } from '../../../src/features/arbitrage/findOpportunities.ts';
import { takerFeesOf } from '../../../src/features/arbitrage/takerFees.ts';
import { createMarket } from '../../../src/features/market/createMarket.ts';
import type { ExchangeId, Market } from '../../../src/features/market/port.ts';
import {
  exchangeIds,
  startTestExchanges,
  type TestExchanges,
  testNowMs,
} from '../../adapters/exchanges/support/testExchanges.ts';

/** Every fault on every exchange, while a scan reads best prices or order books: the results are correct or absent. */
let exchanges: TestExchanges;
let kernel: ReturnType<typeof instantiate>;
beforeAll(async () => {
  exchanges = await startTestExchanges();
  kernel = instantiate((await loadModule()).module);
  // Each exchange has the highest price of one coin, by 1 %.
  for (const [symbol, venue] of [
    ['SOLUSDT', 'okx'],
    ['XRPUSDT', 'bybit'],
    ['DOGEUSDT', 'binance'],
  ] as const)
    exchanges.fake.market.move({ symbol, factor: 1.01, venue }, testNowMs - 60_000);
});
afterAll(() => exchanges.close());
afterEach(() => {
  exchanges.fake.faults.clear();
  exchanges.fake.limits.clear();
  exchanges.fake.streams.faults.clear();
  exchanges.clock.set(testNowMs);
});

const symbols = ['SOLUSDT', 'XRPUSDT', 'DOGEUSDT'];

async function scan(
  market: Pick<Market, 'symbols' | 'tops' | 'orderBook'>,
  further: string[] = [],
): Promise<ArbitrageResults> {
  const outcome = await findOpportunities(
    { market, kernel: () => kernel, now: exchanges.clock.now },
    {
      symbols: [...symbols, ...further],
      minSpreadPct: 0.3,
      notionalUsdt: 1000,
      exchanges: [...exchangeIds],
      maxCount: 100,
      holdHours: 8,
      takerFees: takerFeesOf(),
    },
    { userId: 'somebody', signal: AbortSignal.timeout(60_000), onProgress: () => Promise.resolve() },
  );
  if (!outcome.ok) throw new Error(outcome.error.message);
  return outcome.value;
}

/** Short timeout where no response will come; a good response may be slow on a busy machine. */
const venuesFor = (fault: FaultName) => exchanges.venues(fault === 'hang' ? { requestTimeoutMs: 250 } : {});

/** Fresh adapters per attempt: an open breaker would wait for a clock that stands still. */
async function ready(make: () => Market, wanted: readonly ExchangeId[]): Promise<Market> {
  let market = make();
  const areListed = async () => {
    const lists = await Promise.all(wanted.map((exchange) => market.symbols({ exchange })));
    if (lists.every(({ ok }) => ok)) return true;
    market = make();
    return false;
  };
  await expect.poll(areListed, { timeout: 30_000 }).toBe(true);
  return market;
}

/** A market without faults for the working exchanges: its lists are read once. */
let sound: Promise<Market> | undefined;

/** Fresh adapters for the faulty exchange: no ban or breaker of the previous test. */
async function readyMarket(exchange: ExchangeId, fault: FaultName): Promise<Market> {
  sound ??= ready(() => exchanges.market(exchanges.venues()), exchangeIds);
  const others = await sound;
  const own = await ready(() => exchanges.market(venuesFor(fault)), [exchange]);
  const of = (request: { exchange?: ExchangeId | undefined } = {}): Market =>
    request.exchange === exchange ? own : others;
  return {
    ...others,
    symbols: (request) => of(request).symbols(request),
    tops: (request) => of(request).tops(request),
    orderBook: (request) => of(request).orderBook(request),
  };
}

const idOf = (exchange: ExchangeId, symbol: string): string =>
  exchange === 'okx' ? `${symbol.slice(0, -4)}-USDT-SWAP` : symbol;

/** Prices of an item are those of the fake exchanges at this moment, on the sides that it trades. */
function expectTruth({ items }: ArbitrageResults): void {
  for (const { symbol, bestBuy, bestSell, quotes } of items) {
    for (const [exchange, side] of [
      [bestBuy, 'ask'],
      [bestSell, 'bid'],
    ] as const) {
      const listing = exchanges.fake.listings[exchange].get(idOf(exchange, symbol))!;
      const tick = 10 ** listing.priceDecimals;
      const book = bookOf(exchanges.fake.market, listing, testNowMs, 1);
      const quote = exchanges.fake.market.quote(listing, testNowMs);
      const truths = [quote[side] / tick, (side === 'ask' ? book.asks : book.bids)[0]!.ticks / tick];
      expect(truths, `${symbol} ${exchange}`).toContain(quotes[exchange]![side]);
    }
  }
}

const pairsOf = ({ items }: ArbitrageResults): string[] =>
  items.flatMap(({ symbol, bestBuy, bestSell }) => [`${symbol} ${bestBuy}`, `${symbol} ${bestSell}`]);

describe.each(exchangeIds)('X1 a scan while %s is faulty', (exchange) => {
  const rule = (fault: FaultName, endpoint: 'price' | 'book') =>
    FaultRule.parse({ fault, venue: exchange, endpoint, retryAfterS: 30, delayMs: 40 });

  it.each(faultNames)(
    '%s in its best prices: it is reported or its prices are correct, and the others are compared',
    async (fault) => {
      const market = await readyMarket(exchange, fault);
      exchanges.fake.faults.add(rule(fault, 'price'));
      const results = await scan(market);
      expectTruth(results);
      const venue = results.venues.find((each) => each.exchange === exchange)!;
      for (const other of results.venues)
        if (other !== venue) expect(other).toMatchObject({ state: 'compared', quotes: 3 });
      if (venue.state === 'failed') {
        expect(venue.failure).toMatch(new RegExp(exchange, 'i'));
        expect(pairsOf(results).some((pair) => pair.endsWith(exchange))).toBe(false);
      }
      if (fault === 'staleClock') {
        expect(results.leftOut.counts['old_quote']).toBe(3);
        expect(pairsOf(results).some((pair) => pair.endsWith(exchange))).toBe(false);
      }
      // The coins with higher prices on the other two are always found.
      expect(results.items.length).toBeGreaterThanOrEqual(2);
    },
  );

  it.each(faultNames)('%s in its order books: no size, or the correct one', async (fault) => {
    const market = await readyMarket(exchange, fault);
    exchanges.fake.faults.add(rule(fault, 'book'));
    const results = await scan(market);
    expectTruth(results);
    for (const item of results.items) {
      if (item.depth === 'failed') expect(item).toMatchObject({ atNotional: null, atBestSize: null });
      if (item.depth === 'read') expect(item.atNotional!.netUsdt).toBeLessThanOrEqual(item.atNotional!.grossUsdt);
      if (fault === 'staleClock' || fault === 'hang') {
        const isSized = item.depth === 'read' && [item.bestBuy, item.bestSell].includes(exchange);
        expect(isSized, item.symbol).toBe(false);
      }
    }
  });

  it.each([3000, -3000])('its clock is %i ms off: it is not compared, and that is counted', async (differenceMs) => {
    const market = await readyMarket(exchange, 'slow');
    const shifted: typeof market.tops = async (request) => {
      const tops = await market.tops(request);
      if (!tops.ok || request.exchange !== exchange) return tops;
      return { ok: true, value: tops.value.map((top) => ({ ...top, atMs: top.atMs + differenceMs })) };
    };
    const results = await scan({ ...market, tops: shifted });
    expectTruth(results);
    expect(pairsOf(results).some((pair) => pair.endsWith(exchange))).toBe(false);
    // Two pairs of exchanges for each of three coins.
    expect(results.leftOut.counts['stamps_differ']).toBe(6);
    expect(results.items.length).toBeGreaterThanOrEqual(2);
  });
});

describe('a server clock that is wrong', () => {
  it('by four seconds behind every exchange drops nothing: they agree with each other', async () => {
    const market = await readyMarket('okx', 'slow');
    const shifted: typeof market.tops = async (request) => {
      const tops = await market.tops(request);
      return tops.ok ? { ok: true, value: tops.value.map((top) => ({ ...top, atMs: top.atMs + 4000 })) } : tops;
    };
    const results = await scan({ ...market, tops: shifted });
    expect(results.leftOut.counts['stamps_differ']).toBeUndefined();
    expect(results.items).toHaveLength(3);
  });
});

describe('streams that are cut', () => {
  it.each(exchangeIds)(
    '%s is queried in one request while its stream is down, and streamed again afterwards',
    async (exchange) => {
      const venues = exchanges.venues({ streamTimings: { backoffMinMs: 5, backoffMaxMs: 20, watchMs: 3_600_000 } });
      const plan = { symbolCount: 5, candles: [] };
      const market = createMarket({
        venues: venues.byExchange,
        now: exchanges.clock.now,
        plan: { binance: plan, bybit: plan, okx: plan },
      });
      market.start(0);
      const { streams } = exchanges.fake;
      const readAll = () =>
        exchangeIds.map((each) =>
          symbols.every((symbol) => market.readTop({ exchange: each, symbol, maxAgeMs: 1500 }) !== null),
        );
      /** The clock advances, and the exchanges push what is due. */
      const push = async (): Promise<boolean[]> => {
        exchanges.clock.advance(1000);
        streams.tick();
        await new Promise((resolve) => setTimeout(resolve, 20));
        return readAll();
      };
      try {
        await market.round();
        await expect.poll(push, { timeout: 60_000, interval: 10 }).toEqual([true, true, true]);
        const whole = await scan(market);
        expect(whole.venues.map(({ streamed }) => streamed)).toEqual([3, 3, 3]);

        // A coin outside the streams is requested: an exchange that then fails is reported, and compared by its streams. Binance pushes the
        // best prices of all symbols.
        exchanges.fake.faults.add(FaultRule.parse({ fault: 'serverError', venue: exchange, endpoint: 'price' }));
        const partial = await scan(market, ['ZILUSDT']);
        const named = partial.venues.filter(({ failure }) => failure !== null);
        const left = { exchange, state: 'compared', quotes: 3, streamed: 3 };
        expect(named).toMatchObject(exchange === 'binance' ? [] : [left]);
        for (const { failure } of named) expect(failure).toMatch(new RegExp(exchange, 'i'));
        exchanges.fake.faults.clear();

        streams.faults.add(StreamFaultRule.parse({ fault: 'drop', venue: exchange }));
        await expect
          .poll(async () => (await push())[exchangeIds.indexOf(exchange)], { timeout: 60_000, interval: 10 })
          .toBe(false);
        exchanges.fake.requests.clear();
        const cut = await scan(market);
        const venue = cut.venues.find((each) => each.exchange === exchange)!;
        expect(venue).toMatchObject({ state: 'compared', quotes: 3, streamed: 0 });
        const requested = exchanges.fake.requests
          .all()
          .filter(({ endpoint, venue: of }) => endpoint === 'price' && of === exchange);
        expect(requested).toHaveLength(1);
        expect(cut.items.map(({ symbol }) => symbol).sort()).toEqual([...symbols].sort());

        streams.faults.clear();
        await expect
          .poll(async () => (await push())[exchangeIds.indexOf(exchange)], { timeout: 60_000, interval: 10 })
          .toBe(true);
      } finally {
        market.stop();
      }
    },
    240_000,
  );
});
