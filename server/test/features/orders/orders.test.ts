// Long because its cases share one app, one market and their helpers.
import type { z } from 'zod';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { OrderPreviewWire, OrderWire } from '../../../src/features/orders/contract.ts';
import type { ClosedResponse, PositionFillWire, PositionWire } from '../../../src/features/positions/contract.ts';
import { findDrift } from '../../../src/features/positions/findDrift.ts';
import { createMarketApp, type MarketApp } from '../../support/createMarketApp.ts';
import type { TestUser } from '../../support/createTestApp.ts';
import { storeScan } from '../positions/support/scans.ts';
import { makeKey } from '../apiKeys/support.ts';

let test: MarketApp;
let anna: TestUser;
beforeAll(async () => {
  test = await createMarketApp();
});
afterAll(() => test.close());
beforeEach(async () => {
  anna = await test.signUp();
  const payload = { balance_usdt: 100_000 };
  await test.app.inject({ method: 'PUT', url: '/api/preferences', headers: anna.bearer, payload });
});

interface Body extends Pick<z.input<typeof ClosedResponse>, 'fill' | 'notes'> {
  order: OrderWire;
  orders: OrderWire[];
  preview: OrderPreviewWire;
  position: PositionWire;
  closed: PositionWire;
  opened: PositionWire;
  positions: PositionWire[];
  fills: PositionFillWire[];
  prices: { price: number }[];
  code: string;
  detail: string;
  field: string;
  fix: string;
}

async function call(
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  url: string,
  payload?: object,
  { user = anna, headers = {} } = {},
) {
  const body = payload === undefined ? {} : { payload };
  const response = await test.app.inject({ method, url, headers: { ...user.bearer, ...headers }, ...body });
  return { status: response.statusCode, body: response.json<Body>() };
}
const place = (body: object, headers = {}) => call('POST', '/api/orders', body, { headers });
const preview = async (body: object): Promise<OrderPreviewWire> =>
  (await call('POST', '/api/orders/preview', body)).body.preview;
const priceOf = async (symbol = 'BTCUSDT'): Promise<number> =>
  (await call('GET', `/api/price/batch?symbols=${symbol}`)).body.prices[0]?.price ?? Number.NaN;
const market = { symbol: 'BTCUSDT', side: 'LONG', type: 'market' } as const;
/** Levels 10 % and 20 % around a price. */
const around = (price: number) => ({ stop_loss: price * 0.9, take_profits: [{ price: price * 1.2, fraction: 1 }] });
const read = (id: string) => call('GET', `/api/positions/${id}`);
const resting = async () => (await call('GET', '/api/orders')).body.orders;

describe('a resting order beside a position', () => {
  it('DESK-036 keeps its levels and leverage when its price is changed while its side is open', async () => {
    const price = await priceOf();
    const limit = { ...market, type: 'limit', quantity: 0.02, leverage: 7 } as const;
    const opens = await place({ ...limit, price: price * 0.95, stop_loss: price * 0.9 });
    expect(opens.status, opens.body.detail).toBe(201);
    const { order: before } = opens.body;
    const position = await place({ ...market, quantity: 0.01, leverage: 3, ...around(price) });
    expect(position.status, position.body.detail).toBe(201);
    const adds = await place({ ...market, type: 'limit', price: price * 0.96, quantity: 0.02 });
    expect(adds.body.order).toMatchObject({ leverage: 3, stop_loss: null });
    const moved = await call('PATCH', `/api/orders/${before.id}`, { price: price * 0.94 });
    expect(moved.status, moved.body.detail).toBe(200);
    const { order: after } = moved.body;
    expect(after).toMatchObject({
      revision: 2,
      leverage: 7,
      stop_loss: before.stop_loss,
      take_profits: before.take_profits,
    });
    expect(after.price).toBeLessThan(before.price ?? 0);
    // As an addition its margin is that of the position: 3x.
    expect(after.reserved).toBeCloseTo((0.02 * (after.price ?? 0)) / 3 + 0.02 * (after.price ?? 0) * 0.0002, 5);
    expect((await call('POST', `/api/positions/${position.body.order.position_id ?? ''}/close`, {})).status).toBe(200);
    // Alone again, each reserves by the leverage that it will open with.
    for (const { id, leverage } of [after, adds.body.order]) {
      const again = await call('PATCH', `/api/orders/${id}`, { price: price * 0.93 });
      expect(again.status, again.body.detail).toBe(200);
      const { order } = again.body;
      const notional = 0.02 * (order.price ?? 0);
      expect(order.leverage).toBe(leverage);
      expect(order.reserved).toBeCloseTo(notional / leverage + notional * 0.0002, 5);
    }
  });
});

