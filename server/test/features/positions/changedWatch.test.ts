import { setTimeout as pause } from 'node:timers/promises';
import { instantiate } from '@sextant/workers/src/engine/engine.ts';
import { CLOSE_GUARDS } from '@sextant/workers/src/positions/bookTypes.ts';
import { PositionBook } from '@sextant/workers/src/positions/positionBook.ts';
import { loadModule } from '@sextant/workers/src/node/loadModule.ts';
import { sql } from 'kysely';
import { seededRandom } from '@sextant/workers/test/support/randomRuns.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { changeLevels } from '../../../src/features/positions/changePosition.ts';
import type { ChangeBody } from '../../../src/features/positions/contract.ts';
import { findDrift } from '../../../src/features/positions/findDrift.ts';
import { bookChanges, lockLevels } from '../../../src/features/positions/ownerChanges.ts';
import type { PositionRow } from '../../../src/features/positions/positionRow.ts';
import { startWatching } from '../../../src/features/positions/watch/startWatching.ts';
import { withSystem } from '../../../src/platform/db/scope.ts';
import { createTestDatabase, type TestDatabase } from '../../support/createTestDatabase.ts';
import { kindsOf, newPosition, openOne, noOrders, silentNews, stored, until } from './support/positions.ts';
import { type Bar, walk } from './support/replay.ts';
import { MINUTE_MS, ScriptedMarket, simulated } from './support/scriptedMarket.ts';

let module: WebAssembly.Module;
let database: TestDatabase;
let anna: string;
const start = 1_767_225_600_000;
const stops: (() => Promise<void>)[] = [];

beforeAll(async () => {
  ({ module } = await loadModule());
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  anna = await database.addUser();
});
afterEach(async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()));
  await database.asOwner('delete from users');
  await database.asOwner('delete from position_watch');
});

function watch(market: ScriptedMarket): () => Promise<void> {
  const { close } = startWatching({
    db: database.db,
    market,
    config: simulated,
    closeListeners: [],
    orders: noOrders,
    newClient: database.newClient,
    newEngine: () => instantiate(module),
    newsVotes: silentNews,
    warn: () => undefined,
    onError: () => undefined,
  });
  stops.push(close);
  return close;
}
const isWatched = (market: ScriptedMarket) =>
  until('it is watched', () => Promise.resolve(market.watched.has('BTCUSDT 1m')));
const isClosed = (id: string) => until('it is closed', async () => (await stored(database, id)).closed_at !== null);
const isJudged = (minute: number) =>
  until(`minute ${minute} is judged`, async () => {
    const [row] = await database.asOwner<{ at: Date }>('select next_candle_at as at from position_watch');
    return (row?.at.getTime() ?? 0) >= start + (minute + 1) * MINUTE_MS;
  });

/** The same, or nothing is open: then no candle is judged. */
const isJudgedOrOver = (minute: number) =>
  until(`minute ${minute} is judged`, async () => {
    const waiting = await database.asOwner(
      `select from positions p left join position_watch w using (market, exchange, symbol)
       where p.closed_at is null and coalesce(w.next_candle_at, 'epoch') < $1`,
      [new Date(start + (minute + 1) * MINUTE_MS)],
    );
    return waiting.length === 0;
  });

/** A change by the owner at a moment of the script. */
const change = (id: string, body: ChangeBody, nowMs: number, last = 100, userId = anna) =>
  withSystem(database.db, async (tx) => {
    await lockLevels(tx, 'owner');
    return changeLevels(tx, { userId, id, body, quote: { last }, nowMs });
  });
const bar = (minute: number, low: number, high = 100.5): Bar => ({
  time: start + minute * MINUTE_MS,
  open: 100,
  high,
  low,
  close: 100,
  volume: 1,
});

