import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { noticeOf, signNotice } from '../../../fakes/payments/nowPayments.ts';
import { expireOrders } from '../../../src/features/payments/createPayment.ts';
import { checkPayments, compareAll, hasDifference } from '../../../src/features/payments/reconcile.ts';
import type { TestUser } from '../../support/createTestApp.ts';
import { createPaymentsApp, type PaymentsApp } from './support/paymentsApp.ts';
import { paymentCalls, type PaymentWire, welcome } from './support/paymentCalls.ts';

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
const { cancel, create, get, newest } = paymentCalls(() => ({ app: test.app, user: anna }));

describe('money that arrives', () => {
  it('FUND-002 CONST-001 FUND-034 in full is credited once: 1 credit for 1 USD', async () => {
    const payment = await test.buy(anna, 25);
    await test.fake.coins.pay(payment.payment_id, 'full');
    for (let again = 0; again < 3; again++) expect(await test.deliver(payment)).toBe(200);
    expect(await test.balanceOf(anna.id)).toEqual({ credits: welcome + 25, owed: 0 });
    const { payment: paid, events } = await get<{ payment: PaymentWire; events: { kind: string; credits: number }[] }>(
      `/api/billing/payments/${(await newest()).id}`,
    );
    expect(paid).toMatchObject({ status: 'COMPLETED', provider_status: 'finished', credits: 25 });
    expect(events.map(({ kind }) => kind)).toEqual([
      'created',
      'invoiced',
      'confirming',
      'confirming',
      'confirming',
      'credited',
    ]);
  });

  it('X30 in part is credited to the whole credit, with the reason', async () => {
    const payment = await test.buy(anna, 25);
    await test.fake.coins.pay(payment.payment_id, 'half');
    expect(await test.balanceOf(anna.id)).toEqual({ credits: welcome + 12, owed: 0 });
    expect(await newest()).toMatchObject({
      status: 'COMPLETED',
      note: '12.5 USDT arrived, less than invoiced: 12 of 25 credits added.',
    });
  });

  it('X30 in excess, twice or in another coin is credited by its value', async () => {
    const expected = { over: 30, twice: 40, wrong: 19 } as const;
    for (const [way, credits] of Object.entries(expected)) {
      const bert = await test.signUp();
      const payment = await test.buy(bert, 20);
      await test.fake.coins.pay(payment.payment_id, way as 'over');
      expect((await test.balanceOf(bert.id)).credits, way).toBe(welcome + credits);
      // Coins by their common names, with no more digits than a wallet shows: 20 USD are 1/30 BNB.
      if (way === 'wrong')
        expect((await newest(bert)).note).toBe('0.03333333 BNB arrived as a further transfer: 19 credits added.');
    }
  });

  it.each(['cancelled', 'expired'] as const)(
    'FUND-015 FUND-017 PAY-010 X29 X30 after the order was %s is still credited, once',
    async (reason) => {
      const payment = await test.buy(anna, 20);
      if (reason === 'expired')
        await test.database.asOwner('update payments set expires_at = now() where user_id = $1', [anna.id]);
      expect(await cancel(payment.order_id, reason)).toMatchObject({
        cancelled: true,
        payment: { status: reason.toUpperCase() },
      });
      await test.fake.coins.pay(payment.payment_id, 'full');
      expect(await test.balanceOf(anna.id)).toEqual({ credits: welcome + 20, owed: 0 });
      expect(await newest()).toMatchObject({
        status: 'COMPLETED',
        note: expect.stringMatching(/^The money arrived after the /) as string,
      });
    },
  );

  it('in reverse order leaves the same credits and the latest status', async () => {
    const payment = await test.buy(anna, 20);
    const paid = { actually_paid: 20 };
    for (const status of [
      'finished',
      'sending',
      'partially_paid',
      'confirming',
      'waiting',
      'expired',
      'failed',
      'new_word',
    ]) {
      expect(await test.deliver(payment, { ...paid, payment_status: status })).toBe(200);
    }
    expect(await test.balanceOf(anna.id)).toEqual({ credits: welcome + 20, owed: 0 });
    expect(await newest()).toMatchObject({ status: 'COMPLETED', provider_status: 'finished' });
    // For the comparison below: the provider has reached the same final state.
    Object.assign(payment, { ...paid, payment_status: 'finished' });
  });

  it('is accepted in both forms of the signature, and with one byte changed in neither', async () => {
    const payment = await test.buy(anna, 20);
    const change = { payment_status: 'confirming', payment_extra_ids: [1, 2] };
    expect(await test.deliver(payment, change, 'sample')).toBe(200);
    expect(await test.deliver(payment, { ...change, payment_status: 'confirmed' }, 'sdk')).toBe(200);
    const notice = noticeOf({ ...payment, payment_status: 'finished', actually_paid: 20 });
    const headers = { 'content-type': 'application/json', 'x-nowpayments-sig': signNotice(notice) };
    const payload = JSON.stringify(notice).replace('"price_amount":20', '"price_amount":21');
    const forged = await test.app.inject({ method: 'POST', url: '/api/billing/now/ipn', headers, payload });
    expect(forged.json()).toMatchObject({ status: 401, code: 'signature_invalid' });
    expect((await test.balanceOf(anna.id)).credits).toBe(welcome);
  });

  it('is rejected in a body over 64 KiB, of another type, unreadable, or for an unknown order; nothing changes', async () => {
    const post = (payload: string, headers: Record<string, string>) =>
      test.app.inject({
        method: 'POST',
        url: '/api/billing/now/ipn',
        headers: { 'content-type': 'application/json', ...headers },
        payload,
      });
    const notice = { payment_id: 1, payment_status: 'finished', order_id: randomUUID() };
    const signed = { 'x-nowpayments-sig': signNotice(notice) };
    expect((await post('x'.repeat(65_537), signed)).json()).toMatchObject({ status: 413 });
    expect((await post('{', signed)).json()).toMatchObject({ status: 400 });
    expect((await post('{}', { 'content-type': 'text/plain' })).json()).toMatchObject({ status: 415 });
    expect((await post(JSON.stringify(notice), {})).json()).toMatchObject({ status: 401 });
    expect((await post(JSON.stringify(notice), signed)).json()).toMatchObject({ status: 404 });
  });
});