describe('parts of a position', () => {
  it('DESK-026 are closed at most 60 times a minute, and all of it at any time', async () => {
    const price = await priceOf();
    const { body } = await place({ ...market, quantity: 0.2, leverage: 1, ...around(price) });
    const url = `/api/positions/${body.order.position_id ?? ''}/close`;
    const statuses: number[] = [];
    // A minute may end meanwhile, so it may take twice as many.
    while (!statuses.includes(429) && statuses.length < 130)
      statuses.push((await call('POST', url, { quantity: 0.001 })).status);
    expect(statuses.slice(0, 60).every((status) => status === 200)).toBe(true);
    expect(statuses.at(-1)).toBe(429);
    expect((await call('POST', url)).status).toBe(200);
  });
});

describe('a preview', () => {
  it('DESK-020 DESK-021 has the figures of the fill, from hand-worked arithmetic', async () => {
    const price = await priceOf();
    const body = { ...market, quantity: 0.1, leverage: 5, ...around(price) };
    const shown = await preview(body);
    expect(shown).toMatchObject({ rejected: null, action: 'open', role: 'taker', quantity: 0.1, leverage: 5 });
    const { entry, stop_loss: stop, targets } = shown;
    if (entry === null || stop === null || targets[0] === undefined) throw new Error('it can be computed');
    expect(shown.notional).toBeCloseTo(0.1 * entry, 8);
    expect(shown.margin).toBeCloseTo((0.1 * entry) / 5, 8);
    expect(shown.fee_in).toBeCloseTo(0.1 * entry * 0.0005, 8);
    expect(shown.fee_out_at_stop).toBeCloseTo(0.1 * stop * 0.0005, 8);
    const fill = stop * 0.9998;
    const loss = 0.1 * (entry - fill) + 0.0005 * 0.1 * (entry + fill);
    expect(shown.loss_at_stop).toBeCloseTo(loss, 6);
    const target = targets[0].price;
    const gain = 0.1 * (target - entry) - 0.0005 * 0.1 * (entry + target);
    expect(targets[0].gain).toBeCloseTo(gain, 6);
    expect(targets[0].r).toBeCloseTo(gain / loss, 6);
    expect(shown.equity_left).toBeCloseTo(shown.equity_free - shown.margin - shown.fee_in, 8);
    // Maintenance margin of 0.5 %: entry x (1 - 1/5) / (1 - 0.005), down to the tick or up.
    expect(shown.liquidation).toBeCloseTo((entry * 0.8) / 0.995, 0);
  });

  it('DESK-022 sizes by notional, share of equity and loss at the stop', async () => {
    const price = await priceOf();
    const levels = around(price);
    const byNotional = await preview({ ...market, ...levels, notional: 1000, leverage: 5 });
    expect(byNotional.quantity).toBe(Math.floor((1000 / (byNotional.entry ?? 0)) * 1000) / 1000);
    const byRisk = await preview({ ...market, ...levels, risk_fraction: 0.01, leverage: 5 });
    // At most one step less than 1 % of the balance.
    expect(byRisk.loss_at_stop_pct).toBeLessThanOrEqual(1);
    expect(byRisk.loss_at_stop_pct).toBeGreaterThan(0.8);
    const byEquity = await preview({ ...market, ...levels, equity_fraction: 0.2, leverage: 5 });
    expect(byEquity.margin).toBeLessThanOrEqual(0.2 * byEquity.equity_free);
    expect(byEquity.margin).toBeGreaterThan(0.18 * byEquity.equity_free);
  });

  it('DESK-023 names the field and the fix of each rejection, and stores nothing', async () => {
    const price = await priceOf();
    const levels = around(price);
    const size = { quantity: 0.1, leverage: 5 };
    const cases: [object, string, RegExp][] = [
      [{ type: 'limit', price: price * 1.01, ...size, ...levels }, 'price', /would fill at once.*Set it below/],
      [{ type: 'stop', price: price * 0.99, ...size, ...levels }, 'price', /would fill at once.*Set it above/],
      [{ ...size, stop_loss: price * 1.1 }, 'stop_loss', /is not below the entry.*Set it below/],
      [{ ...size, ...levels, take_profits: [{ price: price * 0.9, fraction: 1 }] }, 'take_profits', /Set it above/],
      [{ ...levels, quantity: 0.0001, leverage: 5 }, 'quantity', /Set at least/],
      [{ ...levels, notional: 2, leverage: 5 }, 'notional', /Set at least/],
      [{ ...levels, quantity: 1000, leverage: 1 }, 'quantity', /Set a smaller size/],
      [{ ...size, ...levels, leverage: 100 }, 'leverage', /Liquidation at .*Lower the leverage/],
      [{ reduce_only: true, quantity: 1 }, 'reduce_only', /No SHORT of BTCUSDT is open/],
      [
        { type: 'limit', price: price * 0.9, ...size, expires_at: new Date(Date.now() + 1000).toISOString() },
        'expires_at',
        /within a minute/,
      ],
    ];
    for (const [more, field, why] of cases) {
      const body = { ...market, ...more };
      const response = await place(body);
      expect([response.status, response.body.code, response.body.field], JSON.stringify(response.body)).toEqual([
        409,
        'order_refused',
        field,
      ]);
      expect(response.body.detail).toMatch(why);
      expect(response.body.preview.rejected).toMatchObject({ field, fix: response.body.fix });
      // The price of a later preview may be another one.
      const { rejected } = await preview(body);
      const wording = (fix = ''): string => fix.replace(/[\d.]+/g, '0');
      expect(rejected?.field).toBe(field);
      expect(wording(rejected?.fix)).toBe(wording(response.body.fix));
    }
    const malformed: [object, string][] = [
      [{ quantity: 1, notional: 1 }, 'quantity'],
      [{ price: 1 }, 'price'],
      [{ type: 'limit' }, 'price'],
      [{ take_profits: [{ price: 1, fraction: 0.5 }] }, 'take_profits'],
      [{ expires_at: '2030-01-01T00:00:00Z' }, 'expires_at'],
      [{ reduce_only: true, stop_loss: 1 }, 'reduce_only'],
    ];
    for (const [more, field] of malformed) {
      const { status, body } = await place({ ...market, ...more });
      expect([status, body.field], JSON.stringify(more)).toEqual([400, field]);
    }
    expect(await resting()).toEqual([]);
    expect((await call('GET', '/api/orders?state=ended')).body.orders).toEqual([]);
  });
});

