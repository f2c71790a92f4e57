import { ok } from '@sextant/workers/src/core/result.ts';
import { instantiate } from '@sextant/workers/src/engine/engine.ts';
import { loadModule } from '@sextant/workers/src/node/loadModule.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { FuturesSymbol, LiveQuote } from '../../../src/features/market/port.ts';
import { reject } from '../../../src/platform/errors.ts';
import { closeAllByOwner } from '../../../src/features/positions/closeAll.ts';
import { closeByOwner, writeCloses } from '../../../src/features/positions/closePosition.ts';
import { findDrift } from '../../../src/features/positions/findDrift.ts';
import { type OpenRequest, openPosition } from '../../../src/features/positions/openPosition.ts';
import { liveFigures } from '../../../src/features/positions/live.ts';
import { positionToWire } from '../../../src/features/positions/positionRow.ts';
import { reversePosition } from '../../../src/features/positions/reversePosition.ts';
import { previewOrder } from '../../../src/features/orders/placeOrder.ts';
import { withSystem, withUser } from '../../../src/platform/db/scope.ts';
import { createTestDatabase, type TestDatabase } from '../../support/createTestDatabase.ts';
import { newPosition, openOne } from './support/positions.ts';
import { ScriptedMarket, simulated } from './support/scriptedMarket.ts';

/** Market orders of the desk: half the spread of 0.2, and 0.01 %, on the tick of 0.01 that is worse. By hand. */

let module: WebAssembly.Module;
let database: TestDatabase;
let market: ScriptedMarket;
let anna: string;
const start = 1_767_225_600_000;
beforeAll(async () => {
  ({ module } = await loadModule());
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  market = new ScriptedMarket();
  anna = await database.addUser();
  await database.asOwner(
    `insert into preferences (user_id, balance_usdt, auto_open_enabled, min_auto_conf_pct) values ('${anna}', 100000, true, 0)
     on conflict (user_id) do update set balance_usdt = 100000, auto_open_enabled = true, min_auto_conf_pct = 0`,
  );
});
afterEach(() => database.asOwner('delete from users'));

const listed: FuturesSymbol = {
  symbol: 'BTCUSDT',
  base: 'BTC',
  tickSize: 0.01,
  stepSize: 0.001,
  minNotional: 5,
  maxQuantity: null,
  maxLeverage: 125,
  listedAtMs: null,
  status: 'trading',
  fundingHours: null,
};

/** Bid and ask 0.2 apart around a last price of 103; without a book when `spread` is null. */
function quote(symbol = 'BTCUSDT', spread: number | null = 0.2): void {
  market.tick(symbol, 103, start + 30_000, 103);
  const sides = spread === null ? { bid: null, ask: null } : { bid: 103 - spread / 2, ask: 103 + spread / 2 };
  market.quotes.set(symbol, { ...(market.quotes.get(symbol) as LiveQuote), ...sides });
}

const deps = (rules: Partial<FuturesSymbol> = {}) => {
  const kernel = instantiate(module);
  const symbols = () =>
    Promise.resolve(
      ok({
        exchange: 'binance' as const,
        fetchedAtMs: Date.now(),
        value: [{ ...listed, ...rules }],
        leftOut: {} as never,
      }),
    );
  const served = Object.assign(Object.create(market) as ScriptedMarket, { symbols });
  const { db } = database;
  const rest = { config: simulated, closeListeners: [], warn: () => undefined, kernel: () => kernel };
  return { db, market: served as never, ...rest };
};

const fills = (id: string) =>
  database.asOwner<Record<'kind' | 'price' | 'fee' | 'market_price' | 'half_spread' | 'slippage', string | null>>(
    `select kind, price, fee, market_price, half_spread, abs(price - market_price) - coalesce(half_spread, 0) as slippage
    from position_fills where position_id = $1 order by seq`,
    [id],
  );

/** A sale: 103 - 0.1 = 102.9; x 0.9999 = 102.88971. A purchase: 103.1 x 1.0001 = 103.11031. */
const sold = { price: '102.88', market_price: '103', half_spread: '0.1', slippage: '0.02' };
const bought = { price: '103.12', market_price: '103', half_spread: '0.1', slippage: '0.02' };