it('a transfer reported with the order of another account is credited once, to the first, also concurrently', async () => {
  const bert = await test.signUp();
  const [mine, other] = [await test.buy(anna, 20), await test.buy(bert, 30)];
  const finished = { payment_status: 'finished', actually_paid: 30 };
  await test.deliver(mine, finished);
  const before = await test.balanceOf(bert.id);
  // The same transfer again, for another order and another amount.
  const replayed = { ...finished, payment_id: mine.payment_id };
  expect(await test.deliver(other, { ...replayed, price_amount: 30, pay_amount: 30 })).toBe(200);
  expect(await test.balanceOf(bert.id)).toEqual(before);
  expect((await test.balanceOf(anna.id)).credits).toBe(welcome + 30);
  Object.assign(mine, finished);

  const child = { payment_id: mine.payment_id + 5_000_000, parent_payment_id: mine.payment_id };
  for (let round = 0; round < 10; round++) {
    const transfer = { ...finished, ...child, payment_id: child.payment_id + round, actually_paid: 7 };
    const orders = [mine, other].map((each) =>
      test.deliver(each, { ...transfer, actually_paid: each === mine ? 7 : 8 }),
    );
    expect(await Promise.all(orders)).toEqual([200, 200]);
    const [booked] = await test.database.asOwner<{ orders: number }>(
      `select count(distinct payment_id)::int as orders from payment_events where provider_payment_id = $1`,
      [String(transfer.payment_id)],
    );
    expect(booked).toEqual({ orders: 1 });
    test.fake.coins.payments.set(transfer.payment_id, { ...mine, ...transfer, actually_paid: 8 });
  }
});

describe('a notification with missing fields', () => {
  it.each([
    ['coin', { pay_currency: undefined }],
    ['coin and amounts', { pay_currency: undefined, pay_amount: undefined, actually_paid: undefined }],
    ['price and amounts', { price_amount: undefined, actually_paid: undefined }],
    ['currency of the price, and amounts', { price_currency: undefined, actually_paid: undefined }],
  ] as const)('gives no credits for finished without %s, before and after the address is known', async (_, missing) => {
    for (const isEarly of [true, false]) {
      const bert = await test.signUp();
      if (isEarly) test.fake.play('serverError', 1);
      const response = await create({ amount: 20, currency: 'usdt' }, bert);
      const id = Math.floor(Math.random() * 2 ** 40) + 2 ** 41;
      const given = test.fake.coins.payments.get(Number(response.json<PaymentWire>().payment_id));
      const order = (await newest(bert)).order_id;
      const payment = given ?? { ...(await test.buy(await test.signUp(), 20)), payment_id: id, order_id: order };
      const finished = { payment_status: 'finished', actually_paid: 20 };
      expect(await test.deliver(payment, { ...finished, ...missing } as object)).toBe(200);
      expect((await test.balanceOf(bert.id)).credits).toBe(welcome);
      expect(await newest(bert)).toMatchObject({
        status: 'PENDING',
        note: expect.stringContaining('Contact support') as string,
      });
      expect(await test.deliver(payment, finished)).toBe(200);
      expect((await test.balanceOf(bert.id)).credits).toBe(welcome + 20);
      Object.assign(payment, finished);
      test.fake.coins.payments.set(payment.payment_id, payment);
    }
  });
});

