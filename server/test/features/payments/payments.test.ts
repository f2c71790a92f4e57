import { randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { signWebhook } from '../../../fakes/payments/moonPay.ts';
import { payWays } from '../../../fakes/payments/nowPayments.ts';
import { type ReceivedHook, startWebhookReceiver } from '../../../fakes/webhook/server.ts';
import { createWebhookPoster } from '../../../src/adapters/outgoing/createWebhookPoster.ts';
import { attemptDelivery } from '../../../src/features/notifications/deliver.ts';
import { dispatchQueued } from '../../../src/features/notifications/dispatch.ts';
import { addWebhook } from '../../../src/features/notifications/webhooks/repository.ts';
import type { PaymentAnalyticsWire, ReceiptWire } from '../../../src/features/payments/contract.ts';
import { issueReceipts } from '../../../src/features/payments/receipts.ts';
import { withSystem } from '../../../src/platform/db/scope.ts';
import type { Jobs } from '../../../src/platform/jobs/jobs.ts';
import type { TestUser } from '../../support/createTestApp.ts';
import { createPaymentsApp, type PaymentsApp } from './support/paymentsApp.ts';
import { paymentCalls, welcome } from './support/paymentCalls.ts';

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
const { cancel, get, newest } = paymentCalls(() => ({ app: test.app, user: anna }));

describe('receipts and analytics', () => {
  const seller = { name: 'Sextant, Ltd', address: 'Main Street 1', taxId: 'X1' };

  it('PAY-002 totals equal the ledger, over full, partial, further and refunded payments', async () => {
    for (const way of ['full', 'half', 'twice', 'over', 'late', 'wrong'] as const) {
      const payment = await test.buy(anna, 21);
      await test.fake.coins.pay(payment.payment_id, way);
      if (way === 'half') await test.fake.coins.pay(payment.payment_id, 'refund');
      if (way === 'wrong') await cancel(payment.order_id);
    }
    await issueReceipts(test.deps.db, seller);
    const [ledger] = await test.database.asOwner<{ bought: number }>(
      `select sum(delta_credits)::int as bought from credit_ledger where user_id = $1 and reason in ('purchase', 'payment_refund')`,
      [anna.id],
    );
    const analytics = await get<PaymentAnalyticsWire>('/api/billing/analytics');
    expect(analytics.months).toHaveLength(12);
    expect(analytics.totals).toEqual({ bought: ledger!.bought, spent_cents: ledger!.bought * 100, used: 0 });
    expect(analytics.months.reduce((sum, { bought }) => sum + bought, 0)).toBe(ledger!.bought);
    expect(analytics.methods[0]).toMatchObject({ method: 'usdt', started: 6, completed: 6, success_rate: 1 });
    const { receipts } = await get<{ receipts: ReceiptWire[] }>('/api/billing/receipts');
    expect(receipts.reduce((sum, { credits }) => sum + credits, 0)).toBe(ledger!.bought);
  });

  it('PAY-003 receipts are numbered without gaps, issued once by any number of nodes, and never changed', async () => {
    for (let bought = 0; bought < 3; bought++) {
      const payment = await test.buy(anna, 20);
      await test.fake.coins.pay(payment.payment_id, 'full');
      await Promise.all([1, 2, 3].map(() => issueReceipts(test.deps.db, seller)));
    }
    const rows = await test.database.asOwner<{ number: number }>('select number from receipts order by number');
    expect(rows.map(({ number }) => number)).toEqual(rows.map((_, at) => at + 1));
    const { receipts } = await get<{ receipts: ReceiptWire[] }>('/api/billing/receipts');
    expect(receipts).toHaveLength(3);
    expect(receipts[0]).toMatchObject({
      credits: 20,
      amount_cents: 2000,
      seller: { name: 'Sextant, Ltd', tax_id: 'X1' },
    });
    expect(receipts[0]?.number).toMatch(/^\d{4}-\d{6}$/);
    for (const change of ['update receipts set credits = 1', 'delete from receipts', 'truncate receipts']) {
      await expect(test.database.asOwner(change)).rejects.toMatchObject({ code: '23001' });
    }
    const year = receipts[0]?.year ?? 0;
    const csv = await test.app.inject({ url: `/api/billing/receipts/csv?year=${year}`, headers: anna.bearer });
    expect(csv.headers['content-type']).toContain('text/csv');
    expect(csv.body.split('\r\n')).toHaveLength(5);
    expect(csv.body).toContain(',usdt,20,20.00,"Sextant, Ltd"');
  });
});

describe('cards', () => {
  it('X62 opens one order, and only the webhook of the provider credits it, once', async () => {
    const url = '/api/billing/moonpay/url?amount=100';
    const first = await get<{ url: string; order_id: string; is_sandbox: boolean; amount: number }>(url);
    expect(first).toMatchObject({ is_sandbox: true, amount: 100 });
    expect((await get<{ order_id: string }>(url)).order_id).toBe(first.order_id);
    const other = await get<{ url: string; amount: number }>(url.replace('=100', '=60'));
    expect([other.amount, other.url.includes('baseCurrencyAmount=60')], 'what is entered, also in the sandbox').toEqual(
      [60, true],
    );
    Object.assign(first, await get<typeof first>(url));
    expect((await fetch(first.url)).status).toBe(200);
    expect(await (await fetch(first.url.replace('baseCurrencyAmount=100', 'baseCurrencyAmount=900'))).text()).toContain(
      'not signed correctly',
    );
    const walletAddress = new URL(first.url).searchParams.get('walletAddress') ?? '';
    const bought = await test.fake.cards.buy({ orderId: first.order_id, amount: 100, walletAddress });
    for (let again = 0; again < 3; again++) expect(await test.fake.cards.notify(bought)).toBe(200);
    expect(await test.balanceOf(anna.id)).toEqual({ credits: welcome + 100, owed: 0 });
    expect(await newest()).toMatchObject({ status: 'COMPLETED', provider_status: 'completed', payment_id: bought.id });
  });

  it.each([
    ['walletAddress', undefined],
    ['walletAddress', null],
    ['baseCurrency', undefined],
    ['baseCurrency', null],
    ['baseCurrency', {}],
    ['baseCurrency', { code: 'eur' }],
    ['baseCurrencyAmount', null],
    ['currency', undefined],
    ['currency', { code: 'doge' }],
  ])(
    'X62 a finished transaction whose %s is %j is recorded and shown, and credited only once it is known',
    async (name, value) => {
      const card = await get<{ url: string; order_id: string }>('/api/billing/moonpay/url?amount=100');
      const transaction = {
        id: randomUUID(),
        status: 'completed',
        externalTransactionId: card.order_id,
        baseCurrencyAmount: 100,
        baseCurrency: { code: 'usd' },
        currency: { code: 'bnb_bsc' },
        walletAddress: new URL(card.url).searchParams.get('walletAddress') ?? '',
        cryptoTransactionId: null,
        createdAt: new Date().toISOString(),
      };
      expect(await test.fake.cards.notify({ ...transaction, [name]: value })).toBe(200);
      expect((await test.balanceOf(anna.id)).credits).toBe(welcome);
      expect(await newest()).toMatchObject({
        status: 'PENDING',
        provider_status: 'completed',
        note: 'A transfer arrived, with an unknown value or below one credit. Contact support with the order id.',
      });
      expect(await test.fake.cards.notify(transaction)).toBe(200);
      expect((await test.balanceOf(anna.id)).credits).toBe(welcome + 100);
      expect(await newest()).toMatchObject({ status: 'COMPLETED', note: null });
      test.fake.cards.transactions.set(transaction.id, transaction);
    },
  );

  it('money that went to another wallet gives no credits, and an old or changed webhook is rejected', async () => {
    const { order_id: orderId } = await get<{ order_id: string }>('/api/billing/moonpay/url');
    const bought = await test.fake.cards.buy({ orderId, amount: 100, walletAddress: '0xsomebody' });
    expect((await test.balanceOf(anna.id)).credits).toBe(welcome);
    const post = (body: string, signature: string) =>
      test.app.inject({
        method: 'POST',
        url: '/api/billing/moonpay/webhook',
        headers: { 'content-type': 'application/json', 'moonpay-signature-v2': signature },
        payload: body,
      });
    const body = JSON.stringify({ type: 'transaction_updated', data: bought });
    expect((await post(body, signWebhook(body, Math.floor(Date.now() / 1000) - 301))).statusCode).toBe(401);
    expect((await post(body.replace('100', '900'), signWebhook(body))).statusCode).toBe(401);
    expect((await post('{}', signWebhook('{}'))).statusCode).toBe(400);
  });
});

it('the practice wallet shows every way to pay, and pays', async () => {
  const payment = await test.buy(anna, 20);
  const page = await (await fetch(`${test.fake.url}/wallet/${payment.payment_id}`)).text();
  expect(page).toContain('Practice: no real money');
  for (const way of payWays) expect(page).toContain(`?way=${way}"`);
  await fetch(`${test.fake.url}/wallet/${payment.payment_id}?way=full`, { method: 'POST' });
  await expect.poll(async () => (await test.balanceOf(anna.id)).credits, { timeout: 20_000 }).toBe(welcome + 20);
});

describe('a payment and the webhooks of its owner', () => {
  it('is sent as payment.completed, signed, once per transfer, whatever the provider repeats', async () => {
    const receiver = await startWebhookReceiver();
    const poster = createWebhookPoster({ exceptOrigin: receiver.origin });
    const notifications = { ...test.deps.notifications, poster };
    const queue: { deliveryId: string; attempt: number }[] = [];
    const jobs: Jobs = {
      ...test.deps.jobs,
      send: (_tx, _queue, _id, data) => {
        queue.push(data as { deliveryId: string; attempt: number });
        return Promise.resolve();
      },
      sendAll: (_tx, _queue, sent) => {
        for (const { data } of sent) queue.push(data as { deliveryId: string; attempt: number });
        return Promise.resolve();
      },
    };
    try {
      // Bypasses the URL check: only a demo may call this machine.
      const { secret } = await withSystem(test.deps.db, (tx) =>
        addWebhook(tx, notifications.seal, {
          userId: anna.id,
          url: `${receiver.origin}/paid`,
          events: ['payment.completed'],
          payload: '{}',
        }),
      );
      const payment = await test.buy(anna, 25);
      const paid = { payment_status: 'finished', actually_paid: 25 };
      for (let at = 0; at < 3; at += 1) expect(await test.deliver(payment, paid)).toBe(200);
      expect((await test.balanceOf(anna.id)).credits).toBe(welcome + 25);
      await dispatchQueued({ db: test.deps.db, jobs });
      for (const { deliveryId, attempt } of queue)
        await attemptDelivery({ ...notifications, jobs }, deliveryId, attempt);
      expect(receiver.received).toHaveLength(1);
      const [{ body, headers }] = receiver.received as [ReceivedHook];
      expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toMatchObject({
        type: 'payment.completed',
        sequence: 1,
        data: { payment_id: (await newest()).id, credits: 25, credits_total: 25, method: 'usdt' },
      });
    } finally {
      await poster.close();
      await receiver.close();
    }
  });
});
