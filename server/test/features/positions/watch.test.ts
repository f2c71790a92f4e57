// Long because its cases share one database, one scripted market and their helpers.
import { setTimeout as pause } from 'node:timers/promises';
import { instantiate } from '@sextant/workers/src/engine/engine.ts';
import { loadModule } from '@sextant/workers/src/node/loadModule.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { CloseListener } from '../../../src/features/positions/closeHooks.ts';
import { closeByOwner } from '../../../src/features/positions/closePosition.ts';
import { createFundingCharger } from '../../../src/features/positions/watch/chargeFunding.ts';
import { startWatching, keepEquity } from '../../../src/features/positions/watch/startWatching.ts';
import { withSystem } from '../../../src/platform/db/scope.ts';
import { assertLeader } from '../../../src/platform/jobs/leadership.ts';
import { createTestDatabase, type TestDatabase } from '../../support/createTestDatabase.ts';
import { kindsOf, newPosition, openOne, stored, until, noOrders, setJudged, silentNews } from './support/positions.ts';
import { MINUTE_MS, ScriptedMarket, simulated } from './support/scriptedMarket.ts';

let module: WebAssembly.Module;
let database: TestDatabase;
let market: ScriptedMarket;
let anna: string;
const start = 1_767_225_600_000;
const warnings: unknown[] = [];
const stops: (() => Promise<void>)[] = [];

beforeAll(async () => {
  ({ module } = await loadModule());
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  market = new ScriptedMarket();
  anna = await database.addUser();
  warnings.length = 0;
});
afterEach(async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()));
  await database.asOwner('delete from users');
  await database.asOwner('delete from position_watch');
});

const realNow = Date.now.bind(Date);

function watch(on = market, closeListeners: CloseListener[] = []): () => Promise<void> {
  const { close: stop } = startWatching({
    db: database.db,
    market: on,
    config: simulated,
    closeListeners,
    orders: noOrders,
    newClient: database.newClient,
    newEngine: () => instantiate(module),
    newsVotes: silentNews,
    warn: (error) => void warnings.push(error),
    onError: () => undefined,
    // A test may move the clock of the market: the node still leads.
    now: realNow,
  });
  stops.push(stop);
  return stop;
}

/** A bigint is returned as text here. */
const epochNow = async () =>
  Number((await database.asOwner<{ epoch: string }>('select epoch from leaderships'))[0]?.epoch ?? 0);
const isStored = (symbol = 'BTCUSDT') =>
  until('it is watched', () => Promise.resolve(market.watched.has(`${symbol} 1m`)));
const isClosed = (id: string) => until('it is closed', async () => (await stored(database, id)).closed_at !== null);
const bar = (minute: number, open: number, high: number, low: number, close: number) => ({
  time: start + minute * MINUTE_MS,
  open,
  high,
  low,
  close,
  volume: 1,
});
/** The watermark of the series has reached a minute. */
const isJudged = (minute: number, symbol = 'BTCUSDT') =>
  until(`minute ${minute} is judged`, async () => {
    const [row] = await database.asOwner<{ at: Date }>(
      'select next_candle_at as at from position_watch where symbol = $1',
      [symbol],
    );
    return (row?.at.getTime() ?? 0) >= start + (minute + 1) * MINUTE_MS;
  });

const trailOne = { mode: 'percent', callbackPct: 1, stepPct: 0.5, atrMultiplier: null, atrPeriod: null } as const;

