import { intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import { liveRules } from '@sextant/engine-as/abi/strategy.ts';
import { candlesOf as columnsOf } from '@sextant/workers/src/candles/candleColumns.ts';
import { ok } from '@sextant/workers/src/core/result.ts';
import type { Candles } from '@sextant/workers/src/protocol/backtest.ts';
import { market as randomMarket } from '@sextant/workers/test/support/markets.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { lastClosedOpen } from '../../../../src/features/market/intervals.ts';
import type { CandleRequest, FuturesSymbol } from '../../../../src/features/market/port.ts';
import {
  createReplayMemory,
  replayStrategies,
  type StrategyReplayDeps,
} from '../../../../src/features/trackRecord/replay/replayStrategies.ts';
import { reject } from '../../../../src/platform/errors.ts';
import { createTestApp, type TestApp, type TestUser } from '../../../support/createTestApp.ts';

const names = ['AAAUSDT', 'BBBUSDT', 'CCCUSDT'];
const symbolOf = (symbol: string): FuturesSymbol => ({
  symbol,
  base: symbol.slice(0, 3),
  tickSize: 0.01,
  stepSize: 0.001,
  minNotional: 5,
  maxLeverage: 50,
  maxQuantity: null,
  listedAtMs: Date.UTC(2024, 0, 1),
  status: 'trading',
  fundingHours: 8,
});

/** A random walk by symbol and interval up to the end of the request. */
function candlesOf({ symbol, interval, limit, endTimeMs = Date.now() }: CandleRequest): Candles {
  const stepMs = intervalMs[interval];
  const walk = randomMarket(1700, names.indexOf(symbol) + 1, { trend: 0.1 });
  const lastMs = lastClosedOpen(interval, endTimeMs);
  const time = Float64Array.from(walk.time, (_, i) => lastMs - (1699 - i) * stepMs);
  const whole = { ...walk, time, volume: walk.volume.map(() => 1e6) };
  return columnsOf((name) => whole[name].slice(-limit));
}

let test: TestApp;
let anna: TestUser;
let bert: TestUser;
let failing = new Set<string>();
/** Symbols in the order of their reads, by hour candles. */
let reads: string[] = [];
const market: StrategyReplayDeps['market'] = {
  symbols: () =>
    Promise.resolve(
      ok({ exchange: 'binance' as const, fetchedAtMs: Date.now(), value: names.map(symbolOf), leftOut: {} as never }),
    ),
  candles: (request) => {
    if (request.interval === '1h') reads.push(request.symbol);
    if (request.interval === '1h' && failing.has(request.symbol))
      return Promise.resolve(reject('upstream_unavailable', 'binance is down'));
    const value = { candles: candlesOf(request), gaps: [], rejectedCount: 0 };
    return Promise.resolve(ok({ exchange: 'binance' as const, fetchedAtMs: Date.now(), value }));
  },
  fundingHistory: () => Promise.resolve(reject('upstream_unavailable', 'none')),
};
const round = (more: Partial<StrategyReplayDeps> = {}, memory = createReplayMemory()) =>
  replayStrategies(
    {
      db: test.deps.db,
      config: { market: test.deps.config.market },
      market,
      history: {
        readListings: () => Promise.resolve(ok([])),
        readUniverseDays: () => Promise.resolve(ok([])),
        readClosedCandles: () => Promise.resolve(reject('database_unavailable')),
      },
      engine: test.deps.engine,
      assertLeader: () => Promise.resolve(),
      pauseMs: 0,
      ...more,
    },
    memory,
  );

interface Wire {
  state: string;
  version: string | null;
  symbols: number | null;
  symbols_done: number;
  symbols_failed: number;
  error: string | null;
  record: { origin: string; resolved: number; open: number } | null;
  mean_net_pct: number | null;
}
const save = async (user: TestUser, name: string, payload: object = { value: liveRules(['1h']) }): Promise<string> => {
  await test.app.inject({
    method: 'POST',
    url: '/api/strategies',
    headers: user.bearer,
    payload: { name, ...payload },
  });
  const list = await test.app.inject({ url: '/api/strategies', headers: user.bearer });
  return list.json<{ strategies: { id: string; name: string }[] }>().strategies.find((each) => each.name === name)!.id;
};
const start = (user: TestUser, id: string) =>
  test.app.inject({ method: 'POST', url: `/api/strategies/${id}/replay`, headers: user.bearer });
const read = (user: TestUser, id: string) =>
  test.app.inject({ url: `/api/strategies/${id}/replay`, headers: user.bearer });
const stateOf = async (user: TestUser, id: string) => (await read(user, id)).json<Wire>();

beforeAll(async () => {
  test = await createTestApp();
  [anna, bert] = [await test.signUp(), await test.signUp()];
});
afterEach(async () => {
  failing = new Set();
  reads = [];
  await test.database.asOwner('delete from strategies');
});
afterAll(() => test.close());

describe('the replay of a saved strategy on request', () => {
  it('HIST-146 is queued by its owner alone, one at a time, and seen by its owner alone', async () => {
    const [first, second] = [await save(anna, 'First'), await save(anna, 'Second')];
    expect(await stateOf(anna, first)).toMatchObject({ state: 'none', version: null, record: null });
    expect((await start(bert, first)).statusCode).toBe(404);
    expect((await start(anna, first)).json()).toMatchObject({ state: 'queued', symbols: null, symbols_done: 0 });
    const busy = await start(anna, second);
    expect(busy.statusCode).toBe(409);
    expect(busy.json()).toMatchObject({ message: 'The replay of First is not done. Wait for it.', field: 'id' });
    expect((await read(bert, first)).statusCode).toBe(404);
  });

  it('HIST-146 gives two accounts turns of one symbol, and shows the outcomes apart from the public record', async () => {
    const [a, b] = [await save(anna, 'Weights'), await save(bert, 'Other')];
    await start(anna, a);
    await start(bert, b);
    expect(await round()).toBe(8);
    // Each symbol is read for one account and then for the other.
    expect(reads).toEqual([...new Set(reads)].flatMap((symbol) => [symbol, symbol]));
    const [own, other] = [await stateOf(anna, a), await stateOf(bert, b)];
    expect(own).toMatchObject({ state: 'done', symbols: 3, symbols_done: 3, symbols_failed: 0, error: null });
    expect(own.record).toMatchObject({ origin: 'replayed' });
    expect(own.record!.resolved).toBeGreaterThan(50);
    expect(own.mean_net_pct).toEqual(expect.any(Number));
    expect(other.state).toBe('done');
    const counts = await test.database.asOwner(
      `select (select count(*)::int from replayed_series) as public, (select count(*)::int from signals) as live,
         (select count(*)::int from strategy_replayed_series) as left`,
    );
    expect(counts).toEqual([{ public: 0, live: 0, left: 0 }]);
    // Done: the next one may start.
    expect((await start(anna, a)).json()).toMatchObject({ state: 'queued', record: null });
  });

  it('HIST-147 continues after a kill where it was, with the same result', async () => {
    const id = await save(anna, 'Killed');
    await start(anna, id);
    await round();
    const whole = (await stateOf(anna, id)).record;
    await start(anna, id);
    const requestedAt = await test.database.asOwner<{ at: Date }>('select requested_at as at from strategy_replays');
    const stopping = new AbortController();
    let writes = 0;
    // A turn has two writes and its own start: the node is killed within the second one, before it is stored.
    await round({
      signal: stopping.signal,
      assertLeader: () => {
        writes += 1;
        return writes === 6 ? Promise.reject(new Error('killed')) : Promise.resolve();
      },
    }).catch((error: unknown) => expect(error).toMatchObject({ message: 'killed' }));
    expect(await stateOf(anna, id)).toMatchObject({ state: 'running', symbols: 3, symbols_done: 1 });
    reads = [];
    expect(await round()).toBe(3);
    expect(reads).toHaveLength(2);
    const after = await stateOf(anna, id);
    expect(after.state).toBe('done');
    expect(after.record!.resolved).toBe(whole!.resolved);
    expect(await test.database.asOwner('select requested_at as at from strategy_replays')).toEqual(requestedAt);
  });

  it('HIST-147 starts again when the engine changed meanwhile', async () => {
    const id = await save(anna, 'Engine');
    await start(anna, id);
    const stopping = new AbortController();
    await round({ signal: stopping.signal, assertLeader: stopAfter(stopping, 3) });
    await test.database.asOwner(`update strategy_replays set engine_hash = repeat('0', 64)`);
    reads = [];
    await round();
    expect(reads).toHaveLength(3);
    expect(await stateOf(anna, id)).toMatchObject({ state: 'done', symbols_done: 3 });
  });

  it('HIST-148 leaves out a symbol without candles, and fails with what to do when none has any', async () => {
    const id = await save(anna, 'Holes');
    failing = new Set(['BBBUSDT']);
    await start(anna, id);
    await round();
    expect(await stateOf(anna, id)).toMatchObject({ state: 'done', symbols_done: 3, symbols_failed: 1 });
    failing = new Set(names);
    await start(anna, id);
    await round();
    expect(await stateOf(anna, id)).toMatchObject({
      state: 'failed',
      error: 'No candles could be read. Start the replay again.',
      record: null,
    });
    const minutes = await save(anna, 'Minutes', { value: liveRules(['1m']) });
    const rejected = await start(anna, minutes);
    expect(rejected.statusCode).toBe(409);
    expect(rejected.json()).toMatchObject({
      message: 'Scans read 15m, 1h, 4h candles; this strategy uses 1m.',
      field: 'id',
    });
  });

  it('HIST-148 names the version it is of, and goes with its strategy', async () => {
    const id = await save(anna, 'Versions');
    await start(anna, id);
    const { version } = await stateOf(anna, id);
    const payload = { rules: 'long when rsi(14) < 30', interval: '1h' };
    await test.app.inject({ method: 'PUT', url: `/api/strategies/${id}`, headers: anna.bearer, payload });
    await round();
    expect(await stateOf(anna, id)).toMatchObject({ state: 'done', version });
    await test.app.inject({ method: 'DELETE', url: `/api/strategies/${id}`, headers: anna.bearer });
    expect(await test.database.asOwner('select 1 from strategy_replays')).toEqual([]);
  });
});

/** A leader that ends its work after so many writes. */
function stopAfter(stopping: AbortController, count: number): StrategyReplayDeps['assertLeader'] {
  let writes = 0;
  return () => {
    if (++writes === count) stopping.abort();
    return Promise.resolve();
  };
}
