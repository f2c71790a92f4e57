import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endDemoAccounts } from '../../../src/features/account/endDemoAccounts.ts';
import { sweepDeletions } from '../../../src/features/account/deletion.ts';
import { ownOrigin } from '../../support/createTestApp.ts';
import { createPaymentsApp, type PaymentsApp } from '../payments/support/paymentsApp.ts';

/** Each visitor of the demo has a separate account and credits. */
let test: PaymentsApp;
beforeAll(async () => {
  test = await createPaymentsApp();
});
afterAll(() => test.close());

const enter = async (ip = '198.18.3.1') => {
  const outcome = await test.deps.auth.enterDemo({ ip, userAgent: undefined });
  if (!outcome.ok) throw new Error('the demo was not entered');
  const { account, token } = outcome.value;
  return { id: account.id, email: account.email, headers: { authorization: `Bearer ${token}` } };
};
type Visitor = Awaited<ReturnType<typeof enter>>;
const creditsOf = async ({ headers }: Visitor) =>
  (await test.app.inject({ url: '/api/credits', headers })).json<{ credits: number }>().credits;

describe('visitors of the demo', () => {
  it('spend only their own credits: one who spends them all leaves ten to the next', async () => {
    const [first, second] = [await enter(), await enter()];
    expect([await creditsOf(first), await creditsOf(second)]).toEqual([10, 10]);
    for (let count = 0; count < 10; count += 1)
      expect(
        (await test.app.inject({ method: 'POST', url: '/api/scan', headers: first.headers, payload: {} })).statusCode,
      ).toBe(202);
    const [eleventh] = [
      await test.app.inject({ method: 'POST', url: '/api/scan', headers: first.headers, payload: {} }),
    ];
    expect(eleventh.json()).toMatchObject({ code: 'insufficient_credits' });
    expect([await creditsOf(first), await creditsOf(second), await creditsOf(await enter())]).toEqual([0, 10, 10]);
  });

  it('do not see each other: settings, watch list, sessions and exports are separate', async () => {
    const [first, second] = [await enter(), await enter()];
    const added = { method: 'POST', url: '/api/watchlist', headers: first.headers } as const;
    await test.app.inject({ ...added, payload: { symbol: 'BTCUSDT' } });
    await test.app.inject({
      method: 'PUT',
      url: '/api/preferences',
      headers: first.headers,
      payload: { leverage: 3 },
    });
    const list = await test.app.inject({ url: '/api/watchlist', headers: second.headers });
    expect(list.body).not.toContain('BTCUSDT');
    const exported = await test.app.inject({ url: '/api/account/export', headers: second.headers });
    expect(exported.body).not.toContain(first.id);
  });

  it('pay nothing: no invoice and no card, beside users who do', async () => {
    const visitor = await enter();
    const create = { method: 'POST', url: '/api/billing/now/create-payment', payload: { amount: 20 } } as const;
    const message = 'Demo accounts cannot buy credits. Create an account first.';
    const response = await test.app.inject({ ...create, headers: visitor.headers });
    expect(response.json()).toMatchObject({ status: 403, code: 'forbidden', message });
    const card = await test.app.inject({ url: '/api/billing/moonpay/url?amount=20', headers: visitor.headers });
    expect(card.json()).toMatchObject({ status: 403, message });
    const methods = await test.app.inject({ url: '/api/billing/methods', headers: visitor.headers });
    expect(methods.statusCode).toBe(200);
    const anna = await test.signUp();
    expect((await test.app.inject({ ...create, headers: anna.bearer })).statusCode).not.toBe(403);
    expect(await test.database.asOwner('select user_id from payments where user_id = $1', [visitor.id])).toEqual([]);
  });

  it('can make at most twenty accounts an hour from one network', async () => {
    const press = () =>
      test.app.inject({
        method: 'POST',
        url: '/api/auth/demo',
        headers: { origin: ownOrigin },
        remoteAddress: '198.18.9.9',
      });
    const responses = [];
    for (let count = 0; count < 21; count += 1) responses.push((await press()).statusCode);
    expect(responses).toEqual([...Array<number>(20).fill(200), 429]);
  });

  it('an account unused for a day is erased, with everything in it; others stay', async () => {
    const [old, young, anna] = [await enter(), await enter(), await test.signUp()];
    for (const { id } of [old, anna]) {
      await test.database.asOwner(`update users set created_at = now() - interval '3 days' where id = $1`, [id]);
      await test.database.asOwner(
        `update sessions set created_at = now() - interval '3 days', last_seen_at = now() - interval '25 hours' where user_id = $1`,
        [id],
      );
    }
    expect(await endDemoAccounts(test.deps.db)).toBe(1);
    expect((await test.app.inject({ url: '/api/preferences', headers: old.headers })).statusCode).toBe(401);
    await sweepDeletions(test.deps.deletion);
    const left = await test.database.asOwner<{ id: string }>('select id from users where id = any ($1)', [
      [old.id, young.id, anna.id],
    ]);
    expect(new Set(left.map(({ id }) => id))).toEqual(new Set([young.id, anna.id]));
  });
});
