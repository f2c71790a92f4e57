// Long because all its markets are built, sampled and measured by the same helpers.
import { instantiate } from '@sextant/workers/src/engine/engine.ts';
import { loadModule } from '@sextant/workers/src/node/loadModule.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { mulberry } from '../../../../engine-as/test/candles.ts';
import type { Listing, VenueId } from '../../../fakes/exchanges/market/venues.ts';
import type { SpreadPersistenceResponse, WatchWire } from '../../../src/features/arbitrage/contract.ts';
import { Sampler } from '../../../src/features/arbitrage/sampler/sampler.ts';
import { storeGathered } from '../../../src/features/arbitrage/sampler/samplerRepository.ts';
import { refreshSettlements } from '../../../src/features/arbitrage/sampler/settlements.ts';
import { createSampling } from '../../../src/features/arbitrage/sampler/startSampling.ts';
import { createQuoteReader } from '../../../src/features/arbitrage/sampler/universe.ts';
import { coinOf } from '../../../src/features/arbitrage/sameContract.ts';
import type { ExchangeId, Market, TopQuote } from '../../../src/features/market/port.ts';
import { withSystem } from '../../../src/platform/db/scope.ts';
import type { z } from 'zod';
import { startTestExchanges, type TestExchanges, testNowMs } from '../../adapters/exchanges/support/testExchanges.ts';
import { createTestApp, type TestApp, type TestUser } from '../../support/createTestApp.ts';
import { listenOn, readEvents } from '../../support/readEvents.ts';

let exchanges: TestExchanges;
let test: TestApp;
let origin: string;
const current: { market: Market | undefined } = { market: undefined };
const engineOf = async () => instantiate((await loadModule()).module);
beforeAll(async () => {
  exchanges = await startTestExchanges();
  current.market = exchanges.market(exchanges.venues());
  const market = new Proxy({} as Market, { get: (_, name) => Reflect.get(current.market as Market, name) as unknown });
  test = await createTestApp({ deps: { market, now: exchanges.clock.now } });
  origin = await listenOn(test.app);
});
afterAll(async () => {
  test.app.server.closeAllConnections();
  await test.close();
  await exchanges.close();
});
afterEach(() => {
  current.market = exchanges.market(exchanges.venues());
});

const get = async <T>(user: TestUser, url: string): Promise<T> => {
  const response = await test.app.inject({ url, headers: user.bearer });
  expect(response.statusCode, response.body).toBe(200);
  return response.json<T>();
};
const warn = (error: unknown): never => {
  throw error;
};
/** A long timeout, because the responses come from another process on a busy machine: no second may lack a sample. */
const patienceMs = 30_000;
const idOf = (symbol: string, venue: VenueId): string =>
  venue === 'okx' ? `${symbol.slice(0, -4)}-USDT-SWAP` : symbol;
const listing = (venue: VenueId, symbol: string): Listing | undefined =>
  exchanges.fake.listings[venue].get(idOf(symbol, venue));

/** Highest gross spread between any two exchanges at this moment, percent. */
function widest(symbol: string, atMs: number): number {
  const quotes = (['binance', 'bybit', 'okx'] as const).map((venue) => {
    const of = listing(venue, symbol)!;
    const { bid, ask } = exchanges.fake.market.quote(of, atMs);
    return { bid: bid / 10 ** of.priceDecimals, ask: ask / 10 ** of.priceDecimals };
  });
  return (Math.max(...quotes.map(({ bid }) => bid)) / Math.min(...quotes.map(({ ask }) => ask)) - 1) * 100;
}

