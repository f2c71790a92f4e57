import { instantiate } from '@sextant/workers/src/engine/engine.ts';
import { loadModule } from '@sextant/workers/src/node/loadModule.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type CloseDeps, closeByOwner, writeCloses } from '../../../src/features/positions/closePosition.ts';
import type { NewPosition } from '../../../src/features/positions/eventWriter.ts';
import { findDrift } from '../../../src/features/positions/findDrift.ts';
import { chargeStamp } from '../../../src/features/positions/watch/chargeFunding.ts';
import { startWatching } from '../../../src/features/positions/watch/startWatching.ts';
import { withSystem } from '../../../src/platform/db/scope.ts';
import { createTestDatabase, type TestDatabase } from '../../support/createTestDatabase.ts';
import { kindsOf, newPosition, openOne, setJudged, stored, until, noOrders, silentNews } from './support/positions.ts';
import { MINUTE_MS, ScriptedMarket, simulated } from './support/scriptedMarket.ts';

let module: WebAssembly.Module;
let database: TestDatabase;
let market: ScriptedMarket;
const start = 1_767_225_600_000;
beforeAll(async () => {
  ({ module } = await loadModule());
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(() => {
  market = new ScriptedMarket();
});

const owner = (): CloseDeps => ({
  db: database.db,
  market,
  config: simulated,
  closeListeners: [],
  warn: () => undefined,
});
const short = { side: 'SHORT', stopPrice: 102, targetPrice: 96, liquidationPrice: 109 } as const;
const candle = (open: number, high: number, low: number, close: number) => ({
  bar: { time: start + MINUTE_MS, open, high, low, close, volume: 1 },
});
const tick = (price: number) => ({ price });

interface Case {
  what: string;
  opened: Partial<NewPosition>;
  /** Rate and mark price of a funding the position was held through. */
  funding?: [rate: number, mark: number];
  seen: { price: number } | ReturnType<typeof candle>;
  expected: Record<string, string>;
}

/** 2 coins at 100 with 10x: a margin of 20. The entry paid 0.1; leaving costs 0.0005 x 2 x the price. A stop
 * is filled 0.02 % beyond, rounded to the tick of 0.01. All worked out by hand. */
const cases: Case[] = [
  {
    what: 'a short that receives a positive funding and takes profit',
    opened: short,
    // -2 x 101 x 0.0001 = -0.0202: received. 2 x 5 = 10; fees 0.1 + 0.095; 10 - 0.195 + 0.0202 = 9.8252, of 20: 49.126 %.
    funding: [0.0001, 101],
    seen: tick(95),
    expected: {
      close_reason: 'TP',
      close_price: '95',
      pnl: '10.00000000',
      roi_pct: '5.00000000',
      fees: '0.19500000',
      funding: '-0.02020000',
      net_pnl: '9.82520000',
      return_on_margin_pct: '49.12600000',
    },
  },
  {
    what: 'a long that pays it and is stopped',
    opened: {},
    // 98 x 0.9998 = 97.9804, sold at 97.98: 2 x -2.02 = -4.04; fees 0.1 + 0.09798; funding 0.0202: -4.25818, of 20: -21.2909 %.
    funding: [0.0001, 101],
    seen: candle(100, 101, 97.9, 99),
    expected: {
      close_reason: 'SL',
      close_price: '97.98',
      pnl: '-4.04000000',
      roi_pct: '-2.02000000',
      fees: '0.19798000',
      funding: '0.02020000',
      net_pnl: '-4.25818000',
      return_on_margin_pct: '-21.29090000',
    },
  },
  {
    what: 'a long that a candle opens beyond its stop: the gap is paid',
    opened: {},
    // 95 x 0.9998 = 94.981, sold at 94.98: 2 x -5.02 = -10.04; fees 0.1 + 0.09498.
    seen: candle(95, 96, 94, 95.5),
    expected: {
      close_reason: 'SL',
      close_price: '94.98',
      pnl: '-10.04000000',
      net_pnl: '-10.23498000',
    },
  },
  {
    what: 'a short that a candle opens beyond its target fills at the open',
    opened: short,
    // 2 x 8 = 16; fees 0.1 + 0.092.
    seen: candle(92, 93, 91, 92),
    expected: { close_reason: 'TP', close_price: '92', pnl: '16.00000000', net_pnl: '15.80800000' },
  },
  {
    what: 'a long that falls through stop and liquidation at once: the margin, and no fee for leaving',
    opened: {},
    seen: candle(80, 81, 79, 80),
    expected: {
      close_reason: 'LIQ',
      close_price: '90',
      pnl: '-20.00000000',
      roi_pct: '-10.00000000',
      fees: '0.10000000',
      net_pnl: '-20.10000000',
      return_on_margin_pct: '-100.50000000',
    },
  },
  {
    what: 'a short whose liquidation lies before its stop',
    opened: { ...short, stopPrice: 112 },
    seen: candle(100, 109.5, 99, 100),
    expected: { close_reason: 'LIQ', close_price: '110', pnl: '-20.00000000', net_pnl: '-20.10000000' },
  },
  {
    what: 'the smallest coin there is',
    // 0.0000123 x 812345678 = 9991.8518394; pnl 0.0000002 x 812345678 = 162.4691356; fees 4.99 + 0.0005 x 0.0000125 x 812345678
    // (5.0771604875, eight decimals: 5.07716049); net 152.40197511; return 152.40197511 x 10 / 9991.8518394 = 15.252625595 %.
    opened: {
      entryPrice: 0.0000123,
      quantity: 812_345_678,
      stopPrice: 0.0000121,
      targetPrice: 0.0000125,
      liquidationPrice: 0.0000112,
      entryFee: 4.99,
      tickSize: 0.0000001,
    },
    seen: tick(0.0000125),
    expected: {
      close_reason: 'TP',
      close_price: '0.0000125',
      pnl: '162.46913560',
      roi_pct: '1.62601626',
      fees: '10.06716049',
      net_pnl: '152.40197511',
      return_on_margin_pct: '15.25262560',
    },
  },
];

describe('what a close comes to, worked out by hand', () => {
  it.each(cases)('AUTO-030 AUTO-031 X61 $what', async ({ opened, funding, seen, expected }) => {
    const symbol = 'BTCUSDT';
    const id = await openOne(database, newPosition(await database.addUser(), opened));
    if (funding !== undefined) {
      const [rate, mark] = funding;
      const stamp = { ...simulated, exchange: 'binance', symbol, stampMs: start + 30_000, rate, mark };
      await setJudged(database, symbol, start + 60_000);
      await withSystem(database.db, (tx) => chargeStamp(tx, stamp));
    }
    // The price has moved before, so that the guard of the stop is released.
    const watching = startWatching({
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
    await until('it is watched', () => Promise.resolve(market.watched.has(`${symbol} 1m`)));
    if ('bar' in seen) {
      market.candle(symbol, { ...seen.bar, time: start, open: 100, high: 100.5, low: 99.5, close: 100 });
      market.candle(symbol, seen.bar);
    } else market.tick(symbol, seen.price, start + 61_000);
    await until('it is closed', async () => (await stored(database, id)).closed_at !== null);
    await watching.close();
    expect(await stored(database, id)).toMatchObject(expected);
    expect(await findDrift(database.db, new Date(0))).toEqual([]);
    await database.asOwner('delete from position_watch');
  });
});

describe('a close by its owner', () => {
  it('beyond the liquidation price is that liquidation: a position loses its margin and no more', async () => {
    const long = await openOne(database, newPosition(await database.addUser()));
    const [row] = await database.asOwner<{ user_id: string }>('select user_id from positions where id = $1', [long]);
    market.tick('BTCUSDT', 80, start + 20_000);
    const closed = await closeByOwner(owner(), row?.user_id ?? '', long);
    expect(closed).toMatchObject({
      ok: true,
      value: { position: { close_reason: 'LIQ', close_price: 90, pnl: -20, net_pnl: -20.1 } },
    });
  });

  it('and the watch in the same moment close once, whichever comes first', async () => {
    const user = await database.addUser();
    market.tick('BTCUSDT', 97, start + 61_000);
    const symbols = Array.from({ length: 12 }, (_, i) => `S${i}USDT`);
    for (const symbol of symbols) market.tick(symbol, 97, start + 61_000);
    const ids = await Promise.all(symbols.map((symbol) => openOne(database, newPosition(user, { symbol }))));
    const byWatch = (id: string) =>
      withSystem(database.db, (tx) =>
        writeCloses(tx, [
          { id, atMs: start + 61_000, price: 97.5, reason: 'SL', by: 'tick', exitFee: 0.0975, isAmbiguous: false },
        ]),
      );
    const responses = await Promise.all(
      ids.map(async (id, i) => {
        const both = [() => closeByOwner(owner(), user, id), () => byWatch(id)];
        const [first, second] = await Promise.all((i % 2 === 0 ? both : both.toReversed()).map((close) => close()));
        return i % 2 === 0 ? [first, second] : [second, first];
      }),
    );
    for (const [i, id] of ids.entries()) {
      const [own, watched] = responses[i] as [Awaited<ReturnType<typeof closeByOwner>>, unknown[]];
      const row = await stored(database, id);
      expect((await kindsOf(database, id)).filter((kind) => kind === 'closed')).toHaveLength(1);
      expect(await kindsOf(database, id)).toEqual(['opened', 'fee', 'fee', 'closed']);
      // Each side knows whether it closed the position.
      expect([own.ok, watched.length]).toEqual(row.close_reason === 'MANUAL' ? [true, 0] : [false, 1]);
      if (!own.ok) expect(own.error.code).toBe('conflict');
    }
    expect(await findDrift(database.db, new Date(0))).toEqual([]);
  });
});
