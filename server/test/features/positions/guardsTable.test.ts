import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { writeCloses } from '../../../src/features/positions/closePosition.ts';
import type { AutoRunWire } from '../../../src/features/positions/runRepository.ts';
import { withSystem } from '../../../src/platform/db/scope.ts';
import { createMarketApp, type MarketApp } from '../../support/createMarketApp.ts';
import type { TestUser } from '../../support/createTestApp.ts';
import { newPosition, openOne } from './support/positions.ts';
import { storeScan } from './support/scans.ts';

/** Guards of automatic opening and the choices after its first opening, through the API. */

let test: MarketApp;
let anna: TestUser;
beforeAll(async () => {
  test = await createMarketApp();
});
afterAll(() => test.close());
beforeEach(async () => {
  anna = await test.signUp();
});

interface ResponseBody {
  run: AutoRunWire;
  prices: { price: number }[];
  positions: { id: string }[];
  guards: { name: string; is_on: boolean; is_tripped: boolean }[];
  armed: boolean;
  auto_open_noticed: boolean;
  auto_open_enabled: boolean;
}
async function call(method: 'GET' | 'POST' | 'PUT', url: string, payload?: object): Promise<ResponseBody> {
  const response = await test.app.inject({
    method,
    url,
    headers: anna.bearer,
    ...(payload === undefined ? {} : { payload }),
  });
  expect(response.statusCode, `${method} ${url} ${response.body}`).toBeLessThan(300);
  return response.json<ResponseBody>();
}
const save = (settings: object) => call('PUT', '/api/preferences', settings);

/** Scans one symbol, approves the result and requests its position. */
async function openByScan(symbol: string): Promise<AutoRunWire> {
  const price = (await call('GET', `/api/price/batch?symbols=${symbol}`)).prices[0]?.price ?? Number.NaN;
  const stores = { db: test.deps.db, asOwner: test.database.asOwner };
  const scan_id = await storeScan(stores, anna.id, [{ symbol, price, isApproved: true }]);
  return (await call('POST', '/api/positions/auto', { scan_id })).run;
}

/** The daily loss is counted from midnight UTC: the loss and its check must fall on one day. */
async function waitOverMidnight(): Promise<void> {
  const leftMs = 86_400_000 - (Date.now() % 86_400_000);
  if (leftMs < 30_000) await pause(leftMs + 100);
}

/** Two positions that the watch closed at their stops, with 30 USDT lost in each. */
async function loseTwice(closedMinutesAgo: number): Promise<void> {
  await waitOverMidnight();
  const atMs = Date.now() - closedMinutesAgo * 60_000;
  for (const symbol of ['BTCUSDT', 'ETHUSDT']) {
    const opened = newPosition(anna.id, { symbol, entryFee: 0, openedAtMs: atMs - 60_000 });
    const id = await openOne(test.database, opened);
    // 2 units bought at 100 and sold at 85.
    const close = { id, atMs, price: 85, reason: 'SL', by: 'tick', exitFee: 0, isAmbiguous: false } as const;
    await withSystem(test.deps.db, (tx) => writeCloses(tx, [close]));
  }
}

/** All guards off, whatever the default is: each row turns on one. */
const off = {
  guard_daily_loss_pct: null,
  guard_stop_streak: null,
  guard_drawdown_pct: null,
  guard_cooldown_minutes: 60,
};

describe('a guard of automatic opening', () => {
  it.each([
    [
      'guard_daily_loss_pct',
      5,
      7,
      'daily_loss_guard',
      'Daily loss 6 % reached your 5 %. New trades stop until midnight UTC.',
    ],
    ['guard_stop_streak', 2, 3, 'stop_streak_guard', '2 losing stops in a row (limit 2): cooling down.'],
    ['guard_drawdown_pct', 5, 7, 'drawdown_guard', 'Drawdown 6 % reached your 5 %. New trades stop until you resume.'],
  ])(
    '%s of %d blocks the opening and says why; %d and off allow it',
    async (setting, tight, loose, detail, message) => {
      await save({ ...off, balance_usdt: 1000 });
      await loseTwice(0);
      await save({ [setting]: tight });
      const held = await openByScan('SOLUSDT');
      expect(held).toMatchObject({ opened: 0, skipped: 1, items: [{ outcome: 'NO_MATCH', detail, message }] });
      const guards = await call('GET', '/api/positions/guards');
      expect(guards.armed).toBe(false);
      expect(guards.guards.filter((each) => each.is_tripped).map(({ name }) => `${name}_guard`)).toEqual([detail]);
      await save({ [setting]: loose });
      expect(await openByScan('SOLUSDT')).toMatchObject({ opened: 1, skipped: 0 });
      await save({ [setting]: null });
      expect(await openByScan('XRPUSDT')).toMatchObject({ opened: 1, skipped: 0 });
      expect((await call('GET', '/api/positions/guards')).armed).toBe(true);
    },
  );

  it('guard_cooldown_minutes is how long the streak of stops blocks', async () => {
    await save({ ...off, balance_usdt: 1000, guard_stop_streak: 2, guard_cooldown_minutes: 10_080 });
    await loseTwice(30);
    await save({ guard_cooldown_minutes: 31 });
    expect((await openByScan('SOLUSDT')).items).toMatchObject([{ outcome: 'NO_MATCH', detail: 'stop_streak_guard' }]);
    await save({ guard_cooldown_minutes: 29 });
    expect(await openByScan('SOLUSDT')).toMatchObject({ opened: 1 });
  });

  it('blocks automatic openings, but not those by hand', async () => {
    await save({ ...off, balance_usdt: 1000 });
    await loseTwice(0);
    await save({ guard_stop_streak: 2 });
    expect(await openByScan('SOLUSDT')).toMatchObject({ opened: 0 });
    await call('POST', '/api/positions', { symbol: 'SOLUSDT', interval: '1h', side: 'LONG' });
    expect((await call('GET', '/api/positions')).positions).toHaveLength(1);
  });
});

describe('the first automatic opening of an account', () => {
  const settings = () => call('GET', '/api/preferences');

  it('is marked as the first until the user decides, on every page', async () => {
    expect(await settings()).toMatchObject({ auto_open_noticed: false, auto_open_enabled: true });
    expect(await openByScan('BTCUSDT')).toMatchObject({ opened: 1, is_first: true });
    expect((await call('GET', '/api/positions/auto')).run.is_first).toBe(true);
    expect(await settings()).toMatchObject({ auto_open_noticed: false });
  });

  it('Keep leaves the position open, goes on opening and does not prompt again', async () => {
    await openByScan('BTCUSDT');
    await save({ auto_open_noticed: true });
    expect((await call('GET', '/api/positions')).positions).toHaveLength(1);
    expect(await openByScan('ETHUSDT')).toMatchObject({ opened: 1, is_first: false });
    expect(await settings()).toMatchObject({ auto_open_noticed: true, auto_open_enabled: true });
  });

  it('Turning automatic opening off leaves open positions and opens nothing more, and says so for each result', async () => {
    await openByScan('BTCUSDT');
    await save({ auto_open_noticed: true, auto_open_enabled: false });
    expect((await call('GET', '/api/positions')).positions).toHaveLength(1);
    const next = await openByScan('ETHUSDT');
    expect(next).toMatchObject({ opened: 0, items: [{ outcome: 'NO_MATCH', detail: 'auto_open_off' }] });
    expect((await call('GET', '/api/positions/guards')).armed).toBe(false);
    await save({ auto_open_enabled: true });
    expect(await openByScan('ETHUSDT')).toMatchObject({ opened: 1 });
  });
});