describe('the watch', () => {
  it('NFR-011 closes at a streamed price, with figures to the cent and no page open', async () => {
    const id = await openOne(database, newPosition(anna));
    watch();
    await isStored();
    market.tick('BTCUSDT', 104.5, start + 61_000);
    await isClosed(id);
    // PnL: 4.5 x 2; ROI: 9 / 200. Fees 0.1 and 0.0005 x 209; net over the margin of 20.
    expect(await stored(database, id)).toMatchObject({
      close_reason: 'TP',
      close_price: '104.5',
      pnl: '9.00000000',
      roi_pct: '4.50000000',
      fees: '0.20450000',
      net_pnl: '8.79550000',
      return_on_margin_pct: '43.97750000',
    });
    expect(await kindsOf(database, id)).toEqual(['opened', 'fee', 'armed', 'fee', 'closed']);
  });

  it('closes by a level that only the wick of a candle reached', async () => {
    const id = await openOne(database, newPosition(anna));
    watch();
    await isStored();
    market.candle('BTCUSDT', bar(0, 100, 101, 97.9, 100));
    await isClosed(id);
    // 98 x 0.9998 = 97.9804, rounded down to the tick.
    expect(await stored(database, id)).toMatchObject({ close_reason: 'SL', close_price: '97.98', pnl: '-4.04000000' });
    expect((await stored(database, id)).closed_at).toEqual(new Date(start + MINUTE_MS));
  });

  it('processes what happened while no node watched before it uses the current price', async () => {
    const id = await openOne(database, newPosition(anna));
    market.candle('BTCUSDT', bar(0, 100, 101, 99, 100), false);
    market.candle('BTCUSDT', bar(1, 100, 104.2, 99, 100), false);
    market.candle('BTCUSDT', bar(2, 100, 100, 96, 97), false);
    watch();
    await isStored();
    market.tick('BTCUSDT', 96.5, start + 185_000);
    await isClosed(id);
    expect(await stored(database, id)).toMatchObject({ close_reason: 'TP', close_price: '104' });
  });

  it('requests a candle that the stream missed', async () => {
    const id = await openOne(database, newPosition(anna));
    watch();
    await isStored();
    market.candle('BTCUSDT', bar(0, 100, 104, 99, 100), false);
    market.candle('BTCUSDT', bar(1, 100, 100, 97, 98));
    await isClosed(id);
    expect(await stored(database, id)).toMatchObject({ close_reason: 'TP', close_price: '104' });
  });

  it.each([
    // Best price 102: 2 % in profit. A trailing stop stands at 102 x 0.99.
    { activationPct: 0, stop: '100.98' },
    { activationPct: 2, stop: '100.98' },
    { activationPct: 3, stop: '98' },
    { activationPct: null, stop: '100.98' },
  ])('X72 a stop trails once the price moved by $activationPct %: $stop', async ({ activationPct, stop }) => {
    const trailing = { ...trailOne, activationPct };
    const id = await openOne(database, newPosition(anna, { targetPrice: 110, trailing }));
    watch();
    await isStored();
    market.candle('BTCUSDT', bar(0, 100, 102, 99.5, 101.5));
    await isJudged(0);
    expect(await stored(database, id)).toMatchObject({ stop_loss: stop, trail_activation_pct: activationPct });
  });

  it('raises a trailing stop by candles and reports its exit as SL', async () => {
    const trailing = { ...trailOne, activationPct: 0 };
    const id = await openOne(database, newPosition(anna, { targetPrice: 110, trailing }));
    watch();
    await isStored();
    market.candle('BTCUSDT', bar(0, 100, 102, 99.5, 101.5));
    await isJudged(0);
    expect(await stored(database, id)).toMatchObject({ stop_loss: '100.98', closed_at: null });
    market.candle('BTCUSDT', bar(1, 101.5, 101.6, 100.9, 101));
    await isClosed(id);
    // 100.98 x 0.9998 = 100.959804.
    expect(await stored(database, id)).toMatchObject({ close_reason: 'SL', close_price: '100.95', pnl: '1.90000000' });
    expect(await kindsOf(database, id)).toEqual(['opened', 'fee', 'armed', 'trail_raised', 'fee', 'closed']);
  });

  it('picks up positions opened while it watches, and leaves those that their owner closed', async () => {
    // The list of open positions has been read once this one is watched: the other two come later.
    await openOne(database, newPosition(anna, { symbol: 'SOLUSDT' }));
    watch();
    await isStored('SOLUSDT');
    const [mine, other] = [
      await openOne(database, newPosition(anna)),
      await openOne(database, newPosition(anna, { symbol: 'ETHUSDT' })),
    ];
    await database.asOwner(`select pg_notify('sextant_events', $1)`, [
      JSON.stringify({ u: anna, t: 'positions', d: { change: 'opened' } }),
    ]);
    await Promise.all([isStored(), isStored('ETHUSDT')]);
    market.tick('BTCUSDT', 101, start + 30_000);
    const closed = await closeByOwner(
      { db: database.db, market, config: simulated, closeListeners: [], warn: () => undefined },
      anna,
      mine,
    );
    expect(closed).toMatchObject({
      ok: true,
      value: { position: { close_reason: 'MANUAL', close_price: 100.98, pnl: 1.96 } },
    });
    market.tick('BTCUSDT', 97, start + 61_000);
    market.tick('ETHUSDT', 97, start + 61_000);
    await isClosed(other);
    expect((await kindsOf(database, mine)).filter((kind) => kind === 'closed')).toHaveLength(1);
    // A market order at 101: x 0.9999 is 100.98 on the tick.
    expect((await stored(database, mine)).close_price).toBe('100.98');
  });

  it.each([
    // Quantity 2 at 10x: the margin of an entry at 100 is 20, gone at 90.
    { last: 85, mark: 97, close: { close_reason: 'LIQ', close_price: 90, pnl: -20 } },
    // A market order: 90.5 x 0.9999 is 90.49 on the tick.
    { last: 90.5, mark: 97, close: { close_reason: 'MANUAL', close_price: 90.49, pnl: -19.02 } },
  ])('X71 a close by its owner at $last loses no more than the margin', async ({ last, mark, close }) => {
    const id = await openOne(database, newPosition(anna));
    market.tick('BTCUSDT', last, start + 30_000, mark);
    const deps = { db: database.db, market, config: simulated, closeListeners: [], warn: () => undefined };
    expect(await closeByOwner(deps, anna, id)).toMatchObject({ ok: true, value: { position: close } });
  });

  it('waits for unknown minutes, and skips those that a later candle shows to be missing', async () => {
    const id = await openOne(database, newPosition(anna));
    watch();
    await until('it has requested candles', () => Promise.resolve(market.requestCount > 0));
    // By the clock of this node these minutes were over long ago.
    market.candle('BTCUSDT', bar(0, 100, 101, 99, 100));
    await isJudged(0);
    market.candle('BTCUSDT', bar(2, 100, 101, 97.9, 99));
    await isClosed(id);
    expect(await stored(database, id)).toMatchObject({
      close_reason: 'SL',
      close_price: '97.98',
      closed_at: new Date(start + 3 * MINUTE_MS),
    });
  });

  it('recovers from a silence longer than a page of candles', async () => {
    const id = await openOne(database, newPosition(anna));
    market.candle('BTCUSDT', bar(0, 100, 101, 99, 100), false);
    market.candle('BTCUSDT', bar(1500, 100, 101, 97.9, 99), false);
    const now = Date.now;
    const back = now() - (start + 1502 * MINUTE_MS);
    const step = vi.spyOn(Date, 'now').mockImplementation(() => now() - back);
    watch();
    await isClosed(id).finally(() => step.mockRestore());
    expect(await stored(database, id)).toMatchObject({
      close_price: '97.98',
      closed_at: new Date(start + 1501 * 60_000),
    });
  });

  it('uses prices where the exchange has no candles', async () => {
    const id = await openOne(database, newPosition(anna));
    watch();
    await until('it has requested candles', () => Promise.resolve(market.requestCount > 0));
    market.tick('BTCUSDT', 97.5, start + 3_600_000);
    await isClosed(id);
    // 97.5 x 0.9998 = 97.4805.
    expect(await stored(database, id)).toMatchObject({ close_price: '97.48' });
  });

  it('ignores a price older than a candle it has judged', async () => {
    const trailing = { ...trailOne, activationPct: 0 };
    const id = await openOne(database, newPosition(anna, { targetPrice: 110, trailing }));
    watch();
    await isStored();
    market.candle('BTCUSDT', bar(0, 100, 102, 99.5, 101.5));
    await isJudged(0);
    // Within the minute that raised the stop to 100.98, before its best price.
    market.tick('BTCUSDT', 99.6, start + 59_900);
    market.candle('BTCUSDT', bar(1, 101.5, 101.6, 101, 101.2));
    await isJudged(1);
    expect(await stored(database, id)).toMatchObject({ stop_loss: '100.98', closed_at: null });
  });

  it('ignores a stamp in the future, and processes what follows it', async () => {
    const id = await openOne(database, newPosition(anna));
    watch();
    await isStored();
    market.candle('BTCUSDT', bar(0, 100, 101, 99, 100));
    await isJudged(0);
    market.tick('BTCUSDT', 97, start + 86_400_000);
    market.tick('BTCUSDT', 97.5, start + 70_000);
    await isClosed(id);
    expect(await stored(database, id)).toMatchObject({ close_price: '97.48', closed_at: new Date(start + 70_000) });
  });

  it('closes once, whatever comes twice, late or out of order', async () => {
    const ids = await Promise.all(
      Array.from({ length: 5 }, async () => openOne(database, newPosition(await database.addUser()))),
    );
    watch();
    await isStored();
    for (const [second, price] of [
      [61, 100.5],
      [59, 90],
      [62, 97.5],
      [62, 97.5],
      [61, 104],
      [63, 97.4],
      [63, 97.4],
    ] as const) {
      market.tick('BTCUSDT', price, start + second * 1000);
    }
    market.candle('BTCUSDT', bar(0, 100, 104, 97, 98));
    market.say('BTCUSDT', bar(0, 100, 104, 97, 98));
    for (const id of ids) {
      await isClosed(id);
      expect(await stored(database, id)).toMatchObject({ close_reason: 'SL', close_price: '97.48' });
      expect((await kindsOf(database, id)).filter((kind) => kind === 'closed')).toHaveLength(1);
    }
  });
});

