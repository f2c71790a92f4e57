import { venueIds } from '@sextant/engine-as/abi/costs.ts';
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { migrateDatabase } from '@sextant/db/src/migrate.ts';
import { startFakes } from '@sextant/server/launch/fakes.ts';
import { startThrowawayCluster } from '@sextant/server/launch/postgres/throwaway.ts';
import { createVenues } from '@sextant/server/src/adapters/exchanges/createVenues.ts';
import { buildApp } from '@sextant/server/src/app.ts';
import { readConfig } from '@sextant/server/src/config.ts';
import { createDeps } from '@sextant/server/src/deps.ts';
import type { ArbitrageResults } from '@sextant/server/src/features/arbitrage/contract.ts';
import { findOpportunities } from '@sextant/server/src/features/arbitrage/findOpportunities.ts';
import { Sampler } from '@sextant/server/src/features/arbitrage/sampler/sampler.ts';
import { createQuoteReader } from '@sextant/server/src/features/arbitrage/sampler/universe.ts';
import { takerFeesOf } from '@sextant/server/src/features/arbitrage/takerFees.ts';
import { createMarket } from '@sextant/server/src/features/market/createMarket.ts';
import type { ExchangeId, Market } from '@sextant/server/src/features/market/port.ts';
import { grant } from '@sextant/server/src/features/credits/ledger.ts';
import { openDatabase } from '@sextant/server/src/platform/db/database.ts';
import { type Db, withSystem } from '@sextant/server/src/platform/db/scope.ts';
import { type Engine, instantiate } from '@sextant/workers/src/engine/engine.ts';
import { loadModule } from '@sextant/workers/src/node/loadModule.ts';
import { createEnginePool } from '@sextant/workers/src/node/pool.ts';
import { randomStream } from '../../data/random.ts';
import { type ResultLine, rounded } from '../results.ts';
import { median } from '../statistics.ts';

const SYMBOLS = 200;
const REPEATS = 25;
const authSecret = 'a secret that signs the sessions of the bench';
/** OKX allows 32 order books in 2.5 s here; scans of ten pairs follow one another more slowly than that. */
const SCAN_PAUSE_MS = 2600;
const SCANS = 8;
const SAMPLED_S = 30;

type Report = (line: ResultLine) => void;
type Add = (name: string, figure: number, unit: string) => void;

/** A market of 200 coins on three exchanges with books of 50 levels, all in memory. */
function memoryMarket(): Pick<Market, 'symbols' | 'tops' | 'orderBook' | 'readTop'> & { names: string[] } {
  const random = randomStream(17);
  const names = Array.from({ length: SYMBOLS }, (_, i) => `COIN${i}AUSDT`);
  const middle = new Map(names.map((name) => [name, 1 + 100 * random()]));
  const quoteOf = (exchange: ExchangeId, symbol: string) => {
    const price = (middle.get(symbol) ?? 1) * (1 + { binance: 0, bybit: 0.001, okx: 0.004 }[exchange]);
    const atMs = Date.now();
    const top = { symbol, bid: price * 0.9999, ask: price * 1.0001, atMs, receivedAtMs: atMs };
    const funding = { fundingRate: 0.0001, nextFundingAtMs: atMs + 3_600_000, fundingIntervalHours: 8 };
    return { ...top, ...funding, source: 'stream' as const };
  };
  const list = names.map((symbol) => ({
    symbol,
    base: symbol.slice(0, -4),
    tickSize: 0.0001,
    stepSize: 0.01,
    minNotional: 5,
    maxQuantity: null,
    maxLeverage: 50,
    listedAtMs: null,
    status: 'trading' as const,
    fundingHours: 8,
  }));
  return {
    names,
    symbols: ({ exchange = 'binance' } = {}) =>
      Promise.resolve({
        ok: true,
        value: { exchange, fetchedAtMs: Date.now(), value: list, leftOut: {} as never },
      }),
    tops: ({ exchange = 'binance', symbols }) =>
      Promise.resolve({ ok: true, value: symbols.map((symbol) => quoteOf(exchange, symbol)) }),
    readTop: ({ exchange, symbol }) => quoteOf(exchange, symbol),
    orderBook({ exchange = 'binance', symbol }) {
      const { bid, ask, atMs } = quoteOf(exchange, symbol);
      const levels = (best: number, sign: number): [number, number][] =>
        Array.from({ length: 50 }, (_, i) => [best * (1 + sign * i * 0.0002), 20]);
      const value = { symbol, bids: levels(bid, -1), asks: levels(ask, 1), atMs };
      return Promise.resolve({ ok: true, value: { exchange, fetchedAtMs: atMs, value } });
    },
  };
}

