import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ExchangesFake, startExchanges } from '../../../fakes/exchanges/server.ts';
import { type PaymentsFake, startPayments } from '../../../fakes/payments/server.ts';
import { findViolations } from '../../../src/features/credits/ledgerWatch.ts';
import { heal } from '../../../src/features/payments/reconcile.ts';
import { createTestApp, type TestApp } from '../../support/createTestApp.ts';
import { testSecret } from '../../support/globalDatabase.ts';
import { createKillableNode, type KillableNode } from '../../support/killableNode.ts';
import { paymentsEnv } from './support/paymentsApp.ts';

/** PAYMENT_KILLS=100 for the long run. */
const killCount = Number(process.env['PAYMENT_KILLS'] ?? 4);
const welcome = 10;
/** Below the hourly limit of unpaid invoices per account; a network may not sign up a hundred accounts. */
const ordersPerBuyer = 8;

let exchanges: ExchangesFake;
let fake: PaymentsFake;
/** An app on the same database as the node, for checks. */
let test: TestApp;
let node: KillableNode;
beforeAll(async () => {
  [exchanges, fake] = await Promise.all([startExchanges(), startPayments({ stepMs: 20 })]);
  test = await createTestApp({ env: { ...paymentsEnv(fake.url), AUTH_SECRET: testSecret } });
  node = await createKillableNode({
    DATABASE_URL: test.database.serverUrl,
    EXCHANGES_URL: exchanges.url,
    ...paymentsEnv(fake.url),
  });
});
afterAll(async () => {
  await node.close();
  await fake.close();
  await test.close();
  await exchanges.close();
});

/** Signs up on the node, retrying until it has started: the node does not know sessions of another node. */
async function signUpOnNode(index: number): Promise<Record<string, string>> {
  for (let turn = 0; turn < 200; turn++) {
    const response = await fetch(`${node.url}/api/auth/signup`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: node.url },
      body: JSON.stringify({ email: `buyer${index}@example.com`, password: 'correct horse battery' }),
    });
    if (response.ok) return { authorization: `Bearer ${((await response.json()) as { token: string }).token}` };
    await response.body?.cancel();
    await delay(50);
  }
  throw new Error('the node does not sign anyone up');
}

/** Buys on the node, which may die at any moment: a lost response is lost for the buyer, too. */
async function buyAndPay(token: Record<string, string>): Promise<void> {
  const response = await fetch(`${node.url}/api/billing/now/create-payment`, {
    method: 'POST',
    headers: { ...token, 'content-type': 'application/json', origin: node.url },
    body: JSON.stringify({ amount: 20, currency: 'usdt' }),
    signal: AbortSignal.timeout(10_000),
  });
  const { payment_id: id } = (await response.json()) as { payment_id?: string };
  if (id !== undefined) await fake.coins.pay(Number(id), 'full');
}

it(
  `FUND-034 loses and doubles no credit when the server is killed ${killCount} times between creation, notification and credit`,
  async () => {
    const startsMs: number[] = [];
    let buyer: Record<string, string> = {};
    for (let index = 0; index < killCount; index++) {
      const startedAt = performance.now();
      await node.start();
      startsMs.push(performance.now() - startedAt);
      if (index % ordersPerBuyer === 0) buyer = await signUpOnNode(index);
      const buying = buyAndPay(buyer).catch(() => undefined);
      // The first order is stored before its server dies, however slow the machine is.
      await (index === 0 ? buying : delay(Math.random() * 400));
      await node.kill();
      await buying;
    }
    // The provider finishes the payments it knows; then its list replaces lost notifications.
    for (const payment of fake.coins.payments.values())
      Object.assign(payment, { payment_status: 'finished', actually_paid: 20 });
    const { payments } = test.deps;
    await heal({ db: test.database.db, providers: [payments.coins!] });
    await heal({ db: test.database.db, providers: [payments.coins!] });
    const made = new Set([...fake.coins.payments.values()].map(({ order_id: id }) => id));
    const rows = await test.database.asOwner<{ order: string; status: string; credits: number; balance: string }>(
      `select provider_order_id as order, status, p.credits, b.credits - sum(p.credits) over (partition by user_id) as balance
       from payments p join balances b using (user_id)`,
    );
    for (const row of rows) {
      const isPaid = made.has(row.order);
      expect({ ...row, balance: Number(row.balance) }).toMatchObject({ credits: isPaid ? 20 : 0, balance: welcome });
      // An order that never reached the provider is open, or was abandoned when its buyer sent another request.
      expect(isPaid ? ['COMPLETED'] : ['PENDING', 'FAILED']).toContain(row.status);
    }
    // Every address the provider issued has its order here: the order is stored before the provider is called.
    expect([...made].filter((order) => !rows.some((row) => row.order === order))).toEqual([]);
    expect(await findViolations(test.database.db)).toEqual([]);
    expect(rows.length).toBeGreaterThan(0);
    process.stdout.write(
      `orders killed ${JSON.stringify({ kills: killCount, orders: rows.length, paid: made.size, slowestStartMs: Math.round(Math.max(...startsMs)) })}\n`,
    );
  },
  60_000 + killCount * 60_000,
);
