import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startWorkers } from '../../../src/startWorkers.ts';
import { findViolations } from '../../../src/features/credits/ledgerWatch.ts';
import { runAwayScans, slotS } from '../../../src/features/scan/away/runAwayScans.ts';
import type { Jobs } from '../../../src/platform/jobs/jobs.ts';
import { createMarketApp, type MarketApp } from '../../support/createMarketApp.ts';
import { createTestApp, type TestApp, type TestUser } from '../../support/createTestApp.ts';

let test: MarketApp;
beforeAll(async () => {
  test = await createMarketApp({ env: { MARKET_STREAMS: 'off' } });
});
afterAll(() => test.close());

const keep = async (user: TestUser, change: object = { keep_scanning: true }, { app }: TestApp = test) => {
  const response = await app.inject({
    method: 'PUT',
    url: '/api/preferences',
    headers: user.bearer,
    payload: change,
  });
  expect(response.statusCode).toBe(200);
};
/**
 * Start of slot counting, fixed: slots of a user start every ten minutes, and a slot boundary between two ticks would make two slots of
 * what the test means as one.
 */
let from: Date;
const standStill = (): void => {
  from = new Date();
};
beforeEach(standStill);
const inSlot = (slot: number) => () => sql<Date>`(${from}::timestamptz + make_interval(secs => ${slot * slotS}))`;
const tick = (slot: number, jobs: Jobs = test.deps.jobs) =>
  runAwayScans({ db: test.deps.db, jobs, config: test.deps.config, clock: inSlot(slot) });
const of = (user: TestUser) =>
  test.database.asOwner<{ holds: number; scans: number; slots: number; jobs: number; credits: number }>(
    `select (select count(*)::int from credit_ledger where user_id = $1 and kind = 'hold') as holds,
      (select count(*)::int from scans where user_id = $1) as scans,
      (select count(*)::int from away_scans where user_id = $1 and scan_id is not null) as slots,
      (select count(*)::int from jobs.job j join scans s on s.id = j.id where s.user_id = $1) as jobs,
      (select credits from balances where user_id = $1) as credits`,
    [user.id],
  );
const away = async (user: TestUser, { app }: TestApp = test) =>
  (await app.inject({ url: '/api/scan/away', headers: user.bearer })).json<{
    is_on: boolean;
    last: { status: string; message: string | null } | null;
  }>();
/** Backdates earlier scans, so that no user has just scanned. */
const age = (user: TestUser) =>
  test.database.asOwner(`update scans set created_at = created_at - interval '1 day' where user_id = $1`, [user.id]);

