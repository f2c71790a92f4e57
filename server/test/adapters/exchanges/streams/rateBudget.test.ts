import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { FaultRule } from '../../../../fakes/exchanges/faults.ts';
import type { LoggedRequest } from '../../../../fakes/exchanges/requestLog.ts';
import { Backfill, type BackfillVenue } from '../../../../src/features/history/backfill.ts';
import { createMarket, type LiveMarket } from '../../../../src/features/market/createMarket.ts';
import type { ExchangeId, FuturesSymbol } from '../../../../src/features/market/port.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/createTestDatabase.ts';
import { exchangeIds, startTestExchanges, type TestExchanges, testNowMs } from '../support/testExchanges.ts';

/** Ten minutes of a warm market with users, on a manual clock: the requests that the exchanges receive. */
let exchanges: TestExchanges;
let market: LiveMarket;
beforeAll(async () => {
  exchanges = await startTestExchanges();
});
afterAll(() => exchanges.close());
afterEach(() => {
  market.stop();
  exchanges.fake.faults.clear();
  exchanges.fake.limits.clear();
  exchanges.fake.requests.clear();
  exchanges.clock.set(testNowMs);
});

const symbolCount = 12;
function start(): void {
  const venues = exchanges.venues({ streamTimings: { watchMs: 3_600_000, backoffMinMs: 5, backoffMaxMs: 20 } });
  const prices = { symbolCount, candles: [] };
  const plan = { binance: { symbolCount, candles: ['15m', '1h', '4h'] as const }, bybit: prices, okx: prices };
  market = createMarket({ venues: venues.byExchange, now: exchanges.clock.now, plan });
  market.start(0);
}

/** Reads like a scan, twelve series at a time. Returns how many were rejected. */
async function readAsScan(symbols: readonly string[]): Promise<number> {
  const wanted = symbols.flatMap((symbol) => (['15m', '1h', '4h'] as const).map((interval) => ({ symbol, interval })));
  let next = 0;
  let rejectedCount = 0;
  const reader = async (): Promise<void> => {
    for (let each = wanted[next++]; each !== undefined; each = wanted[next++]) {
      const outcome = await market.candles({ ...each, limit: 500, userId: 'scanner', purpose: 'scan' });
      if (!outcome.ok) rejectedCount++;
    }
  };
  await Promise.all(Array.from({ length: 12 }, reader));
  return rejectedCount;
}

/** Twenty users who scan and compare exchanges twice a minute, a third of them every ten seconds. */
async function users(symbols: readonly string[], second: number): Promise<void> {
  const active = Array.from({ length: 20 }, (_, user) => user).filter((user) => user % 3 === (second / 10) % 3);
  const requested = active.flatMap((user) => {
    const userId = `user ${user}`;
    const prices = exchangeIds.map((exchange) => market.prices({ exchange, symbols: symbols.slice(0, 8), userId }));
    return [...prices, ...symbols.map((symbol) => market.candles({ symbol, interval: '15m', limit: 500, userId }))];
  });
  await Promise.all(requested);
}

async function pass(seconds: number, stepS: number): Promise<void> {
  const turnovers = await market.turnovers();
  const symbols = turnovers.ok ? turnovers.value.value.slice(0, symbolCount).map(({ symbol }) => symbol) : ['BTCUSDT'];
  for (let second = 0; second < seconds; second += stepS) {
    exchanges.clock.advance(stepS * 1000);
    exchanges.fake.streams.tick();
    await delay(1);
    await Promise.all([market.round(), users(symbols, second)]);
  }
}

/** Highest cost in any window of the exchange's own length. */
function peak(requests: readonly LoggedRequest[], windowMs: number, cost: (request: LoggedRequest) => number): number {
  let most = 0;
  for (const { atMs } of requests) {
    const inside = requests.filter((each) => each.atMs >= atMs && each.atMs < atMs + windowMs);
    most = Math.max(
      most,
      inside.reduce((sum, each) => sum + cost(each), 0),
    );
  }
  return most;
}

