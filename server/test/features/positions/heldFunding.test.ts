import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { instantiate } from '@sextant/workers/src/engine/engine.ts';
import { loadModule } from '@sextant/workers/src/node/loadModule.ts';
import { closePart } from '../../../src/features/positions/closePosition.ts';
import { createFundingCharger } from '../../../src/features/positions/watch/chargeFunding.ts';
import { startWatching } from '../../../src/features/positions/watch/startWatching.ts';
import { withSystem } from '../../../src/platform/db/scope.ts';
import { createTestDatabase, type TestDatabase } from '../../support/createTestDatabase.ts';
import { kindsOf, newPosition, noOrders, openOne, setJudged, silentNews, stored, until } from './support/positions.ts';
import { MINUTE_MS, ScriptedMarket, simulated } from './support/scriptedMarket.ts';

let module: WebAssembly.Module;
let database: TestDatabase;
let market: ScriptedMarket;
let anna: string;
const stops: (() => Promise<void>)[] = [];
const start = 1_767_225_600_000;
const hour = 60 * MINUTE_MS;

beforeAll(async () => {
  ({ module } = await loadModule());
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  market = new ScriptedMarket();
  anna = await database.addUser();
});
afterEach(async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()));
  await database.asOwner('delete from users');
  await database.asOwner('delete from position_watch');
});

/** Quiet minutes at 100, with the given lows and highs. */
const minutesOf = (count: number, lows: Record<number, number> = {}, highs: Record<number, number> = {}) =>
  Array.from({ length: count }, (_, minute) => ({
    time: start + minute * MINUTE_MS,
    open: 100,
    high: highs[minute] ?? 100,
    low: lows[minute] ?? 100,
    close: 100,
    volume: 1,
  }));

const charger = (on: Pick<ScriptedMarket, 'candles' | 'fundingHistory'> = market) =>
  createFundingCharger({ db: database.db, market: on, config: simulated, assertLeader: () => Promise.resolve() });

const judgedUntil = (atMs: number) => setJudged(database, 'BTCUSDT', atMs);