describe('a market order', () => {
  it('DESK-020 follows the signal of a scan: the position names it; another side or market is rejected by its field', async () => {
    const scanId = await storeScan(test.database, anna.id, [
      { symbol: 'BTCUSDT', price: await priceOf(), confidence: 0.7 },
    ]);
    const body = { ...market, interval: '1h', quantity: 0.01, scan_id: scanId };
    const other = await place({ ...body, side: 'SHORT' });
    expect(other.body).toMatchObject({ code: 'no_result', field: 'side' });
    expect((await place({ ...body, symbol: 'ETHUSDT' })).body).toMatchObject({ code: 'no_result', field: 'symbol' });
    const foreign = await storeScan(test.database, (await test.signUp()).id, [{ symbol: 'BTCUSDT', price: 1 }]);
    expect((await place({ ...body, scan_id: foreign })).body.code).toBe('not_found');
    const placed = await place(body);
    expect(placed.body.order, JSON.stringify(placed.body)).toMatchObject({ status: 'filled' });
    const { position } = (await read(placed.body.order.position_id!)).body;
    expect(position).toMatchObject({
      scan_id: scanId,
      side: 'LONG',
      interval: '1h',
      confidence: 0.7,
      source: 'manual',
    });
  });

  it('DESK-020 DESK-024 opens as previewed, once per key; another key of the same side adds', async () => {
    const price = await priceOf();
    const body = { ...market, quantity: 0.1, leverage: 5, ...around(price), trailing: { enabled: false } };
    const headers = { 'idempotency-key': 'one' };
    const both = await Promise.all([place(body, headers), place(body, headers)]);
    expect(
      both.map(({ status }) => status),
      JSON.stringify(both),
    ).toEqual([201, 201]);
    const { order } = both[0].body;
    expect(both[1].body.order.id).toBe(order.id);
    expect(order).toMatchObject({ status: 'filled', reserved: 0, fill: { quantity: 0.1, role: 'taker' } });
    const first = (await read(order.position_id ?? '')).body;
    expect(first.fills).toMatchObject([{ kind: 'open', quantity: 0.1, order_id: order.id, pnl: 0 }]);
    const added = await place({ ...market, quantity: 0.05 });
    expect(added.status, JSON.stringify(added.body)).toBe(201);
    expect(added.body.order.position_id).toBe(order.position_id);
    const { position, fills } = (await read(order.position_id ?? '')).body;
    expect(fills.map(({ kind }) => kind)).toEqual(['open', 'add']);
    const [a, b] = fills as [PositionFillWire, PositionFillWire];
    expect(position.qty).toBe(0.15);
    expect(position.entry_price).toBeCloseTo((a.price * 0.1 + b.price * 0.05) / 0.15, 8);
    expect(position.fees).toBeCloseTo(a.fee + b.fee, 8);
    expect(position.stop_loss).toBe(first.position.stop_loss);
    // Levels stay those of the position.
    const withStop = await place({ ...market, quantity: 0.05, stop_loss: price * 0.8 });
    expect(withStop).toMatchObject({ status: 409, body: { field: 'stop_loss' } });
  });

  it('DESK-025 a price that moved further than the tolerance is a conflict with the new figures', async () => {
    const price = await priceOf();
    const body = { ...market, quantity: 0.1, leverage: 5, ...around(price) };
    const far = await place({ ...body, expected_price: price * 1.05 });
    expect(far).toMatchObject({ status: 409, body: { code: 'conflict', field: 'expected_price' } });
    expect(far.body.preview.last_price).toBeGreaterThan(0);
    const near = await place({ ...body, expected_price: price * 1.05, tolerance_fraction: 0.2 });
    expect(near.status).toBe(201);
  });
});