describe('a watch whose positions are changed', () => {
  it('DESK-004 DESK-013 meets a change that another node stored, at prices and at candles', async () => {
    const [leader, other] = [new ScriptedMarket(), new ScriptedMarket()];
    const id = await openOne(database, newPosition(anna));
    watch(leader);
    await isWatched(leader);
    watch(other);
    leader.candle('BTCUSDT', bar(0, 99.5));
    await isJudged(0);
    expect(await change(id, { stop_loss: 99, take_profit: 110 }, start + 70_000)).toMatchObject({ ok: true });
    leader.tick('BTCUSDT', 98.9, start + 69_000);
    leader.candle('BTCUSDT', bar(1, 98.8));
    leader.candle('BTCUSDT', bar(2, 99.5, 105));
    await isJudged(2);
    expect((await stored(database, id)).closed_at).toBeNull();
    expect((await stored(database, id)).stop_loss).toBe('99');
    leader.candle('BTCUSDT', bar(3, 98.9));
    await isClosed(id);
    // 99 x 0.9998, down to the tick.
    expect(await stored(database, id)).toMatchObject({ close_reason: 'SL', close_price: '98.98' });
    expect(await kindsOf(database, id)).toEqual(['opened', 'fee', 'armed', 'changed', 'fee', 'closed']);
    expect(await findDrift(database.db, new Date(0))).toEqual([]);
  });

  it('DESK-004 a price that met the old stop closes nothing once the change is stored', async () => {
    const market = new ScriptedMarket();
    const id = await openOne(database, newPosition(anna));
    watch(market);
    await isWatched(market);
    market.candle('BTCUSDT', bar(0, 99.5));
    await isJudged(0);
    // The watch decides while the change has the lock and is not committed: the close is written after it.
    const isStored = Promise.withResolvers<undefined>();
    const state = { isDecided: false };
    const changing = withSystem(database.db, async (tx) => {
      await lockLevels(tx, 'owner');
      const request = { userId: anna, id, body: { stop_loss: 95 }, quote: { last: 100 }, nowMs: start + 70_000 };
      expect(await changeLevels(tx, request)).toMatchObject({ ok: true });
      isStored.resolve(undefined);
      // Not idle for long: such a transaction is ended.
      while (!state.isDecided) {
        await sql`select 1`.execute(tx);
        await pause(20);
      }
    });
    await isStored.promise;
    market.tick('BTCUSDT', 97, start + 70_500);
    await until('the watch waits', async () => {
      const waiting = await database.asOwner(
        `select from pg_locks l join pg_database d on d.oid = l.database
         where d.datname = current_database() and l.locktype = 'advisory' and not l.granted`,
      );
      return waiting.length > 0;
    });
    state.isDecided = true;
    await changing;
    market.candle('BTCUSDT', bar(1, 97));
    await isJudged(1);
    expect(await stored(database, id)).toMatchObject({ closed_at: null, stop_loss: '95' });
    market.tick('BTCUSDT', 94.9, start + 130_000);
    await isClosed(id);
    expect(await stored(database, id)).toMatchObject({ close_reason: 'SL' });
    expect((await kindsOf(database, id)).filter((kind) => kind === 'closed')).toHaveLength(1);
  });

  it('DESK-004 a node that hangs in the middle of a change does not stop the watch', async () => {
    const market = new ScriptedMarket();
    const id = await openOne(database, newPosition(anna));
    watch(market);
    await isWatched(market);
    const woken = Promise.withResolvers<undefined>();
    const isHeld = Promise.withResolvers<undefined>();
    const hanging = withSystem(database.db, async (tx) => {
      await lockLevels(tx, 'owner');
      isHeld.resolve(undefined);
      await woken.promise;
      return changeLevels(tx, { userId: anna, id, body: { stop_loss: 95 }, quote: { last: 100 }, nowMs: start });
    });
    await isHeld.promise;
    market.tick('BTCUSDT', 104.5, start + 61_000);
    await isClosed(id);
    woken.resolve(undefined);
    await expect(hanging).rejects.toThrow('The database is unavailable');
    expect(await stored(database, id)).toMatchObject({ close_reason: 'TP', stop_loss: '98' });
  });

  it('DESK-004 a change after the last judged candle waits for the next one, also with a clock that is behind', async () => {
    const market = new ScriptedMarket();
    const id = await openOne(database, newPosition(anna));
    watch(market);
    await isWatched(market);
    market.candle('BTCUSDT', bar(0, 99.5));
    market.candle('BTCUSDT', bar(1, 99.5));
    await isJudged(1);
    await change(id, { stop_loss: 99 }, start + 90_000);
    const [event] = await database.asOwner<{ at: Date }>(`select at from position_events where kind = 'changed'`);
    expect(event?.at).toEqual(new Date(start + 120_000));
  });

  it('DESK-004 DESK-005 random changes and restarts close each position as one watch that never ended', async () => {
    const random = seededRandom(20261129);
    const minutes = 60;
    const bars = walk(random, minutes);
    const market = new ScriptedMarket();
    const positions = await Promise.all(
      Array.from({ length: 12 }, async (_, i) => {
        const userId = await database.addUser();
        const side = i % 2 === 0 ? ('LONG' as const) : ('SHORT' as const);
        const sign = side === 'LONG' ? 1 : -1;
        const position = newPosition(userId, {
          side,
          stopPrice: Number((100 * (1 - sign * (0.005 + 0.02 * random()))).toFixed(2)),
          targetPrice: Number((100 * (1 + sign * (0.005 + 0.03 * random()))).toFixed(2)),
          liquidationPrice: 100 * (1 - sign * 0.095),
        });
        return {
          userId,
          sign,
          position,
          id: await openOne(database, position),
          changes: [] as ReturnType<typeof bookChanges>,
        };
      }),
    );
    let stop = watch(market);
    await isWatched(market);
    let restarts = 0;
    for (const [minute, each] of bars.entries()) {
      for (const { id, userId, sign, changes } of positions) {
        if (random() > 0.08) continue;
        const last = each.open;
        const level = (fraction: number): number => Number((last * (1 + sign * fraction)).toFixed(2));
        const trailing = {
          enabled: random() < 0.7,
          mode: 'percent',
          callback_pct: 0.3 + random(),
          step_pct: 0.05,
        } as const;
        const body = {
          ...(random() < 0.5
            ? { stop_loss: level(-0.002 - 0.02 * random()) }
            : { take_profit: level(0.002 + 0.02 * random()) }),
          ...(random() < 0.5 ? { trailing } : {}),
        };
        const changed = await change(id, body, each.time + Math.floor(random() * 59_000), last, userId);
        if (!changed.ok) continue;
        const [row] = await database.asOwner<PositionRow & Record<string, unknown>>(
          'select * from positions where id = $1',
          [id],
        );
        changes.push(...bookChanges({ ...(row as PositionRow), changes_applied: changes.length }));
      }
      if (random() < 0.12) {
        await stop();
        restarts += 1;
        market.candle('BTCUSDT', each, random() < 0.5);
        stop = watch(market);
      } else market.candle('BTCUSDT', each);
      // Sometimes the watch is behind, sometimes it has judged everything.
      if (random() < 0.7 && minute > 0) await isJudgedOrOver(minute);
    }
    await isJudgedOrOver(minutes - 1);
    for (const { id, position, changes } of positions) {
      const book = new PositionBook(instantiate(module), CLOSE_GUARDS);
      book.add('one', {
        id,
        side: position.side,
        entryTimeMs: position.openedAtMs,
        entryPrice: 100,
        quantity: 2,
        leverage: 10,
        stopPrice: position.stopPrice,
        targetPrice: position.targetPrice,
        liquidationPrice: position.liquidationPrice,
        bestPrice: 100,
        isArmed: false,
        tickSize: 0.01,
        takerFeeFraction: 0.0005,
        trailing: { mode: 'off' },
        atr: null,
        changes,
      });
      const events = bars.flatMap(({ time, ...each }) =>
        book.candle('one', { timeMs: time, spanMs: MINUTE_MS, ...each }),
      );
      const closed = events.find((event) => event.kind === 'closed');
      const row = await stored(database, id);
      const found = row.closed_at && {
        atMs: row.closed_at.getTime(),
        price: Number(row.close_price),
        reason: row.close_reason,
      };
      expect(found, JSON.stringify(changes)).toEqual(
        closed?.kind === 'closed' ? { atMs: closed.atMs, price: closed.price, reason: closed.reason } : null,
      );
    }
    expect(restarts).toBeGreaterThan(2);
    expect(positions.flatMap(({ changes }) => changes).length).toBeGreaterThan(10);
    expect(await findDrift(database.db, new Date(0))).toEqual([]);
  }, 120_000);
});
