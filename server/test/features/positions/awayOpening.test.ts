import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { withSystem } from '../../../src/platform/db/scope.ts';
import { startWorkers } from '../../../src/startWorkers.ts';
import { createMarketApp, type MarketApp } from '../../support/createMarketApp.ts';
import type { TestUser } from '../../support/createTestApp.ts';
import { storeScan } from './support/scans.ts';

let test: MarketApp;
let stop: () => Promise<void>;
beforeAll(async () => {
  test = await createMarketApp({ env: { MARKET_STREAMS: 'off' } });
  stop = await startWorkers(test.deps, { warn: () => undefined });
});
afterAll(async () => {
  await stop();
  await test.close();
});

async function paidScan(user: TestUser): Promise<string> {
  const given = await Promise.all(
    [true, false].map(async (isApproved, i) => {
      const symbol = i === 0 ? 'BTCUSDT' : 'ETHUSDT';
      const url = `/api/price/batch?symbols=${symbol}`;
      const { prices } = (await test.app.inject({ url, headers: user.bearer })).json<{ prices: { price: number }[] }>();
      return { symbol, isApproved, price: prices[0]?.price ?? Number.NaN };
    }),
  );
  return storeScan({ db: test.deps.db, asOwner: test.database.asOwner }, user.id, given);
}

/** The job queued at the end of a scan whose user is away. */
const checked = (userId: string, scanId: string) =>
  withSystem(test.deps.db, (tx) => test.deps.jobs.send(tx, 'scan_checks', randomUUID(), { userId, scanId }));
const runs = (user: TestUser) =>
  test.database.asOwner<{ scan_id: string }>(
    'select scan_id from auto_runs where user_id = $1 and finished_at is not null',
    [user.id],
  );

it('what was approved while its owner was away is opened once, and nothing where automatic opening is off', async () => {
  const [anna, bert] = [await test.signUp(), await test.signUp()];
  const set = (user: TestUser, payload: object) =>
    test.app.inject({ method: 'PUT', url: '/api/preferences', headers: user.bearer, payload });
  // Large enough that the smallest quantity of the exchange does not matter.
  await set(anna, { balance_usdt: 100_000 });
  await set(bert, { auto_open_enabled: false });
  const [annas, berts] = [await paidScan(anna), await paidScan(bert)];
  await checked(bert.id, berts);
  // Given to a second server after the first one died: it returns the same run.
  await checked(anna.id, annas);
  await checked(anna.id, annas);
  const open = () =>
    test.database.asOwner<Record<'entry' | 'stop' | 'risk_multiplier', number>>(
      `select user_id, opening_ref, symbol, source, entry_price::float8 as entry, initial_stop_loss::float8 as stop,
         risk_multiplier::float8 as risk_multiplier from positions`,
    );
  await expect.poll(async () => (await runs(anna)).length).toBe(1);
  // By now the job of the other user has run as well: jobs of a queue run in order.
  const done = `select from jobs.job where name = 'scan_checks' and state = 'completed'`;
  await expect.poll(async () => (await test.database.asOwner(done)).length).toBe(3);
  const opening_ref = `scan:${annas}:BTCUSDT`;
  const opened = await open();
  expect(opened).toMatchObject([{ user_id: anna.id, opening_ref, symbol: 'BTCUSDT', source: 'scan' }]);
  // By hand: 1 % of the balance at 10x, halved by the AI check, over the way to the stop with 0.02 % of slippage and 0.05 % of fee per fill.
  const { entry, stop, risk_multiplier: multiplier } = opened[0] ?? { entry: 0, stop: 0, risk_multiplier: 0 };
  const fill = stop * 0.9998;
  const lossShare = (entry - fill + 0.0005 * (entry + fill)) / entry;
  expect(multiplier).toBeCloseTo((0.5 * 0.01) / (10 * lossShare), 6);
  const skipped = `select user_id, data ->> 'detail' as detail from position_events where kind = 'skipped' order by detail desc`;
  expect(await test.database.asOwner(skipped)).toEqual([
    { user_id: anna.id, detail: 'rule_check_not_passed' },
    { user_id: bert.id, detail: 'auto_open_off' },
    { user_id: bert.id, detail: 'auto_open_off' },
  ]);
});
