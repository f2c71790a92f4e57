// Long because each case needs the accounts, the market and the queue of this file.
import { intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import { liveRules } from '@sextant/engine-as/abi/strategy.ts';
import { candlesOf as columnsOf } from '@sextant/workers/src/candles/candleColumns.ts';
import { ok } from '@sextant/workers/src/core/result.ts';
import { fail } from '@sextant/workers/src/protocol/taskResult.ts';
import type { Candles } from '@sextant/workers/src/protocol/backtest.ts';
import { ownRulesOf } from '@sextant/workers/src/protocol/wire/strategy.ts';
import { market as randomMarket } from '@sextant/workers/test/support/markets.ts';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { lastClosedOpen } from '../../../../src/features/market/intervals.ts';
import type { CandleRequest, FuturesSymbol } from '../../../../src/features/market/port.ts';
import {
  replayStrategies,
  type StrategyReplayDeps,
  weightOf,
  whyUnfit,
} from '../../../../src/features/trackRecord/replay/replayStrategies.ts';
import { takeTurn } from '../../../../src/features/trackRecord/replay/strategyReplays.ts';
import { endActing } from '../../../../src/features/account/endActing.ts';
import { lockLeaving } from '../../../../src/platform/auth/leaving.ts';
import { withSystem, withUser } from '../../../../src/platform/db/scope.ts';
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
const history: StrategyReplayDeps['history'] = {
  readListings: () => Promise.resolve(ok([])),
  readUniverseDays: () => Promise.resolve(ok([])),
  readClosedCandles: () => Promise.resolve(reject('database_unavailable')),
};
const round = (more: Partial<StrategyReplayDeps> = {}) =>
  replayStrategies({
    db: test.deps.db,
    config: { market: test.deps.config.market },
    market,
    history,
    engine: test.deps.engine,
    assertLeader: () => Promise.resolve(),
    pauseMs: 0,
    retryMs: 0,
    ...more,
  });

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
/** Ten minutes after the last start. */
const startLater = async (user: TestUser, id: string) => {
  await test.database.asOwner('update replay_pauses set ends_at = started_at');
  return start(user, id);
};
const cancel = (user: TestUser, id: string) =>
  test.app.inject({ method: 'DELETE', url: `/api/strategies/${id}/replay`, headers: user.bearer });
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
  await test.database.asOwner('delete from strategies; delete from replay_pauses; delete from deletion_requests');
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
    expect(busy.json()).toMatchObject({ message: 'First is replaying. Start this one afterwards.', field: 'id' });
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
    // Done: the next one may start, ten minutes after this one.
    const early = await start(anna, a);
    expect([early.statusCode, early.headers['retry-after']]).toEqual([429, expect.stringMatching(/^(5[0-9]{2}|600)$/)]);
    expect(early.json()).toMatchObject({ message: 'Start the next replay in 10 min.' });
    expect((await startLater(anna, a)).json()).toMatchObject({ state: 'queued', record: null });
  });

  it('HIST-147 continues after a kill where it was, with the same result', async () => {
    const id = await save(anna, 'Killed');
    await start(anna, id);
    await round();
    const whole = (await stateOf(anna, id)).record;
    await startLater(anna, id);
    const requestedAt = await test.database.asOwner<{ at: Date }>('select requested_at as at from strategy_replays');
    let writes = 0;
    // A turn has its start, the search for its work and the end of a symbol; the first one stores the plan and searches again. The node is
    // killed within the second turn, and stays dead.
    await round({
      assertLeader: () => {
        writes += 1;
        return writes >= 8 ? Promise.reject(new Error('killed')) : Promise.resolve();
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
    await round({ signal: stopping.signal, assertLeader: stopAfter(stopping, 5) });
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
    await startLater(anna, id);
    await round();
    expect(await stateOf(anna, id)).toMatchObject({
      state: 'failed',
      error: 'No symbol was replayed: binance is down. Start the replay again.',
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

  it('HIST-147 leaves out a symbol that the engine does not finish, whatever stopped it', async () => {
    const id = await save(anna, 'Engine fault');
    await start(anna, id);
    let count = 0;
    await round({
      engine: {
        ...test.deps.engine,
        run: (...call: Parameters<typeof test.deps.engine.run>) => {
          if (call[0] === 'replayStrategy') {
            count += 1;
            const input = call[1] as { fromIndex: number; timeframes: { candles: Candles }[] };
            expect(input.timeframes[0]!.candles.time.length - input.fromIndex).toBe(1000);
            // A busy pool is no attempt, however often it is busy.
            if (count <= 4) return Promise.resolve(fail('overloaded', 'busy'));
            if (count === 5) return Promise.resolve(fail('deadline_exceeded', 'stopped'));
          }
          return test.deps.engine.run(...call);
        },
      },
    });
    expect(await stateOf(anna, id)).toMatchObject({ state: 'done', symbols_done: 3, symbols_failed: 1, error: null });
  });

  it('HIST-147 makes no plan of a part of the universe, and names the cause after three attempts', async () => {
    const id = await save(anna, 'Unread');
    await start(anna, id);
    const unread = {
      ...history,
      readUniverseDays: () => Promise.resolve(reject('database_unavailable', 'the lists are away')),
    };
    await round({ history: unread });
    expect(await stateOf(anna, id)).toMatchObject({
      state: 'failed',
      symbols: null,
      error: 'The replay stopped three times: the lists are away. Start it again later.',
    });
    await startLater(anna, id);
    let failures = 0;
    const candles: typeof market.candles = (request) =>
      request.interval === '1d' && request.symbol === 'CCCUSDT' && failures++ < 2
        ? Promise.resolve(reject('upstream_unavailable', 'away'))
        : market.candles(request);
    await round({ market: { ...market, candles } });
    expect(await stateOf(anna, id)).toMatchObject({ state: 'done', symbols: 3 });
  });

  it('HIST-147 reads the other symbols first after a failed read, and waits as long as the exchange requires', async () => {
    const id = await save(anna, 'Waits');
    await start(anna, id);
    let isFirst = true;
    const candles: typeof market.candles = (request) => {
      if (request.interval !== '1h' || !isFirst) return market.candles(request);
      isFirst = false;
      reads.push(request.symbol);
      return Promise.resolve(reject('upstream_rate_limited', 'wait', { retryAfterS: 60 }));
    };
    await round({ market: { ...market, candles } });
    expect(await stateOf(anna, id)).toMatchObject({ state: 'running', symbols: 3, symbols_done: 2 });
    const [{ seconds }] = (await test.database.asOwner<{ seconds: number }>(
      'select extract(epoch from retry_at - turn_at)::float8 as seconds from strategy_replays',
    )) as [{ seconds: number }];
    expect(seconds).toBeGreaterThan(30);
    expect(seconds).toBeLessThanOrEqual(60);
    await test.database.asOwner('update strategy_replays set retry_at = null');
    await test.database.asOwner('update strategy_replayed_series set retry_at = null');
    await round();
    expect(reads[3]).toBe(reads[0]);
    expect(await stateOf(anna, id)).toMatchObject({ state: 'done', symbols_done: 3, symbols_failed: 0 });
  });

  it('HIST-146 is cancelled by its owner alone, as often as they like, and with a deletion request', async () => {
    const id = await save(anna, 'Cancelled');
    expect((await cancel(anna, id)).json()).toMatchObject({ state: 'none' });
    await start(anna, id);
    const stopping = new AbortController();
    await round({ signal: stopping.signal, assertLeader: stopAfter(stopping, 5) });
    expect((await cancel(bert, id)).statusCode).toBe(404);
    expect(await stateOf(anna, id)).toMatchObject({ state: 'running' });
    for (const _again of [1, 2]) expect((await cancel(anna, id)).json()).toMatchObject({ state: 'cancelled' });
    expect(await test.database.asOwner('select 1 from strategy_replayed_series')).toEqual([]);
    expect(await round()).toBe(0);
    await startLater(anna, id);
    await withSystem(test.deps.db, (tx) => endActing(tx, anna.id));
    expect(await stateOf(anna, id)).toMatchObject({ state: 'cancelled' });
  });

  it('HIST-151 pauses by account: a strategy deleted and saved again waits, the first of another account does not', async () => {
    await start(anna, await save(anna, 'Again'));
    await test.database.asOwner('delete from strategies');
    const again = await start(anna, await save(anna, 'Again'));
    expect([again.statusCode, again.json<{ message: string }>().message]).toEqual([
      429,
      'Start the next replay in 10 min.',
    ]);
    expect((await start(bert, await save(bert, 'First'))).statusCode).toBe(200);
  });

  it('HIST-152 takes no pause for a replay that was cancelled before its turn, and else the share that was replayed', async () => {
    const id = await save(anna, 'Charged');
    for (const _turn of [1, 2]) {
      expect((await start(anna, id)).statusCode).toBe(200);
      await cancel(anna, id);
    }
    await start(anna, id);
    const stopping = new AbortController();
    // One of three symbols is done, and the one that was being read counts: two thirds of ten minutes.
    await round({ signal: stopping.signal, assertLeader: stopAfter(stopping, 5) });
    expect(await stateOf(anna, id)).toMatchObject({ state: 'running', symbols: 3, symbols_done: 1 });
    await cancel(anna, id);
    const early = await start(anna, id);
    expect([early.statusCode, early.json<{ message: string }>().message]).toEqual([
      429,
      'Start the next replay in 7 min.',
    ]);
    await test.database.asOwner(
      `update replay_pauses set started_at = started_at - interval '400 s', ends_at = ends_at - interval '400 s'`,
    );
    expect((await start(anna, id)).statusCode).toBe(200);
  });

  it('HIST-160 takes the share that was replayed for a replay deleted with its strategy, as for a cancelled one', async () => {
    const remove = (id: string) =>
      test.app.inject({ method: 'DELETE', url: `/api/strategies/${id}`, headers: anna.bearer });
    for (const name of ['Once', 'Twice']) {
      const id = await save(anna, name);
      expect((await start(anna, id)).statusCode).toBe(200);
      expect((await remove(id)).statusCode).toBe(200);
    }
    const id = await save(anna, 'Third');
    expect((await start(anna, id)).statusCode).toBe(200);
    const stopping = new AbortController();
    await round({ signal: stopping.signal, assertLeader: stopAfter(stopping, 5) });
    expect(await stateOf(anna, id)).toMatchObject({ state: 'running', symbols: 3, symbols_done: 1 });
    expect((await remove(id)).statusCode).toBe(200);
    const early = await start(anna, await save(anna, 'Fourth'));
    expect([early.statusCode, early.json<{ message: string }>().message]).toEqual([
      429,
      'Start the next replay in 7 min.',
    ]);
    // A whole replay, or that of another account, takes what it took.
    await test.database.asOwner('delete from replay_pauses');
    const whole = await save(anna, 'Whole');
    await start(anna, whole);
    await round();
    await remove(whole);
    expect((await start(anna, await save(anna, 'Fifth'))).json()).toMatchObject({
      message: 'Start the next replay in 10 min.',
    });
  });

  it('HIST-153 does not start while the account is being deleted, though the request came before', async () => {
    const id = await save(anna, 'Leaving');
    const isStored = Promise.withResolvers<undefined>();
    const deletion = withSystem(test.deps.db, async (tx) => {
      await lockLeaving(tx, anna.id);
      await sql`insert into deletion_requests (user_id, erase_after) values (${anna.id}, now() + interval '7 days')`.execute(
        tx,
      );
      await endActing(tx, anna.id);
      isStored.resolve(undefined);
      await new Promise((resolve) => setTimeout(resolve, 200));
    });
    await isStored.promise;
    // The session is read before the deletion commits; the start waits for it.
    const started = await start(anna, id);
    await deletion;
    expect([started.statusCode, started.json<{ message: string }>().message]).toEqual([
      409,
      'Your account is being deleted. Cancel the deletion to start a replay.',
    ]);
    expect(await test.database.asOwner('select 1 from strategy_replays')).toEqual([]);
  });

  it('HIST-146 does not find a strategy that is deleted meanwhile', async () => {
    const id = await save(anna, 'Deleted');
    const deleted = Promise.withResolvers<undefined>();
    const deletion = withUser(test.deps.db, anna.id, async (tx) => {
      await tx.deleteFrom('strategies').where('id', '=', id).execute();
      deleted.resolve(undefined);
      await new Promise((resolve) => setTimeout(resolve, 200));
    });
    await deleted.promise;
    // Outside the open transaction, which commits while this request waits.
    const started = await start(anna, id);
    await deletion;
    expect(started.statusCode).toBe(404);
  });

  it('HIST-146 is not blocked by a request of another market, and rejects what cannot be replayed', async () => {
    const [first, second] = [await save(anna, 'Elsewhere'), await save(anna, 'Here')];
    await start(anna, first);
    await test.database.asOwner(`update strategy_replays set market = 'replay'`);
    expect((await startLater(anna, second)).json()).toMatchObject({ state: 'queued' });
    const long = await save(bert, 'Long', { value: { ...liveRules(['1h']), holdingBarsMax: 1200 } });
    const rejected = await start(bert, long);
    expect(rejected.statusCode).toBe(409);
    expect(rejected.json()).toMatchObject({
      message: 'Replays cover 1,000 candles; this strategy holds up to 1,200. Shorten its holding time.',
    });
  });
});

describe('DESK-225 the turns of replays', () => {
  it('go to the request that has waited longest: a new one, started and cancelled again and again, passes none', async () => {
    const [a, b] = [await save(anna, 'Patient'), await save(bert, 'Hasty')];
    const turn = async () =>
      (await withSystem(test.deps.db, (tx) => takeTurn(tx, test.deps.config.market)))?.strategyId;
    await start(anna, a);
    expect(await turn()).toBe(a);
    for (const _again of [1, 2, 3]) {
      await startLater(bert, b);
      expect(await turn()).toBe(a);
      await cancel(bert, b);
    }
    await startLater(bert, b);
    expect([await turn(), await turn(), await turn()]).toEqual([a, b, a]);
  });

  const rules = (text: string) => {
    const own = ownRulesOf(text, '1h');
    return own.ok ? own.value : expect.fail(own.error[0]?.message);
  };

  it('are not spent on rules that read more candles than a background read may', () => {
    expect(whyUnfit(rules('long when ema(close, 450) < close'))).toBeNull();
    // 599 candles before the first value and ten times 600 until it has settled.
    expect(whyUnfit(rules('long when ema(close, 600) < close'))).toBe(
      'This strategy reads 6,599 1h candles before each signal, a replay at most 5,000. Shorten its averages.',
    );
    expect(whyUnfit(rules('long when 4h(ema(close, 600)) < close'))).toContain('6,599 4h candles');
  });

  it('are followed by a pause that grows with their reads', () => {
    expect(weightOf(liveRules(['15m', '1h', '4h']))).toBe(1);
    // 1,000 and 4,949 candles of each interval are 6 pages.
    expect(weightOf(rules('long when ema(close, 450) < close and 4h(ema(close, 450)) < close'))).toBe(2);
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
