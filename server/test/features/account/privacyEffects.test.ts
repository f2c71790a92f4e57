import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEmailApp, type EmailApp } from '../auth/support/createEmailApp.ts';
import type { TestUser } from '../../support/createTestApp.ts';
import { readResearch } from '../../../src/features/community/repository.ts';
import { sendAnnouncement } from '../../../src/features/mail/announcements.ts';
import { withSystem } from '../../../src/platform/db/scope.ts';

/** Each setting has an effect beyond being stored. Public stats: server/test/features/profile/routes.test.ts. */
let test: EmailApp;
beforeAll(async () => {
  test = await createEmailApp();
});
afterAll(() => test.close());

const choose = (user: TestUser, payload: Record<string, boolean>) =>
  test.app.inject({ method: 'PUT', url: '/api/account/privacy', headers: user.bearer, payload });

async function named(username: string): Promise<TestUser> {
  const user = await test.signUp();
  await test.database.asOwner('update users set username = $2 where id = $1', [user.id, username]);
  return user;
}

/** Positions closed an hour ago, each of 1 BTC at 100 with leverage 10: a margin of 10. */
async function close(user: TestUser, prices: number[], market = 'simulated'): Promise<void> {
  for (const [index, price] of prices.entries()) {
    await test.database.asOwner(
      `insert into positions (user_id, opening_ref, source, exchange, market, symbol, side, interval, entry_price, qty, leverage,
         stop_loss, initial_stop_loss, take_profit, confidence, risk_multiplier, loss_at_stop, tick_size, taker_fee_fraction,
         trailing_enabled, trail_peak, opened_at, funded_until, fees, closed_at, close_price, close_reason)
       values ($1, $2, 'manual', 'binance', $4, 'BTCUSDT', 'LONG', '1h', 100, 1, 10, 90, 90, 120, 0.7, 1, -10, 0.1, 0.0005,
         false, 100, now() - interval '2 hours', now(), 1, now() - interval '1 hour', $3, 'MANUAL')`,
      [user.id, `${market}:${index}`, price, market],
    );
  }
}

interface Row {
  rank: number;
  username: string;
  is_followed: boolean;
  can_follow: boolean;
  is_you: boolean;
}
const ranking = async (user: TestUser) =>
  (await test.app.inject({ url: '/api/leaderboard', headers: user.bearer })).json<{ rows: Row[] }>().rows;

describe('Leaderboard', () => {
  it('ranks by net PnL over margin, from ten closed positions and with a username', async () => {
    const [anna, bert, short, unnamed] = [
      await named('rank_anna'),
      await named('rank_bert'),
      await named('rank_short'),
      await test.signUp(),
    ];
    await close(anna, Array<number>(10).fill(103));
    await close(bert, [...Array<number>(9).fill(106), 100]);
    await close(short, Array<number>(9).fill(119));
    await close(unnamed, Array<number>(10).fill(119));
    const rows = await ranking(anna);
    expect(rows.map(({ rank, username }) => [rank, username])).toEqual([
      [1, 'rank_bert'],
      [2, 'rank_anna'],
    ]);
    // Bert: 9 x (6 - 1) + (0 - 1) = 44 on a margin of 10 x 10. Anna: 10 x (3 - 1) = 20.
    expect(rows).toMatchObject([
      { positions: 10, winners: 9, net_pnl: 44, return_on_margin_pct: 44, is_you: false },
      { positions: 10, winners: 10, net_pnl: 20, return_on_margin_pct: 20, is_you: true },
    ]);
  });

  it('has no results of another market: simulated prices are not ranked beside real ones', async () => {
    const anna = await named('other_anna');
    await close(anna, Array<number>(10).fill(119), 'live');
    expect((await ranking(anna)).some(({ is_you }) => is_you)).toBe(false);
    await close(anna, Array<number>(10).fill(101));
    // Ten gains of 1 less a fee of 1: nothing of the 18 each on the other market.
    expect((await ranking(anna)).find(({ is_you }) => is_you)).toMatchObject({ positions: 10, net_pnl: 0 });
  });

  it('off removes the entry for everyone, and on restores it', async () => {
    const [anna, viewer] = [await named('board_anna'), await test.signUp()];
    await close(anna, Array<number>(10).fill(130));
    const isThere = async () => (await ranking(viewer)).some(({ username }) => username === 'board_anna');
    expect(await isThere()).toBe(true);
    await choose(anna, { leaderboard: false });
    expect(await isThere()).toBe(false);
    expect((await ranking(anna)).some(({ is_you }) => is_you)).toBe(false);
    await choose(anna, { leaderboard: true });
    expect(await isThere()).toBe(true);
  });

  it('hides users who requested deletion', async () => {
    const [anna, viewer] = [await named('gone_anna'), await test.signUp()];
    await close(anna, Array<number>(10).fill(130));
    await test.database.asOwner(
      `insert into deletion_requests (user_id, erase_after) values ($1, now() + interval '1 day')`,
      [anna.id],
    );
    expect((await ranking(viewer)).some(({ username }) => username === 'gone_anna')).toBe(false);
  });
});

