import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { fakeMoonPay, signWebhook } from '../../../fakes/payments/moonPay.ts';
import type {
  CoinProvider,
  CreatedInvoice,
  PaymentProvider,
  TransferReport,
} from '../../../src/features/payments/port.ts';
import {
  checkPayments,
  compareAll,
  compareDaily,
  hasDifference,
  heal,
} from '../../../src/features/payments/reconcile.ts';
import type { TestUser } from '../../support/createTestApp.ts';
import { createPaymentsApp, type PaymentsApp } from './support/paymentsApp.ts';

let test: PaymentsApp;
let anna: TestUser;
beforeAll(async () => {
  test = await createPaymentsApp();
});
afterAll(() => test.close());
beforeEach(async () => {
  anna = await test.signUp();
});

const welcome = 10;
const creditsOf = async (user = anna) => (await test.balanceOf(user.id)).credits;
const age = (interval: string, user = anna) =>
  test.database.asOwner(`update payments set created_at = now() - $2::interval where user_id = $1`, [
    user.id,
    interval,
  ]);

const report = (change: Partial<TransferReport>): TransferReport => ({
  provider: 'nowpayments',
  transferId: String(Math.floor(Math.random() * 1e12)),
  parentId: null,
  orderId: null,
  word: 'finished',
  invoiceUsd: '20',
  payAddress: null,
  payAmount: null,
  payCurrency: 'usdttrc20',
  payMemo: null,
  paidAmount: '20',
  paidUsd: null,
  transactionHash: null,
  ...change,
});
/** A provider that implements only the given calls. */
const providerOf = (responses: Partial<PaymentProvider>): PaymentProvider => ({
  name: 'nowpayments',
  readNotification: () => ({ ok: false, error: { reason: 'malformed', message: 'not requested' } }),
  readStatus: () => Promise.resolve({ ok: false, error: { kind: 'unclear', message: 'not requested' } }),
  list: () => Promise.resolve(undefined),
  close: () => Promise.resolve(),
  ...responses,
});

