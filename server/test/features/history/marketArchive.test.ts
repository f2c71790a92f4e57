import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createCandleStore, type CandleStore } from '../../../src/features/history/candleStore.ts';
import { createHistory } from '../../../src/features/history/readHistory.ts';
import { createMarket, type LiveMarket } from '../../../src/features/market/createMarket.ts';
import {
  startTestExchanges,
  type TestExchanges,
  testNowMs,
  trueCandles,
} from '../../adapters/exchanges/support/testExchanges.ts';
import { createTestDatabase, type TestDatabase } from '../../support/createTestDatabase.ts';
import { hourMs } from './support.ts';

/** The live market over the candle store: what a restart requests from the exchanges. */
let database: TestDatabase;
let exchanges: TestExchanges;
let market: LiveMarket;
let store: CandleStore;
let source = 0;
beforeAll(async () => {
  [database, exchanges] = await Promise.all([createTestDatabase(), startTestExchanges()]);
});
afterAll(async () => {
  await exchanges.close();
  await database.drop();
});
beforeEach(() => {
  source++;
});
afterEach(() => {
  market.stop();
  exchanges.fake.faults.clear();
  exchanges.fake.limits.clear();
  exchanges.fake.requests.clear();
  exchanges.clock.set(testNowMs);
});

const symbolCount = 6;
const intervals = ['15m', '1h', '4h'] as const;
const quiet = { symbolCount: 0, candles: [] };
function start(): void {
  store = createCandleStore({
    db: database.db,
    source: `simulated ${source}`,
    onError: (error) => {
      throw error;
    },
    now: exchanges.clock.now,
  });
  const venues = exchanges.venues({ streamTimings: { watchMs: 3_600_000 } }).byExchange;
  const plan = { binance: { symbolCount, candles: intervals }, bybit: quiet, okx: quiet };
  market = createMarket({ venues, now: exchanges.clock.now, plan, archive: store });
  market.start(0);
}
const klines = () => exchanges.fake.requests.all().filter(({ endpoint }) => endpoint === 'klines');

describe('a market over the candle store', () => {
  it('HIST-010 is warm after a restart without a request for candles while the store is fresh', async () => {
    start();
    await market.round();
    expect(market.warmth()).toMatchObject({ wantedCount: 18, readyCount: 18 });
    expect(klines().length).toBeGreaterThanOrEqual(18);
    market.stop();
    await store.flush();
    exchanges.fake.requests.clear();
    start();
    const startedAt = performance.now();
    await market.round();
    const tookMs = performance.now() - startedAt;
    expect(market.warmth()).toMatchObject({ wantedCount: 18, readyCount: 18 });
    expect(klines()).toEqual([]);
    process.stdout.write(`a restart read 18 series of 560 candles in ${tookMs.toFixed(0)} ms\n`);
  });

  it('HIST-011 requests only the missing tail after some hours, and stores it', async () => {
    start();
    await market.round();
    market.stop();
    await store.flush();
    exchanges.fake.requests.clear();
    exchanges.clock.advance(9 * hourMs);
    start();
    await market.round();
    expect(market.warmth()).toMatchObject({ wantedCount: 18, readyCount: 18 });
    expect(klines()).toHaveLength(18);
    // 36 quarter hours with a stored bar as seam: a page of at most 99 weighs 1.
    expect(klines().every(({ weight }) => weight === 1)).toBe(true);
    await store.flush();
    const history = createHistory({ db: database.db, source: `simulated ${source}`, store });
    const to = Math.floor(exchanges.clock.now() / hourMs) * hourMs - hourMs;
    const from = to - 499 * hourMs;
    const read = await history.readClosedCandles({ exchange: 'binance', symbol: 'BTCUSDT', interval: '1h', from, to });
    if (!read.ok) throw new Error(read.error.message);
    const truth = [...trueCandles(exchanges.fake, 'binance', 'BTCUSDT', '1h', from, to).values()];
    expect(read.value.complete).toBe(true);
    expect([...read.value.columns.close]).toEqual(truth.map(([, , , , close]) => close));
    expect([...read.value.columns.volume]).toEqual(truth.map(([, , , , , volume]) => volume));
  });

  it('HIST-012 stores candles that a stream appends', async () => {
    start();
    await market.round();
    await store.flush();
    exchanges.clock.advance(15 * 60_000);
    const quarterMs = 15 * 60_000;
    const last = Math.floor(exchanges.clock.now() / quarterMs) * quarterMs - quarterMs;
    const isHere = () => market.readWarm({ symbol: 'BTCUSDT', interval: '15m', limit: 1 })?.candles.time[0] === last;
    for (let turn = 0; turn < 500 && !isHere(); turn++) {
      exchanges.fake.streams.tick();
      await delay(10);
    }
    expect(isHere()).toBe(true);
    await store.flush();
    const range = { fromMs: last, toMs: last };
    const read = await store.readRange({ exchange: 'binance', symbol: 'BTCUSDT', interval: '15m' }, range);
    expect(read).toMatchObject({ ok: true, value: { covered: [range] } });
  });

  it('HIST-013 stores nothing of candles that belong to another symbol', async () => {
    start();
    exchanges.fake.faults.add({
      fault: 'wrongSymbol',
      venue: 'binance',
      endpoint: 'klines',
      retryAfterS: 1,
      delayMs: 1,
    });
    const read = await market.candles({ symbol: 'DOGEUSDT', interval: '1d', limit: 50 });
    await store.flush();
    const rows = await database.asOwner('select from history_chunks where source = $1 and symbol = $2', [
      `simulated ${source}`,
      'DOGEUSDT',
    ]);
    expect([read.ok, rows.length]).toEqual([false, 0]);
  });
});