describe('ten minutes of a warm market with twenty users', () => {
  it('stay under 80 % of every limit, and the history of a series costs a weight of 3', async () => {
    start();
    await market.round();
    const loads = exchanges.fake.requests
      .all()
      .filter(({ endpoint, venue }) => endpoint === 'klines' && venue === 'binance');
    expect(market.warmth()).toMatchObject({ wantedCount: 3 * symbolCount, readyCount: 3 * symbolCount });
    expect(loads.reduce((sum, { weight }) => sum + weight, 0)).toBeLessThanOrEqual(3 * 3 * symbolCount);
    await pass(600, 10);
    const all = exchanges.fake.requests.all();
    const of = (venue: string): LoggedRequest[] => all.filter((request) => request.venue === venue);
    expect(peak(of('binance'), 60_000, ({ weight }) => weight)).toBeLessThanOrEqual(0.8 * 2400);
    expect(peak(of('bybit'), 5000, () => 1)).toBeLessThanOrEqual(0.8 * 600);
    for (const path of new Set(of('okx').map((request) => request.path))) {
      const limit = path.endsWith('/candles') ? 40 : path.includes('mark-price') ? 10 : 20;
      expect(
        peak(
          of('okx').filter((request) => request.path === path),
          2000,
          () => 1,
        ),
      ).toBeLessThanOrEqual(0.8 * limit);
    }
    expect(all.filter(({ status }) => status !== 200)).toEqual([]);
  });

  it.each([
    ['banned', 120],
    ['rateLimited', 45],
  ] as const)('send nothing while %s for %i s, and go on afterwards', async (fault, retryAfterS) => {
    start();
    await market.round();
    exchanges.fake.requests.clear();
    exchanges.fake.faults.add(FaultRule.parse({ fault, venue: 'binance', times: 1, retryAfterS }));
    const known = await market.candles({ symbol: 'BTCUSDT', interval: '5m', limit: 10 });
    expect(known).toMatchObject({ ok: false, error: { code: 'upstream_rate_limited', retryAfterS } });
    const bannedAtMs = exchanges.clock.now();
    await pass(160, 10);
    const requested = exchanges.fake.requests
      .all()
      .filter(({ venue, atMs }) => venue === 'binance' && atMs > bannedAtMs);
    expect(requested.filter(({ atMs }) => atMs < bannedAtMs + retryAfterS * 1000)).toEqual([]);
    expect((await market.candles({ symbol: 'BTCUSDT', interval: '5m', limit: 10 })).ok).toBe(true);
  });

  it('probe an exchange that keeps failing once in ten seconds', async () => {
    start();
    await market.round();
    exchanges.fake.requests.clear();
    exchanges.fake.faults.add(FaultRule.parse({ fault: 'serverError', venue: 'binance' }));
    for (let i = 0; i < 6; i++) await market.candles({ symbol: 'BTCUSDT', interval: '5m', limit: 10 });
    const openMs = exchanges.clock.now();
    exchanges.fake.streams.faults.add({ fault: 'silence', venue: 'binance', retryAfterS: 1, delayMs: 1 });
    await pass(60, 5);
    exchanges.fake.streams.faults.clear();
    const probes = exchanges.fake.requests
      .all()
      .filter(({ venue, atMs }) => venue === 'binance' && atMs > openMs + 1000);
    expect(probes.length).toBeGreaterThan(0);
    // A probe is one request; a transient failure is retried once a quarter of a second later, if admission allows it.
    expect(peak(probes, 10_000, () => 1)).toBeLessThanOrEqual(1);
  });
});

describe('a cold scan of 100 symbols and three intervals', () => {
  const binance = () => exchanges.fake.requests.all().filter(({ venue }) => venue === 'binance');
  const scanned = async (): Promise<string[]> => {
    const turnovers = await market.turnovers();
    if (!turnovers.ok) throw new Error(turnovers.error.message);
    return turnovers.value.value.slice(0, 100).map(({ symbol }) => symbol);
  };

  it('costs 1,500 of the 1,920 per minute for its candles, without any wait', async () => {
    market = createMarket({ venues: exchanges.venues().byExchange, now: exchanges.clock.now });
    expect(await readAsScan(await scanned())).toBe(0);
    const candles = binance().filter(({ endpoint }) => endpoint === 'klines');
    expect(candles).toHaveLength(300);
    expect(candles.reduce((sum, { weight }) => sum + weight, 0)).toBe(1500);
    // Plus the symbol list (1), turnovers (40) and prices (17), which verify that a series belongs to its symbol.
    expect(binance().reduce((sum, { weight }) => sum + weight, 0)).toBeLessThanOrEqual(1500 + 1 + 40 + 17);
    // A wait would move this clock.
    expect(exchanges.clock.now()).toBe(testNowMs);
  });

  const quiet = { symbolCount: 0, candles: [] };
  const startAll = (): void => {
    const plan = { binance: { symbolCount: 120, candles: ['15m', '1h', '4h'] as const }, bybit: quiet, okx: quiet };
    const venues = exchanges.venues({ streamTimings: { watchMs: 3_600_000 } });
    market = createMarket({ venues: venues.byExchange, now: exchanges.clock.now, plan });
    market.start(0);
  };

  it('finds them all warm after a cold start, which waits for no limit and takes 10 MiB', async () => {
    startAll();
    await market.round();
    const { wantedCount, readyCount, readyAfterMs, candleBytes } = market.warmth();
    // 120 symbols, as planned, on three intervals.
    expect([wantedCount, readyCount, readyAfterMs]).toEqual([360, 360, 0]);
    expect(candleBytes).toBeLessThan(10 * 2 ** 20);
    const before = binance().length;
    expect(await readAsScan(await scanned())).toBe(0);
    expect(binance()).toHaveLength(before);
  });

  it("stays within the minute's budget beside a cold start of 120 symbols, whatever has to wait", async () => {
    startAll();
    await Promise.all([market.round(), scanned().then(readAsScan)]);
    expect(peak(binance(), 60_000, ({ weight }) => weight)).toBeLessThanOrEqual(0.8 * 2400);
    expect(binance().filter(({ status }) => status !== 200)).toEqual([]);
  });
});