describe('the clock of the node', () => {
  it.each([
    ['two hours ahead', 2 * 3_600_000],
    ['two hours behind', -2 * 3_600_000],
    ['a day ahead', 86_400_000],
  ])('%s: closes once, by the stamps of the exchange, and no age is negative', async (_what, shiftMs) => {
    const now = Date.now;
    const id = await openOne(database, newPosition(anna));
    watch();
    await isStored();
    market.candle('BTCUSDT', bar(0, 100, 101, 99, 100));
    await isJudged(0);
    const step = vi.spyOn(Date, 'now').mockImplementation(() => now() + shiftMs);
    try {
      for (const second of [70, 70, 71]) market.tick('BTCUSDT', 97.5, start + second * 1000);
      await isClosed(id);
    } finally {
      step.mockRestore();
    }
    expect(await stored(database, id)).toMatchObject({ close_price: '97.48', closed_at: new Date(start + 70_000) });
    expect((await kindsOf(database, id)).filter((kind) => kind === 'closed')).toHaveLength(1);
  });
});

describe('a close by its owner', () => {
  it.each([3_600_000, -3_600_000])(
    'is dated by the database, not by a node whose clock is off by %d ms',
    async (off) => {
      const id = await openOne(database, newPosition(anna, { openedAtMs: Date.now() - 600_000 }));
      market.tick('BTCUSDT', 101, Date.now());
      const now = Date.now;
      const step = vi.spyOn(Date, 'now').mockImplementation(() => now() + off);
      const deps = { db: database.db, market, config: simulated, closeListeners: [], warn: () => undefined };
      const closed = await closeByOwner(deps, anna, id).finally(() => step.mockRestore());
      expect(closed.ok).toBe(true);
      const [row] = await database.asOwner<{ age: number }>(
        `select extract(epoch from now() - closed_at)::float as age from positions where id = $1`,
        [id],
      );
      expect(row?.age).toBeGreaterThanOrEqual(0);
      expect(row?.age).toBeLessThan(1800);
    },
  );
});

