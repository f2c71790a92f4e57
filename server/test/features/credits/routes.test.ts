import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findViolations } from '../../../src/features/credits/ledgerWatch.ts';
import { runOncePerKey } from '../../../src/features/credits/idempotency.ts';
import { capture, grant, hold, inLedger } from '../../../src/features/credits/ledger.ts';
import type { SystemTx } from '../../../src/platform/db/scope.ts';
import { createTestApp, type TestApp, type TestUser } from '../../support/createTestApp.ts';

let test: TestApp;
beforeAll(async () => {
  test = await createTestApp();
});
afterAll(() => test.close());

const credits = async (user: TestUser) =>
  (await test.app.inject({ url: '/api/credits', headers: user.bearer })).json<{
    balance: number;
    credits: number;
    held: number;
    entries: { kind: string; reason: string; credits: number; ref: string | null; note: string | null }[];
  }>();
const inTx = <T>(work: (tx: SystemTx) => Promise<T>) => inLedger(test.deps.db, work);

describe('GET /api/credits', () => {
  it('FUND-004 DATA-007 says what is left, what is set aside and what happened, newest first', async () => {
    const anna = await test.signUp();
    expect(await credits(anna)).toMatchObject({ balance: 10, credits: 10, held: 0 });
    const held = await inTx((tx) =>
      hold(tx, { userId: anna.id, credits: 2, reason: 'vision', ref: 'picture 1', key: 'k', expiresInS: 60 }),
    );
    expect(await credits(anna)).toMatchObject({ balance: 8, credits: 8, held: 2 });
    await inTx((tx) => capture(tx, held.ok ? held.value.id : ''));
    const after = await credits(anna);
    expect(after).toMatchObject({ balance: 8, held: 0 });
    expect(after.entries.map(({ kind, reason, credits: delta }) => [kind, reason, delta])).toEqual([
      ['capture', 'vision', 0],
      ['hold', 'vision', -2],
      ['grant', 'welcome', 10],
    ]);
    // The balance that is read is the row of balances: its user, and the credits left.
    expect(await test.database.asOwner('select user_id, credits from balances where user_id = $1', [anna.id])).toEqual([
      { user_id: anna.id, credits: 8 },
    ]);
  });

  it('FUND-003 CONST-003 granted credits never expire: no sweep takes them, and no grant entry may have an end', async () => {
    const anna = await test.signUp();
    await inTx((tx) => grant(tx, { userId: anna.id, credits: 5, reason: 'purchase', key: 'p' }));
    await test.deps.ledger.sweep();
    expect(await credits(anna)).toMatchObject({ balance: 15 });
    await expect(
      test.database.asOwner(
        `insert into credit_ledger (user_id, kind, reason, delta_credits, idempotency_key, expires_at)
         values ($1, 'grant', 'purchase', 5, 'with an end', now() + interval '1 year')`,
        [anna.id],
      ),
    ).rejects.toThrow(/check/);
  });

  it('shows the newest twenty entries', async () => {
    const anna = await test.signUp();
    for (let i = 0; i < 25; i++)
      await inTx((tx) => grant(tx, { userId: anna.id, credits: 1, reason: 'refund', key: `r${i}`, ref: `${i}` }));
    const { entries, balance } = await credits(anna);
    expect(balance).toBe(35);
    expect(entries.map(({ ref }) => ref)).toEqual(Array.from({ length: 20 }, (_, i) => String(24 - i)));
  });

  it('belongs to one user, and requires a session', async () => {
    const [anna, bert] = [await test.signUp(), await test.signUp()];
    await inTx((tx) => grant(tx, { userId: anna.id, credits: 5, reason: 'purchase', key: 'p' }));
    expect(await credits(bert)).toMatchObject({ balance: 10, entries: [{ reason: 'welcome' }] });
    const anonymous = await test.app.inject({ url: '/api/credits' });
    expect(anonymous.json()).toMatchObject({ status: 401, code: 'not_authenticated' });
  });
});

