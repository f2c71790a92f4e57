import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { announceEnds, changePlan, readPlan } from '../../../src/features/apiKeys/subscriptions.ts';
import { findViolations } from '../../../src/features/credits/ledgerWatch.ts';
import type { Outbox } from '../../../src/features/mail/outbox.ts';
import { withSystem } from '../../../src/platform/db/scope.ts';
import { createTestApp, type TestApp, type TestUser } from '../../support/createTestApp.ts';
import { giveCredits } from './support.ts';

let test: TestApp;
beforeAll(async () => {
  test = await createTestApp();
});
afterAll(() => test.close());

const url = '/api/account/api-subscription';
const buy = (user: TestUser, plan: string, headers: Record<string, string> = {}) =>
  test.app.inject({ method: 'POST', url, headers: { ...user.bearer, ...headers }, payload: { plan } });
const balance = async (userId: string) =>
  (await test.database.asOwner<{ credits: number }>('select credits from balances where user_id = $1', [userId]))[0]
    ?.credits;

async function userWith(credits: number): Promise<TestUser> {
  const user = await test.signUp();
  await giveCredits(test, user.id, credits - 10);
  return user;
}

describe('API-031 API-032 plans', () => {
  it('KEY-006 KEY-007 KEY-008 KEY-012 API-031 lists the four plans, and FREE is the current one', async () => {
    const user = await test.signUp();
    const response = await test.app.inject({ url, headers: user.bearer });
    expect(response.json()).toEqual({
      current: {
        plan: 'FREE',
        hourly_limit: 60,
        window_count: 0,
        reset_at: expect.stringMatching(/:00:00\.000Z$/) as string,
        started_at: null,
        expires_at: null,
      },
      plans: [
        { plan: 'FREE', price_credits_month: 0, hourly_limit: 60 },
        { plan: 'STARTER', price_credits_month: 100, hourly_limit: 120 },
        { plan: 'PRO', price_credits_month: 350, hourly_limit: 600 },
        { plan: 'BUSINESS', price_credits_month: 1000, hourly_limit: 2400 },
      ],
      paid: [],
    });
  });

  it('KEY-020 KEY-024 API-032 charges the price once and runs for 30 days', async () => {
    const user = await userWith(150);
    const responses = await Promise.all([1, 2, 3].map(() => buy(user, 'STARTER', { 'idempotency-key': 'one' })));
    for (const response of responses)
      expect(response.json()).toMatchObject({ current: { plan: 'STARTER', hourly_limit: 120 } });
    const { started_at: from, expires_at: to } = responses[0]!.json<{
      current: { started_at: string; expires_at: string };
    }>().current;
    expect(Date.parse(to) - Date.parse(from)).toBe(30 * 86_400_000);
    expect(await balance(user.id)).toBe(50);
  });

  it('X38 KEY-005 rejects a change before the end, except to FREE, which takes effect at once without a refund', async () => {
    const user = await userWith(500);
    expect((await buy(user, 'STARTER')).statusCode).toBe(200);
    for (const plan of ['STARTER', 'PRO', 'BUSINESS'])
      expect((await buy(user, plan)).json()).toMatchObject({ status: 409, code: 'plan_locked' });
    expect(await balance(user.id)).toBe(400);
    expect((await buy(user, 'FREE')).json()).toMatchObject({ current: { plan: 'FREE', expires_at: null } });
    expect(await balance(user.id)).toBe(400);
    expect((await buy(user, 'PRO')).json()).toMatchObject({ current: { plan: 'PRO' } });
    expect(await balance(user.id)).toBe(50);
  });

  it('X38 charges each plan once for its paid time, however often plans are switched back and forth', async () => {
    const user = await userWith(2000);
    const [first] = [await buy(user, 'PRO')];
    const paidUntil = first.json<{ current: { expires_at: string } }>().current.expires_at;
    const back = await buy(user, 'FREE');
    expect(back.json()).toMatchObject({
      current: { plan: 'FREE' },
      paid: [{ plan: 'PRO', expires_at: paidUntil }],
    });
    // Four rounds that once cost 800 credits: now 350 and 100 are charged once each.
    for (const plan of ['STARTER', 'PRO', 'STARTER', 'PRO']) {
      expect((await buy(user, plan)).json()).toMatchObject({ current: { plan } });
      expect((await buy(user, 'FREE')).statusCode).toBe(200);
    }
    expect(await balance(user.id)).toBe(2000 - 350 - 100);
    // Another plan is another purchase; the time of the first is not extended.
    const again = await buy(user, 'PRO');
    expect(again.json()).toMatchObject({
      current: { plan: 'PRO', expires_at: paidUntil },
      paid: [{ plan: 'STARTER' }],
    });
    await test.database.asOwner(
      `update api_subscriptions set created_at = now() - interval '31 days', expires_at = now() - interval '1 day' where user_id = $1`,
      [user.id],
    );
    expect((await buy(user, 'PRO')).json()).toMatchObject({ current: { plan: 'PRO' }, paid: [] });
    expect(await balance(user.id)).toBe(2000 - 350 - 100 - 350);
  });

  it('KEY-022 rejects a purchase without enough credits and charges nothing', async () => {
    const user = await userWith(99);
    expect((await buy(user, 'STARTER')).json()).toMatchObject({ status: 402, code: 'insufficient_credits' });
    expect(await balance(user.id)).toBe(99);
    expect(await test.database.asOwner('select id from api_subscriptions where user_id = $1', [user.id])).toEqual([]);
  });

  it('of concurrent purchases one succeeds', async () => {
    const user = await userWith(2000);
    const responses = await Promise.all(
      ['STARTER', 'PRO', 'BUSINESS', 'STARTER', 'PRO'].map((plan) => buy(user, plan)),
    );
    expect(responses.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409, 409, 409, 409]);
    const rows = await test.database.asOwner<{ price_credits: number }>(
      'select price_credits from api_subscriptions where user_id = $1',
      [user.id],
    );
    expect(rows).toHaveLength(1);
    expect(await balance(user.id)).toBe(2000 - (rows[0]?.price_credits ?? 0));
  });
});