describe('a report of a provider about an invoice', () => {
  it('an amount in another currency than dollars has no value in dollars', async () => {
    const payment = await test.buy(anna, 20);
    const child = { payment_id: payment.payment_id + 500_000, parent_payment_id: payment.payment_id };
    const yen = { pay_currency: 'bnbbsc', payment_status: 'finished', actually_paid: 0.01, actually_paid_at_fiat: 900 };
    expect(await test.deliver(payment, { ...child, ...yen, price_currency: 'jpy' as 'usd' })).toBe(200);
    expect(await creditsOf()).toBe(welcome);
  });

  it('a further transfer is worth what its provider reports, not the coin price at the time of the order', async () => {
    const payment = await test.buy(anna, 60, 'bnb');
    const child = { payment_id: payment.payment_id + 500_000, parent_payment_id: payment.payment_id };
    // 0.1 BNB were 60 USD when the order was made; days later they are 45.7.
    const later = { payment_status: 'finished', actually_paid: 0.1, actually_paid_at_fiat: 45.7 };
    expect(await test.deliver(payment, { ...child, ...later })).toBe(200);
    expect(await creditsOf()).toBe(welcome + 45);
  });

  it('an amount to pay of zero counts as none and causes no error', async () => {
    const payment = await test.buy(anna, 20);
    await test.database.asOwner('update payments set pay_amount = null where user_id = $1', [anna.id]);
    expect(await test.deliver(payment, { payment_status: 'confirming', pay_amount: 0 })).toBe(200);
    expect(await test.deliver(payment, { payment_status: 'finished', actually_paid: 20 })).toBe(200);
    expect(await creditsOf()).toBe(welcome + 20);
  });

  /** The next creation returns this instead of the response of the practice provider. */
  const respondWith = (invoice: (order: string) => Partial<TransferReport>, expiresAt: Date | null = null) => {
    const coins = test.deps.payments.coins!;
    const create: CoinProvider['create'] = ({ orderId }) => {
      const reported = report({
        orderId,
        word: 'waiting',
        payAddress: 'TAddress',
        payAmount: '20',
        ...invoice(orderId),
      });
      const value: CreatedInvoice = { report: reported, expiresAt, paymentUrl: null };
      return Promise.resolve({ ok: true, value });
    };
    Object.assign(test.deps.payments, { coins: { ...coins, create } });
    return () => Object.assign(test.deps.payments, { coins });
  };
  const create = () =>
    test.app.inject({
      method: 'POST',
      url: '/api/billing/now/create-payment',
      headers: anna.bearer,
      payload: { amount: 20, currency: 'usdt' },
    });

  it.each([{ payCurrency: 'usdtbsc' }, { payCurrency: null }, { payAddress: null }, { payAmount: null }])(
    'an invoice with %j is never shown, because coins sent to it are lost',
    async (change) => {
      const restore = respondWith(() => change);
      try {
        expect((await create()).json()).toMatchObject({ code: 'payment_provider_unavailable' });
      } finally {
        restore();
      }
      const latest = await test.app.inject({ url: '/api/billing/payments/latest', headers: anna.bearer });
      expect(latest.json()).toMatchObject({ payment: { status: 'FAILED', pay_address: null, payment_uri: null } });
      expect((await create()).json()).toMatchObject({ status: 'PENDING', is_existing: false });
    },
  );

  const minutes = (count: number) => new Date(Date.now() + count * 60_000);
  it.each([
    ['20 minutes, as the provider says', () => minutes(20), 20],
    ['15 minutes when it does not say', () => null, 15],
    ['15 minutes when it names a time that is over', () => minutes(-1), 15],
    ['15 minutes when it names a time years away', () => minutes(60 * 24 * 3650), 15],
  ])('FUND-019 CONST-016 an invoice is open for %s', async (_, report, wanted) => {
    const restore = respondWith(() => ({}), report());
    try {
      const { expiresAt } = (await create()).json<{ expiresAt: string }>();
      const leftMinutes = (Date.parse(expiresAt) - Date.now()) / 60_000;
      expect(leftMinutes).toBeLessThanOrEqual(wanted);
      expect(leftMinutes).toBeGreaterThan(wanted - 1);
    } finally {
      restore();
    }
  });
});

describe('cards', () => {
  const cardUrl = async (headers = {}) =>
    test.app.inject({ url: '/api/billing/moonpay/url', headers: { ...anna.bearer, ...headers } });
  const post = (data: object, type: string) => {
    const body = JSON.stringify({ type, data });
    const headers = { 'content-type': 'application/json', 'moonpay-signature-v2': signWebhook(body) };
    return test.app.inject({ method: 'POST', url: '/api/billing/moonpay/webhook', headers, payload: body });
  };
  const bought = (orderId: string) => ({
    id: randomUUID(),
    status: 'completed',
    externalTransactionId: orderId,
    baseCurrencyAmount: 100,
    baseCurrency: { code: 'usd' },
    currency: { code: fakeMoonPay.currencyCode },
    walletAddress: fakeMoonPay.walletAddress,
  });

  it('X62 only a purchase is credited: a sale or a customer event with the same key changes nothing', async () => {
    const { order_id: orderId } = (await cardUrl()).json<{ order_id: string }>();
    for (const type of ['sell_transaction_updated', 'external_account_created', 'transaction', ''])
      expect((await post(bought(orderId), type)).statusCode, type).toBe(400);
    expect(await creditsOf()).toBe(welcome);
  });

  it('X62 a wallet whose letters differ in case is another wallet', async () => {
    const { order_id: orderId } = (await cardUrl()).json<{ order_id: string }>();
    const other = { ...bought(orderId), walletAddress: fakeMoonPay.walletAddress.replace('practice', 'Practice') };
    expect((await post(other, 'transaction_updated')).statusCode).toBe(200);
    expect(await creditsOf()).toBe(welcome);
  });

  it('a link on another site opens no order', async () => {
    for (const site of ['cross-site', 'same-site'])
      expect((await cardUrl({ 'sec-fetch-site': site })).json()).toMatchObject({ code: 'origin_refused' });
    const { payments } = (await test.app.inject({ url: '/api/billing/payments', headers: anna.bearer })).json<{
      payments: unknown[];
    }>();
    expect(payments).toEqual([]);
    expect((await cardUrl({ 'sec-fetch-site': 'same-origin' })).statusCode).toBe(200);
  });
});

