// Long because its cases share one app, one market and their helpers.
import type { z } from 'zod';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { changeByOwner, changeLevels } from '../../../src/features/positions/changePosition.ts';
import { closeByOwner, writeCloses } from '../../../src/features/positions/closePosition.ts';
import type { CloseAllResponse, PositionEvent, PositionWire } from '../../../src/features/positions/contract.ts';
import { insertPosition, type NewPosition } from '../../../src/features/positions/eventWriter.ts';
import { findDrift } from '../../../src/features/positions/findDrift.ts';
import { lockLevels } from '../../../src/features/positions/ownerChanges.ts';
import { withSystem } from '../../../src/platform/db/scope.ts';
import { reject } from '../../../src/platform/errors.ts';
import { createMarketApp, type MarketApp } from '../../support/createMarketApp.ts';
import type { TestUser } from '../../support/createTestApp.ts';
import { newPosition } from './support/positions.ts';

let test: MarketApp;
let anna: TestUser;
beforeAll(async () => {
  test = await createMarketApp();
});
afterAll(() => test.close());
beforeEach(async () => {
  anna = await test.signUp();
});

interface Body extends z.input<typeof CloseAllResponse> {
  position: PositionWire;
  positions: PositionWire[];
  events: z.input<typeof PositionEvent>[];
  prices: { price: number }[];
  code: string;
  detail: string;
  field: string;
  current: object;
}

async function call(
  method: 'GET' | 'POST' | 'PATCH',
  url: string,
  payload?: object,
  { user = anna, headers = {} } = {},
) {
  const body = payload === undefined ? {} : { payload };
  const response = await test.app.inject({ method, url, headers: { ...user.bearer, ...headers }, ...body });
  return { status: response.statusCode, body: response.json<Body>() };
}
const change = (id: string, body: object, user = anna) => call('PATCH', `/api/positions/${id}`, body, { user });
const read = async (id: string): Promise<Body> => (await call('GET', `/api/positions/${id}`)).body;
const priceOf = async (symbol: string): Promise<number> =>
  (await call('GET', `/api/price/batch?symbols=${symbol}`)).body.prices[0]?.price ?? Number.NaN;

/** A position of 0.1 whose entry is `gain` worse than the price: 0.05 is 5 % in profit. Levels 10 % around the price, on ticks of 0.1. */
async function openAt(
  more: Partial<NewPosition> & { gain?: number } = {},
  user = anna,
): Promise<{ id: string; price: number; stop: number; target: number; liquidation: number }> {
  const { gain = 0, symbol = 'BTCUSDT', side = 'LONG', ...rest } = more;
  const price = await priceOf(symbol);
  const sign = side === 'LONG' ? 1 : -1;
  const onTick = (value: number): number => Number(value.toFixed(1));
  const entryPrice = onTick(price * (1 - sign * gain));
  const [stop, target] = [onTick(price * (1 - sign * 0.1)), onTick(price * (1 + sign * 0.1))];
  const liquidation = onTick(price * (1 - sign * 0.15));
  const position = newPosition(user.id, {
    symbol,
    side,
    entryPrice,
    quantity: 0.1,
    leverage: 5,
    stopPrice: stop,
    targetPrice: target,
    liquidationPrice: liquidation,
    tickSize: 0.1,
    entryFee: 0.1 * entryPrice * 0.0005,
    openedAtMs: Date.now() - 120_000,
    ...rest,
  });
  const id = await withSystem(test.deps.db, (tx) => insertPosition(tx, position));
  return { id, price, stop, target, liquidation };
}