describe('Allow follow', () => {
  const follow = (user: TestUser, username: string, method: 'PUT' | 'DELETE' = 'PUT') =>
    test.app.inject({ method, url: `/api/follows/${username}`, headers: user.bearer });

  it('on lets others follow, off ends it for all of them at once', async () => {
    const [anna, bert] = [await named('follow_anna'), await test.signUp()];
    await close(anna, Array<number>(10).fill(130));
    const seen = async () => (await ranking(bert)).find(({ username }) => username === 'follow_anna');
    expect((await follow(bert, 'follow_anna')).statusCode).toBe(404);
    expect(await seen()).toMatchObject({ can_follow: false, is_followed: false });
    await choose(anna, { allow_follow: true });
    expect((await follow(bert, 'follow_anna')).json()).toEqual({ username: 'follow_anna', is_followed: true });
    expect((await follow(bert, 'follow_anna')).statusCode, 'again').toBe(200);
    expect(await seen()).toMatchObject({ can_follow: true, is_followed: true });
    await choose(anna, { allow_follow: false });
    expect(await seen()).toMatchObject({ can_follow: false, is_followed: false });
    await choose(anna, { allow_follow: true });
    expect(await seen(), 'turned on again, earlier followers stay removed').toMatchObject({ is_followed: false });
  });

  it('ends for a user who requested deletion', async () => {
    const [anna, bert] = [await named('leave_anna'), await test.signUp()];
    await choose(anna, { allow_follow: true });
    await test.database.asOwner(
      `insert into deletion_requests (user_id, erase_after) values ($1, now() + interval '1 day')`,
      [anna.id],
    );
    expect((await follow(bert, 'leave_anna')).statusCode).toBe(404);
  });

  it('can be ended by the follower; users cannot follow themselves or an unknown name', async () => {
    const [anna, bert] = [await named('self_anna'), await test.signUp()];
    await choose(anna, { allow_follow: true });
    await follow(bert, 'self_anna');
    expect((await follow(bert, 'self_anna', 'DELETE')).json()).toMatchObject({ is_followed: false });
    expect(await test.database.asOwner('select * from follows where user_id = $1', [bert.id])).toEqual([]);
    expect((await follow(anna, 'self_anna')).statusCode).toBe(400);
    expect((await follow(bert, 'nobody_at_all')).statusCode).toBe(404);
  });
});

describe('Marketing', () => {
  const announce = async () => {
    await test.database.asOwner(`insert into announcements (subject, body) values ('News', E'First.\\n\\nSecond.')`);
    return sendAnnouncement(test.deps.db, test.deps.outbox, { baseUrl: 'http://localhost' });
  };

  it('on sends the announcements of the operator, off sends none; each is sent once', async () => {
    const [anna, bert, gone] = [await test.signUp(), await test.signUp(), await test.signUp()];
    await choose(anna, { marketing: true });
    await choose(gone, { marketing: true });
    await test.database.asOwner(
      `insert into deletion_requests (user_id, erase_after) values ($1, now() + interval '1 day')`,
      [gone.id],
    );
    expect(await announce()).toBe(1);
    const [email, ...more] = await test.mailsTo(anna.email);
    expect(email?.subject).toBe('News');
    expect(email?.text).toMatch(/First\.[\s\S]*Second\.[\s\S]*Turn it off under Account/);
    expect(more).toEqual([]);
    for (const user of [bert, gone]) expect(await test.mailsTo(user.email)).toEqual([]);
    expect(await sendAnnouncement(test.deps.db, test.deps.outbox, { baseUrl: 'http://localhost' })).toBe(0);
    await choose(anna, { marketing: false });
    expect(await announce()).toBe(0);
    expect(await test.mailsTo(anna.email)).toHaveLength(1);
  });
});

describe('Research sharing', () => {
  it('counts runs of users who share, from five users on, and excludes them when one opts out', async () => {
    const users = await Promise.all(Array.from({ length: 5 }, () => test.signUp()));
    const hash = 'a'.repeat(64);
    const run = (user: TestUser, netPnl: number) =>
      test.database.asOwner(
        `insert into backtests (user_id, symbol, interval, params, result, engine_hash, data_hash, params_hash, result_hash)
         values ($1, 'RSRCHUSDT', '1h', '{}', $2, $3, $3, $3, $3)`,
        [user.id, JSON.stringify({ best: { netPnl } }), hash],
      );
    for (const [index, user] of users.entries()) await run(user, index < 3 ? 5 : -5);
    await run(users[0]!, -1);
    const read = async () =>
      (await withSystem(test.deps.db, readResearch)).filter(({ symbol }) => symbol === 'RSRCHUSDT');
    expect(await read()).toEqual([
      { symbol: 'RSRCHUSDT', interval: '1h', people: 5, runs: 6, profitable_fraction: 0.5 },
    ]);
    const response = await test.app.inject({ url: '/api/research/backtests' });
    expect(response.json()).toMatchObject({ people_min: 5 });
    expect(response.body).not.toContain(users[0]!.id);
    await choose(users[4]!, { research_sharing: false });
    expect(await read(), 'four users are too few to be anonymous').toEqual([]);
  });
});

describe('Analytics', () => {
  it('API-020 on counts how long the product took to load, off stores nothing', async () => {
    const [anna, bert] = [await test.signUp(), await test.signUp()];
    const report = async (user: TestUser) =>
      (
        await test.app.inject({
          method: 'POST',
          url: '/api/health/log',
          headers: user.bearer,
          payload: { status: 'ok', responseTime: 800, message: '' },
        })
      ).json<{ recorded: boolean }>();
    await choose(bert, { analytics: false });
    const before = test.deps.pageLoads.read().count;
    expect(await report(anna)).toEqual({ recorded: true });
    expect(await report(bert)).toEqual({ recorded: false });
    expect(test.deps.pageLoads.read().count - before).toBe(1);
    // Forged reports of one account, and of many accounts of one network, do not shift the public figure.
    for (let times = 0; times < 20; times += 1) expect(await report(anna)).toEqual({ recorded: false });
    for (let times = 0; times < 8; times += 1) await report(await test.signUp());
    expect(test.deps.pageLoads.read().count - before).toBe(5);
  });
});
