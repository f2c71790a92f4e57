import { instantiate } from '@sextant/workers/src/engine/engine.ts';
import { loadModule } from '@sextant/workers/src/node/loadModule.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closeByOwner } from '../../../src/features/positions/closePosition.ts';
import { readAnalytics } from '../../../src/features/positions/readAnalytics.ts';
import { readGuards } from '../../../src/features/guards/readGuards.ts';
import { createFundingCharger } from '../../../src/features/positions/watch/chargeFunding.ts';
import { startWatching, keepEquity } from '../../../src/features/positions/watch/startWatching.ts';
import { preferencesOf } from '../../../src/features/preferences/preferencesOf.ts';
import { withUser } from '../../../src/platform/db/scope.ts';
import { createTestDatabase, type TestDatabase } from '../../support/createTestDatabase.ts';
import { kindsOf, newPosition, openOne, stored, until, noOrders, silentNews } from './support/positions.ts';
import { MINUTE_MS, ScriptedMarket } from './support/scriptedMarket.ts';

/** A database with positions of a simulated market, served on live prices. */

const start = 1_767_225_600_000;
const live = { market: 'live' } as const;
const simulated = { market: 'simulated' } as const;
let module: WebAssembly.Module;
let database: TestDatabase;
let market: ScriptedMarket;
let anna: string;
let [old, own] = ['', ''];
const free = { assertLeader: () => Promise.resolve() };

beforeAll(async () => {
  ({ module } = await loadModule());
  database = await createTestDatabase();
  market = new ScriptedMarket();
  anna = await database.addUser();
  old = await openOne(database, newPosition(anna, { ...simulated }));
  // The same symbol and side is free on another market.
  own = await openOne(database, newPosition(anna, { ...live }));
});
afterAll(() => database.drop());

function watchOn(config: { market: 'live' | 'simulated' }, on: ScriptedMarket): () => Promise<void> {
  return startWatching({
    db: database.db,
    market: on,
    config: { ...config, historySource: config.market },
    closeListeners: [],
    orders: noOrders,
    newClient: database.newClient,
    newEngine: () => instantiate(module),
    newsVotes: silentNews,
    warn: () => undefined,
    onError: () => undefined,
  }).close;
}
const bar = (minute: number, low: number) => ({
  time: start + minute * MINUTE_MS,
  open: 100,
  high: 100.5,
  low,
  close: 100,
  volume: 1,
});
const cached = (on: ScriptedMarket) => until('it is watched', () => Promise.resolve(on.watched.has('BTCUSDT 1m')));
const watermarks = () => database.asOwner<{ market: string }>('select market from position_watch order by market');

describe('positions of a market that is not served', () => {
  it('are not closed by its prices: only its own are', async () => {
    const stop = watchOn(live, market);
    await cached(market);
    // Far below the stop of 98 and the liquidation at 91 of both.
    for (const minute of [0, 1, 2]) market.candle('BTCUSDT', bar(minute, minute === 0 ? 100 : 50));
    await until('its own is closed', async () => (await stored(database, own)).closed_at !== null);
    await stop();
    expect((await stored(database, old)).closed_at).toBeNull();
    expect(await kindsOf(database, old)).toEqual(['opened', 'fee']);
    expect(await watermarks()).toEqual([{ market: 'live' }]);
  });

  it('pay no funding of it, are worth nothing in it and are not closed at its price by their owner', async () => {
    const eight = start + 8 * 3_600_000;
    market.fundings.set('BTCUSDT', [{ time: eight, rate: 0.01 }]);
    market.candle('BTCUSDT', bar(480, 100), false);
    market.tick('BTCUSDT', 200, eight);
    const { db } = database;
    expect(await createFundingCharger({ db, market, config: live, ...free })(eight + MINUTE_MS)).toBe(0);
    expect(await keepEquity({ db, market, config: live, ...free }, eight + 299_000)).toBe(0);
    const closed = await closeByOwner(
      { db, market, config: live, closeListeners: [], warn: () => undefined },
      anna,
      old,
    );
    expect(closed).toMatchObject({ ok: false, error: { code: 'conflict' } });
    expect((await stored(database, old)).closed_at).toBeNull();
  });

  it('count in no figure and no guard of it', async () => {
    const figures = (on: 'live' | 'simulated') =>
      withUser(database.db, anna, async (tx) => {
        const guards = await readGuards(
          tx,
          anna,
          { ...(await preferencesOf(tx)), guard_stop_streak: 1 },
          {
            nowMs: start + 3 * MINUTE_MS,
            market: on,
          },
        );
        const { all } = await readAnalytics(tx, on, undefined, start + 3 * MINUTE_MS);
        return { trades: all.trades, stopStreak: guards.find(({ name }) => name === 'stop_streak')?.value };
      });
    expect(await figures('live')).toEqual({ trades: 1, stopStreak: 1 });
    expect(await figures('simulated')).toEqual({ trades: 0, stopStreak: 0 });
  });

  it('go on where they stopped when their market is served again, on its own candles', async () => {
    const again = new ScriptedMarket();
    const stop = watchOn(simulated, again);
    await cached(again);
    for (const minute of [0, 1, 2]) again.candle('BTCUSDT', bar(minute, minute === 0 ? 100 : 97));
    await until('it is closed', async () => (await stored(database, old)).closed_at !== null);
    await stop();
    expect(await stored(database, old)).toMatchObject({ close_reason: 'SL' });
    expect(await watermarks()).toEqual([{ market: 'live' }, { market: 'simulated' }]);
  });
});
