import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FaultRule } from '../../../fakes/exchanges/faults.ts';
import type { ListingChange } from '../../../fakes/exchanges/market/listingChanges.ts';
import { startWorkers } from '../../../src/startWorkers.ts';
import { closeByOwner } from '../../../src/features/positions/closePosition.ts';
import { countUnpriced } from '../../../src/features/positions/unpriced.ts';
import { createDelistingSettler } from '../../../src/features/positions/watch/settleDelisted.ts';
import type { Market } from '../../../src/features/market/port.ts';
import { withSystem } from '../../../src/platform/db/scope.ts';
import { exchangeIds, startTestExchanges, type TestExchanges } from '../../adapters/exchanges/support/testExchanges.ts';
import { createMarketApp } from '../../support/createMarketApp.ts';
import { createTestDatabase, type TestDatabase } from '../../support/createTestDatabase.ts';
import { kindsOf, newPosition, openOne, stored, until, noOrders } from './support/positions.ts';
import { simulated } from './support/scriptedMarket.ts';

let database: TestDatabase;
let exchanges: TestExchanges;
let anna: string;
beforeAll(async () => {
  [database, exchanges] = await Promise.all([createTestDatabase(), startTestExchanges()]);
});
afterAll(async () => {
  await exchanges.close();
  await database.drop();
});
beforeEach(async () => {
  anna = await database.addUser();
});
afterEach(async () => {
  exchanges.fake.faults.clear();
  for (const symbol of ['SOLUSDT', 'XRPUSDT', 'ADAUSDT']) exchanges.fake.changeListing({ symbol, state: 'trading' });
  await database.asOwner('delete from users');
  await database.asOwner('delete from position_marks');
});

interface Service {
  market: Market;
  round: () => Promise<number>;
}

/** A server that has just started: its memory holds nothing of an earlier one. */
function start(): Service {
  const market = exchanges.market(exchanges.venues());
  const round = createDelistingSettler({
    db: database.db,
    config: simulated,
    market,
    closeListeners: [],
    orders: noOrders,
    warn: (error) => expect.unreachable(String(error)),
    assertLeader: () => Promise.resolve(),
  });
  return { market, round };
}

/** Rounds of five seconds, as the app runs them. @returns after how many seconds something was closed */
async function secondsUntilClosed({ round }: Service, forS = 60): Promise<number | null> {
  for (let s = 0; s < forS; s += 5) {
    if ((await round()) > 0) return s;
    exchanges.clock.advance(5000);
  }
  return null;
}

const change = (each: ListingChange): void => exchanges.fake.changeListing(each);
/** SOLUSDT trades around 185: far from stop, target and liquidation whatever the simulated price is. */
const solana = { symbol: 'SOLUSDT', entryPrice: 100, stopPrice: 1, targetPrice: 10_000, liquidationPrice: null };
const bitcoin = { symbol: 'BTCUSDT', stopPrice: 1, targetPrice: 1e9, liquidationPrice: null };
const markOf = (exchange: (typeof exchangeIds)[number] = 'binance'): number => {
  const listing = exchanges.fake.listings[exchange].get(exchange === 'okx' ? 'SOL-USDT-SWAP' : 'SOLUSDT');
  if (listing === undefined) throw new Error('SOLUSDT is not listed');
  const { mark } = exchanges.fake.market.quote(listing, exchanges.clock.now());
  return Number(mark.toFixed(listing.priceDecimals + 2));
};

describe('a contract that the exchange delists', () => {
  it.each(exchangeIds)(
    'is settled within 60 s at the last mark price of %s, and its owner is notified',
    async (exchange) => {
      const id = await openOne(database, newPosition(anna, { ...solana, exchange }));
      const other = await openOne(database, newPosition(anna, { ...bitcoin, exchange }));
      const service = start();
      await service.round();
      const mark = markOf(exchange);
      change({ symbol: 'SOLUSDT', venue: exchange, state: 'gone' });
      const seconds = await secondsUntilClosed(service);
      // The streams must be quiet for ten seconds first.
      expect(seconds).toBeGreaterThanOrEqual(25);
      expect(seconds).toBeLessThanOrEqual(45);
      // 2 coins long from 100; the fee of the exit is 0.05 % of its value.
      const row = await stored(database, id);
      expect(row).toMatchObject({ close_reason: 'DELISTED', close_price: String(mark) });
      expect(Number(row.pnl)).toBeCloseTo(2 * (mark - 100), 6);
      expect(Number(row.fees)).toBeCloseTo(0.1 + 0.0005 * 2 * mark, 6);
      expect(await kindsOf(database, id)).toEqual(['opened', 'fee', 'fee', 'closed']);
      const messages = await database.asOwner<{ payload: object }>(
        `select payload from notifications where user_id = $1 and kind = 'position_closed'`,
        [anna],
      );
      expect(messages).toMatchObject([{ payload: { symbol: 'SOLUSDT', reason: 'delisted', exit_price: mark } }]);
      expect(await stored(database, other)).toMatchObject({ closed_at: null });
    },
  );

  it('while no server ran is settled at the last stored mark price', async () => {
    const id = await openOne(database, newPosition(anna, solana));
    await start().round();
    const mark = markOf();
    exchanges.clock.advance(3_600_000);
    change({ symbol: 'SOLUSDT', state: 'gone' });
    expect(await secondsUntilClosed(start())).toBeLessThanOrEqual(45);
    expect(await stored(database, id)).toMatchObject({ close_reason: 'DELISTED', close_price: String(mark) });
  });

  it.each(exchangeIds)('is settled in the next round when %s lists it as ended', async (exchange) => {
    const id = await openOne(database, newPosition(anna, { ...solana, exchange }));
    change({ symbol: 'SOLUSDT', venue: exchange, state: 'ended' });
    expect(await secondsUntilClosed(start())).toBe(0);
    expect(await stored(database, id)).toMatchObject({ close_reason: 'DELISTED' });
  });

  it('costs at most the margin: beyond the bankruptcy price it is a liquidation', async () => {
    const short = { ...solana, side: 'SHORT' as const, stopPrice: 10_000, targetPrice: 1 };
    const id = await openOne(database, newPosition(anna, short));
    const service = start();
    await service.round();
    change({ symbol: 'SOLUSDT', state: 'ended' });
    expect(await secondsUntilClosed(service)).toBeLessThanOrEqual(30);
    // 10x: a short from 100 is bankrupt at 110.
    expect(await stored(database, id)).toMatchObject({ close_reason: 'LIQ', close_price: '110', pnl: '-20.00000000' });
  });

  it('closed by hand meanwhile reports that it is no longer traded', async () => {
    const id = await openOne(database, newPosition(anna, solana));
    change({ symbol: 'SOLUSDT', state: 'gone' });
    const deps = {
      db: database.db,
      config: simulated,
      market: start().market,
      closeListeners: [],
      orders: noOrders,
      warn: () => undefined,
    };
    const closed = await closeByOwner(deps, anna, id);
    expect(closed).toMatchObject({ ok: false, error: { code: 'conflict' } });
    if (!closed.ok) expect(closed.error.message).toContain('SOLUSDT is no longer traded on binance');
  });
});

