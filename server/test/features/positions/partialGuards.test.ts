import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { guardsOf } from '../../../src/features/guards/guards.ts';
import { readRealised } from '../../../src/features/guards/readRealised.ts';
import { closePart } from '../../../src/features/positions/closePosition.ts';
import { insertPosition, type NewPosition } from '../../../src/features/positions/eventWriter.ts';
import { withSystem, withUser } from '../../../src/platform/db/scope.ts';
import { createTestApp, type TestApp, type TestUser } from '../../support/createTestApp.ts';
import { newPosition } from './support/positions.ts';

let test: TestApp;
let anna: TestUser;
beforeAll(async () => {
  test = await createTestApp();
});
afterAll(() => test.close());
beforeEach(async () => {
  anna = await test.signUp();
});

const MINUTE_MS = 60_000;
/** In the middle of a day, so that every minute of a test is of one day. */
const noonMs = Date.parse('2026-03-01T12:00:00Z');

/** A long of 2 at 100, entry fee 0.1, with quantity steps of 0.01. */
const open = (more: Partial<NewPosition> = {}): Promise<string> =>
  withSystem(test.deps.db, (tx) =>
    insertPosition(tx, newPosition(anna.id, { openedAtMs: noonMs, stepSize: 0.01, ...more })),
  );
async function close(id: string, quantity: number, price: number, minute: number): Promise<void> {
  const fill = { price, atMs: noonMs + minute * MINUTE_MS, role: 'taker' as const, orderId: null, market: null };
  const part = {
    userId: anna.id,
    id,
    body: { quantity },
    quote: { last: price, bid: null, ask: null, mark: null },
    fill,
  };
  const done = await withSystem(test.deps.db, (tx) => closePart(tx, part));
  expect(done).toMatchObject({ ok: true });
}
const realised = (limit = 100) =>
  withUser(test.deps.db, anna.id, (tx) => readRealised(tx, { userId: anna.id, market: 'simulated', limit }));

describe('results in parts', () => {
  it('DESK-130 with a limit they are the newest of all results, whatever is a part or an end', async () => {
    // Each position of 2 is closed in up to three parts; every other minute two results fall on the same time.
    for (let n = 0; n < 9; n++) {
      const id = await open();
      if (n % 3 > 0) await close(id, 0.5, 98 + n, 10 * n);
      if (n % 3 > 1) await close(id, 0.75, 99 + n, 10 * n + (n % 2 === 0 ? 0 : 1));
      await close(id, n % 3 === 0 ? 2 : n % 3 === 1 ? 1.5 : 0.75, 97 + n, 10 * n + 2);
    }
    interface Fill {
      position_id: string;
      kind: string;
      at: Date;
      net: number;
      position_net: number | null;
    }
    // A slow twin: every fill that closes, and what its position had left.
    const fills = await test.database.asOwner<Fill>(
      `select f.position_id, f.kind, f.at, (f.pnl - f.fee)::float8 as net, p.net_pnl::float8 as position_net
       from position_fills f join positions p on p.id = f.position_id
       where f.user_id = $1 and f.kind in ('partial_close', 'close')`,
      [anna.id],
    );
    const expected = fills.map((fill) => {
      if (fill.kind === 'partial_close') return { closedAtMs: fill.at.getTime(), net: fill.net, positionNet: null };
      const parts = fills.filter((each) => each.kind === 'partial_close' && each.position_id === fill.position_id);
      const net = (fill.position_net ?? 0) - parts.reduce((sum, each) => sum + each.net, 0);
      return { closedAtMs: fill.at.getTime(), net, positionNet: fill.position_net };
    });
    expect(expected).toHaveLength(18);
    const all = await realised();
    expect(all.map(({ closedAtMs }) => closedAtMs)).toEqual(
      expected.map(({ closedAtMs }) => closedAtMs).toSorted((a, b) => a - b),
    );
    const keyOf = ({ closedAtMs, net, positionNet }: (typeof expected)[number]) =>
      `${closedAtMs} ${net.toFixed(8)} ${positionNet ?? 'part'}`;
    expect(all.map((each) => keyOf({ ...each, positionNet: each.positionNet ?? null })).toSorted()).toEqual(
      expected.map(keyOf).toSorted(),
    );
    for (let limit = 1; limit <= 18; limit++) expect(await realised(limit)).toEqual(all.slice(-limit));
  });

  it('DESK-130 a partial close counts at its time, the final one has the rest, and they sum to the net result', async () => {
    const id = await open();
    await close(id, 0.5, 98, 1);
    // Half a unit lost 2 each, less 0.05 % of 49.
    expect(await realised()).toEqual([
      { closedAtMs: noonMs + MINUTE_MS, reason: 'MANUAL', net: -1.0245, positionNet: null },
    ]);
    await close(id, 1.5, 101, 30);
    const all = await realised();
    // Gross -1 + 1.5 = 0.5; fees 0.1 + 0.0245 + 0.07575.
    expect(all).toMatchObject([
      { net: -1.0245, positionNet: null },
      { closedAtMs: noonMs + 30 * MINUTE_MS, positionNet: 0.29975 },
    ]);
    expect(all.reduce((sum, { net }) => sum + net, 0)).toBeCloseTo(0.29975, 10);
  });

  it('DESK-130 daily loss and drawdown count the part while the rest is open; the streak counts positions that ended', async () => {
    const id = await open({ quantity: 20, entryFee: 1, stepSize: 0.01 });
    await close(id, 10, 92, 1);
    const rules = { balanceUsdt: 1000, dailyLossPct: 8, stopStreak: 1, cooldownMinutes: 60, drawdownPct: 8 };
    const now = { nowMs: noonMs + 2 * MINUTE_MS, drawdownSinceMs: 0 };
    const [daily, streak, drawdown] = guardsOf(rules, await realised(), now);
    // 10 units lost 8 each, and 0.05 % of 920: 80.46 of 1,000 USDT.
    expect(daily).toMatchObject({ is_tripped: true });
    expect(daily?.value).toBeCloseTo(8.046, 10);
    expect(drawdown).toMatchObject({ is_tripped: true });
    expect(streak).toMatchObject({ is_tripped: false, value: 0 });
  });

  it('DESK-130 a part neither adds to a streak of losing stops nor breaks it', () => {
    const at = (minute: number) => noonMs + minute * MINUTE_MS;
    const rules = { balanceUsdt: 1000, dailyLossPct: null, stopStreak: 2, cooldownMinutes: 60, drawdownPct: null };
    const closes = [
      { closedAtMs: at(1), reason: 'SL', net: -5, positionNet: -5 },
      // A target that closed a part in profit.
      { closedAtMs: at(2), reason: 'TP', net: 2, positionNet: null },
      // Its rest lost more than that: the position lost.
      { closedAtMs: at(3), reason: 'SL', net: -4, positionNet: -2 },
    ];
    const now = { nowMs: at(4), drawdownSinceMs: 0 };
    expect(guardsOf(rules, closes, now)[1]).toMatchObject({ value: 2, is_tripped: true });
    // The rest lost, and the position as a whole gained: no losing position.
    const gained = closes.map((close) => (close.positionNet === -2 ? { ...close, positionNet: 1 } : close));
    expect(guardsOf(rules, gained, now)[1]).toMatchObject({ value: 0, is_tripped: false });
  });
});