describe('closing a part', () => {
  it('DESK-026 DESK-027 closes fractions and quantities, and pnl is that of all fills', async () => {
    const price = await priceOf();
    const opened = await place({ ...market, quantity: 0.1, leverage: 5, ...around(price) });
    const id = opened.body.order.position_id ?? '';
    const half = await call('POST', `/api/positions/${id}/close`, { fraction: 0.5 });
    expect(half.status, JSON.stringify(half.body)).toBe(200);
    expect(half.body.fill).toMatchObject({ kind: 'partial_close', quantity: 0.05, reason: 'MANUAL' });
    expect(half.body.position).toMatchObject({ qty: 0.05, closed_at: null });
    const key = { headers: { 'idempotency-key': 'part' } };
    const once = await call('POST', `/api/positions/${id}/close`, { quantity: 0.02 }, key);
    const twice = await call('POST', `/api/positions/${id}/close`, { quantity: 0.02 }, key);
    expect(twice.body).toEqual(once.body);
    expect((await read(id)).body.position.qty).toBe(0.03);
    // The rest of 0.01 thousandths of a coin would be below the least order.
    const rest = await call('POST', `/api/positions/${id}/close`, { quantity: 0.02999 });
    expect(rest.status, JSON.stringify(rest.body)).toBe(200);
    const { position, fills } = (await read(id)).body;
    const entries = fills.filter(({ kind }) => kind === 'open' || kind === 'add');
    const exits = fills.filter(({ kind }) => kind === 'partial_close' || kind === 'close');
    const worth = (list: PositionFillWire[]) => list.reduce((sum, each) => sum + each.price * each.quantity, 0);
    if (position.closed_at === null) {
      await call('POST', `/api/positions/${id}/close`);
    }
    const end = (await read(id)).body;
    const allExits = end.fills.filter(({ kind }) => kind === 'partial_close' || kind === 'close');
    expect(exits.length).toBeGreaterThan(2);
    expect(end.position.pnl).toBeCloseTo(worth(allExits) - worth(entries), 7);
    expect(allExits.reduce((sum, { pnl }) => sum + pnl, 0)).toBeCloseTo(end.position.pnl ?? Number.NaN, 8);
    expect(end.position.roi_pct).toBeCloseTo((100 * (end.position.pnl ?? 0)) / worth(entries), 6);
    expect(end.position.fees).toBeCloseTo(
      end.fills.reduce((sum, { fee }) => sum + fee, 0),
      8,
    );
    expect(end.position.qty).toBe(0.1);
    expect(await findDrift(test.deps.db, new Date(0))).toEqual([]);
  });

  it('DESK-026 rejects a part below the step, both sizes at once, and a closed position', async () => {
    const price = await priceOf();
    const opened = await place({ ...market, quantity: 0.1, leverage: 5, ...around(price) });
    const url = `/api/positions/${opened.body.order.position_id ?? ''}/close`;
    expect(await call('POST', url, { quantity: 0.00001 })).toMatchObject({ status: 400, body: { field: 'quantity' } });
    expect(await call('POST', url, { fraction: 0.5, quantity: 1 })).toMatchObject({ status: 400 });
    expect(await call('POST', url, { fraction: 2 })).toMatchObject({ status: 400, body: { field: 'fraction' } });
    expect((await call('POST', url)).body.position.close_reason).toBe('MANUAL');
    expect(await call('POST', url, { fraction: 0.5 })).toMatchObject({ status: 409 });
  });

  it('DESK-028 a reduce-only order closes the other side and never opens', async () => {
    const price = await priceOf();
    const opened = await place({ ...market, quantity: 0.1, leverage: 5, ...around(price) });
    const part = { ...market, side: 'SHORT', reduce_only: true, quantity: 0.04 };
    const shown = await preview(part);
    expect(shown).toMatchObject({ action: 'reduce', rejected: null, position_quantity: 0.06, margin: 0 });
    const reduced = await place(part);
    expect(reduced.body.order).toMatchObject({ status: 'filled', position_id: opened.body.order.position_id });
    const rest = await place({ ...part, quantity: 5 });
    expect(rest.body.order.fill).toMatchObject({ quantity: 0.06 });
    expect((await call('GET', '/api/positions')).body.positions).toEqual([]);
    expect((await place(part)).body.field).toBe('reduce_only');
  });
});