describe('the leader of the watch', () => {
  it('is one node of several, and another one the moment its connection is gone', async () => {
    const id = await openOne(database, newPosition(anna));
    const second = new ScriptedMarket();
    watch();
    await isStored();
    watch(second);
    const first = await epochNow();
    await pause(50);
    expect(second.watched.size).toBe(0);
    await database.asOwner(
      `select pg_terminate_backend(l.pid) from pg_locks l join pg_stat_activity a using (pid)
       where l.locktype = 'advisory' and l.granted and a.datname = current_database()`,
    );
    await until('a node leads again', async () => (await epochNow()) > first);
    await until('it is watched again', () => Promise.resolve(market.watched.size + second.watched.size > 0));
    // Streamed again and again: the old leader may still follow the symbol when the new one does not yet.
    await until('it is closed', async () => {
      for (const each of [market, second]) each.tick('BTCUSDT', 97, start + 61_000);
      return (await stored(database, id)).closed_at !== null;
    });
    expect((await kindsOf(database, id)).filter((kind) => kind === 'closed')).toHaveLength(1);
  });

  it('writes nothing any more once another node has taken over', async () => {
    const id = await openOne(database, newPosition(anna));
    watch();
    await isStored();
    const epoch = await epochNow();
    await database.asOwner('update leaderships set epoch = epoch + 1');
    await expect(withSystem(database.db, (tx) => assertLeader(tx, 'positions', epoch))).rejects.toThrow(/is over/);
    // This price is judged in memory and its write rejected: then the node leads again and finds the candle.
    market.tick('BTCUSDT', 97, start + 61_000);
    market.candle('BTCUSDT', bar(0, 100, 100, 99, 99), false);
    market.candle('BTCUSDT', bar(1, 99, 99, 97, 97), false);
    await isClosed(id);
    expect(await stored(database, id)).toMatchObject({ close_price: '97.98', close_reason: 'SL' });
    expect(await epochNow()).toBeGreaterThan(epoch + 1);
  });
});

