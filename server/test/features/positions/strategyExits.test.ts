import { liveRules, type Strategy } from '@sextant/engine-as/abi/strategy.ts';
import { instantiate } from '@sextant/workers/src/engine/engine.ts';
import { loadModule } from '@sextant/workers/src/node/loadModule.ts';
import { strategyVersion } from '@sextant/workers/src/protocol/wire/strategy.ts';
import { strategyOfRules } from '@sextant/workers/src/rules/strategyOfRules.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { NewPosition } from '../../../src/features/positions/eventWriter.ts';
import { startWatching } from '../../../src/features/positions/watch/startWatching.ts';
import { createTestDatabase, type TestDatabase } from '../../support/createTestDatabase.ts';
import { kindsOf, newPosition, openOne, noOrders, silentNews, stored, until } from './support/positions.ts';
import { MINUTE_MS, ScriptedMarket, simulated } from './support/scriptedMarket.ts';

let module: WebAssembly.Module;
let database: TestDatabase;
let market: ScriptedMarket;
let anna: string;
const start = 1_767_225_600_000;
const stops: (() => Promise<void>)[] = [];

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

function watch(): () => Promise<void> {
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

/** Only the crossing of two averages votes, on one-minute candles. */
function strategyOf(change: Partial<Strategy>): NewPosition['strategy'] {
  const value: Strategy = { ...liveRules(['1m']), weights: { ema_cross: 1 }, ...change };
  return { name: 'Mine', version: strategyVersion(value), value };
}
const opened = (change: Partial<Strategy>, more: Partial<NewPosition> = {}) =>
  openOne(database, newPosition(anna, { interval: '1m', targetPrice: 110, strategy: strategyOf(change), ...more }));
const isStored = () => until('it is watched', () => Promise.resolve(market.watched.has('BTCUSDT 1m')));
const isClosed = (id: string) => until('it is closed', async () => (await stored(database, id)).closed_at !== null);
const dueOf = async (id: string) =>
  (
    await database.asOwner<{ at: Date | null; reason: string | null }>(
      'select exit_due_at as at, exit_due_reason as reason from positions where id = $1',
      [id],
    )
  )[0];
const bar = (minute: number, price: number) => ({
  time: start + minute * MINUTE_MS,
  open: price,
  high: price,
  low: price,
  close: price,
  volume: 1,
});

/** The candles of the first minutes are judged; prices count from then on. */
const areJudged = (minutes: number) =>
  until('they are judged', async () => {
    const [row] = await database.asOwner<{ at: Date }>(
      `select next_candle_at as at from position_watch where symbol = 'BTCUSDT'`,
    );
    return (row?.at.getTime() ?? 0) >= start + minutes * MINUTE_MS;
  });

async function pass(minutes: number, price: number): Promise<void> {
  for (let minute = 0; minute < minutes; minute++) market.candle('BTCUSDT', bar(minute, price));
  await areJudged(minutes);
}

describe('exits of a strategy', () => {
  it('move the stop to the entry after a gain of one first stop distance, and not before', async () => {
    // Entry 100, first stop 98: one distance is 102.
    const id = await opened({ breakEvenR: 1 });
    watch();
    await isStored();
    market.candle('BTCUSDT', { ...bar(0, 101), high: 101.99 });
    market.candle('BTCUSDT', bar(1, 101));
    await until('minute 1 is judged', async () => Number((await stored(database, id)).armed_at) > 0);
    expect((await stored(database, id)).stop_loss).toBe('98');
    market.candle('BTCUSDT', { ...bar(2, 101.5), high: 102 });
    await until('the stop has moved', async () => (await stored(database, id)).stop_loss === '100');
    market.tick('BTCUSDT', 99.9, start + 4 * MINUTE_MS);
    await isClosed(id);
    // The price seen below the stop, less 0.02 %: 99.88002, rounded down to the tick.
    expect(await stored(database, id)).toMatchObject({ close_reason: 'SL', close_price: '99.88', pnl: '-0.24000000' });
    expect(await kindsOf(database, id)).toEqual(['opened', 'fee', 'armed', 'trail_raised', 'fee', 'closed']);
  });

  it('move the stop when a candle of the strategy closes, not every minute; another node does when the first one dies', async () => {
    const id = await opened({ intervals: [{ interval: '15m', weight: 1 }], breakEvenR: 1 }, { interval: '15m' });
    const leave = watch();
    await isStored();
    market.candle('BTCUSDT', { ...bar(0, 101.5), high: 102 });
    for (let minute = 1; minute < 10; minute++) market.candle('BTCUSDT', bar(minute, 101.5));
    const judged = async () =>
      (await database.asOwner<{ at: Date }>('select next_candle_at as at from position_watch'))[0]?.at.getTime();
    await until('ten minutes are judged', async () => (await judged()) === start + 10 * MINUTE_MS);
    expect(await stored(database, id)).toMatchObject({ stop_loss: '98', trail_peak: '102' });
    await leave();
    watch();
    for (let minute = 10; minute < 15; minute++) market.candle('BTCUSDT', bar(minute, 101.5));
    await until('the stop has moved', async () => (await stored(database, id)).stop_loss === '100');
    const [event] = await database.asOwner<{ at: Date }>(`select at from position_events where kind = 'trail_raised'`);
    expect(event?.at.getTime()).toBe(start + 15 * MINUTE_MS);
  });

  it('leave at the first price after the holding time, whatever the guards of stops say', async () => {
    const id = await opened({}, { exitDue: { atMs: start + 3 * MINUTE_MS, reason: 'TIME' } });
    watch();
    await isStored();
    await pass(2, 100.05);
    market.tick('BTCUSDT', 100.05, start + 3 * MINUTE_MS - 1);
    market.tick('BTCUSDT', 100.1, start + 3 * MINUTE_MS);
    await isClosed(id);
    // A market order: 100.1 x 0.9999 is 100.08 on the tick. 0.08 x 2, a fee of 0.0005 x 200.16 at the exit and 0.1 at the entry.
    expect(await stored(database, id)).toMatchObject({
      close_reason: 'TIME',
      close_price: '100.08',
      pnl: '0.16000000',
      fees: '0.20008000',
    });
  });

  it('exit at a level that the price has met before the time', async () => {
    const due = { atMs: start + 3 * MINUTE_MS, reason: 'TIME' } as const;
    const id = await opened({}, { exitDue: due });
    watch();
    await isStored();
    await pass(2, 100);
    market.tick('BTCUSDT', 97, start + 3 * MINUTE_MS);
    await isClosed(id);
    expect(await stored(database, id)).toMatchObject({ close_reason: 'SL', close_price: '96.98' });
  });

  /** Falling for two hours, so that the short average lies below the long one. */
  function fall(): void {
    for (let minute = -120; minute < 0; minute++) market.candle('BTCUSDT', bar(minute, 100 - minute * 0.001), false);
  }

  it('leave on the opposite signal at the price after it; another node does when the first one dies in between', async () => {
    fall();
    const id = await opened({ onOpposite: 'exit' });
    const cached = await opened({ onOpposite: 'hold' }, { openingRef: 'kept', side: 'LONG', symbol: 'ETHUSDT' });
    const close = watch();
    await isStored();
    await pass(2, 99.95);
    // The candle of minute 1 has closed: its signal is SHORT, the position LONG.
    market.tick('BTCUSDT', 99.95, start + 2 * MINUTE_MS + 500);
    await until('its exit is due', async () => (await dueOf(id))?.reason === 'SIGNAL');
    expect((await stored(database, id)).closed_at).toBeNull();
    await close();
    market.watched.clear();
    watch();
    await isStored();
    market.tick('BTCUSDT', 99.9, start + 2 * MINUTE_MS + 5000);
    await isClosed(id);
    // 99.9 x 0.9999, on the tick.
    expect(await stored(database, id)).toMatchObject({ close_reason: 'SIGNAL', close_price: '99.89' });
    expect(await kindsOf(database, id)).toEqual(['opened', 'fee', 'exit_due', 'fee', 'closed']);
    expect((await dueOf(cached))?.reason).toBeNull();
  });

  it('RULE-014 leave by the exit rule of own rules at the price after the closed candle, whatever their reaction to opposite signals', async () => {
    const own = strategyOfRules('long when close > 1000\nexit long when close < 99.97\nstop 2 %; target 10 %', '1m');
    if (!own.ok) throw new Error(own.error[0]?.message);
    const { value } = own;
    expect(value.onOpposite).toBe('hold');
    const strategy = { name: 'Ruled', version: strategyVersion(value), value };
    for (let minute = -350; minute < 0; minute++) market.candle('BTCUSDT', bar(minute, 100), false);
    const id = await opened({}, { strategy });
    const other = await opened({}, { strategy, openingRef: 'short', side: 'SHORT', stopPrice: 102, targetPrice: 90 });
    watch();
    await isStored();
    market.candle('BTCUSDT', bar(0, 99.99));
    market.candle('BTCUSDT', bar(1, 99.98));
    await areJudged(2);
    // Minute 2 forms below the level of the rule and closes above it.
    market.tick('BTCUSDT', 99.9, start + 2 * MINUTE_MS + 500);
    market.candle('BTCUSDT', bar(2, 99.98));
    await areJudged(3);
    market.tick('BTCUSDT', 99.96, start + 3 * MINUTE_MS + 500);
    expect((await dueOf(id))?.reason).toBeNull();
    market.candle('BTCUSDT', bar(3, 99.95));
    await areJudged(4);
    market.tick('BTCUSDT', 99.95, start + 4 * MINUTE_MS + 500);
    await until('it is due', async () => (await dueOf(id))?.reason === 'SIGNAL');
    expect((await dueOf(id))?.at?.getTime()).toBeGreaterThanOrEqual(start + 4 * MINUTE_MS);
    market.tick('BTCUSDT', 99.9, start + 4 * MINUTE_MS + 5000);
    await isClosed(id);
    // 99.9 x 0.9999, on the tick.
    expect(await stored(database, id)).toMatchObject({ close_reason: 'SIGNAL', close_price: '99.89' });
    expect((await stored(database, other)).closed_at).toBeNull();
  });

  it('keep the position open on a signal of the same side', async () => {
    fall();
    const short = { side: 'SHORT', stopPrice: 102, targetPrice: 90, liquidationPrice: 109 } as const;
    const id = await opened({ onOpposite: 'exit' }, short);
    const long = await opened({ onOpposite: 'exit' }, { openingRef: 'long' });
    watch();
    await isStored();
    await pass(2, 99.95);
    market.tick('BTCUSDT', 99.95, start + 2 * MINUTE_MS + 500);
    await until('the exit of the other one is due', async () => (await dueOf(long))?.reason === 'SIGNAL');
    expect((await dueOf(id))?.reason).toBeNull();
  });
});