describe('a market with spreads of known lifetimes', () => {
  const meanS = 4;
  const shortestS = 1.2;
  const seconds = 72;

  it('is measured: every lifetime within a second, median and capture rates within their intervals', async () => {
    const fromMs = testNowMs;
    const random = mulberry(4);
    const quiet = [...exchanges.fake.listings.binance.keys()]
      .filter((symbol) => coinOf(symbol)?.multiplier === 1 && listing('bybit', symbol) && listing('okx', symbol))
      .filter((symbol) => [0, 20, 40, 60, 80].every((after) => widest(symbol, fromMs + after * 1000) < 0.12))
      .slice(0, 36);
    expect(quiet).toHaveLength(36);
    const lifetimes = new Map<string, number>();
    for (const symbol of quiet) {
      const lifetimeS = Math.min(30, Math.max(shortestS, -Math.log(1 - random()) * meanS));
      const startMs = fromMs + 3000 + random() * 6000;
      lifetimes.set(symbol, lifetimeS);
      exchanges.fake.market.move({ symbol, factor: 1.008, venue: 'okx' }, startMs);
      exchanges.fake.market.move({ symbol, factor: 1, venue: 'okx' }, startMs + lifetimeS * 1000);
    }
    const engine = await engineOf();
    const sampler = new Sampler(() => engine);
    const reader = createQuoteReader(current.market!, exchanges.clock.now, warn, patienceMs);
    await reader.renew(new Set(quiet.map((symbol) => symbol.slice(0, -4))));
    for (let second = 0; second < seconds; second++) {
      exchanges.clock.set(fromMs + second * 1000);
      sampler.sample(await reader.read(), exchanges.clock.now());
    }
    await withSystem(test.database.db, (tx) => storeGathered(tx, 'simulated', sampler.take()));
    const stored = await test.database.asOwner<{ symbol: string; lifetime_s: number | null }>(
      `select symbol, lifetime_s from arbitrage_episodes where buy = 'binance' and sell = 'okx'`,
    );
    expect(stored.map(({ symbol }) => symbol).sort()).toEqual([...quiet].sort());
    for (const { symbol, lifetime_s: lifetime } of stored)
      expect(Math.abs((lifetime ?? NaN) - (lifetimes.get(symbol) ?? NaN)), symbol).toBeLessThanOrEqual(1);

    const anna = await test.signUp();
    const response = await get<z.output<typeof SpreadPersistenceResponse>>(
      anna,
      '/api/arbitrage/persistence?buy=binance&sell=okx',
    );
    expect(response).toMatchObject({ sampledSeconds: seconds, notStored: 0, thresholdPct: 0.02 });
    const { overall, byPair, bySymbol, byHour } = response;
    expect(overall.episodes).toBe(quiet.length);
    expect(overall.medianLifetimeLowS!).toBeLessThanOrEqual(meanS * Math.log(2));
    expect(overall.medianLifetimeHighS!).toBeGreaterThanOrEqual(meanS * Math.log(2));
    // The first sample comes up to a second after the start, half a second on average.
    for (const [share, after] of [
      [overall.captured.s5, 5],
      [overall.captured.s30, 30],
    ] as const) {
      const expected = Math.exp(-(after + 0.5) / meanS);
      expect(share.of).toBe(quiet.length);
      expect(share.low).toBeLessThanOrEqual(expected);
      expect(share.high).toBeGreaterThanOrEqual(expected);
    }
    expect(byPair).toMatchObject([{ buy: 'binance', sell: 'okx', episodes: quiet.length }]);
    expect(byHour).toMatchObject([{ hour: 10, episodes: quiet.length }]);
    expect(bySymbol).toHaveLength(Math.min(50, quiet.length));

    // If the spreads were always there 5 s later, that would be an edge; here half are gone, at a loss of the costs.
    expect(response.verdict).toBe(overall.leftPct.s5.low! > 0 ? 'edge' : 'no_edge');
    const history = await get<{ points: { atMs: number; grossPct: number | null }[] }>(
      anna,
      `/api/arbitrage/history?symbol=${quiet[0]!}&buy=binance&sell=okx&hours=1`,
    );
    // The five minutes are not over: none of their spreads are stored yet.
    expect(history.points).toEqual([]);
  }, 120_000);

  it('stores no more than 80 episodes of an hour, and counts the others', async () => {
    const startedAtMs = testNowMs + 3 * 3_600_000;
    const episodes = Array.from({ length: 100 }, () => ({
      coin: 'MANY',
      buy: 'bybit' as const,
      sell: 'okx' as const,
      startedAtMs,
      lifetimeS: 2,
      followedS: 2,
      netPct: 0.1,
      peakPct: 0.1,
      left: [0.1, -0.1, -0.1] as [number, number, number],
    }));
    const rows = [{ coin: 'MANY', atMs: startedAtMs, minutes: Array.from({ length: 30 }, (_, i) => i * 10) }];
    for (const part of [episodes.slice(0, 50), episodes.slice(50)])
      await withSystem(test.database.db, (tx) =>
        storeGathered(tx, 'simulated', { episodes: part, rows, sampledS: new Map([[0, 5]]) }),
      );
    const count = await test.database.asOwner<{ n: number }>(
      `select count(*)::int as n from arbitrage_episodes where symbol = 'MANYUSDT'`,
    );
    expect(count).toEqual([{ n: 80 }]);
    const [day] = await test.database.asOwner<object>(
      `select not_stored, episodes from arbitrage_days where day = date_trunc('day', to_timestamp(${startedAtMs / 1000}), 'UTC') and not_stored > 0`,
    );
    expect(day).toMatchObject({ not_stored: 20 });
    const anna = await test.signUp();
    exchanges.clock.set(startedAtMs + 10 * 60_000);
    const { points } = await get<{ points: object[] }>(
      anna,
      '/api/arbitrage/history?symbol=MANYUSDT&buy=okx&sell=binance&hours=1',
    );
    // The fourth direction: cells 15 to 19 of the row.
    expect(points).toEqual(
      [0.015, 0.016, 0.017, 0.018, 0.019].map((grossPct, minute) => ({
        atMs: startedAtMs + minute * 60_000,
        grossPct,
      })),
    );
    exchanges.clock.set(testNowMs);
  });
});