describe('a back-fill of 400 symbols and four intervals', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  /** The venue with as many symbols as a real one: each is an alias of one that the simulated exchange lists. */
  function ofFourHundred(venue: BackfillVenue): BackfillVenue {
    let realOf = new Map<string, string>();
    const real = (symbol: string): string => realOf.get(symbol) ?? symbol;
    return {
      ...venue,
      async symbols() {
        const list = await venue.symbols();
        if (!list.ok) return list;
        const listed = list.value.symbols.filter(({ status }) => status === 'trading');
        const aliases = Array.from({ length: 400 }, (_, i): FuturesSymbol => {
          const match = listed[i % listed.length] as FuturesSymbol;
          return { ...match, symbol: `A${i}USDT`, listedAtMs: null };
        });
        realOf = new Map(aliases.map(({ symbol }, i) => [symbol, (listed[i % listed.length] as FuturesSymbol).symbol]));
        return { ...list, value: { ...list.value, symbols: aliases } };
      },
      async turnovers() {
        const rows = await venue.turnovers();
        const all = [...realOf.keys()].map((symbol) => ({ symbol, turnoverUsdt: 1 }));
        return rows.ok ? { ok: true, value: all } : rows;
      },
      candles: (request) => venue.candles({ ...request, symbol: real(request.symbol) }),
      // Fundings have a budget of their own.
      fundingHistory: () =>
        Promise.resolve({ ok: true, value: { time: new Float64Array(0), rate: new Float64Array(0) } }),
    };
  }

  it('HIST-021 stays within two fifths of the budgets of all three exchanges', { timeout: 300_000 }, async () => {
    // Early in a month: what is measured is the number of series, not the length of their first page.
    exchanges.clock.set(Date.UTC(2025, 2, 2, 10, 7, 30));
    market = createMarket({ venues: exchanges.venues().byExchange, now: exchanges.clock.now });
    const { byExchange } = exchanges.venues();
    const written = new Map<ExchangeId, number>();
    const retention = { '1m': 0, '5m': 0, '15m': 1, '1h': 1, '4h': 1, '1d': 1 };
    const startMs = exchanges.clock.now();
    for (const exchange of exchangeIds) {
      const venue = ofFourHundred(byExchange[exchange]);
      const job = {
        db: database.db,
        source: 'simulated budget',
        venues: { binance: venue, bybit: venue, okx: venue },
        store: {
          write: () => Promise.resolve(void written.set(exchange, (written.get(exchange) ?? 0) + 1)),
        },
        symbolsMax: 400,
        retention,
        warn: () => undefined,
        now: exchanges.clock.now,
        sleep: (ms: number, signal: AbortSignal) => exchanges.clock.sleep(ms, signal),
      };
      expect(await new Backfill(job, exchange, new AbortController().signal).run(), exchange).toBe(true);
    }
    expect([...written.values()]).toEqual([1600, 1600, 1600]);
    process.stdout.write(
      `4,800 series took ${Math.round((exchanges.clock.now() - startMs) / 1000)} s of the exchanges' time\n`,
    );
    const all = exchanges.fake.requests.all();
    const of = (venue: string): LoggedRequest[] => all.filter((request) => request.venue === venue);
    expect(all.filter(({ status }) => status !== 200)).toEqual([]);
    // Our budgets are 80 % of the limits; one more part of at most 25 pages may be sent below the mark.
    expect(peak(of('binance'), 60_000, ({ weight }) => weight)).toBeLessThanOrEqual(0.4 * 0.8 * 2400 + 50);
    expect(peak(of('bybit'), 5000, () => 1)).toBeLessThanOrEqual(0.4 * 0.8 * 600 + 25);
    for (const path of new Set(of('okx').map((request) => request.path))) {
      const limit = path.endsWith('/candles') ? 40 : path.includes('mark-price') ? 10 : 20;
      const most = peak(
        of('okx').filter((request) => request.path === path),
        2000,
        () => 1,
      );
      expect(most, path).toBeLessThanOrEqual(0.8 * limit);
    }
  });
});