describe('what follows a close', () => {
  it('AUTO-033 runs for the symbol and side, and AUTO-034 its failure is only a warning', async () => {
    const id = await openOne(database, newPosition(anna));
    const reported: unknown[] = [];
    watch(market, [
      () => Promise.reject(new Error('no such table')),
      (_db, closed) => Promise.resolve(void reported.push(closed)),
    ]);
    await isStored();
    market.tick('BTCUSDT', 97, start + 61_000);
    await until('the close is reported', () => Promise.resolve(reported.length > 0));
    expect(reported).toEqual([{ userId: anna, symbol: 'BTCUSDT', side: 'LONG' }]);
    expect(warnings).toEqual([new Error('no such table')]);
    expect((await stored(database, id)).close_reason).toBe('SL');
  });
});

describe('fundings', () => {
  beforeEach(() => setJudged(database, 'BTCUSDT', start + 10 * 3_600_000));
  const free = { config: simulated, assertLeader: () => Promise.resolve() };

  it('are charged at their stamps, once, also when the stamp comes after the close', async () => {
    const hour = 3_600_000;
    const atStamp = await openOne(database, newPosition(anna, { openedAtMs: start + hour }));
    const held = await openOne(database, newPosition(await database.addUser()));
    const short = await openOne(
      database,
      newPosition(await database.addUser(), { side: 'SHORT', stopPrice: 102, targetPrice: 96, liquidationPrice: 109 }),
    );
    const closedAt = await openOne(database, newPosition(await database.addUser()));
    const closedBefore = await openOne(database, newPosition(await database.addUser()));
    for (const [id, atMs] of [
      [closedBefore, start + hour - 1],
      [closedAt, start + hour],
    ] as const) {
      await database.asOwner(
        `update positions set closed_at = $2, close_price = 101, close_reason = 'MANUAL' where id = $1`,
        [id, new Date(atMs)],
      );
    }
    for (const at of [1, 2, 3])
      market.bars.set('BTCUSDT', [...(market.bars.get('BTCUSDT') ?? []), bar(at * 60, 100 + at, 104, 99, 101)]);
    market.fundings.set('BTCUSDT', [
      { time: start + hour + 7, rate: 0.0001 },
      { time: start + 2 * hour + 3, rate: -0.0002 },
      { time: start + 3 * hour, rate: 0.0003 },
    ]);
    const deps = { db: database.db, market, ...free };
    await createFundingCharger(deps)(start + 4 * hour);
    await createFundingCharger(deps)(start + 4 * hour);
    // 2 x (101 x 0.0001 - 102 x 0.0002 + 103 x 0.0003) = 2 x (0.0101 - 0.0204 + 0.0309)
    expect((await stored(database, held)).funding).toBe('0.04120000');
    expect((await stored(database, short)).funding).toBe('-0.04120000');
    // Opened exactly at the stamp: it was not open before it. 2 x (-0.0204 + 0.0309)
    expect((await stored(database, atStamp)).funding).toBe('0.02100000');
    expect((await stored(database, closedBefore)).funding).toBe('0.00000000');
    // Closed by the candle that ended at the stamp.
    expect((await stored(database, closedAt)).funding).toBe('0.00000000');
    expect((await kindsOf(database, held)).filter((kind) => kind === 'funding')).toHaveLength(3);
  });

  it.each([2500, 900, 45_000, 4 * 60_000])(
    'X82 books one settlement once when its stamp comes again %i ms later',
    async (lateMs) => {
      const hour = 3_600_000;
      const id = await openOne(database, newPosition(anna));
      // Opened between the settlement and its second stamp: it was not open at the settlement.
      const late = await openOne(database, newPosition(await database.addUser(), { openedAtMs: start + hour + 800 }));
      for (const minute of [60, 61, 62, 63, 64, 65])
        market.bars.set('BTCUSDT', [...(market.bars.get('BTCUSDT') ?? []), bar(minute, 100, 104, 99, 101)]);
      market.fundings.set('BTCUSDT', [{ time: start + hour + 12, rate: 0.0001 }]);
      const charge = createFundingCharger({ db: database.db, market, ...free });
      await charge(start + hour + 60_000);
      market.fundings.get('BTCUSDT')?.push({ time: start + hour + lateMs, rate: 0.0001 });
      await createFundingCharger({ db: database.db, market, ...free })(start + 2 * hour - 1);
      // 2 x 100 x 0.0001
      expect((await stored(database, id)).funding).toBe('0.02000000');
      expect((await kindsOf(database, id)).filter((kind) => kind === 'funding')).toHaveLength(1);
      expect((await stored(database, late)).funding).toBe('0.00000000');
    },
  );

  it('wait for the price of their minute instead of guessing one', async () => {
    const id = await openOne(database, newPosition(anna));
    market.fundings.set('BTCUSDT', [{ time: start + 3_600_000, rate: 0.0001 }]);
    const chargeFundings = createFundingCharger({ db: database.db, market, ...free });
    await chargeFundings(start + 4_000_000);
    expect((await stored(database, id)).funding).toBe('0.00000000');
    market.bars.set('BTCUSDT', [bar(60, 100, 100, 100, 100)]);
    await chargeFundings(start + 4_000_000);
    expect((await stored(database, id)).funding).toBe('0.02000000');
  });
});