describe('reconciliation', () => {
  it('a report that cannot be applied does not block the others', async () => {
    const payment = await test.buy(anna, 20);
    const unusable = report({ orderId: payment.order_id, transferId: 'x'.repeat(65) });
    const paid = report({ orderId: payment.order_id, transferId: String(payment.payment_id) });
    const providers = [providerOf({ list: () => Promise.resolve({ ok: true, value: [unusable, paid] }) })];
    await expect(heal({ db: test.deps.db, providers })).rejects.toThrow('1 of 2 reports');
    expect(await creditsOf()).toBe(welcome + 20);
  });

  it('a provider whose list cannot be read leaves an earlier difference in sight, and is not queried again at once', async () => {
    const { db, limiter } = test.deps;
    await test.database.asOwner(
      `insert into payment_comparisons (transfer_count, provider_credits, ledger_credits, differing) values (1, 0, 20, '{nowpayments:1}')`,
    );
    let requestCount = 0;
    const failing = providerOf({
      list: () => {
        requestCount++;
        return Promise.resolve({ ok: false, error: { kind: 'unclear', message: 'no response' } });
      },
    });
    await expect(compareDaily({ db, limiter, providers: [failing] })).rejects.toThrow('the list of nowpayments');
    await compareDaily({ db, limiter, providers: [failing] });
    expect(requestCount).toBe(1);
    expect(await hasDifference(db)).toBe(true);
    const empty = providerOf({ name: 'moonpay', list: () => Promise.resolve({ ok: true, value: [] }) });
    await compareAll({ db, providers: [empty] });
    expect(await hasDifference(db)).toBe(false);
  });

  it('a new transfer to an old invoice, and an invoice as old as the list, are no difference', async () => {
    const bert = await test.signUp();
    const [old, edge] = [await test.buy(anna, 20), await test.buy(bert, 20)];
    for (const payment of [old, edge]) await test.fake.coins.pay(payment.payment_id, 'full');
    await age('9 days');
    await age('7 days 23 hours 59 minutes', bert);
    const child = report({ parentId: String(old.payment_id), transferId: String(old.payment_id + 500_000) });
    const providers = [providerOf({ list: () => Promise.resolve({ ok: true, value: [child] }) })];
    const mine = (await compareAll({ db: test.deps.db, providers })).differing.filter((name) =>
      [old.payment_id, old.payment_id + 500_000, edge.payment_id].some((id) => name.endsWith(`:${id}`)),
    );
    expect(await creditsOf()).toBe(welcome + 40);
    expect(mine).toEqual([]);
  });

  it('without a list, the rest of a partial payment and a later refund are found by requesting the payment', async () => {
    const payment = await test.buy(anna, 20);
    await test.fake.coins.pay(payment.payment_id, 'half');
    expect(await creditsOf()).toBe(welcome + 10);
    const request = () => checkPayments({ db: test.deps.db, providers: [test.deps.payments.coins!] });
    const silently = (change: object) => Object.assign(test.fake.coins.payments.get(payment.payment_id)!, change);
    silently({ payment_status: 'finished', actually_paid: 20 });
    await age('2 minutes');
    await request();
    expect(await creditsOf()).toBe(welcome + 20);
    silently({ payment_status: 'refunded' });
    await test.database.asOwner(`update payments set checked_at = now() - interval '7 hours' where user_id = $1`, [
      anna.id,
    ]);
    await request();
    expect(await creditsOf()).toBe(welcome);
  });
});
