// Long because its cases share one app, one market and their helpers.
import { instantiate } from '@sextant/workers/src/engine/engine.ts';
import { loadModule } from '@sextant/workers/src/node/loadModule.ts';
import { ok } from '@sextant/workers/src/core/result.ts';
import { seededRandom } from '@sextant/workers/test/support/randomRuns.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createRestingOrders } from '../../../src/features/orders/restingOrders.ts';
import { closePart } from '../../../src/features/positions/closePosition.ts';
import { writeAddition } from '../../../src/features/positions/fillWriter.ts';
import { findDrift } from '../../../src/features/positions/findDrift.ts';
import { chargeStamp } from '../../../src/features/positions/watch/chargeFunding.ts';
import type { RestingOrders } from '../../../src/features/positions/watch/restingOrders.ts';
import { startWatching } from '../../../src/features/positions/watch/startWatching.ts';
import { withSystem } from '../../../src/platform/db/scope.ts';
import { createTestDatabase, type TestDatabase } from '../../support/createTestDatabase.ts';
import { newPosition, openOne, setJudged, silentNews, until } from '../positions/support/positions.ts';
import { MINUTE_MS, ScriptedMarket, simulated } from '../positions/support/scriptedMarket.ts';

let module: WebAssembly.Module;
let database: TestDatabase;
let anna: string;
let market: ScriptedMarket;
const start = 1_767_225_600_000;
const stops: (() => Promise<void>)[] = [];

beforeAll(async () => {
  ({ module } = await loadModule());
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  anna = await database.addUser();
  await database.asOwner(`insert into preferences (user_id) values ('${anna}') on conflict do nothing`);
  market = new ScriptedMarket();
});
afterEach(async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()));
  await database.asOwner('delete from users');
  await database.asOwner('delete from position_watch');
});

function watch(orders?: RestingOrders): () => Promise<void> {
  const kernel = instantiate(module);
  const { close } = startWatching({
    db: database.db,
    market,
    config: simulated,
    closeListeners: [],
    orders: orders ?? createRestingOrders({ kernel: () => kernel, config: simulated }),
    newClient: database.newClient,
    newEngine: () => instantiate(module),
    newsVotes: silentNews,
    warn: () => undefined,
    onError: () => undefined,
  });
  stops.push(close);
  return close;
}
const isWatched = () => until('it is watched', () => Promise.resolve(market.watched.has('BTCUSDT 1m')));

/** A limit order to buy 1 at 95 with 10x, placed at the start; stop 90, target 110. */
async function rest(more: Record<string, unknown> = {}): Promise<string> {
  const columns = {
    user_id: anna,
    exchange: 'binance',
    market: 'simulated',
    symbol: 'BTCUSDT',
    interval: '1h',
    side: 'LONG',
    type: 'limit',
    status: 'resting',
    reduce_only: false,
    quantity: '1',
    price: '95',
    leverage: 10,
    stop_loss: '90',
    take_profits: JSON.stringify([{ price: 110, fraction: 1 }]),
    trail: JSON.stringify({ enabled: false }),
    tick_size: '0.01',
    step_size: '0.001',
    min_notional: '5',
    reserved: '9.519',
    active_from: new Date(start),
    ...more,
  };
  const { id } = await withSystem(database.db, (tx) =>
    tx.insertInto('orders').values(columns).returning('id').executeTakeFirstOrThrow(),
  );
  return id;
}
interface StoredOrder extends Record<string, unknown> {
  status: string;
  fill_price: string | null;
  position_id: string | null;
}
async function order(id: string): Promise<StoredOrder> {
  const [row] = await database.asOwner<StoredOrder>('select * from orders where id = $1', [id]);
  if (row === undefined) throw new Error('no such order');
  return row;
}
const hasEnded = (id: string) => until('it has ended', async () => (await order(id)).status !== 'resting');
const position = async (id: string | null) =>
  (await database.asOwner<Record<string, unknown>>('select * from positions where id = $1', [id]))[0];