const paramsOf = (symbols: string[], minSpreadPct: number) => ({
  symbols,
  minSpreadPct,
  notionalUsdt: 1000,
  exchanges: [...venueIds] as ExchangeId[],
  maxCount: 100,
  holdHours: 8,
  takerFees: takerFeesOf(),
});

async function scanOnce(
  market: Pick<Market, 'symbols' | 'tops' | 'orderBook'>,
  kernel: Engine,
  symbols: string[],
): Promise<ArbitrageResults> {
  const options = { userId: randomUUID(), signal: AbortSignal.timeout(20_000), onProgress: () => Promise.resolve() };
  const outcome = await findOpportunities({ market, kernel: () => kernel }, paramsOf(symbols, 0), options);
  if (!outcome.ok) throw new Error(outcome.error.message);
  return outcome.value;
}

/** Where the time of a scan goes, from memory to the HTTP response, and the sampler's share of a core. */
export async function measureArbitrage(report: Report): Promise<{ lines: ResultLine[]; notes: string[] }> {
  const lines: ResultLine[] = [];
  const add: Add = (name, figure, unit) => {
    const line = { suite: 'arbitrage', case: name, figure: rounded(figure), unit };
    lines.push(line);
    report(line);
  };
  const { module } = await loadModule();
  const kernel = instantiate(module);
  const memory = memoryMarket();
  const timings: ArbitrageResults['timing'][] = [];
  for (let i = 0; i < REPEATS; i++) await scanOnce(memory, kernel, memory.names);
  const before = process.cpuUsage();
  for (let i = 0; i < REPEATS; i++) timings.push((await scanOnce(memory, kernel, memory.names)).timing);
  const { user, system } = process.cpuUsage(before);
  add(`engine, ${SYMBOLS} symbols x 3 exchanges, every one a candidate`, median(timings.map((t) => t.engineMs)), 'ms');
  add('whole comparison from memory, 20 order books too', median(timings.map((t) => t.totalMs)), 'ms');
  add('the same, processor time', (user + system) / 1000 / REPEATS, 'ms');
  await measureApi(memory, add);
  await measureFakes(kernel, add);
  return {
    lines,
    notes: [
      'Goals: engine at most 5 ms, API at most 20 ms, a scan with 20 order books over HTTP at most 400 ms, the sampler at most 2 % of a core.',
      'API: the whole way of a scan of 200 symbols from memory, hold, comparison, storing and release or capture in PostgreSQL, without the network.',
      `Fakes: exchanges in another process over loopback HTTP; scans ${SCAN_PAUSE_MS} ms apart, as OKX allows 32 order books in 2.5 s here.`,
      'Sampler: processor time of this process, the messages of the streams that come meanwhile and the responses of Binance included; medians of seconds.',
    ],
  };
}