/** A hand-written model of the rules. */
interface Model {
  credits: number;
  plan: string;
  endsAtMs: number;
  /** End of the paid time of each plan. */
  paid: Record<string, number>;
}
const prices: Record<string, number> = { FREE: 0, STARTER: 100, PRO: 350, BUSINESS: 1000 };
const dayMs = 86_400_000;

function step(model: Model, plan: string, nowMs: number): { model: Model; isDone: boolean } {
  const isRunning = model.plan !== 'FREE' && model.endsAtMs > nowMs;
  if (plan === 'FREE') return { model: { ...model, plan: 'FREE', endsAtMs: 0 }, isDone: true };
  if (isRunning) return { model, isDone: false };
  const paidUntilMs = model.paid[plan] ?? 0;
  if (paidUntilMs > nowMs) return { model: { ...model, plan, endsAtMs: paidUntilMs }, isDone: true };
  const price = prices[plan] ?? 0;
  if (model.credits < price) return { model, isDone: false };
  const endsAtMs = nowMs + 30 * dayMs;
  const paid = { ...model.paid, [plan]: endsAtMs };
  return { model: { credits: model.credits - price, plan, endsAtMs, paid }, isDone: true };
}

describe('plans and the ledger', () => {
  it('KEY-024 never diverge, whatever is bought, ended and waited for', async () => {
    const act = fc.record({
      plan: fc.constantFrom('FREE', 'STARTER', 'PRO', 'BUSINESS'),
      days: fc.integer({ min: 0, max: 20 }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(act, { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 50, max: 1800 }),
        async (acts, credits) => {
          const user = await test.database.addUser();
          await giveCredits(test, user, credits);
          let nowMs = Date.UTC(2026, 10, 1);
          let model: Model = { credits: credits + 10, plan: 'FREE', endsAtMs: 0, paid: {} };
          for (const { plan, days } of acts) {
            nowMs += days * dayMs;
            const expected = step(model, plan, nowMs);
            ({ model } = expected);
            const request = { userId: user, plan: plan as 'FREE', idempotencyKey: undefined, nowMs };
            const isDone = await changePlan(test.deps.db, request).then(
              ({ ok }) => ok,
              () => false,
            );
            expect(isDone).toBe(expected.isDone);
            expect(await balance(user)).toBe(model.credits);
            const current = await withSystem(test.deps.db, (tx) => readPlan(tx, user, nowMs));
            expect(current.plan.name).toBe(model.endsAtMs > nowMs ? model.plan : 'FREE');
          }
          expect((await findViolations(test.deps.db)).filter(({ userId }) => userId === user)).toEqual([]);
        },
      ),
      { numRuns: 25, seed: 20_261_123 },
    );
  });

  it('are both stored or neither when the server is killed during a purchase', async () => {
    // Each connection is cut at another moment of the purchase; PostgreSQL rolls back what was not committed.
    const users = await Promise.all(Array.from({ length: 12 }, () => userWith(200)));
    const running = users.map((user) => buy(user, 'STARTER'));
    for (let at = 0; at < 12; at += 1) {
      await test.database.asOwner(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and application_name = 'sextant' and state <> 'idle' limit 1`,
      );
    }
    await Promise.all(running);
    const rows = await test.database.asOwner<{ credits: number; plans: number }>(
      `select credits, (select count(*)::int from api_subscriptions s where s.user_id = b.user_id) as plans
       from balances b where user_id = any($1)`,
      [users.map(({ id }) => id)],
    );
    for (const { credits, plans } of rows) expect(credits).toBe(200 - 100 * plans);
    // The connection that was cut last may still be in the pool, and fails its next user.
    await expect.poll(() => findViolations(test.deps.db)).toEqual([]);
  });
});

describe('the notice of the end', () => {
  it('is queued once, three days before, and not for a plan that was ended', async () => {
    const emails: { to: string; subject: string }[] = [];
    const outbox: Outbox = {
      ...test.deps.outbox,
      add: (_tx, message) => Promise.resolve(void emails.push(message)),
      wake: () => undefined,
    };
    const deps = { db: test.deps.db, outbox, baseUrl: 'http://localhost' };
    const [soon, later, ended] = await Promise.all([userWith(200), userWith(200), userWith(200)]);
    for (const user of [soon, later, ended]) await buy(user, 'STARTER');
    await buy(ended, 'FREE');
    const endIn = (user: TestUser, hours: number) =>
      test.database.asOwner(
        `update api_subscriptions set created_at = now() - interval '20 days', expires_at = now() + make_interval(hours => $2)
         where user_id = $1`,
        [user.id, hours],
      );
    await endIn(soon, 71);
    await endIn(later, 73);
    await endIn(ended, 71);
    await announceEnds(deps);
    await announceEnds(deps);
    const [row] = await test.database.asOwner<{ day: string }>(
      `select to_char(expires_at at time zone 'utc', 'YYYY-MM-DD') as day from api_subscriptions where user_id = $1`,
      [soon.id],
    );
    // Plans of the tests above may end within three days too, by the hour of the day.
    const ofThese = emails.filter(({ to }) => [soon, later, ended].some(({ email }) => email === to));
    expect(ofThese).toMatchObject([{ to: soon.email, subject: `Your STARTER plan ends on ${row?.day}` }]);
  });
});