/** All of them with `npm run test:statistics`. */
const marketCount = process.env['STATISTICS'] === 'full' ? 100 : 20;

describe('markets of noise', () => {
  /** Two exchanges whose prices differ by noise that decays within seconds: spreads appear, none can be earned later. */
  function noise(seed: number) {
    const random = mulberry(seed);
    const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    const keep = 0.6;
    const states = Array.from({ length: 40 }, () => 0.2 * normal());
    return (atMs: number) =>
      new Map(
        states.map((state, i) => {
          states[i] = keep * state + 0.2 * Math.sqrt(1 - keep ** 2) * normal();
          const price = 100 * (1 + states[i] / 100);
          return [`C${i}`, { binance: quoteOf('binance', 100, atMs), okx: quoteOf('okx', price, atMs) }] as const;
        }),
      );
  }
  const quoteOf = (exchange: ExchangeId, price: number, atMs: number) => ({
    exchange,
    from: {
      exchange,
      multiplier: 1,
      listing: {
        symbol: 'CUSDT',
        base: 'C',
        tickSize: 0.01,
        stepSize: 0.01,
        minNotional: null,
        maxQuantity: null,
        maxLeverage: null,
        listedAtMs: null,
        status: 'trading' as const,
        fundingHours: 8,
      },
    },
    contract: 'CUSDT',
    multiplier: 1,
    bid: price * 0.99995,
    ask: price * 1.00005,
    atMs,
    receivedAtMs: atMs,
    source: 'stream' as const,
    fundingRate: null,
    nextFundingAtMs: null,
    fundingIntervalHours: null,
  });

  it(`show no edge after costs in at least 95 of 100 (${marketCount} markets)`, async () => {
    const { verdictOf } = await import('../../../src/features/arbitrage/persistence.ts');
    const engine = await engineOf();
    const verdicts: Record<string, number> = {};
    for (let market = 0; market < marketCount; market++) {
      const quotes = noise(market + 1);
      const sampler = new Sampler(() => engine);
      for (let second = 0; second < 75; second++)
        sampler.sample(quotes(testNowMs + second * 1000), testNowMs + second * 1000);
      const episodes = sampler.take().episodes.map(({ coin, left, ...episode }) => ({
        ...episode,
        symbol: `${coin}USDT`,
        left1s: left[0],
        left5s: left[1],
        left30s: left[2],
      }));
      const verdict = verdictOf(episodes);
      verdicts[verdict] = (verdicts[verdict] ?? 0) + 1;
    }
    expect(verdicts['no_edge'] ?? 0).toBeGreaterThanOrEqual(marketCount * 0.95);
  }, 120_000);

  it('whose spreads vanish on average are called an edge in at most 5 of 100', async () => {
    const { verdictOf } = await import('../../../src/features/arbitrage/persistence.ts');
    const random = mulberry(77);
    const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    let edges = 0;
    for (let market = 0; market < 100; market++) {
      // Twelve hours of five symbols with four episodes each, correlated within the hour.
      const episodes = Array.from({ length: 60 }, (_, group) => ({ group, common: normal() })).flatMap(
        ({ group, common }) =>
          Array.from({ length: 4 }, () => ({
            symbol: `S${group % 5}`,
            buy: 'binance' as const,
            sell: 'okx' as const,
            startedAtMs: testNowMs + Math.floor(group / 5) * 3_600_000,
            lifetimeS: 1,
            followedS: 1,
            netPct: 0.05,
            left1s: 0,
            left5s: common + 0.3 * normal(),
            left30s: 0,
          })),
      );
      if (verdictOf(episodes) === 'edge') edges += 1;
    }
    expect(edges).toBeLessThanOrEqual(5);
  });
});