describe('requesting fundings', () => {
  it('happens once an hour when the stamp came, and until it is late when it did not', async () => {
    await openOne(database, newPosition(anna));
    await setJudged(database, 'BTCUSDT', start + 10 * 3_600_000);
    let requestCount = 0;
    const counted: typeof market.fundingHistory = (request) => {
      requestCount += 1;
      return market.fundingHistory(request);
    };
    const charge = createFundingCharger({
      db: database.db,
      config: simulated,
      assertLeader: () => Promise.resolve(),
      market: { candles: market.candles, fundingHistory: counted },
    });
    const hour = 3_600_000;
    market.bars.set('BTCUSDT', [bar(60, 100, 100, 100, 100)]);
    await charge(start + hour + MINUTE_MS); // not there yet
    market.fundings.set('BTCUSDT', [{ time: start + hour, rate: 0.0001 }]);
    for (const minute of [2, 3, 4, 59]) await charge(start + hour + minute * MINUTE_MS);
    expect(requestCount).toBe(2);
    for (const minute of [1, 5, 11, 12, 50]) await charge(start + 2 * hour + minute * MINUTE_MS);
    expect(requestCount).toBe(5);
  });
});

describe('the equity of an account', () => {
  it('is marked to market, and left open where a price is missing', async () => {
    await openOne(database, newPosition(anna));
    const points = () =>
      database.asOwner('select unrealised, exposure, missing from equity_points order by created_at');
    const deps = { db: database.db, market, config: simulated, assertLeader: () => Promise.resolve() };
    expect(await keepEquity(deps, start)).toBe(0);
    expect(await keepEquity(deps, start + 4 * MINUTE_MS)).toBe(1);
    market.tick('BTCUSDT', 103, start);
    await keepEquity(deps, start + 5 * MINUTE_MS);
    // 3 x 2 less the fee of 0.1; 2 x 103.
    expect(await points()).toEqual([
      { unrealised: null, exposure: null, missing: 1 },
      { unrealised: '5.90000000', exposure: '206.00000000', missing: 0 },
    ]);
  });
});
