import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { nextStatuses, paymentStatuses } from '../../../src/features/payments/states.ts';
import type { TestUser } from '../../support/createTestApp.ts';
import { createPaymentsApp, type PaymentsApp } from './support/paymentsApp.ts';
import { paymentCalls, type PaymentWire } from './support/paymentCalls.ts';

let test: PaymentsApp;
let anna: TestUser;
beforeAll(async () => {
  test = await createPaymentsApp();
});
afterAll(() => test.close());
beforeEach(async () => {
  test.fake.play('slow', 0);
  anna = await test.signUp();
});
const { cancel, create, get, listed, newest } = paymentCalls(() => ({ app: test.app, user: anna }));

describe('creating a payment', () => {
  it('FUND-016 FUND-019 FUND-027 FUND-028 API-040 DATA-014 stores a pending order and gives its invoice', async () => {
    const created = await create({ amount: 25, currency: 'bnb' });
    expect(created.statusCode).toBe(200);
    const invoice = created.json<Record<string, unknown>>();
    expect(invoice).toMatchObject({
      status: 'PENDING',
      pay_currency: 'bnbbsc',
      pay_amount: '0.04166667',
      is_existing: false,
      payment: {
        tokens: 25,
        amount_cents: 2500,
        network: 'BNB Smart Chain (BEP-20)',
        provider: 'nowpayments',
        provider_status: 'waiting',
        next: expect.arrayContaining(['CANCELLED', 'EXPIRED']) as string[],
      },
    });
    expect(invoice['payment']).toMatchObject({
      payment_uri: `ethereum:${String(invoice['pay_address'])}@56?value=41666670000000000`,
      payment_url: expect.stringContaining('/wallet/') as string,
    });
    // The countdown follows the provider; the practice provider uses the time stated by the methods.
    const requested = test.fake.coins.payments.get(Number(invoice['payment_id']))!;
    expect(invoice['expiresAt']).toBe(requested.expiration_estimate_date);
    expect(Date.parse(requested.expiration_estimate_date) - Date.parse(requested.created_at)).toBe(900_000);
  });

  it('X33 accepts either name of amount and coin, and rejects two that differ', async () => {
    expect((await create({ tokens: 20, pay_currency: 'usdttrc20' })).json()).toMatchObject({
      pay_currency: 'usdttrc20',
    });
    for (const payload of [
      { amount: 20, tokens: 21, currency: 'usdt' },
      { amount: 20, currency: 'usdt', pay_currency: 'bnb' },
      { amount: 20 },
    ]) {
      expect((await create(payload)).json()).toMatchObject({ code: 'validation_failed' });
    }
  });

  it.each([0, 19, 1e9, 20.5, '20abc', -20, null])(
    'CONST-004 rejects the amount %j and names the field',
    async (amount) => {
      const rejected = await create({ amount, currency: 'usdt' });
      expect(rejected.json()).toMatchObject({ status: 400, code: 'validation_failed', field: 'amount' });
      expect(await listed()).toEqual([]);
    },
  );

  it('FUND-012 rejects an unknown coin and names the field', async () => {
    expect((await create({ amount: 20, currency: 'doge' })).json()).toMatchObject({ status: 400, field: 'currency' });
  });

  it('returns the open invoice again instead of a new address', async () => {
    const first = (await create({ amount: 20, currency: 'usdt' })).json<PaymentWire>();
    const before = test.fake.creations();
    const second = (await create({ amount: 30, currency: 'bnb' })).json<PaymentWire>();
    expect(second).toMatchObject({ order_id: first.order_id, payment_id: first.payment_id, is_existing: true });
    expect(test.fake.creations()).toBe(before);
  });

  it('calls the provider once for ten calls at the same time', async () => {
    test.fake.play('slow', 1);
    const before = test.fake.creations();
    const created = await Promise.all(Array.from({ length: 10 }, () => create({ amount: 20, currency: 'usdt' })));
    expect(new Set(created.map((each) => each.json<PaymentWire>().payment_id)).size).toBe(1);
    expect(test.fake.creations()).toBe(before + 1);
  });

  it('FUND-031 ERR-018 shows the message of the provider first when it rejects', async () => {
    test.fake.play('belowMinimum', 1);
    const rejected = await create({ amount: 20, currency: 'usdt' });
    expect(rejected.json()).toMatchObject({
      status: 422,
      code: 'payment_refused',
      field: 'amount',
      provider_detail: 'amountTo is too small, the minimal amount is 24.5',
    });
    expect(await newest()).toMatchObject({
      status: 'FAILED',
      note: 'amountTo is too small, the minimal amount is 24.5',
    });
  });

  it.each(['unauthorized', 'forbidden', 'rateLimited'] as const)(
    'a provider that responds with %s made nothing, and a new attempt is allowed',
    async (scenario) => {
      test.fake.play(scenario, 1);
      const rejected = await create({ amount: 20, currency: 'usdt' });
      expect(rejected.json()).toMatchObject({ status: 502, code: 'payment_provider_unavailable' });
      expect(Number(rejected.headers['retry-after'])).toBeGreaterThan(0);
      expect(await newest()).toMatchObject({ status: 'FAILED' });
      expect((await create({ amount: 20, currency: 'usdt' })).statusCode).toBe(200);
    },
  );

  it('a creation whose response is lost is found by its order id, and no second one is made', async () => {
    test.fake.play('halfJson', 1);
    const before = test.fake.creations();
    const created = await create({ amount: 20, currency: 'usdt' });
    expect(created.json()).toMatchObject({ status: 'PENDING', pay_address: expect.stringContaining('T') as string });
    expect(test.fake.creations()).toBe(before + 1);
  });

  it.each(['serverError', 'html'] as const)(
    'after %s it stays unknown until the provider confirms, then a new one is made',
    async (scenario) => {
      test.fake.play(scenario, 1);
      expect((await create({ amount: 20, currency: 'usdt' })).json()).toMatchObject({
        status: 503,
        code: 'payment_unconfirmed',
      });
      expect(await newest()).toMatchObject({ status: 'PENDING', payment_id: null });
      await test.database.asOwner(
        `update payments set created_at = created_at - interval '30 seconds' where user_id = $1`,
        [anna.id],
      );
      expect((await create({ amount: 20, currency: 'usdt' })).json()).toMatchObject({
        status: 'PENDING',
        is_existing: false,
      });
      expect((await listed()).map(({ status }) => status)).toEqual(['PENDING', 'FAILED']);
    },
  );

  it('a notification that arrives before the response of the creation finds its order', async () => {
    test.fake.play('notifyFirst', 1);
    const created = await create({ amount: 20, currency: 'usdt' });
    expect(created.json()).toMatchObject({ status: 'PENDING', payment: { provider_status: 'waiting' } });
  });

  it('accepts at most ten unpaid invoices an hour', async () => {
    for (let made = 0; made < 10; made++) {
      const { order_id: orderId } = (await create({ amount: 20, currency: 'usdt' })).json<PaymentWire>();
      expect((await cancel(orderId)).cancelled).toBe(true);
    }
    const rejected = await create({ amount: 20, currency: 'usdt' });
    expect(rejected.json()).toMatchObject({ status: 429, code: 'rate_limited' });
    expect(Number(rejected.headers['retry-after'])).toBeGreaterThan(3000);
  });
});