async function measureApi(memory: ReturnType<typeof memoryMarket>, add: Add): Promise<void> {
  const cluster = await startThrowawayCluster('bench');
  const { serverUrl } = await migrateDatabase(cluster.ownerUrl, authSecret);
  const database = openDatabase({ url: serverUrl, onError: () => undefined });
  const engine = await loadModule();
  const made = createDeps({
    config: readConfig({ LOG_LEVEL: 'silent', DATABASE_URL: cluster.ownerUrl, DATA_DIR: '/tmp' }),
    database,
    newEngine: () => instantiate(engine.module),
    engine: createEnginePool({ engine, threads: 1, queueMax: 8, deadlineMs: 20_000 }),
    authSecret,
    version: '0.0.0-bench',
    webDir: '/nowhere',
  });
  const deps = { ...made, market: { ...made.market, ...memory } };
  const app = await buildApp(deps);
  try {
    const signedUp = await deps.auth.signUp('bench@example.com', 'correct horse battery', {
      ip: '127.0.0.1',
      userAgent: undefined,
    });
    if (!signedUp.ok || signedUp.value === null) throw new Error('no account');
    const headers = { authorization: `Bearer ${signedUp.value.token}` };
    const timed = async (minSpreadPct: number): Promise<number> => {
      const startedAt = performance.now();
      const payload = { symbols: memory.names, minSpreadPct };
      const response = await app.inject({ method: 'POST', url: '/api/arbitrage-scan', headers, payload });
      if (response.statusCode !== 200) throw new Error(`${response.statusCode} ${response.body.slice(0, 200)}`);
      return performance.now() - startedAt;
    };
    await grantCredits(database.db, signedUp.value.account.id);
    for (const [name, least] of [
      ['API, 200 symbols x 3 exchanges, nothing found', 50],
      ['API, 200 symbols x 3 exchanges, 100 items, 20 order books from memory', 0],
    ] as const) {
      const times: number[] = [];
      // Loading and compiling at first use is not part of the cost of a scan.
      for (let i = 0; i < REPEATS; i++) await timed(least);
      const before = process.cpuUsage();
      for (let i = 0; i < REPEATS; i++) times.push(await timed(least));
      const { user, system } = process.cpuUsage(before);
      add(name, median(times), 'ms');
      add('the same, processor time of the server', (user + system) / 1000 / REPEATS, 'ms');
    }
  } finally {
    await app.close();
    await deps.close();
    await database.close();
    await cluster.stop();
  }
}

const grantCredits = (db: Db, userId: string): Promise<unknown> =>
  withSystem(db, (tx) => grant(tx, { userId, credits: 1000, reason: 'purchase', key: 'bench' }));

async function measureFakes(kernel: Engine, add: Add): Promise<void> {
  const fakes = await startFakes({ PATH: process.env['PATH'] ?? '' }, () => undefined);
  const venues = createVenues({ exchangesUrl: fakes.exchangesUrl });
  const none = { symbolCount: 120, candles: [] };
  const market = createMarket({ venues: venues.byExchange, plan: { binance: none, bybit: none, okx: none } });
  market.start();
  try {
    await untilStreamed(market);
    const listed = await market.symbols();
    const symbols = listed.ok ? listed.value.value.map(({ symbol }) => symbol).slice(0, SYMBOLS) : [];
    const scans: number[] = [];
    for (let i = 0; i < SCANS; i++) {
      const { timing, bookRequests } = await scanOnce(market, kernel, symbols);
      if (bookRequests !== 20) throw new Error(`${bookRequests} order books were requested`);
      scans.push(timing.totalMs);
      await delay(SCAN_PAUSE_MS);
    }
    add(`scan of ${symbols.length} symbols with 20 order books over HTTP`, median(scans), 'ms');
    add('the slowest of them', Math.max(...scans), 'ms');
    await measureSampler(market, kernel, add);
  } finally {
    market.stop();
    await venues.close();
    await fakes.stop();
  }
}

async function untilStreamed(market: Market): Promise<void> {
  const untilMs = performance.now() + 60_000;
  for (;;) {
    const isThere = venueIds.every(
      (exchange) => market.readTop({ exchange, symbol: 'BTCUSDT', maxAgeMs: 6000 }) !== null,
    );
    if (isThere) break;
    if (performance.now() > untilMs) throw new Error('the streams did not start');
    await delay(200);
  }
  // The slowest topics of all symbols are subscribed to within seconds.
  await delay(8000);
}

async function measureSampler(market: Market, kernel: Engine, add: Add): Promise<void> {
  const sampler = new Sampler(() => kernel);
  const reader = createQuoteReader(market, Date.now, () => undefined);
  await reader.renew(new Set());
  const shares: number[] = [];
  let coins = 0;
  for (let second = 0; second < SAMPLED_S; second++) {
    const before = process.cpuUsage();
    const quotes = await reader.read();
    sampler.sample(quotes, Date.now());
    const { user, system } = process.cpuUsage(before);
    shares.push((user + system) / 10_000);
    coins = quotes.size;
    await delay(1000);
  }
  add(`sampler, ${coins} coins once a second, share of a core`, median(shares), '%');
}