describe('a position stays open', () => {
  it.each(exchangeIds)('while %s has halted its contract', async (exchange) => {
    const id = await openOne(database, newPosition(anna, { ...solana, exchange }));
    change({ symbol: 'SOLUSDT', venue: exchange, state: 'halted' });
    expect(await secondsUntilClosed(start(), 120)).toBeNull();
    expect(await stored(database, id)).toMatchObject({ closed_at: null });
  });

  it('when its symbol was missing from one list, or for 20 seconds', async () => {
    const id = await openOne(database, newPosition(anna, solana));
    const service = start();
    for (let i = 0; i < 3; i++) {
      expect(await secondsUntilClosed(service, 10)).toBeNull();
      change({ symbol: 'SOLUSDT', state: 'gone' });
      expect(await secondsUntilClosed(service, 20)).toBeNull();
      change({ symbol: 'SOLUSDT', state: 'trading' });
    }
    expect(await stored(database, id)).toMatchObject({ closed_at: null });
  });

  it('while the exchange does not respond, or sends truncated lists', async () => {
    const id = await openOne(database, newPosition(anna, solana));
    const service = start();
    await service.round();
    exchanges.fake.faults.add(FaultRule.parse({ fault: 'serverError', venue: 'binance' }));
    expect(await secondsUntilClosed(service, 90)).toBeNull();
    exchanges.fake.faults.clear();
    for (const { instrument } of [...exchanges.fake.listings.binance.values()].slice(2)) {
      change({ symbol: instrument.ids.binance ?? '', venue: 'binance', state: 'gone' });
    }
    expect(await secondsUntilClosed(service, 90)).toBeNull();
    expect(await stored(database, id)).toMatchObject({ closed_at: null });
  });
});

it.each([
  ['a price of now', `now()`, 0],
  ['a price of two minutes ago, as of a halted contract', `now() - interval '2 minutes'`, 1],
  ['no price at all', null, 1],
])('a position with %s counts as without a price in health: %s, %i', async (_, at, count) => {
  const unpriced = () => withSystem(database.db, (tx) => countUnpriced(tx, simulated.market));
  // Just opened: its first mark price is not stored yet.
  await openOne(database, newPosition(anna, { ...bitcoin, openedAtMs: Date.now() }));
  expect(await unpriced()).toBe(0);
  const id = await openOne(database, newPosition(anna, { ...solana, openedAtMs: Date.now() - 300_000 }));
  if (at !== null)
    await database.asOwner(
      `insert into position_marks (market, exchange, symbol, price, at)
       select market, exchange, symbol, 100, ${at} from positions where id = $1`,
      [id],
    );
  expect(await unpriced()).toBe(count);
});

it('the service settles it at its start: the slot is free, and the other prices go on', async () => {
  const test = await createMarketApp({ env: { MARKET_STREAMS: 'off' } });
  try {
    const user = await test.signUp();
    const id = await openOne(test.database, newPosition(user.id, solana));
    await openOne(test.database, newPosition(user.id, bitcoin));
    test.exchanges.changeListing({ symbol: 'SOLUSDT', state: 'ended' });
    test.exchanges.changeListing({ symbol: 'XRPUSDT', state: 'halted' });
    const url = '/api/price/batch?symbols=BTCUSDT,SOLUSDT,XRPUSDT,NOPEUSDT,ETHUSDT';
    const batch = await test.app.inject({ url, headers: user.bearer });
    expect(batch.json()).toMatchObject({
      prices: [{ symbol: 'BTCUSDT' }, { symbol: 'ETHUSDT' }],
      missing: [
        { symbol: 'SOLUSDT', why: 'not_traded' },
        { symbol: 'XRPUSDT', why: 'halted' },
        { symbol: 'NOPEUSDT', why: 'not_traded' },
      ],
    });
    const stop = await startWorkers(test.deps, { warn: () => undefined });
    await until('it is settled', async () => (await stored(test.database, id)).close_reason === 'DELISTED');
    await stop();
    const open = await test.app.inject({ url: '/api/positions?state=open', headers: user.bearer });
    expect(open.json<{ positions: object[] }>().positions).toMatchObject([{ symbol: 'BTCUSDT' }]);
  } finally {
    await test.close();
  }
}, 90_000);