describe('reading', () => {
  it('FUND-026 PAY-007 PAY-008 PAY-009 API-041 API-047 API-048 DATA-015 lists newest first and finds the latest and the pending one', async () => {
    const first = await test.buy(anna, 20);
    await cancel(first.order_id);
    const second = await test.buy(anna, 21);
    expect((await listed()).map(({ order_id: id }) => id)).toEqual([second.order_id, first.order_id]);
    expect((await get<{ payments: PaymentWire[] }>('/api/billing/payments?limit=1')).payments).toHaveLength(1);
    expect(await get('/api/billing/payments?limit=51')).toMatchObject({ status: 400, field: 'limit' });
    const latest = (query = '') => get<{ payment: PaymentWire | null }>(`/api/billing/payments/latest${query}`);
    expect((await latest('?hours=1')).payment?.order_id).toBe(second.order_id);
    await test.database.asOwner(
      `update payments set created_at = created_at - interval '61 minutes' where user_id = $1`,
      [anna.id],
    );
    expect((await latest('?status=PENDING')).payment).toBeNull();
    expect((await latest('?hours=2')).payment?.order_id).toBe(second.order_id);
    await cancel(second.order_id);
    expect((await latest('?hours=2')).payment).toBeNull();
    expect((await latest()).payment?.order_id).toBe(second.order_id);
    const status = await get<PaymentWire>(`/api/billing/now/status?payment_id=${second.payment_id}`);
    expect(status).toMatchObject({ status: 'CANCELLED', order_id: second.order_id });
  });

  it('FUND-032 ERR-026 a cancel without a pending order returns false and nothing else', async () => {
    expect(await cancel(randomUUID())).toEqual({ cancelled: false, payment: null });
    const payment = await test.buy(anna, 20);
    expect(await cancel(payment.order_id, 'cancelled', await test.signUp())).toEqual({
      cancelled: false,
      payment: null,
    });
    await cancel(payment.order_id);
    expect((await cancel(payment.order_id)).cancelled).toBe(false);
  });

  it('X29 an invoice is not closed as expired before its time: the error names the field, its end and the way out', async () => {
    const payment = await test.buy(anna, 20);
    const early = await test.app.inject({
      method: 'POST',
      url: '/api/billing/now/cancel',
      headers: anna.bearer,
      payload: { order_id: payment.order_id, reason: 'expired' },
    });
    expect(early.json()).toMatchObject({ status: 409, code: 'conflict', field: 'reason' });
    expect(early.json<{ message: string }>().message).toMatch(/^This invoice is open until \d{4}-.*`cancelled`/);
    expect((await newest()).status).toBe('PENDING');
    await test.database.asOwner('update payments set expires_at = now() where user_id = $1', [anna.id]);
    expect(await cancel(payment.order_id, 'expired')).toMatchObject({
      cancelled: true,
      payment: { status: 'EXPIRED' },
    });
  });

  it('PAY-011 CONST-016 methods have network, minimum, expiry and the last use', async () => {
    await test.buy(anna, 20, 'bnb');
    const { methods } = await get<{ methods: object[] }>('/api/billing/methods');
    const common = { is_available: true, is_sandbox: true, minimum_usd: 20, default_usd: 20 };
    expect(methods).toMatchObject([
      { method: 'usdt', name: 'USDT', network: 'TRON (TRC-20)', expires_in_s: 900, last_used_at: null, ...common },
      { method: 'bnb', network: 'BNB Smart Chain (BEP-20)', last_used_at: expect.any(String) as string, ...common },
      { method: 'card', network: null, expires_in_s: null, ...common },
    ]);
    expect(await get('/api/billing/now/estimate?amount=30&currency=bnb')).toEqual({
      amount: 30,
      pay_amount: '0.05000000',
      pay_currency: 'bnbbsc',
      minimum_usd: 20,
      is_below_minimum: false,
    });
  });

  it('the database allows exactly the transitions of the table', async () => {
    const rows = await test.database.asOwner<{ change: string }>(
      `select from_status || ' ' || to_status as change from payment_transitions`,
    );
    const table = paymentStatuses.flatMap((from) => nextStatuses[from].map((to) => `${from} ${to}`));
    expect(rows.map(({ change }) => change).sort()).toEqual(table.sort());
    await test.buy(anna, 20);
    await cancel((await newest()).order_id);
    await expect(
      test.database.asOwner(`update payments set status = 'PENDING' where user_id = $1`, [anna.id]),
    ).rejects.toThrow('does not change');
  });

  it('events cannot be changed by any role', async () => {
    await test.buy(anna, 20);
    for (const change of [
      `update payment_events set note = 'x'`,
      'delete from payment_events',
      'truncate payment_events cascade',
    ]) {
      await expect(test.database.asOwner(change)).rejects.toMatchObject({ code: '23001' });
    }
  });
});
