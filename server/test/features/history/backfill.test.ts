import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import { ok } from '@sextant/workers/src/core/result.ts';
import { reject } from '../../../src/platform/errors.ts';
import { Backfill, type BackfillVenue } from '../../../src/features/history/backfill.ts';
import type { HistoryMonths } from '@sextant/workers/src/core/historyMonths.ts';
import { planBackfill } from '../../../src/features/history/backfillPlan.ts';
import { readProgress } from '../../../src/features/history/backfillRepository.ts';
import { createCandleStore } from '../../../src/features/history/candleStore.ts';
import { createHistory } from '../../../src/features/history/readHistory.ts';
import type { VenueCandleRequest } from '../../../src/features/market/port.ts';
import { withSystem } from '../../../src/platform/db/scope.ts';
import { createTestDatabase, type TestDatabase } from '../../support/createTestDatabase.ts';
import { candlesAt, hourMs, opensOf } from './support.ts';

let database: TestDatabase;
let source = 0;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
afterEach(() => {
  source++;
});

const nowMs = Date.UTC(2026, 2, 10, 12, 20);
const none: HistoryMonths = { '1m': 0, '5m': 0, '15m': 0, '1h': 0, '4h': 0, '1d': 0 };

/** A venue of two hourly symbols with scripted responses. */
function scripted() {
  const state = {
    requests: [] as VenueCandleRequest[],
    slept: [] as number[],
    used: 0,
    /** Response instead of the candles, per request number. */
    script: new Map<number, ReturnType<typeof reject>>(),
    missing: new Set<number>(),
  };
  const listed = (symbol: string, listedAtMs: number | null) => ({
    symbol,
    base: symbol,
    tickSize: 0.1,
    stepSize: 1,
    minNotional: null,
    maxLeverage: null,
    maxQuantity: null,
    listedAtMs,
    status: 'trading' as const,
    fundingHours: 8,
  });
  const young = Date.UTC(2026, 1, 20, 7);
  const noneLeft = {
    stock: 0,
    commodity: 0,
    index: 0,
    otherAsset: 0,
    unclassified: 0,
    otherQuote: 0,
    datedFuture: 0,
    malformed: 0,
  };
  const venue: BackfillVenue = {
    symbols: () =>
      Promise.resolve(
        ok({
          readAtMs: nowMs,
          symbols: [listed('OLDUSDT', Date.UTC(2020, 0)), listed('YOUNGUSDT', young)],
          leftOut: noneLeft,
        }),
      ),
    turnovers: () =>
      Promise.resolve(
        ok([
          { symbol: 'YOUNGUSDT', turnoverUsdt: 2 },
          { symbol: 'OLDUSDT', turnoverUsdt: 1 },
        ]),
      ),
    candles(request) {
      state.requests.push(request);
      const failure = state.script.get(state.requests.length);
      if (failure !== undefined) return Promise.resolve(failure);
      const opens = opensOf(request.fromMs, request.toMs, intervalMs[request.interval]).filter(
        (each) => !state.missing.has(each),
      );
      return Promise.resolve(ok({ candles: candlesAt(opens), gaps: [], rejectedCount: 0 }));
    },
    fundingHistory: () => Promise.resolve(ok({ time: new Float64Array(0), rate: new Float64Array(0) })),
    budgets: () => [{ used: state.used, capacity: 100 }],
  };
  return { state, venue };
}

function start(venue: BackfillVenue, state: ReturnType<typeof scripted>['state'], retention: HistoryMonths) {
  const name = `simulated ${source}`;
  const store = createCandleStore({
    db: database.db,
    source: name,
    onError: (error) => {
      throw error;
    },
    now: () => nowMs,
  });
  const warned: unknown[] = [];
  const job = {
    db: database.db,
    source: name,
    store,
    venues: { binance: venue, bybit: venue, okx: venue },
    symbolsMax: 10,
    retention,
    warn: (error: unknown) => warned.push(error),
    now: () => nowMs,
    sleep: (ms: number) => {
      state.slept.push(ms);
      state.used = 0;
      return Promise.resolve();
    },
  };
  const history = createHistory({ db: database.db, source: name, store });
  const progress = () => withSystem(database.db, (tx) => readProgress(tx, { source: name, exchange: 'binance' }));
  return {
    run: () => new Backfill(job, 'binance', new AbortController().signal).run(),
    history,
    progress,
    store,
    warned,
  };
}