/** The watch, without the charger of its node: a test runs that itself. */
function watch(): void {
  const none = Object.assign(Object.create(market) as typeof market, {
    fundingHistory: () => new Promise<never>(() => undefined),
  });
  const { close } = startWatching({
    db: database.db,
    market: none,
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
}

const isClosed = (id: string) => until('it is closed', async () => (await stored(database, id)).closed_at !== null);
const closeAt = (id: string, atMs: number) =>
  database.asOwner(`update positions set closed_at = $2, close_price = 101, close_reason = 'MANUAL' where id = $1`, [
    id,
    new Date(atMs),
  ]);

describe('funding of a time without a watch', () => {
  it('POS-024 spares a position that had left before the settlement, also when the charger runs first', async () => {
    const id = await openOne(database, newPosition(anna));
    await judgedUntil(start);
    market.fundings.set('BTCUSDT', [{ time: start + hour, rate: 0.0001 }]);
    market.bars.set('BTCUSDT', minutesOf(180, { 5: 97 }));
    const charge = charger();
    await charge(start + 3 * hour);
    watch();
    await isClosed(id);
    await charge(start + 3 * hour);
    expect(await stored(database, id)).toMatchObject({
      close_reason: 'SL',
      closed_at: new Date(start + 6 * MINUTE_MS),
      funding: '0.00000000',
    });
  });

  it('POS-024 charges a position that held through, once its minutes are judged', async () => {
    const id = await openOne(database, newPosition(anna));
    await judgedUntil(start);
    market.fundings.set('BTCUSDT', [
      { time: start + hour, rate: 0.0001 },
      { time: start + 2 * hour, rate: 0.0001 },
      { time: start + 3 * hour, rate: 0.0001 },
    ]);
    market.bars.set('BTCUSDT', minutesOf(240, { 150: 97 }));
    const charge = charger();
    await charge(start + 4 * hour);
    expect(await stored(database, id)).toMatchObject({ funding: '0.00000000' });
    // Judged up to the first settlement exactly.
    await judgedUntil(start + hour);
    await charge(start + 4 * hour);
    expect(await stored(database, id)).toMatchObject({ funding: '0.02000000' });
    watch();
    await isClosed(id);
    await charge(start + 4 * hour);
    // 2 x 100 x 0.0001 at the first and the second hour; it left in the third.
    expect(await stored(database, id)).toMatchObject({ close_reason: 'SL', funding: '0.04000000' });
    expect((await kindsOf(database, id)).filter((kind) => kind === 'funding')).toHaveLength(2);
  });

  it('POS-025 charges a settlement that becomes known hours after the close, once', async () => {
    const nowMs = start + 5 * hour;
    const id = await openOne(database, newPosition(anna));
    await closeAt(id, start + 2 * hour);
    market.fundings.set('BTCUSDT', [{ time: start + hour, rate: 0.0001 }]);
    market.bars.set('BTCUSDT', minutesOf(300));
    let isAway = true;
    let requestCount = 0;
    const fundingHistory: typeof market.fundingHistory = (request) => {
      requestCount += 1;
      return market.fundingHistory(isAway ? { ...request, symbol: 'NONE' } : request);
    };
    const failing: typeof market.fundingHistory = (request) =>
      isAway
        ? Promise.resolve({ ok: false, error: { code: 'upstream_unavailable', message: 'away' } })
        : fundingHistory(request);
    const charge = charger({ candles: market.candles, fundingHistory: failing });
    await charge(nowMs);
    isAway = false;
    await charge(nowMs + MINUTE_MS);
    await charge(nowMs + 2 * hour);
    expect(await stored(database, id)).toMatchObject({ funding: '0.02000000' });
    expect((await kindsOf(database, id)).filter((kind) => kind === 'funding')).toHaveLength(1);
    // Charged whole beyond its close: it is not requested from the exchange any more.
    expect(requestCount).toBe(1);
  });

  it('POS-024 skips no settlement of a position that the watch writes during a round', async () => {
    const early = await openOne(database, newPosition(anna, { openedAtMs: start + 90 * MINUTE_MS }));
    const bert = await database.addUser();
    market.fundings.set('BTCUSDT', [
      { time: start + hour, rate: 0.0001 },
      { time: start + 2 * hour, rate: 0.0001 },
    ]);
    market.bars.set('BTCUSDT', minutesOf(180));
    await judgedUntil(start + 3 * hour);
    const late: string[] = [];
    // While the price of the second settlement is requested, an order is filled by a candle before the first.
    const candles: typeof market.candles = async (request) => {
      if (late.length === 0) late.push(await openOne(database, newPosition(bert, { openedAtMs: start + MINUTE_MS })));
      return market.candles(request);
    };
    const charge = charger({ candles, fundingHistory: market.fundingHistory });
    await charge(start + 3 * hour);
    await charge(start + 4 * hour);
    expect(await stored(database, early)).toMatchObject({ funding: '0.02000000' });
    expect(await stored(database, late[0] ?? '')).toMatchObject({ funding: '0.04000000' });
  });

  it('POS-025 a part that a candle closed at the settlement pays nothing, as a whole position', async () => {
    const id = await openOne(
      database,
      newPosition(anna, {
        stepSize: 0.01,
        minNotional: 5,
        targets: [
          { price: 104, fraction: 0.5 },
          { price: 106, fraction: 0.5 },
        ],
      }),
    );
    market.fundings.set('BTCUSDT', [{ time: start + hour, rate: 0.0001 }]);
    // The minute that ends at the settlement reaches the first target.
    market.bars.set('BTCUSDT', minutesOf(62, {}, { 59: 104 }));
    watch();
    await until('a part is closed', async () => (await kindsOf(database, id)).includes('reduced'));
    await judgedUntil(start + 62 * MINUTE_MS);
    await charger()(start + hour + MINUTE_MS);
    // 1 x 100 x 0.0001
    expect(await stored(database, id)).toMatchObject({ funding: '0.01000000' });
  });

  it('POS-024 a part closed by hand in the catch-up counts from its own time on', async () => {
    const id = await openOne(database, newPosition(anna, { stepSize: 0.01, minNotional: 5 }));
    market.fundings.set('BTCUSDT', [
      { time: start + hour, rate: 0.0001 },
      { time: start + 2 * hour, rate: 0.0001 },
    ]);
    market.bars.set('BTCUSDT', minutesOf(180));
    await withSystem(database.db, (tx) =>
      closePart(tx, {
        userId: anna,
        id,
        body: { fraction: 0.5 },
        quote: { last: 100, mark: null, bid: null, ask: null },
        fill: { price: 100, atMs: start + 90 * MINUTE_MS, role: 'taker', orderId: null, market: null },
      }),
    );
    await judgedUntil(start + 3 * hour);
    await charger()(start + 3 * hour);
    // 2 x 100 x 0.0001, then half of it.
    expect(await stored(database, id)).toMatchObject({ funding: '0.03000000' });
  });
});