describe('an idempotency key', () => {
  const call = (userId: string, key: string | undefined, body: unknown, effects: string[]) =>
    inTx((tx) =>
      runOncePerKey(tx, { userId, route: 'POST /api/test', key, body }, () => {
        effects.push(String(key));
        return Promise.resolve({ status: 202, answer: { number: effects.length } });
      }),
    );

  it('returns the first response again, also for concurrent calls, and the work is done once', async () => {
    const anna = await test.signUp();
    const effects: string[] = [];
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, i) => call(anna.id, i % 2 ? 'a' : 'b', {}, effects)),
    );
    expect(effects.sort()).toEqual(['a', 'b']);
    expect(responses.filter((response) => response.ok && !response.value.isReplay)).toHaveLength(2);
    expect(await call(anna.id, 'a', {}, effects)).toMatchObject({ ok: true, value: { status: 202, isReplay: true } });
  });

  it('with another body is a conflict; of another user, or on another day, it is new', async () => {
    const [anna, bert] = [await test.signUp(), await test.signUp()];
    const effects: string[] = [];
    await call(anna.id, 'a', { x: 1 }, effects);
    expect(await call(anna.id, 'a', { x: 2 }, effects)).toMatchObject({ ok: false, error: { code: 'conflict' } });
    expect(await call(bert.id, 'a', { x: 2 }, effects)).toMatchObject({ ok: true, value: { isReplay: false } });
    await test.database.asOwner(`update idempotency_keys set expires_at = now() - interval '1 s' where user_id = $1`, [
      anna.id,
    ]);
    expect(await call(anna.id, 'a', { x: 2 }, effects)).toMatchObject({ ok: true, value: { isReplay: false } });
  });

  it('is released when the work fails, so that the call can be repeated', async () => {
    const anna = await test.signUp();
    const failing = inTx((tx) =>
      runOncePerKey(tx, { userId: anna.id, route: 'POST /api/test', key: 'f', body: {} }, () =>
        Promise.reject(new Error('no')),
      ),
    );
    await expect(failing).rejects.toThrow('no');
    expect(await call(anna.id, 'f', {}, [])).toMatchObject({ ok: true, value: { isReplay: false } });
  });
});

describe('the invariants', () => {
  it.each([
    ['balance_is_not_the_sum', 'update balances set credits = credits + 1'],
    ['user_without_balance', 'delete from balances'],
    [
      'settlement_does_not_fit_its_hold',
      `insert into credit_ledger (user_id, kind, reason, delta_credits, idempotency_key, hold_id)
       select user_id, 'release', 'scan', 1, 'planted', id from credit_ledger where kind = 'grant'`,
    ],
    [
      'paid_without_a_result',
      `with h as (insert into credit_ledger (user_id, kind, reason, delta_credits, idempotency_key, expires_at)
         select id, 'hold', 'scan', -1, 'planted', now() + interval '1 minute' from users returning id, user_id)
       select id from h`,
      `insert into credit_ledger (user_id, kind, reason, delta_credits, idempotency_key, hold_id)
       select user_id, 'capture', 'scan', 0, 'planted too', id from credit_ledger where kind = 'hold'`,
    ],
    [
      'result_without_payment',
      `insert into scans (user_id, status, params, results, credit_ref)
       select id, 'done', '{}', '{}', gen_random_uuid() from users`,
    ],
    [
      'hold_older_than_its_expiry',
      `insert into credit_ledger (user_id, kind, reason, delta_credits, idempotency_key, expires_at)
       select id, 'hold', 'scan', -1, 'planted', now() - interval '2 minutes' from users`,
    ],
  ])('notice %s', async (rule, ...breaches) => {
    const broken = await createTestApp();
    const user = await broken.signUp();
    expect(await findViolations(broken.deps.db)).toEqual([]);
    for (const breach of breaches) await broken.database.asOwner(breach);
    const matches = await findViolations(broken.deps.db);
    expect(matches.map((violation) => violation.rule)).toContain(rule);
    expect(matches.every(({ userId }) => userId === user.id)).toBe(true);
    await broken.deps.ledger.check();
    expect((await broken.app.inject({ url: '/api/health' })).json()).toMatchObject({
      status: 'degraded',
      message: expect.stringContaining('ledger') as string,
    });
    // The helper that closes an app checks the ledger too.
    await expect(broken.close()).rejects.toThrow(rule);
    await broken.deps.close();
    await broken.database.drop();
  });
});