describe('a resting order', () => {
  it('DESK-029 sets its margin aside, can be changed and cancelled, and is seen by its owner only', async () => {
    const price = await priceOf();
    const body = { ...market, type: 'limit', price: price * 0.8, quantity: 0.1, leverage: 5 };
    const levels = { stop_loss: price * 0.7, take_profits: [{ price: price * 1.1, fraction: 1 }] };
    const before = await preview({ ...body, ...levels });
    expect(before).toMatchObject({ role: 'maker', rejected: null });
    expect(before.fee_in).toBeCloseTo(before.notional * 0.0002, 8);
    const placed = await place({ ...body, ...levels });
    expect(placed.status, JSON.stringify(placed.body)).toBe(201);
    const { order } = placed.body;
    expect(order.reserved).toBeCloseTo(before.margin + before.fee_in, 6);
    expect((await preview({ ...body, ...levels })).equity_free).toBeCloseTo(before.equity_free - order.reserved, 6);
    const changed = await call('PATCH', `/api/orders/${order.id}`, { quantity: 0.2, expected_revision: 1 });
    expect(changed.status, JSON.stringify(changed.body)).toBe(200);
    expect(changed.body.order).toMatchObject({ quantity: 0.2, revision: 2, price: order.price });
    expect(changed.body.order.reserved).toBeCloseTo(2 * order.reserved, 6);
    const stale = await call('PATCH', `/api/orders/${order.id}`, { quantity: 0.3, expected_revision: 1 });
    expect(stale).toMatchObject({ status: 409, body: { code: 'conflict', order: { revision: 2 } } });
    const bert = await test.signUp();
    expect((await call('GET', '/api/orders', undefined, { user: bert })).body.orders).toEqual([]);
    for (const [method, payload] of [
      ['PATCH', { quantity: 1 }],
      ['DELETE', undefined],
    ] as const)
      expect((await call(method, `/api/orders/${order.id}`, payload, { user: bert })).status).toBe(404);
    const cancelled = await call('DELETE', `/api/orders/${order.id}`);
    expect(cancelled.body.order).toMatchObject({ status: 'cancelled', cancel_reason: 'owner', reserved: 0 });
    expect(await call('DELETE', `/api/orders/${order.id}`)).toMatchObject({ status: 409 });
    expect((await call('PATCH', `/api/orders/${order.id}`, { quantity: 1 })).body.detail).toMatch(
      /was cancelled.*Nothing/,
    );
    expect((await preview({ ...body, ...levels })).equity_free).toBeCloseTo(before.equity_free, 6);
  });
});