describe('a watched pair', () => {
  it('is reported once per crossing, and again after a minute below its level', async () => {
    const anna = await test.signUp();
    // Connects before the watch is added: the event of the addition arrives at an unknown time.
    const reader = await readEvents(`${origin}/api/events`, anna.bearer);
    await expect.poll(() => reader.names()).toContain('ready');
    const payload = { symbol: 'SOLUSDT', buy: 'binance', sell: 'okx', netPct: 0.3 };
    const added = await test.app.inject({
      method: 'POST',
      url: '/api/arbitrage/watches',
      headers: anna.browser,
      payload,
    });
    expect(added.statusCode, added.body).toBe(200);
    const { id } = added.json<{ watch: WatchWire }>().watch;
    const retained = new Set<string>();
    const market = new Proxy(current.market!, {
      get: (target, name) =>
        name === 'keep'
          ? ({ exchange, symbol }: { exchange: string; symbol: string }) => {
              retained.add(`${exchange} ${symbol}`);
              return () => retained.delete(`${exchange} ${symbol}`);
            }
          : (Reflect.get(target, name) as unknown),
    });
    const engine = await engineOf();
    const sampling = createSampling({
      ...test.deps,
      market,
      kernel: () => engine,
      now: exchanges.clock.now,
      warn,
      patienceMs,
      assertLeader: () => Promise.resolve(),
    });
    await sampling.readWatches();
    await sampling.renew();
    // Both contracts are streamed from now on, among the most traded or not.
    expect([...retained].sort()).toEqual(['binance SOLUSDT', 'okx SOLUSDT']);
    let atMs = testNowMs + 600_000;
    const rounds = async (seconds: number): Promise<void> => {
      for (let i = 0; i < seconds; i++) {
        exchanges.clock.set((atMs += 1000));
        await sampling.round();
      }
    };
    const move = (factor: number) => exchanges.fake.market.move({ symbol: 'SOLUSDT', factor, venue: 'okx' }, atMs);
    const state = async () =>
      (await get<{ watches: WatchWire[] }>(anna, '/api/arbitrage/watches')).watches.find((each) => each.id === id)!;
    move(1);
    await rounds(2);
    expect(await state()).toMatchObject({ isAbove: false, crossings: 0, lastCrossedAt: null });
    move(1.01);
    await rounds(3);
    expect(await state()).toMatchObject({ isAbove: true, crossings: 1 });
    // A short drop below the level is not a new crossing.
    move(1);
    await rounds(5);
    move(1.01);
    await rounds(3);
    expect(await state()).toMatchObject({ isAbove: true, crossings: 1 });
    move(1);
    await rounds(1);
    atMs += 61_000;
    await rounds(1);
    expect(await state()).toMatchObject({ isAbove: false, crossings: 1 });
    move(1.01);
    await rounds(2);
    expect(await state()).toMatchObject({ isAbove: true, crossings: 2 });
    expect(test.deps.existsSinceMs?.('SOLUSDT', 'binance', 'okx')).toBe(atMs - 1000);

    const reported = await test.database.asOwner<{ key: string; payload: Record<string, unknown> }>(
      `select key, payload from notifications where user_id = $1 and kind = 'arbitrage_spread' order by key`,
      [anna.id],
    );
    expect(reported.map(({ key }) => key)).toEqual([`${id} 1`, `${id} 2`]);
    expect(reported[0]!.payload).toMatchObject({ symbol: 'SOLUSDT', buy: 'binance', sell: 'okx', level_pct: 0.3 });
    // 1 % more expensive less 0.2 % of fees, within the price differences of the exchanges.
    expect(reported[0]!.payload['net_pct']).toBeGreaterThan(0.6);
    expect(reported[0]!.payload['net_pct']).toBeLessThan(1);
    // One event for adding it, and one each time it rose above its level or fell below.
    await expect
      .poll(() => reader.events.filter(({ event, data }) => event === 'arbitrage' && data['change'] === 'watches'))
      .toHaveLength(4);
    reader.close();
    await sampling.close();
    expect(retained.size).toBe(0);
    expect(test.deps.existsSinceMs?.('SOLUSDT', 'binance', 'okx')).toBeNull();
    exchanges.clock.set(testNowMs);
  }, 60_000);
});