const fills = (id: string | null) =>
  database.asOwner<Record<string, unknown>>('select * from position_fills where position_id = $1 order by seq', [id]);
const bar = (minute: number, low: number, high = 100.5, open = 100) => ({
  time: start + minute * MINUTE_MS,
  open,
  high,
  low,
  close: 100,
  volume: 1,
});
const isJudged = (minute: number) =>
  until(`minute ${minute} is judged`, async () => {
    const [row] = await database.asOwner<{ at: Date }>('select next_candle_at as at from position_watch');
    return (row?.at.getTime() ?? 0) >= start + (minute + 1) * MINUTE_MS;
  });

const noBook = { bid: null, ask: null, mark: null };

describe('orders that rest', () => {
  it('DESK-032 DESK-035 a limit fills by a price beyond it, as maker, and its position is watched from then on', async () => {
    const id = await rest();
    watch();
    await isWatched();
    market.tick('BTCUSDT', 95, start + 1000);
    market.tick('BTCUSDT', 94.99, start + 2000);
    await hasEnded(id);
    const filled = await order(id);
    expect(filled).toMatchObject({ status: 'filled', fill_price: '95', fill_role: 'maker', reserved: '0.00000000' });
    expect(filled['ended_at']).toEqual(new Date(start + 2000));
    // 0.02 % of 95.
    expect(filled['fill_fee']).toBe('0.01900000');
    expect(await position(filled.position_id)).toMatchObject({ entry_price: '95', qty: '1', stop_loss: '90' });
    market.candle('BTCUSDT', bar(0, 94));
    market.candle('BTCUSDT', bar(1, 94));
    market.candle('BTCUSDT', bar(2, 89));
    await until('it is closed', async () => (await position(filled.position_id))?.['closed_at'] !== null);
    expect(await position(filled.position_id)).toMatchObject({ close_reason: 'SL' });
    expect(await findDrift(database.db, new Date(0))).toEqual([]);
  });

  it('DESK-032 an order fills within the minute in which it was placed, and by no earlier price', async () => {
    const id = await rest({ active_from: new Date(start + 10_000) });
    watch();
    await isWatched();
    market.tick('BTCUSDT', 94, start + 9999);
    market.tick('BTCUSDT', 94.9, start + 12_000);
    await hasEnded(id);
    expect(await order(id)).toMatchObject({ status: 'filled', fill_price: '95', ended_at: new Date(start + 12_000) });
  });

  it('DESK-035 a killed watch loses no fill: candles that it missed fill, and judge what they opened', async () => {
    const id = await rest();
    const first = watch();
    await isWatched();
    market.candle('BTCUSDT', bar(0, 96));
    await isJudged(0);
    await first();
    // Filled in minute 2 at 95, and stopped in minute 5, while no watch ran.
    const lows = [96, 94, 94, 93, 89, 96];
    lows.forEach((low, i) => market.candle('BTCUSDT', bar(i + 1, low), false));
    watch();
    await hasEnded(id);
    const filled = await order(id);
    expect(filled).toMatchObject({ status: 'filled', ended_at: new Date(start + 3 * MINUTE_MS) });
    await until('it is closed', async () => (await position(filled.position_id))?.['closed_at'] !== null);
    expect(await position(filled.position_id)).toMatchObject({
      close_reason: 'SL',
      opened_at: new Date(start + 3 * MINUTE_MS),
      closed_at: new Date(start + 6 * MINUTE_MS),
    });
    expect((await fills(filled.position_id)).map(({ kind }) => kind)).toEqual(['open', 'close']);
  });

  it('DESK-034 a stop entry fills in a candle with slippage, at the open after a gap', async () => {
    const near = await rest({
      type: 'stop',
      price: '105',
      stop_loss: '99',
      take_profits: JSON.stringify([{ price: 120, fraction: 1 }]),
    });
    watch();
    await isWatched();
    market.candle('BTCUSDT', bar(0, 99, 104));
    market.candle('BTCUSDT', bar(1, 106, 108, 107));
    await hasEnded(near);
    // 107 x 1.0002 = 107.0214, up to the tick.
    expect(await order(near)).toMatchObject({ fill_price: '107.03', fill_role: 'taker' });
  });

  it('DESK-031 DESK-028 an order on an open side adds, a reduce-only one closes a part or nothing', async () => {
    const id = await openOne(
      database,
      newPosition(anna, { quantity: 2, stopPrice: 80, leverage: 2, openedAtMs: start - 90_000 }),
    );
    const add = await rest({ stop_loss: null, take_profits: null });
    const reduce = await rest({
      side: 'SHORT',
      reduce_only: true,
      price: '103',
      quantity: '1.5',
      stop_loss: null,
      take_profits: null,
      reserved: '0',
    });
    watch();
    await isWatched();
    market.tick('BTCUSDT', 94, start + 1000);
    await hasEnded(add);
    // (2 x 100 + 95) / 3.
    expect(await position(id)).toMatchObject({ entry_price: String(295 / 3), qty: '3', entered: '295' });
    market.tick('BTCUSDT', 103.5, start + 3000);
    await hasEnded(reduce);
    expect(await order(reduce)).toMatchObject({
      status: 'filled',
      fill_price: '103',
      position_id: id,
      fill_role: 'maker',
    });
    expect(await position(id)).toMatchObject({ qty: '1.5', closed_at: null });
    expect((await fills(id)).map(({ kind, role, quantity }) => [kind, role, quantity])).toEqual([
      ['open', 'taker', '2'],
      ['add', 'maker', '1'],
      ['partial_close', 'maker', '1.5'],
    ]);
    const late = await rest({
      side: 'LONG',
      reduce_only: true,
      price: '90',
      stop_loss: null,
      take_profits: null,
      reserved: '0',
    });
    market.tick('BTCUSDT', 100, start + 3500);
    await until('it is read', () => Promise.resolve(market.watched.has('BTCUSDT 1m')));
    await database.asOwner(`select pg_notify('sextant_events', '{"u": null, "t": "orders"}')`);
    await until('it is due', async () => {
      market.tick('BTCUSDT', 89.5, start + 4000 + Math.floor(performance.now()));
      return (await order(late)).status !== 'resting';
    });
    expect(await order(late)).toMatchObject({ status: 'cancelled', cancel_reason: 'no_position', position_id: null });
  });

  it('DESK-033 expires by time, and is cancelled where losses left too little equity', async () => {
    const expiring = await rest({ expires_at: new Date(start + 90_000) });
    const poor = await rest({ quantity: '1000', price: '94' });
    watch();
    await isWatched();
    market.tick('BTCUSDT', 93.9, start + 1000);
    await hasEnded(poor);
    expect(await order(poor)).toMatchObject({ status: 'cancelled', cancel_reason: 'margin' });
    expect(String((await order(poor))['message'])).toMatch(/needs .* USDT is free/);
    await hasEnded(expiring);
    const second = await rest({
      side: 'SHORT',
      price: '130',
      stop_loss: '150',
      take_profits: JSON.stringify([{ price: 90, fraction: 1 }]),
      expires_at: new Date(start + 90_000),
    });
    await database.asOwner(`select pg_notify('sextant_events', '{"u": null, "t": "orders"}')`);
    await until('it expires', async () => {
      market.tick('BTCUSDT', 100, start + 90_000);
      market.candle('BTCUSDT', bar(0, 100));
      market.candle('BTCUSDT', bar(1, 100));
      return (await order(second)).status !== 'resting';
    });
    expect(await order(second)).toMatchObject({ status: 'expired', cancel_reason: null, reserved: '0.00000000' });
  });

  it('HIST-122 the end of a contract cancels its orders with the day, and leaves those of others', async () => {
    const [ended, other] = [await rest({ symbol: 'SOLUSDT' }), await rest()];
    await database.asOwner(
      `insert into history_listings (source, exchange, symbol, first_seen_at, last_seen_at, ended_at)
       values ('simulated', 'binance', 'SOLUSDT', '2026-01-01', '2026-03-04', '2026-03-04T09:30:00Z')`,
    );
    const value = (['SOLUSDT', 'BTCUSDT'] as const).map((symbol) => ({
      symbol,
      base: symbol.slice(0, 3),
      tickSize: 0.01,
      stepSize: 0.001,
      minNotional: 5,
      maxQuantity: null,
      maxLeverage: 50,
      fundingHours: 8,
      listedAtMs: null,
      status: 'trading' as const,
    }));
    const listed = value.map((each) => (each.symbol === 'SOLUSDT' ? { ...each, hasEnded: true as const } : each));
    Object.assign(market, {
      symbols: () => Promise.resolve(ok({ exchange: 'binance', fetchedAtMs: Date.now(), value: listed })),
    });
    watch();
    const orderOf = async (id: string) => (await database.asOwner('select * from orders where id = $1', [id]))[0];
    await until('it is cancelled', async () => (await orderOf(ended))?.['status'] === 'cancelled');
    expect(await orderOf(ended)).toMatchObject({
      cancel_reason: 'delisted',
      message: 'SOLUSDT was delisted on binance on 2026-03-04.',
      reserved: '0.00000000',
    });
    expect(await orderOf(other)).toMatchObject({ status: 'resting' });
  });

  it('DESK-030 DESK-036 targets close their shares, and funding charges what was open at its stamp', async () => {
    const id = await openOne(
      database,
      newPosition(anna, {
        quantity: 2,
        stepSize: 0.01,
        minNotional: 5,
        targets: [
          { price: 104, fraction: 0.5 },
          { price: 106, fraction: 0.5 },
        ],
        openedAtMs: start - 90_000,
      }),
    );
    watch();
    await isWatched();
    market.tick('BTCUSDT', 104.2, start + 1000);
    await until('a part is closed', async () => (await fills(id)).length > 1);
    expect(await position(id)).toMatchObject({ qty: '1', take_profit: '106', targets: null, realised: '4.20000000' });
    // The owner closes half of the rest; the watch goes on with what is left.
    await withSystem(database.db, async (tx) => {
      const done = await closePart(tx, { userId: anna, id, body: { fraction: 0.5 }, quote: { ...noBook, last: 103 } });
      expect(done).toMatchObject({ ok: true, value: { wire: { fill: { quantity: 0.5 } } } });
    });
    // One stamp before the first part was closed, and one after it: 0.01 % of 2 x 100, then of 1 x 100.
    const stamp = {
      market: 'simulated' as const,
      exchange: 'binance',
      symbol: 'BTCUSDT',
      rate: 0.0001,
      mark: 100,
    };
    await setJudged(database, 'BTCUSDT', start + 60_000);
    for (const stampMs of [start, start + 2000])
      await withSystem(database.db, (tx) => chargeStamp(tx, { ...stamp, stampMs }));
    expect(await position(id)).toMatchObject({ funding: '0.03000000' });
    market.tick('BTCUSDT', 106, start + 120_000);
    const later = Date.now() + 120_000;
    await until('it is closed', async () => {
      market.tick('BTCUSDT', 106, later);
      market.candle('BTCUSDT', bar(0, 100));
      return (await position(id))?.['closed_at'] !== null || (await fills(id)).length > 3;
    }).catch(() => undefined);
    const row = await position(id);
    // 1 x 4.20 + 0.5 x 2.98, because 103 x 0.9999 is 102.98 on the tick, + 0.5 x 6.
    expect(row).toMatchObject({ close_reason: 'TP', pnl: '8.69000000', qty: '2', entry_price: '100' });
    expect((await fills(id)).map(({ kind, pnl }) => [kind, pnl])).toEqual([
      ['open', '0.00000000'],
      ['partial_close', '4.20000000'],
      ['partial_close', '1.49000000'],
      ['close', '3.00000000'],
    ]);
    expect(await findDrift(database.db, new Date(0))).toEqual([]);
  });

  it('DESK-036 an order that was changed after its price came does not fill by its old terms', async () => {
    const id = await rest();
    const kernel = instantiate(module);
    const orders = createRestingOrders({ kernel: () => kernel, config: simulated });
    await withSystem(database.db, (tx) => orders.load(tx, 'simulated'));
    await database.asOwner(`update orders set price = 80, stop_loss = 70, revision = 2 where id = $1`, [id]);
    // The change is stored, and the price comes before the watch has read it.
    const due = orders.tick('binance BTCUSDT', { price: 94, atMs: start + 1000 });
    expect(due).toMatchObject([{ kind: 'filled', price: 95 }]);
    await withSystem(database.db, async (tx) => {
      await orders.load(tx, 'simulated');
      await orders.write(tx, due);
    });
    expect(await order(id)).toMatchObject({ status: 'resting', fill_price: null });
  });

  it('DESK-035 a missed candle closes nothing that was entered after its open', async () => {
    const reducing = { side: 'SHORT', reduce_only: true, stop_loss: null, take_profits: null, reserved: '0' };
    const opened = (more: object) => openOne(database, newPosition(anna, { stopPrice: 80, leverage: 2, ...more }));
    // Opened in minute 1: the best price of that minute may be older than the position.
    await opened({ quantity: 2, openedAtMs: start + 90_000 });
    const late = await rest({ ...reducing, price: '103', quantity: '2' });
    // Of 3 ETHUSDT two were added in minute 1.
    const added = await opened({ symbol: 'ETHUSDT', quantity: 1, openedAtMs: start - 90_000 });
    await withSystem(database.db, (tx) =>
      writeAddition(tx, {
        id: added,
        atMs: start + 90_000,
        price: 100,
        quantity: 2,
        market: null,
        entryFee: 0.1,
        role: 'taker',
        orderId: null,
        averagePrice: 100,
        liquidationPrice: 55,
      }),
    );
    const part = await rest({ ...reducing, symbol: 'ETHUSDT', price: '103', quantity: '3' });
    watch();
    await isWatched();
    await until('the other one is watched', () => Promise.resolve(market.watched.has('ETHUSDT 1m')));
    for (const symbol of ['BTCUSDT', 'ETHUSDT']) {
      market.candle(symbol, bar(0, 99));
      market.candle(symbol, bar(1, 99, 104));
    }
    await hasEnded(late);
    expect(await order(late)).toMatchObject({ status: 'cancelled', cancel_reason: 'no_position' });
    await hasEnded(part);
    expect(await order(part)).toMatchObject({ status: 'filled', fill_quantity: '1', fill_price: '103' });
    expect(await position(added)).toMatchObject({ qty: '2', closed_at: null });
  });

  it('DESK-030 prices that follow one another close each share once', async () => {
    const targets = [
      { price: 104, fraction: 0.25 },
      { price: 106, fraction: 0.25 },
      { price: 120, fraction: 0.5 },
    ];
    const id = await openOne(
      database,
      newPosition(anna, { quantity: 4, stepSize: 0.01, minNotional: 5, targets, openedAtMs: start - 90_000 }),
    );
    watch();
    await isWatched();
    let atMs = start + 1000;
    const tick = (price: number) => market.tick('BTCUSDT', price, (atMs += 1));
    tick(104.2);
    tick(106.2);
    await until('two parts are closed', async () => {
      tick(106.2);
      return (await fills(id)).length > 2;
    });
    // A write that follows all of these has been made.
    await rest({ price: '101', stop_loss: '90' });
    await database.asOwner(`select pg_notify('sextant_events', '{"u": null, "t": "orders"}')`);
    await until('what was decided is written', async () => {
      tick(106.2);
      return (await fills(id)).length > 3 || atMs > start + 1100;
    });
    expect((await fills(id)).map(({ kind, quantity }) => [kind, quantity])).toEqual([
      ['open', '4'],
      ['partial_close', '1'],
      ['partial_close', '1'],
    ]);
    expect(await position(id)).toMatchObject({ qty: '2', take_profit: '120' });
  });

  it('DESK-133 a notice that names an order reads that order alone', async () => {
    const read: string[][] = [];
    const kernel = instantiate(module);
    const orders = createRestingOrders({ kernel: () => kernel, config: simulated });
    watch({
      ...orders,
      reload: (tx, mode, ids) => {
        read.push([...ids]);
        return orders.reload(tx, mode, ids);
      },
    });
    await rest({ price: '80' });
    await database.asOwner(`select pg_notify('sextant_events', '{"u": null, "t": "orders"}')`);
    await isWatched();
    const id = await rest();
    const notice = JSON.stringify({ u: anna, t: 'orders', d: { change: 'placed', order_id: id, symbol: 'BTCUSDT' } });
    await database.asOwner(`select pg_notify('sextant_events', $1)`, [notice]);
    let atMs = start + 1000;
    await until('it is filled', async () => {
      market.tick('BTCUSDT', 94, (atMs += 1));
      return (await order(id)).status === 'filled';
    });
    expect(read.flat()).toContain(id);
    expect(read.every((ids) => ids.every((each) => each === id))).toBe(true);
  });

  it('DESK-133 reading what changed leaves the same in memory as reading all', async () => {
    const random = seededRandom(20_261_129);
    const pick = (most: number): number => Math.floor(random() * most);
    const deps = { kernel: () => instantiate(module), config: simulated };
    const partly = createRestingOrders(deps);
    await withSystem(database.db, (tx) => partly.load(tx, 'simulated'));
    const ids: string[] = [];
    const symbols = ['BTCUSDT', 'ETHUSDT', 'SOLUSDT'];
    for (let round = 0; round < 25; round++) {
      const changed = new Set<string>();
      for (let i = 0; i <= pick(3); i++) {
        const target = ids[pick(ids.length + 2)];
        if (target === undefined) {
          const more = {
            symbol: symbols[pick(3)],
            price: String(90 + pick(10)),
            market: pick(5) === 0 ? 'live' : 'simulated',
          };
          const id = await rest({ ...more, active_from: new Date(start + pick(9) * MINUTE_MS) });
          ids.push(id);
          changed.add(id);
          continue;
        }
        const end = `status = 'cancelled', cancel_reason = 'owner', ended_at = now(), reserved = 0`;
        const change = pick(2) === 0 ? end : `price = ${90 + pick(10)}, revision = revision + 1`;
        await database.asOwner(`update orders set ${change} where id = $1 and status = 'resting'`, [target]);
        changed.add(target);
      }
      const whole = createRestingOrders(deps);
      const [a, b] = await withSystem(database.db, async (tx) => [
        await partly.reload(tx, 'simulated', [...changed]),
        await whole.load(tx, 'simulated'),
      ]);
      const sorted = (all: typeof a) => [...all].sort((one, two) => (one.symbol < two.symbol ? -1 : 1));
      expect(sorted(a), `round ${round}`).toEqual(sorted(b));
    }
    // What is due at a price, and by which revision.
    const whole = createRestingOrders(deps);
    await withSystem(database.db, (tx) => whole.load(tx, 'simulated'));
    for (const symbol of symbols) {
      const due = (orders: typeof whole) =>
        orders
          .tick(`binance ${symbol}`, { price: 50, atMs: start + 3_600_000 })
          .map(({ id, revision }) => `${id} ${revision}`)
          .sort();
      const all = due(whole);
      expect(due(partly)).toEqual(all);
    }
  });

  it('DESK-035 two nodes fill an order once', async () => {
    const id = await rest();
    watch();
    watch();
    await isWatched();
    market.tick('BTCUSDT', 94, start + 1000);
    await hasEnded(id);
    market.candle('BTCUSDT', bar(0, 94));
    market.candle('BTCUSDT', bar(1, 94));
    await isJudged(1);
    const { position_id: positionId } = await order(id);
    expect((await fills(positionId)).map(({ kind }) => kind)).toEqual(['open']);
    expect(await database.asOwner('select id from positions')).toHaveLength(1);
  });
});