describe('reversing', () => {
  it('DESK-040 closes and opens the opposite at one price, once per key, or changes nothing', async () => {
    const price = await priceOf();
    const placed = await place({ ...market, quantity: 0.1, leverage: 5, ...around(price) });
    const id = placed.body.order.position_id ?? '';
    const headers = { 'idempotency-key': 'turn' };
    const both = await Promise.all([1, 2].map(() => call('POST', `/api/positions/${id}/reverse`, {}, { headers })));
    expect(
      both.map(({ status }) => status),
      JSON.stringify(both),
    ).toEqual([200, 200]);
    const { closed, opened } = both[0]!.body;
    expect(both[1]!.body.opened.id).toBe(opened.id);
    expect(closed).toMatchObject({ id, close_reason: 'MANUAL' });
    expect(opened).toMatchObject({ side: 'SHORT', qty: 0.1, leverage: 5, closed_at: null });
    // As far from the entry as before, on the tick towards it.
    const distance = closed.entry_price - closed.initial_stop_loss;
    expect(opened.stop_loss - opened.entry_price).toBeCloseTo(distance, 0);
    expect((await call('GET', '/api/positions')).body.positions).toHaveLength(1);
    // The other side is open: nothing happens.
    await place({ ...market, quantity: 0.05, leverage: 5, ...around(price) });
    const held = await call('POST', `/api/positions/${opened.id}/reverse`);
    expect(held).toMatchObject({ status: 409, body: { code: 'position_refused' } });
    expect((await read(opened.id)).body.position.closed_at).toBeNull();
    expect(await findDrift(test.deps.db, new Date(0))).toEqual([]);
  });
});

describe('several targets', () => {
  it('DESK-030 DESK-041 are set with the order, changed with the position and rejected out of order', async () => {
    const price = await priceOf();
    const targets = [1.1, 1.2, 1.3].map((part, i) => ({ price: price * part, fraction: [0.5, 0.3, 0.2][i] }));
    const placed = await place({
      ...market,
      quantity: 0.1,
      leverage: 5,
      stop_loss: price * 0.9,
      take_profits: targets,
    });
    expect(placed.status, JSON.stringify(placed.body)).toBe(201);
    const id = placed.body.order.position_id ?? '';
    const { position } = (await read(id)).body;
    expect(position.take_profits?.map(({ fraction }) => fraction)).toEqual([0.5, 0.3, 0.2]);
    expect(position.take_profit).toBe(position.take_profits?.[0]?.price);
    const url = `/api/positions/${id}`;
    const two = [1.15, 1.25].map((part) => ({ price: Math.round(price * part), fraction: 0.5 }));
    const changed = await call('PATCH', url, { take_profits: two });
    expect(changed.status, JSON.stringify(changed.body)).toBe(200);
    expect(changed.body.position).toMatchObject({ take_profits: two, take_profit: two[0]?.price });
    const wrong = await call('PATCH', url, { take_profits: two.toReversed() });
    expect(wrong).toMatchObject({ status: 400, body: { field: 'take_profits' } });
    expect(wrong.body.detail).toMatch(/Target 2 .* is not beyond target 1/);
    // The next one of several moves, as long as it stays the next.
    const next = Math.round(price * 1.18);
    expect((await call('PATCH', url, { take_profit: next })).body.position.take_profits?.[0]).toEqual({
      price: next,
      fraction: 0.5,
    });
    expect(await call('PATCH', url, { take_profit: Math.round(price * 1.4) })).toMatchObject({
      status: 400,
      body: { field: 'take_profit' },
    });
    const one = [{ price: Math.round(price * 1.2), fraction: 1 }];
    expect((await call('PATCH', url, { take_profits: one })).body.position).toMatchObject({
      take_profits: null,
      take_profit: one[0]?.price,
    });
  });
});