describe('changing an open position', () => {
  it('DESK-001 DESK-008 DESK-009 moves stop and target, on ticks towards the price; what it was opened with stays', async () => {
    const { id, price, stop, target } = await openAt();
    const before = (await read(id)).position;
    const [nextStop, nextTarget] = [price * 0.95, price * 1.05].map((value) => Math.round(value) + 0.53) as [
      number,
      number,
    ];
    const { status, body } = await change(id, { stop_loss: nextStop, take_profit: nextTarget });
    expect(status, JSON.stringify(body)).toBe(200);
    const rounded = {
      stop_loss: Number((nextStop + 0.07).toFixed(1)),
      take_profit: Number((nextTarget - 0.03).toFixed(1)),
    };
    expect(body.position).toMatchObject(rounded);
    const { position, events } = await read(id);
    expect(position).toMatchObject({
      ...rounded,
      initial_stop_loss: stop,
      loss_at_stop: before.loss_at_stop,
      entry_price: before.entry_price,
      qty: before.qty,
    });
    expect(events.find(({ kind }) => kind === 'opened')?.data).toMatchObject({ stop_loss: stop, take_profit: target });
    expect(events.at(-1)).toMatchObject({
      kind: 'changed',
      data: { from: { stop_loss: stop, take_profit: target }, to: rounded, by: 'owner' },
    });
    // Loss of the price, of 0.02 % slippage and of both fees.
    const fill = rounded.stop_loss * 0.9998;
    const loss = 0.1 * (position.entry_price - fill) + 0.0005 * 0.1 * (position.entry_price + fill);
    expect(position.loss_at_current_stop).toBeCloseTo(loss, 6);
    // A second change starts from the first; the same levels again are no change.
    expect((await change(id, rounded)).status).toBe(200);
    await change(id, { take_profit: target });
    expect((await read(id)).events.filter(({ kind }) => kind === 'changed')).toHaveLength(2);
    expect((await call('GET', '/api/positions')).body.positions[0]).toMatchObject({
      stop_loss: rounded.stop_loss,
      take_profit: target,
    });
  });

  it('DESK-002 rejects a level that would close at once, or lies beyond the liquidation, with the price and the fix', async () => {
    const long = await openAt();
    const short = await openAt({ side: 'SHORT' });
    const cases: [string, object, string, RegExp][] = [
      [long.id, { stop_loss: long.price * 1.02 }, 'stop_loss', /closes it at once: the price is [\d.]+\. Set it below/],
      [
        long.id,
        { stop_loss: long.liquidation },
        'stop_loss',
        /beyond the liquidation price [\d.]+\. Set [\d.]+ or higher\./,
      ],
      [
        long.id,
        { take_profit: long.price * 0.98 },
        'take_profit',
        /closes it at once: the price is [\d.]+\. Set it above/,
      ],
      [short.id, { stop_loss: short.price * 0.98 }, 'stop_loss', /Set it above/],
      [short.id, { stop_loss: short.liquidation }, 'stop_loss', /or lower\./],
      [short.id, { take_profit: short.price * 1.02 }, 'take_profit', /Set it below/],
      [long.id, { break_even: true }, 'break_even', /Break-even is at [\d.]+ after costs: the price is/],
      [long.id, { break_even: true, stop_loss: long.stop }, 'break_even', /give either/],
      [long.id, { break_even: false }, 'break_even', /must be true/],
      [long.id, {}, 'stop_loss', /give stop_loss, take_profit, break_even or trailing/],
      [long.id, { stop_loss: -1 }, 'stop_loss', /./],
      [long.id, { qty: 1 }, 'qty', /./],
      [long.id, { trailing: { enabled: true, callback_pct: 0.01 } }, 'trailing.callback_pct', /at least 0.05/],
      [long.id, { trailing: { enabled: true, step_pct: 21 } }, 'trailing.step_pct', /at most 20/],
      [long.id, { trailing: { enabled: true, atr_mult: 0.1 } }, 'trailing.atr_mult', /at least 0.5/],
      [long.id, { trailing: { enabled: true, atr_period: 14.5 } }, 'trailing.atr_period', /whole number/],
      [long.id, { trailing: { enabled: true, activation_pct: -1 } }, 'trailing.activation_pct', /at least 0/],
      [long.id, { trailing: { enabled: true, mode: 'steps' } }, 'trailing.mode', /percent or atr/],
      [long.id, { trailing: { mode: 'atr' } }, 'trailing.enabled', /./],
    ];
    for (const [id, body, field, why] of cases) {
      const response = await change(id, body);
      expect([response.status, response.body.code, response.body.field], JSON.stringify(body)).toEqual([
        400,
        'validation_failed',
        field,
      ]);
      expect(response.body.detail).toMatch(why);
    }
    expect((await read(long.id)).events.map(({ kind }) => kind)).not.toContain('changed');
  });

  it('DESK-003 break-even earns back all costs', async () => {
    const { id } = await openAt({ gain: 0.05 });
    const { status, body } = await change(id, { break_even: true });
    expect(status, JSON.stringify(body)).toBe(200);
    const { stop_loss: stop, entry_price: entry, loss_at_current_stop: loss } = body.position;
    expect(stop).toBeGreaterThan(entry);
    // At most one tick of 0.1 on a quantity of 0.1 more than nothing.
    expect(loss).toBeLessThanOrEqual(1e-9);
    expect(loss).toBeGreaterThan(-0.011);
  });

  it('DESK-005 switches trailing on with given and account values, changes it and switches it off', async () => {
    const { id } = await openAt();
    await test.app.inject({
      method: 'PUT',
      url: '/api/preferences',
      headers: anna.bearer,
      payload: { trail_step_pct: 0.4 },
    });
    const on = await change(id, { trailing: { enabled: true, mode: 'percent', callback_pct: 1.5, activation_pct: 2 } });
    expect(on.body.position).toMatchObject({
      trailing_enabled: true,
      trailing_by_owner: true,
      trail_mode: 'percent',
      trail_callback_pct: 1.5,
      trail_step_pct: 0.4,
      trail_activation_pct: 2,
      trail_atr_mult: null,
    });
    const atr = await change(id, { trailing: { enabled: true, mode: 'atr', atr_mult: 3, atr_period: 21 } });
    expect(atr.body.position).toMatchObject({
      trail_mode: 'atr',
      trail_atr_mult: 3,
      trail_atr_period: 21,
      trail_callback_pct: null,
    });
    const off = await change(id, { trailing: { enabled: false } });
    expect(off.body.position).toMatchObject({ trailing_enabled: false, trail_mode: null, trail_activation_pct: null });
    const changed = (await read(id)).events.flatMap((event) =>
      event.kind === 'changed' ? [event.data.to.trailing?.mode] : [],
    );
    expect(changed).toEqual(['percent', 'atr', null]);
  });

  it('DESK-006 a change that another tab overtook is rejected with the present levels', async () => {
    const { id, price, stop, target } = await openAt();
    const expected = { stop_loss: stop, take_profit: target };
    const first = await change(id, { stop_loss: price * 0.95, expected });
    expect(first.status).toBe(200);
    const second = await change(id, { stop_loss: price * 0.93, expected });
    const present = { stop_loss: first.body.position.stop_loss, take_profit: target };
    expect(second).toMatchObject({ status: 409, body: { code: 'conflict', current: present } });
    expect(second.body.detail).toContain(`the stop is ${present.stop_loss}, the target ${target}`);
    expect((await change(id, { stop_loss: price * 0.93, expected: present })).status).toBe(200);
    // Two at once: one of them wins.
    const now = (await read(id)).position;
    const both = await Promise.all(
      [0.94, 0.92].map((part) =>
        change(id, { stop_loss: price * part, expected: { stop_loss: now.stop_loss, take_profit: target } }),
      ),
    );
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  it('DESK-163 a change of targets that another tab overtook is rejected with the name of each moved target', async () => {
    const { id, price, stop } = await openAt();
    const at = (gain: number): number => Number((price * (1 + gain)).toFixed(1));
    const split = (...prices: number[]) => prices.map((each, i) => ({ price: each, fraction: [0.5, 0.3, 0.2][i]! }));
    const seen = split(at(0.1), at(0.2), at(0.3));
    expect((await change(id, { take_profits: seen })).status).toBe(200);
    const expected = { stop_loss: stop, take_profit: seen[0]!.price, take_profits: seen };
    const other = split(at(0.1), at(0.2), at(0.35));
    expect((await change(id, { take_profits: other, expected })).status).toBe(200);
    // The first target is as it was seen; the third is not.
    const late = await change(id, { take_profits: split(at(0.12), at(0.2), at(0.3)), expected });
    const current = { ...expected, take_profits: other };
    expect(late).toMatchObject({ status: 409, body: { code: 'conflict', current } });
    expect(late.body.detail).toBe(
      `Changed meanwhile: target 3 is ${other[2]!.price} (20 %). Check them and save again.`,
    );
    expect((await read(id)).position.take_profits).toEqual(other);
    // A share that moved, and a target less.
    const shares = other.map((each, i) => ({ ...each, fraction: [0.4, 0.4, 0.2][i]! }));
    expect((await change(id, { take_profits: shares, expected: current })).status).toBe(200);
    expect((await change(id, { stop_loss: price * 0.95, expected: current })).body.detail).toContain(
      `target 1 is ${other[0]!.price} (40 %), target 2 is ${other[1]!.price} (40 %). `,
    );
    const two = [
      { price: other[0]!.price, fraction: 0.75 },
      { price: other[1]!.price, fraction: 0.25 },
    ];
    const present = { ...current, take_profits: shares };
    expect((await change(id, { take_profits: two, expected: present })).status).toBe(200);
    expect((await change(id, { take_profits: shares, expected: present })).body.detail).toContain(
      `the targets are ${other[0]!.price} (75 %), ${other[1]!.price} (25 %). `,
    );
    // One target now: its name is that of a position with one.
    expect((await change(id, { take_profits: [{ price: other[0]!.price, fraction: 1 }] })).status).toBe(200);
    const one = await change(id, { take_profits: two, expected: { ...present, take_profits: two } });
    expect(one.body.detail).toContain(`the stop is ${stop}, the target ${other[0]!.price}. `);
    expect(one.body.current).toEqual({ stop_loss: stop, take_profit: other[0]!.price, take_profits: null });
    // Without targets in `expected` only the next one is compared, as before.
    const { take_profits: _targets, ...levels } = expected;
    expect((await change(id, { take_profits: seen, expected: levels })).status).toBe(200);
  });

  it('DESK-192 the event of a change has the shares of what is open after a target was hit', async () => {
    const { id, price } = await openAt();
    const at = (gain: number): number => Number((price * (1 + gain)).toFixed(1));
    // The book keeps the shares of the size at the opening: the first of three, 50 %, was hit.
    const left = [
      { price: at(0.2), fraction: 0.3 },
      { price: at(0.3), fraction: 0.2 },
    ];
    await test.database.asOwner('update positions set targets = $2, take_profit = $3 where id = $1', [
      id,
      JSON.stringify(left),
      at(0.2),
    ]);
    expect((await change(id, { take_profit: at(0.25) })).status).toBe(200);
    const shares = (targets: unknown) =>
      (targets as typeof left).map((each) => [each.price, Number(each.fraction.toFixed(9))]);
    const { data } = (await read(id)).events.at(-1) as { data: Record<'from' | 'to', { take_profits: unknown }> };
    expect(shares(data.from.take_profits)).toEqual([
      [at(0.2), 0.6],
      [at(0.3), 0.4],
    ]);
    expect(shares(data.to.take_profits)).toEqual([
      [at(0.25), 0.6],
      [at(0.3), 0.4],
    ]);
  });

  it('DESK-007 a position that closed meanwhile is rejected with what happened', async () => {
    const { id, price } = await openAt();
    const close = { id, atMs: Date.now(), price: 90_000.5, exitFee: 0.1, isAmbiguous: false };
    await withSystem(test.deps.db, (tx) => writeCloses(tx, [{ ...close, reason: 'SL', by: 'tick' }]));
    const response = await change(id, { stop_loss: price * 0.95 });
    expect(response).toMatchObject({ status: 409, body: { code: 'conflict' } });
    expect(response.body.detail).toMatch(/^The position closed at 90000\.5 by its stop, 20.*Nothing was changed\.$/);
  });

  it('DESK-007 a race of change and close ends in one of two orders, and the record adds up', async () => {
    const deps = { ...test.deps, warn: () => undefined };
    for (let i = 0; i < 8; i++) {
      const { id, price } = await openAt();
      const [changed, closed] = await Promise.all([
        changeByOwner(deps, anna.id, id, { stop_loss: price * 0.95 }),
        closeByOwner(deps, anna.id, id),
      ]);
      expect(closed.ok).toBe(true);
      const { position, events } = await read(id);
      expect(events.filter(({ kind }) => kind === 'changed')).toHaveLength(changed.ok ? 1 : 0);
      if (changed.ok) expect(position.stop_loss).toBe(changed.value.stop_loss);
      else expect(changed.error.code).toBe('conflict');
    }
    expect(await findDrift(test.deps.db, new Date(0))).toEqual([]);
  });

  it('DESK-001 belongs to its owner and the served market, and needs a fresh price', async () => {
    const { id, price } = await openAt();
    const eve = await test.signUp();
    expect(await change(id, { stop_loss: price * 0.95 }, eve)).toMatchObject({
      status: 404,
      body: { code: 'not_found' },
    });
    const body = { stop_loss: price * 0.95 };
    const other = await changeByOwner({ ...test.deps, config: { market: 'live' } }, anna.id, id, body);
    expect(other).toMatchObject({
      ok: false,
      error: { code: 'conflict', message: expect.stringContaining('It can change once') as string },
    });
    const silent = { readQuote: () => null, prices: () => Promise.resolve(reject('upstream_unavailable')) };
    const stale = await changeByOwner({ ...test.deps, market: silent }, anna.id, id, body);
    expect(stale).toMatchObject({ ok: false, error: { code: 'price_stale' } });
    // The same owner check inside the transaction.
    const foreign = await withSystem(test.deps.db, async (tx) => {
      await lockLevels(tx, 'owner');
      return changeLevels(tx, { userId: eve.id, id, body, quote: { last: price }, nowMs: Date.now() });
    });
    expect(foreign).toMatchObject({ ok: false, error: { code: 'not_found' } });
    expect((await read(id)).events.map(({ kind }) => kind)).toEqual(['opened', 'fee']);
  });

  it('DESK-001 at most 60 changes a minute', async () => {
    const { id, price } = await openAt();
    const statuses: number[] = [];
    for (let i = 0; i < 61; i++) statuses.push((await change(id, { take_profit: price * (1.05 + i / 1000) })).status);
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(0);
    expect(statuses.slice(0, 50).every((status) => status === 200)).toBe(true);
  });
});

describe('closing several positions', () => {
  const closeAll = (which: string, key?: string, user = anna) =>
    call(
      'POST',
      '/api/positions/close-all',
      { which },
      { user, headers: key === undefined ? {} : { 'idempotency-key': key } },
    );
  const openIds = async () => (await call('GET', '/api/positions')).body.positions.map(({ id }) => id).sort();

  it('DESK-010 closes all, losers, winners or one side, each like a single one', async () => {
    const eve = await test.signUp();
    const foreign = await openAt({}, eve);
    const winner = (await openAt({ gain: 0.05 })).id;
    const loser = (await openAt({ gain: -0.03, symbol: 'ETHUSDT' })).id;
    const short = (await openAt({ gain: 0.04, side: 'SHORT', symbol: 'SOLUSDT' })).id;
    const losers = await closeAll('losers');
    expect(losers.body.closed.map(({ id, close_reason: reason }) => [id, reason])).toEqual([[loser, 'MANUAL']]);
    expect(losers.body).toMatchObject({ left: [], net_pnl: losers.body.closed[0]?.net_pnl });
    expect(losers.body.net_pnl).toBeLessThan(0);
    expect(await openIds()).toEqual([winner, short].sort());
    expect((await closeAll('short')).body.closed.map(({ id }) => id)).toEqual([short]);
    const another = (await openAt({ gain: -0.03, symbol: 'ETHUSDT' })).id;
    expect((await closeAll('winners')).body.closed.map(({ id }) => id)).toEqual([winner]);
    expect((await closeAll('long')).body.closed.map(({ id }) => id)).toEqual([another]);
    const last = (await openAt({ side: 'SHORT' })).id;
    expect((await closeAll('all')).body.closed.map(({ id }) => id)).toEqual([last]);
    expect((await closeAll('all')).body).toEqual({ closed: [], left: [], net_pnl: 0 });
    expect(
      (await call('GET', `/api/positions/${foreign.id}`, undefined, { user: eve })).body.position.closed_at,
    ).toBeNull();
  });

  it('DESK-011 a repetition with the key closes nothing opened later, and tries again what stayed open', async () => {
    const first = (await openAt()).id;
    const elsewhere = (await openAt({ market: 'live', symbol: 'ETHUSDT' })).id;
    const before = await closeAll('all', 'one-key');
    expect(before.body.closed.map(({ id }) => id)).toEqual([first]);
    expect(before.body.left).toMatchObject([{ id: elsewhere, symbol: 'ETHUSDT', side: 'LONG', code: 'conflict' }]);
    const later = (await openAt()).id;
    const again = await Promise.all([closeAll('all', 'one-key'), closeAll('all', 'one-key')]);
    for (const { body } of again) expect(body).toEqual(before.body);
    expect(await openIds()).toEqual([elsewhere, later].sort());
    expect(await closeAll('long', 'one-key')).toMatchObject({ status: 409, body: { code: 'conflict' } });
    expect(await closeAll('some')).toMatchObject({ status: 400, body: { field: 'which' } });
  });
});