describe('the plan of the back-fill', () => {
  it('HIST-015 takes the newest months first, by turnover, from the listing to the last closed bar', () => {
    const plan = planBackfill({
      nowMs,
      retention: { ...none, '1h': 3, '1d': 3 },
      symbols: [
        { symbol: 'A', listedAtMs: Date.UTC(2026, 1, 20, 7) },
        { symbol: 'B', listedAtMs: null },
      ],
      minuteSymbols: new Set(),
      covered: (interval, symbol) =>
        interval === '1h' && symbol === 'B' ? [{ fromMs: Date.UTC(2026, 2, 1), toMs: Date.UTC(2026, 2, 10, 11) }] : [],
    });
    const day = (ms: number): string => new Date(ms).toISOString().slice(0, 13);
    expect(plan.parts.map(({ symbol, interval, fromMs, toMs }) => [symbol, interval, day(fromMs), day(toMs)])).toEqual([
      ['A', '1h', '2026-03-01T00', '2026-03-10T11'],
      ['A', '1d', '2026-02-21T00', '2026-03-09T00'],
      ['B', '1d', '2026-01-01T00', '2026-03-09T00'],
      ['A', '1h', '2026-02-20T07', '2026-02-28T23'],
      ['B', '1h', '2026-02-01T00', '2026-02-28T23'],
      ['B', '1h', '2026-01-01T00', '2026-01-31T23'],
    ]);
    expect(plan.totalCount).toBe(7);
  });

  it.each(['5m', '15m', '1h', '4h', '1d'] as const)('HIST-161 fills %s when the settings name it alone', (interval) => {
    const plan = planBackfill({
      nowMs,
      retention: { ...none, [interval]: 1 },
      symbols: [{ symbol: 'A', listedAtMs: null }],
      minuteSymbols: new Set(),
      covered: () => [],
    });
    expect(plan.parts.map((part) => part.interval)).toEqual([interval]);
  });
});