describe('a refund by the provider', () => {
  it('takes back what is left, and the rest is owed: paid work is rejected until it is settled', async () => {
    const payment = await test.buy(anna, 20);
    await test.fake.coins.pay(payment.payment_id, 'full');
    await test.database.asOwner(`select 1`);
    const spend = (count: number) =>
      Promise.all(
        Array.from({ length: count }, () =>
          test.app.inject({ method: 'POST', url: '/api/scan', headers: anna.bearer, payload: {} }),
        ),
      );
    const spent = (await spend(15)).filter(({ statusCode }) => statusCode === 202).length;
    expect(spent).toBe(15);
    await test.fake.coins.pay(payment.payment_id, 'refund');
    await test.deliver(payment);
    expect(await test.balanceOf(anna.id)).toEqual({ credits: 0, owed: 5 });
    expect(await newest()).toMatchObject({ status: 'REFUNDED', credits: 20, credits_refunded: 20 });
    expect((await spend(1))[0]!.json()).toMatchObject({ status: 402, code: 'credits_owed' });
    const next = await test.buy(anna, 20);
    await test.fake.coins.pay(next.payment_id, 'full');
    expect(await test.balanceOf(anna.id)).toEqual({ credits: 15, owed: 0 });
    expect((await spend(1))[0]!.statusCode).toBe(202);
  });
});

describe('lost notifications', () => {
  it('are recovered by requesting the payment, and the comparison with the provider finds no difference', async () => {
    const payment = await test.buy(anna, 20);
    Object.assign(payment, { payment_status: 'finished', actually_paid: 20 });
    await test.database.asOwner(`update payments set created_at = now() - interval '2 minutes' where user_id = $1`, [
      anna.id,
    ]);
    const { db, payments } = test.deps;
    const providers = [payments.coins!, payments.cards!];
    expect(await checkPayments({ db, providers })).toBeGreaterThan(0);
    expect((await test.balanceOf(anna.id)).credits).toBe(welcome + 20);
    const compared = await compareAll({ db, providers });
    expect(compared).toMatchObject({ differing: [] });
    expect(compared.providerCredits).toBe(compared.ledgerCredits);
    expect(await hasDifference(db)).toBe(false);
    test.fake.coins.payments.delete(payment.payment_id);
    expect((await compareAll({ db, providers })).differing).toEqual([`nowpayments:${payment.payment_id}`]);
    expect(await hasDifference(db)).toBe(true);
    test.fake.coins.payments.set(payment.payment_id, payment);
    await compareAll({ db, providers });
    // The account at the provider may have orders of other services, with any text as their names.
    const foreign = { ...payment, payment_id: payment.payment_id + 1_000_000, order_id: '-'.repeat(36) };
    test.fake.coins.payments.set(foreign.payment_id, foreign);
    expect((await compareAll({ db, providers })).differing).toEqual([]);
    test.fake.coins.payments.delete(foreign.payment_id);
  });

  it('an invoice that expired with no page open is closed, unless money is on its way', async () => {
    const bert = await test.signUp();
    const [payment, other] = [await test.buy(anna, 20), await test.buy(bert, 20)];
    await test.deliver(other, { payment_status: 'confirming', actually_paid: 20 });
    await test.database.asOwner(`update payments set expires_at = now() where user_id = any ($1)`, [
      [anna.id, bert.id],
    ]);
    await test.database.asOwner(`update payments set expires_at = now() - interval '1 hour' where user_id = $1`, [
      bert.id,
    ]);
    // The one with money on its way is older: it does not stand before the others for ever.
    await expireOrders(test.deps.db, 1);
    expect(await newest()).toMatchObject({ order_id: payment.order_id, status: 'EXPIRED' });
    expect(await newest(bert)).toMatchObject({ status: 'PENDING' });
    expect((await cancel(other.order_id, 'expired', bert)).cancelled).toBe(false);
  });
});