describe('funding differences', () => {
  it('are normalised to a day, with what the last settlements of both exchanges paid', async () => {
    const rates: Record<ExchangeId, number> = { binance: 0.0001, bybit: 0.0003, okx: -0.0001 };
    const live = current.market!;
    const readTop = ({ exchange, symbol }: { exchange: ExchangeId; symbol: string }): TopQuote | null =>
      symbol !== 'ETHUSDT'
        ? null
        : {
            symbol,
            bid: 3000,
            ask: 3001,
            atMs: testNowMs,
            receivedAtMs: testNowMs,
            source: 'stream',
            fundingRate: rates[exchange],
            nextFundingAtMs: testNowMs + 3_600_000,
            fundingIntervalHours: exchange === 'okx' ? 8 : null,
          };
    current.market = { ...live, readTop };
    const deps = { ...test.deps, market: current.market, assertLeader: () => Promise.resolve(), failedAt: new Map() };
    expect(await refreshSettlements(deps, testNowMs)).toBe(2);
    // Nothing new before a quarter of an hour of the next hour has passed.
    expect(await refreshSettlements(deps, testNowMs + 60_000)).toBe(0);
    const anna = await test.signUp();
    const { rows, symbols } = await get<{
      rows: {
        settlements: { atMs: number; differencePct: number }[];
        settledLowPct: number;
        settledPerDayPct: number;
        settledHighPct: number;
      }[];
      symbols: number;
    }>(anna, '/api/arbitrage/funding');
    expect(symbols).toBe(1);
    const [row] = rows;
    // Longs on OKX receive 0.01 % three times a day, shorts on Bybit 0.03 %.
    expect(row).toMatchObject({ symbol: 'ETHUSDT', long: 'okx', short: 'bybit', priceRiskPct: null });
    expect(row).toMatchObject({ differencePerDayPct: expect.closeTo(0.12, 12) as number });
    // Four taker fees of 0.05 % and 0.055 %.
    expect(row).toMatchObject({ feesPct: expect.closeTo(0.21, 12) as number });
    expect(row).toMatchObject({ breakEvenHours: expect.closeTo((0.21 / 0.12) * 24, 9) as number });
    expect(row!.settlements).toHaveLength(30);
    const of = (venue: VenueId): Listing => listing(venue, 'ETHUSDT')!;
    const hours = of('okx').instrument.fundingHours;
    for (const { atMs, differencePct } of row!.settlements) {
      expect(atMs % (hours * 3_600_000)).toBe(0);
      const [paid, received] = (['okx', 'bybit'] as const).map((venue) =>
        exchanges.fake.market.fundingRate(of(venue), atMs, testNowMs),
      );
      expect(differencePct).toBeCloseTo((received! - paid!) * 100, 5);
    }
    const mean = row!.settlements.reduce((sum, { differencePct }) => sum + differencePct, 0) / 30;
    expect(row!.settledPerDayPct).toBeCloseTo((mean * 24) / hours, 9);
    expect(row!.settledLowPct).toBeLessThan(row!.settledPerDayPct);
    expect(row!.settledHighPct).toBeGreaterThan(row!.settledPerDayPct);
  });
});