describe('a scan of a user who is away', () => {
  it('is off until it is switched on, and then runs once in ten minutes', async () => {
    const anna = await test.signUp();
    expect(await tick(0)).toBe(0);
    await keep(anna);
    expect(await tick(0)).toBe(1);
    expect(await tick(0)).toBe(0);
    // Switching off and on again within the slot does not start a new slot.
    await keep(anna, { keep_scanning: false });
    await keep(anna);
    expect(await tick(0)).toBe(0);
    await age(anna);
    expect(await tick(1)).toBe(1);
    expect(await of(anna)).toEqual([{ holds: 2, scans: 2, slots: 2, jobs: 2, credits: 8 }]);
    await keep(anna, { keep_scanning: false });
  });

  it('waits while its owner scans', async () => {
    const anna = await test.signUp();
    await keep(anna);
    const payload = { symbols: ['BTCUSDT'] };
    await test.app.inject({ method: 'POST', url: '/api/scan', headers: anna.bearer, payload });
    expect(await tick(0)).toBe(0);
    await age(anna);
    expect(await tick(0)).toBe(1);
    await keep(anna, { keep_scanning: false });
  });

  it('is not started for a user who requested deletion, until they cancel it', async () => {
    const anna = await test.signUp();
    await keep(anna);
    await test.database.asOwner(
      `insert into deletion_requests (user_id, erase_after) values ($1, now() + interval '7 days')`,
      [anna.id],
    );
    expect(await tick(0)).toBe(0);
    expect((await of(anna))[0]).toMatchObject({ scans: 0, credits: 10 });
    await test.database.asOwner('delete from deletion_requests where user_id = $1', [anna.id]);
    expect(await tick(0)).toBe(1);
    await keep(anna, { keep_scanning: false });
  });

  it('is not started when deletion is requested after the list of due users was read', async () => {
    const users = [await test.signUp(), await test.signUp()];
    for (const user of users) await keep(user);
    const during: Jobs = {
      ...test.deps.jobs,
      // Both are on the list; the first one's scan is under way.
      send: async (...args) => {
        for (const { id } of users)
          await test.database.asOwner(
            `insert into deletion_requests (user_id, erase_after) values ($1, now() + interval '7 days')`,
            [id],
          );
        await test.deps.jobs.send(...args);
      },
    };
    expect(await tick(0, during)).toBe(1);
    const rows = await Promise.all(users.map(async (user) => (await of(user))[0]));
    expect(rows.map((row) => row?.scans).sort()).toEqual([0, 1]);
    expect(rows.map((row) => row?.credits).sort()).toEqual([10, 9]);
    for (const user of users) {
      expect(await away(user)).toMatchObject({ is_on: true });
      await keep(user, { keep_scanning: false });
    }
  });

  it('is started although that of another user fails', async () => {
    const [anna, bert] = [await test.signUp(), await test.signUp()];
    for (const user of [anna, bert]) await keep(user);
    let isFirst = true;
    const failing: Jobs = {
      ...test.deps.jobs,
      send: async (...args) => {
        if (isFirst) {
          isFirst = false;
          throw new Error('as the test says');
        }
        await test.deps.jobs.send(...args);
      },
    };
    await expect(tick(0, failing)).rejects.toThrow('1 of 2 scans not started');
    const scans = [(await of(anna))[0]?.scans, (await of(bert))[0]?.scans];
    expect(scans.sort()).toEqual([0, 1]);
    for (const user of [anna, bert]) await keep(user, { keep_scanning: false });
  });

  it('stops at 0 credits, says so, and stays off when credits come', async () => {
    const anna = await test.signUp();
    await keep(anna);
    await test.database.asOwner(
      `with h as (insert into credit_ledger (user_id, kind, reason, ref, delta_credits, idempotency_key, expires_at)
        values ($1, 'hold', 'scan', 'x', -10, 'all', now() + interval '1 hour'))
       update balances set credits = 0 where user_id = $1`,
      [anna.id],
    );
    expect(await tick(0)).toBe(0);
    expect(await away(anna)).toMatchObject({ is_on: false, last: { status: 'refused', message: 'No credits' } });
    await test.database.asOwner(
      `with g as (insert into credit_ledger (user_id, kind, reason, delta_credits, idempotency_key)
        values ($1, 'grant', 'purchase', 5, 'p')) update balances set credits = credits + 5 where user_id = $1`,
      [anna.id],
    );
    expect(await tick(1)).toBe(0);
    expect((await of(anna))[0]).toMatchObject({ scans: 0, credits: 5 });
  });

  it('is started by one of many servers, and by none that dies during it, in any order', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(fc.constantFrom('runs', 'diesAtTheJob'), { minLength: 1, maxLength: 3 }), {
          minLength: 1,
          maxLength: 4,
        }),
        async (plan) => {
          standStill();
          const anna = await test.signUp();
          await keep(anna);
          const dying: Jobs = {
            ...test.deps.jobs,
            send: async (...args) => {
              await test.deps.jobs.send(...args);
              throw new Error('this server died');
            },
          };
          let expected = 0;
          for (const [slot, servers] of plan.entries()) {
            await age(anna);
            await Promise.allSettled(servers.map((fate) => tick(slot, fate === 'runs' ? test.deps.jobs : dying)));
            // The surviving node polls again a few seconds later.
            if (servers.includes('runs')) {
              await tick(slot);
              expected++;
            }
          }
          const [sums] = await of(anna);
          expect(sums).toEqual({
            holds: expected,
            scans: expected,
            slots: expected,
            jobs: expected,
            credits: 10 - expected,
          });
          await keep(anna, { keep_scanning: false });
          expect(await findViolations(test.deps.db)).toEqual([]);
        },
      ),
      { numRuns: 12 },
    );
  });
});