describe('the back-fill', () => {
  it('HIST-016 stores every bar of the settings once, then requests nothing', async () => {
    const { state, venue } = scripted();
    const { run, history, progress } = start(venue, state, { ...none, '1h': 3 });
    expect(await run()).toBe(true);
    expect(state.requests).toHaveLength(5);
    const old = { exchange: 'binance' as const, symbol: 'OLDUSDT', interval: '1h' as const };
    const read = await history.readClosedCandles({ ...old, from: Date.UTC(2026, 0), to: nowMs - hourMs });
    expect(read).toMatchObject({ ok: true, value: { complete: true, gaps: [] } });
    expect(await progress()).toMatchObject({ state: 'complete', storedCount: 5, totalCount: 5, errorCode: null });
    expect(await run()).toBe(true);
    expect(state.requests).toHaveLength(5);
    // Fewer months: the older ones are deleted.
    const shorter = start(venue, state, { ...none, '1h': 2 });
    await shorter.run();
    expect(
      await history.readClosedCandles({ ...old, from: Date.UTC(2026, 0), to: Date.UTC(2026, 0, 31) }),
    ).toMatchObject({
      value: { complete: false },
    });
  });

  it('HIST-017 pauses for a ban in the middle as long as the exchange says, and never counts the part as stored', async () => {
    const { state, venue } = scripted();
    state.script.set(2, reject('upstream_rate_limited', 'banned', { retryAfterS: 120 }));
    const { run, history, progress } = start(venue, state, { ...none, '1h': 3 });
    expect(await run()).toBe(false);
    expect(state.slept).toEqual([120_000]);
    expect(await progress()).toMatchObject({
      state: 'waiting',
      storedCount: 4,
      totalCount: 5,
      errorCode: 'upstream_rate_limited',
    });
    const read = await history.readClosedCandles({
      exchange: 'binance',
      symbol: 'OLDUSDT',
      interval: '1h',
      from: Date.UTC(2026, 0),
      to: nowMs - hourMs,
    });
    expect(read).toMatchObject({
      value: {
        complete: false,
        gaps: [{ from: Date.UTC(2026, 2), to: Date.UTC(2026, 2, 10, 11), cause: 'not_stored' }],
      },
    });
    state.script.clear();
    expect(await run()).toBe(true);
    expect(state.requests).toHaveLength(6);
  });

  it('HIST-018 stores an empty page in the middle as a hole and goes on behind it', async () => {
    const { state, venue } = scripted();
    for (const each of opensOf(Date.UTC(2026, 1, 1), Date.UTC(2026, 2, 1) - hourMs)) state.missing.add(each);
    const { run, history } = start(venue, state, { ...none, '1h': 3 });
    expect(await run()).toBe(true);
    const read = await history.readClosedCandles({
      exchange: 'binance',
      symbol: 'OLDUSDT',
      interval: '1h',
      from: Date.UTC(2026, 0),
      to: nowMs - hourMs,
    });
    expect(read).toMatchObject({
      value: {
        complete: false,
        gaps: [{ from: Date.UTC(2026, 1, 1), to: Date.UTC(2026, 2, 1) - hourMs, cause: 'not_sent' }],
      },
    });
    expect(read.ok && read.value.columns.time[0]).toBe(Date.UTC(2026, 0));
  });

  it('HIST-019 records a failing part, fills the others and tries it again later', async () => {
    const { state, venue } = scripted();
    for (const turn of [1, 2, 3]) state.script.set(turn, reject('upstream_unavailable', 'sent no valid candle'));
    const { run, progress } = start(venue, state, { ...none, '1h': 3 });
    expect(await run()).toBe(false);
    // Three failures in a row pause the exchange.
    expect(state.slept).toEqual([30_000]);
    expect(await progress()).toMatchObject({ state: 'waiting', storedCount: 2, errorMessage: 'sent no valid candle' });
    state.script.clear();
    const before = state.requests.length;
    expect(await run()).toBe(false);
    expect(state.requests).toHaveLength(before);
    await database.asOwner(`update history_failures set try_at = now() where source = $1`, [`simulated ${source}`]);
    expect(await run()).toBe(true);
    const left = await database.asOwner('select from history_failures where source = $1', [`simulated ${source}`]);
    expect(left).toEqual([]);
  });

  it('HIST-150 stores nothing half on a full disk, says so, and continues when there is room', async () => {
    const { state, venue } = scripted();
    const { run, progress, warned } = start(venue, state, { ...none, '1h': 3 });
    const name = `simulated ${source}`;
    const chunks = () =>
      database.asOwner<{ symbol: string; month: Date; sha256: Buffer; candle_count: number }>(
        'select symbol, month, sha256, candle_count from history_chunks where source = $1 order by symbol, month',
        [name],
      );
    // The third chunk finds no room, as PostgreSQL says it; so does every later one.
    await database.asOwner(`
      create function no_room() returns trigger language plpgsql as $$
      begin
        if (select count(*) from history_chunks where source = new.source) >= 2 then
          raise exception 'could not extend file: No space left on device' using errcode = '53100';
        end if;
        return new;
      end $$`);
    await database.asOwner(
      'create trigger no_room before insert on history_chunks for each row execute function no_room()',
    );
    try {
      for (const round of [1, 2]) {
        expect(await run()).toBe(false);
        expect(await chunks()).toHaveLength(2);
        expect(await progress()).toMatchObject({
          state: 'failed',
          storedCount: 2,
          errorMessage: 'History is paused and continues by itself.',
        });
        // What to do about it is for who runs the server.
        expect(warned).toHaveLength(round);
        expect(warned.at(-1)).toMatchObject({
          message: 'The disk of the database is full. Free space on it; the back-fill continues by itself.',
        });
      }
    } finally {
      await database.asOwner('drop trigger no_room on history_chunks');
      await database.asOwner('drop function no_room()');
    }
    const before = await chunks();
    expect(await run()).toBe(true);
    expect(await progress()).toMatchObject({ state: 'complete', storedCount: 5 });
    const after = await chunks();
    expect(after).toHaveLength(5);
    // What was stored before is unchanged, checksums included, and nothing is set aside.
    expect(after).toEqual(expect.arrayContaining(before));
    expect(await database.asOwner('select from history_broken_chunks where source = $1', [name])).toEqual([]);
    // Another store, filled without a fault, is equal.
    source++;
    const other = scripted();
    expect(await start(other.venue, other.state, { ...none, '1h': 3 }).run()).toBe(true);
    const counts = (rows: Awaited<ReturnType<typeof chunks>>) =>
      rows.map((row) => [row.symbol, row.month, row.candle_count]);
    const whole = await database.asOwner<(typeof after)[number]>(
      'select symbol, month, sha256, candle_count from history_chunks where source = $1 order by symbol, month',
      [`simulated ${source}`],
    );
    expect(counts(after)).toEqual(counts(whole));
  });

  it('HIST-020 waits while users take more than two fifths of a budget', async () => {
    const { state, venue } = scripted();
    state.used = 41;
    const { run } = start(venue, state, { ...none, '1h': 1 });
    expect(await run()).toBe(true);
    expect(state.slept).toEqual([500]);
  });
});
