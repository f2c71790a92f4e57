import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ExchangesFake, startExchanges } from '../../../fakes/exchanges/server.ts';
import { createVenues, type Venues } from '../../../src/adapters/exchanges/createVenues.ts';
import { type CandleStore, createCandleStore } from '../../../src/features/history/candleStore.ts';
import { deleteOtherReplays } from '../../../src/features/history/chunkRepository.ts';
import { historySourceOf } from '../../../src/features/history/source.ts';
import { createMarket } from '../../../src/features/market/createMarket.ts';
import { readConfig } from '../../../src/config.ts';
import { withSystem } from '../../../src/platform/db/scope.ts';
import { manualClock } from '../../adapters/exchanges/support/testExchanges.ts';
import { createTestDatabase, type TestDatabase } from '../../support/createTestDatabase.ts';
import { hourMs } from './support.ts';

/** A recording of 400 hours whose close is 100 in its first hour and one more in each. */
const dayMs = 24 * hourMs;
const recordedMs = Date.UTC(2023, 0, 2);
const hours = 400;
/** The recording ends at 16:00: a start at 20:00 of a day moves it to that day, whatever the hour until 16:00 of the next. */
const firstStartMs = Date.UTC(2025, 5, 11, 20);
const closeAt = (atMs: number, movedMs: number): number => 101 + (atMs - movedMs - recordedMs) / hourMs;

let database: TestDatabase;
let folder: string;
const stops: (() => Promise<void>)[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
  folder = mkdtempSync(join(tmpdir(), 'sextant-replay-store-'));
  const lines = Array.from({ length: hours }, (_, i) => [
    recordedMs + i * hourMs,
    100 + i,
    102 + i,
    99 + i,
    101 + i,
    5,
  ]);
  writeFileSync(join(folder, 'SOLUSDT-1h.csv'), ['time,open,high,low,close,volume', ...lines].join('\n'));
});
afterAll(async () => {
  for (const stop of stops) await stop();
  rmSync(folder, { recursive: true });
  await database.drop();
});

interface Service {
  fake: ExchangesFake;
  store: CandleStore;
  source: string;
  revised: number[];
  /** Opens and closes of the last hours before the start. */
  read: (count: number) => Promise<[time: number, close: number][]>;
  requests: () => number;
}

/** `npm start` with MARKET_REPLAY at a moment. */
async function start(atMs: number): Promise<Service> {
  const clock = manualClock(atMs);
  const fake = await startExchanges({ seed: 7, now: clock.now, replayDir: folder });
  const config = readConfig({ MARKET_REPLAY: folder, MARKET_REPLAY_WORLD: fake.replayWorld ?? '' });
  const source = historySourceOf(config);
  const revised: number[] = [];
  const store = createCandleStore({
    db: database.db,
    source,
    onError: (error) => expect.unreachable(String(error)),
    onRevised: (_series, count) => revised.push(count),
    now: clock.now,
  });
  const base = {
    exchangesUrl: fake.url,
    binanceKey: undefined,
    clock,
    requestTimeoutMs: 20_000,
    callDeadlineMs: 20_000,
  };
  const venues: Venues = createVenues({ ...base, streamTimings: {} });
  stops.push(async () => {
    await venues.close();
    await fake.close();
  });
  const market = createMarket({ venues: venues.byExchange, now: clock.now, archive: store });
  return {
    fake,
    store,
    source,
    revised,
    async read(count) {
      const response = await market.candles({ symbol: 'SOLUSDT', interval: '1h', limit: count, endTimeMs: atMs });
      if (!response.ok) throw new Error(response.error.message);
      const { time, close } = response.value.value.candles;
      return [...time].map((at, i) => [at, close[i] ?? Number.NaN]);
    },
    requests: () => fake.requests.all().filter(({ endpoint }) => endpoint === 'klines').length,
  };
}

const firstMovedMs = Date.UTC(2025, 5, 11, 16) - (recordedMs + hours * hourMs);
/** The part of what was read that the recording covers. */
const recordedPart = (rows: readonly [number, number][], movedMs: number) =>
  rows.filter(([time]) => time < recordedMs + movedMs + hours * hourMs);

describe('a replayed market and the candle store', () => {
  it('HIST-123 a restart reads the recorded candles from the store, one of a later day never those of the day before', async () => {
    const first = await start(firstStartMs);
    const read = await first.read(300);
    expect(read).toHaveLength(300);
    for (const [time, close] of recordedPart(read, firstMovedMs)) expect(close).toBe(closeAt(time, firstMovedMs));
    expect(recordedPart(read, firstMovedMs)).toHaveLength(296);
    expect(first.requests()).toBeGreaterThan(0);
    await first.store.flush();

    // The next morning the recording is still where it was.
    const again = await start(firstStartMs);
    expect(again.source).toBe(first.source);
    expect(await again.read(300)).toEqual(read);
    expect(again.requests()).toBe(0);

    const later = await start(firstStartMs + dayMs);
    expect(later.source).not.toBe(first.source);
    const moved = recordedPart(await later.read(300), firstMovedMs + dayMs);
    expect(moved).toHaveLength(296);
    for (const [time, close] of moved) expect(close).toBe(closeAt(time, firstMovedMs + dayMs));
    await later.store.flush();
    expect(later.revised).toEqual([]);
  });

  it('HIST-123 the chunks of earlier worlds are deleted, those of live and simulated markets are not', async () => {
    const sources = ['live', 'simulated 7', 'replay aa /candles', 'replay bb /candles'];
    for (const source of sources)
      await database.asOwner(
        `insert into history_chunks (source, exchange, symbol, interval, price, month, payload, sha256, candle_count, covered)
         values ($1, 'binance', 'SOLUSDT', '1h', 'last', '2023-01-01', '', sha256(''), 0, '{}')`,
        [source],
      );
    await withSystem(database.db, (tx) => deleteOtherReplays(tx, 'replay bb /candles'));
    const rows = await database.asOwner<{ source: string }>('select source from history_chunks order by source');
    expect(rows.map(({ source }) => source)).toEqual(['live', 'replay bb /candles', 'simulated 7']);
  });
});