describe('requests at once', () => {
  it('DESK-042 of a cancel and changes of one order each sees what the other did', async () => {
    const price = await priceOf();
    const body = { ...market, type: 'limit', price: price * 0.8, quantity: 0.1, leverage: 5, stop_loss: price * 0.7 };
    const placed = await place({ ...body, take_profits: [{ price: price, fraction: 1 }] });
    const url = `/api/orders/${placed.body.order.id}`;
    const done = await Promise.all([
      call('PATCH', url, { quantity: 0.2, expected_revision: 1 }),
      call('PATCH', url, { quantity: 0.3, expected_revision: 1 }),
      call('DELETE', url),
    ]);
    const [a, b, cancelled] = done.map(({ status }) => status);
    expect(cancelled, JSON.stringify(done)).toBe(200);
    expect([a, b].filter((status) => status === 200).length).toBeLessThanOrEqual(1);
    expect((await call('GET', '/api/orders?state=ended')).body.orders).toMatchObject([
      { status: 'cancelled', reserved: 0 },
    ]);
  });

  it('DESK-042 two closes of halves never close more than is open', async () => {
    const price = await priceOf();
    const placed = await place({ ...market, quantity: 0.1, leverage: 5, ...around(price) });
    const url = `/api/positions/${placed.body.order.position_id ?? ''}`;
    const done = await Promise.all([0.06, 0.06, 0.06].map((quantity) => call('POST', `${url}/close`, { quantity })));
    const { fills, position } = (await call('GET', url)).body;
    const closed = fills.filter(({ kind }) => kind !== 'open').reduce((sum, { quantity }) => sum + quantity, 0);
    expect(closed).toBeCloseTo(0.1, 12);
    expect(position.closed_at).not.toBeNull();
    expect(done.map(({ status }) => status).sort()).toEqual([200, 200, 409]);
    expect(await findDrift(test.deps.db, new Date(0))).toEqual([]);
  });
});

describe('an API key', () => {
  it('DESK-043 needs the scope to trade; a read key lists only', async () => {
    const price = await priceOf();
    const body = { ...market, quantity: 0.1, leverage: 5, ...around(price) };
    const reading = await makeKey(test, anna, { scopes: ['read:account'] });
    const trading = await makeKey(test, anna, { scopes: ['trade:paper'] });
    const by = (header: Record<string, string>, method: 'GET' | 'POST', url: string, payload?: object) =>
      test.app.inject({ method, url, headers: header, ...(payload === undefined ? {} : { payload }) });
    expect((await by(reading.header, 'POST', '/api/orders', body)).statusCode).toBe(403);
    expect((await by(reading.header, 'GET', '/api/orders')).statusCode).toBe(200);
    expect((await by(trading.header, 'POST', '/api/orders/preview', body)).statusCode).toBe(200);
    const placed = await by(trading.header, 'POST', '/api/orders', body);
    expect(placed.statusCode, placed.body).toBe(201);
    const id = placed.json<Body>().order.position_id ?? '';
    expect((await by(trading.header, 'POST', `/api/positions/${id}/close`, { fraction: 0.5 })).statusCode).toBe(200);
    expect((await by(reading.header, 'POST', `/api/positions/${id}/close`)).statusCode).toBe(403);
  });
});