describe('market orders of the desk', () => {
  it('DESK-170 a part and the rest closed by hand are sold at the bid with slippage, with the fee of a taker', async () => {
    const id = await openOne(database, newPosition(anna, { stepSize: 0.001 }));
    quote();
    const half = await closeByOwner(deps(), anna, id, { body: { fraction: 0.5 } });
    const fill = { kind: 'partial_close', role: 'taker', price: 102.88, quantity: 1, fee: 0.05144 };
    const costs = { market_price: 103, half_spread: 0.1, slippage: 0.02 };
    expect(half).toMatchObject({ ok: true, value: { fill: { ...fill, ...costs } } });
    // (102.88 - 100) x 2.
    expect(await closeByOwner(deps(), anna, id)).toMatchObject({ ok: true, value: { position: { pnl: 5.76 } } });
    expect((await fills(id)).slice(1)).toEqual([
      { kind: 'partial_close', fee: '0.05144000', ...sold },
      { kind: 'close', fee: '0.05144000', ...sold },
    ]);
    expect(await findDrift(database.db, new Date(0))).toEqual([]);
  });

  it('DESK-170 without a book a close pays the slippage alone, and states no spread', async () => {
    const id = await openOne(database, newPosition(anna));
    quote('BTCUSDT', null);
    await closeByOwner(deps(), anna, id);
    // 103 x 0.9999 = 102.9897.
    const alone = { price: '102.98', market_price: '103', half_spread: null, slippage: '0.02' };
    expect((await fills(id)).at(-1)).toMatchObject({ kind: 'close', ...alone });
  });

  it.each([0.2, null])('DESK-176 net if closed now is what the close gives, with a spread of %s', async (spread) => {
    const short = { side: 'SHORT', stopPrice: 110, targetPrice: 90, liquidationPrice: 120 } as const;
    const ids = [
      await openOne(database, newPosition(anna, { stepSize: 0.001 })),
      await openOne(database, newPosition(anna, { ...short, symbol: 'ETHUSDT' })),
    ];
    quote('BTCUSDT', spread);
    quote('ETHUSDT', spread);
    // The long has closed a part before.
    expect(await closeByOwner(deps(), anna, ids[0] ?? '', { body: { fraction: 0.25 } })).toMatchObject({ ok: true });
    for (const id of ids) {
      const [row] = await withUser(database.db, anna, (tx) =>
        tx.selectFrom('positions').selectAll().where('id', '=', id).execute(),
      );
      if (row === undefined) throw new Error('the position is stored');
      const before = positionToWire(row);
      const shown = liveFigures(before, market.quotes.get(before.symbol) as LiveQuote);
      const closed = await closeByOwner(deps(), anna, id);
      if (!closed.ok) throw new Error(closed.error.message);
      const { net_pnl: net, return_on_margin_pct: onMargin } = closed.value.position;
      expect(shown.net_pnl).toBeCloseTo(net ?? Number.NaN, 7);
      expect(shown.return_on_margin_pct).toBeCloseTo(onMargin ?? Number.NaN, 5);
    }
  });

  it('DESK-176 the net of each part as shown is what its close leaves, fees and funding allocated once', async () => {
    const id = await openOne(database, newPosition(anna, { stepSize: 0.001 }));
    quote();
    const fund = async (amount: number) => {
      await database.asOwner('update positions set funding = funding + $2 where id = $1', [id, amount]);
      await database.asOwner(
        `insert into position_events (user_id, position_id, kind, at, data)
        select user_id, id, 'funding', opened_at, jsonb_build_object('amount', $2::numeric, 'rate', 0.0001, 'mark', 100)
        from positions where id = $1`,
        [id, amount],
      );
    };
    const extra = {
      contract: () => Promise.resolve(reject('upstream_unavailable')),
      funding: () => Promise.resolve(reject('upstream_unavailable')),
    };
    const all = { ...deps(), market: Object.assign(deps().market, extra) };
    const shown: (number | null)[] = [];
    const costs: (number | null)[] = [];
    const close = async (quantity: number) => {
      const body = { symbol: 'BTCUSDT', side: 'SHORT', type: 'market', quantity, reduce_only: true, interval: '1h' };
      const draft = await previewOrder(all, anna, body as never);
      if (!draft.ok) throw new Error(draft.error.message);
      shown.push(draft.value.realised);
      costs.push(draft.value.costs_so_far);
      return closeByOwner(deps(), anna, id, { body: { quantity } });
    };
    await fund(0.4);
    await close(1);
    await fund(0.2);
    await close(0.5);
    const last = await close(0.5);
    // Entry fee 0.1: 0.05 + 0.2; then half of 0.05 + 0.2 + 0.2; then the other half.
    for (const [k, want] of [0.25, 0.225, 0.225].entries()) expect(costs[k]).toBeCloseTo(want, 9);
    // 2.88 x 0.5 - 0.225 - 102.88 x 0.5 x 0.0005.
    expect(shown[1]).toBeCloseTo(1.18928, 9);
    if (!last.ok) throw new Error(last.error.message);
    const sum = shown.reduce<number>((total, net) => total + (net ?? Number.NaN), 0);
    expect(sum).toBeCloseTo(last.value.position.net_pnl ?? Number.NaN, 7);
  });

  it('DESK-170 closing together buys the shorts back and sells the longs by the same rule', async () => {
    const long = await openOne(database, newPosition(anna));
    const short = { side: 'SHORT', stopPrice: 110, targetPrice: 90, liquidationPrice: 120 } as const;
    const other = await openOne(database, newPosition(anna, { symbol: 'ETHUSDT', ...short }));
    quote();
    quote('ETHUSDT');
    const done = await closeAllByOwner(deps(), anna, { which: 'all' });
    expect([done.closed.length, done.left]).toEqual([2, []]);
    // 5.76 - 0.1 - 0.10288 and -6.24 - 0.1 - 0.10312, to the last decimal.
    expect(done.net_pnl).toBe(-0.886);
    expect((await fills(long)).at(-1)).toMatchObject(sold);
    expect((await fills(other)).at(-1)).toMatchObject(bought);
  });

  it('DESK-170 a reversal is one price: what closes and what opens pay the same spread and slippage', async () => {
    const id = await openOne(database, newPosition(anna, { stopPrice: 90, targetPrice: 120, leverage: 2 }));
    quote();
    const done = await reversePosition(deps(), { userId: anna, id, body: {}, key: undefined });
    expect(done).toMatchObject({ ok: true, value: { closed: { close_price: 102.88 } } });
    if (!done.ok) return;
    // 10 above and 20 below the new entry, as the first stop and the target were.
    const levels = { entry_price: 102.88, stop_loss: 112.88, take_profit: 82.88 };
    expect(done.value.opened).toMatchObject({ side: 'SHORT', ...levels });
    expect(await fills(done.value.opened.id)).toMatchObject([{ kind: 'open', ...sold }]);
  });

  it('DESK-170 a reversal above the largest order of the exchange changes nothing and names it', async () => {
    const id = await openOne(database, newPosition(anna, { stopPrice: 90, targetPrice: 120, leverage: 2 }));
    quote();
    const done = await reversePosition(deps({ maxQuantity: 1.2 }), { userId: anna, id, body: {}, key: undefined });
    const message = "Quantity 2 is above the exchange's largest order of 1.2. Nothing was changed.";
    expect(done).toMatchObject({ ok: false, error: { code: 'position_refused', message } });
    expect((await fills(id)).map(({ kind }) => kind)).toEqual(['open']);
    const most = await reversePosition(deps({ maxQuantity: 2 }), { userId: anna, id, body: {}, key: undefined });
    expect(most).toMatchObject({ ok: true, value: { opened: { side: 'SHORT', qty: 2 } } });
  });

  it.each([
    ['LONG', { stopLoss: 98, takeProfit: 110 }, bought],
    ['SHORT', { stopLoss: 108, takeProfit: 96 }, sold],
  ] as const)('DESK-171 an automatic %s opens as a market order', async (direction, levels, fill) => {
    quote();
    const request: OpenRequest = {
      userId: anna,
      exchange: 'binance',
      openingRef: 'scan:1:BTCUSDT',
      scanId: null,
      signalId: null,
      runId: null,
      source: 'scan',
      symbol: 'BTCUSDT',
      interval: '1h',
      direction,
      confidence: 0.8,
      signalPrice: 103,
      levels,
      levelsOf: 'signal',
      riskMultiplier: 1,
      sizing: { by: 'settings' },
    };
    const done = await openPosition(deps(), request);
    expect(done).toMatchObject({ ok: true, value: { outcome: 'opened' } });
    if (!done.ok || done.value.outcome !== 'opened') return;
    const [row] = await database.asOwner<{ entry_price: string; qty: string; fees: string }>(
      'select entry_price, qty, fees from positions where id = $1',
      [done.value.id],
    );
    expect(row?.entry_price).toBe(fill.price);
    expect(Number(row?.fees)).toBeCloseTo(0.0005 * Number(row?.qty) * Number(fill.price), 7);
    expect(await fills(done.value.id)).toMatchObject([{ kind: 'open', ...fill }]);
  });

  it('DESK-173 a liquidation and a settlement state no costs', async () => {
    const id = await openOne(database, newPosition(anna));
    market.tick('BTCUSDT', 85, start + 30_000, 85);
    await closeByOwner(deps(), anna, id);
    const none = { market_price: null, half_spread: null, slippage: null };
    expect((await fills(id)).at(-1)).toMatchObject({ kind: 'close', price: '90', ...none });
    const settled = await openOne(database, newPosition(anna));
    const close = { price: 101, reason: 'DELISTED', by: 'exchange', exitFee: 0.1, isAmbiguous: false } as const;
    await withSystem(database.db, (tx) => writeCloses(tx, [{ id: settled, atMs: start + 60_000, ...close }]));
    expect((await fills(settled)).at(-1)).toMatchObject({ kind: 'close', price: '101', ...none });
  });
});