it('its best results are checked by the settings, and a message reports what was found', async () => {
  // A separate app: the queue of the other one is full of scans that no worker takes.
  const quiet = await createTestApp({ env: { EXCHANGES_URL: test.exchanges.url, MARKET_STREAMS: 'off' } });
  const anna = await quiet.signUp();
  const settings = {
    keep_scanning: true,
    ai_soft_approval: true,
    min_auto_conf_pct: 0,
    max_symbols: 8,
    auto_open_enabled: true,
    interval_opts: { '15m': false, '1h': true, '4h': false },
  };
  await keep(anna, settings, quiet);
  expect(await runAwayScans({ db: quiet.deps.db, jobs: quiet.deps.jobs, config: quiet.deps.config })).toBe(1);
  await keep(anna, { keep_scanning: false }, quiet);
  const stop = await startWorkers(quiet.deps, { warn: () => undefined });
  const read = async () =>
    (await quiet.app.inject({ url: '/api/scan/last', headers: anna.bearer })).json<{
      scan: { results: { all: { rule_check: string | null; suggestedRiskMultiplier: number | null }[] } } | null;
    }>().scan?.results.all;
  await expect
    .poll(async () => (await read())?.slice(0, 10).every(({ rule_check }) => rule_check === 'passed'), {
      timeout: 40_000,
    })
    .toBe(true);
  const all = (await read()) ?? [];
  expect(all.length).toBeGreaterThan(0);
  expect(all.slice(0, 10).every(({ suggestedRiskMultiplier }) => suggestedRiskMultiplier !== null)).toBe(true);
  const [reported] = await quiet.database.asOwner<{ count: number }>(
    `select (payload ->> 'result_count')::int as count from notifications where user_id = $1 and kind = 'scan_finished'`,
    [anna.id],
  );
  expect(reported?.count).toBeGreaterThanOrEqual(all.length);
  // Approved results are opened by the same rules as with the page open.
  const runs = () =>
    quiet.database.asOwner('select id from auto_runs where user_id = $1 and finished_at is not null', [anna.id]);
  await expect.poll(async () => (await runs()).length, { timeout: 40_000 }).toBe(1);
  expect(await away(anna, quiet)).toMatchObject({ is_on: false, last: { status: 'done', message: null } });
  // With automatic opening off each of them is skipped for that reason, and says so.
  const bert = await quiet.signUp();
  await keep(bert, { ...settings, auto_open_enabled: false }, quiet);
  await runAwayScans({ db: quiet.deps.db, jobs: quiet.deps.jobs, config: quiet.deps.config });
  const skipped = () =>
    quiet.database.asOwner<{ detail: string | null; count: number }>(
      `select i.detail, count(*)::int as count from auto_run_items i join auto_runs r on r.id = i.run_id
       where r.user_id = $1 and r.finished_at is not null and i.outcome = 'NO_MATCH' group by 1`,
      [bert.id],
    );
  await expect
    .poll(async () => (await skipped()).map(({ detail }) => detail), { timeout: 40_000 })
    .toContain('auto_open_off');
  const [none] = await quiet.database.asOwner(`select count(*)::int as count from positions where user_id = $1`, [
    bert.id,
  ]);
  expect(none).toEqual({ count: 0 });
  await stop();
  await quiet.close();
}, 180_000);
