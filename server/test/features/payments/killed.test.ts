import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ExchangesFake, startExchanges } from '../../../fakes/exchanges/server.ts';
import { type PaymentsFake, startPayments } from '../../../fakes/payments/server.ts';
import { findViolations } from '../../../src/features/credits/ledgerWatch.ts';
import { heal } from '../../../src/features/payments/reconcile.ts';
import { createTestApp, type TestApp, type TestUser } from '../../support/createTestApp.ts';
import { testSecret } from '../../support/globalDatabase.ts';
import { createKillableNode, type KillableNode } from '../../support/killableNode.ts';
import { paymentsEnv } from './support/paymentsApp.ts';

/** PAYMENT_KILLS=100 for the long run. */
const killCount = Number(process.env['PAYMENT_KILLS'] ?? 4);
const welcome = 10;

let exchanges: ExchangesFake;
let fake: PaymentsFake;
/** Signs people up and looks: the node of the test has the same database. */
let test: TestApp;
let node: KillableNode;
beforeAll(async () => {
  [exchanges, fake] = await Promise.all([startExchanges(), startPayments({ stepMs: 20 })]);
  test = await createTestApp({ env: { ...paymentsEnv(fake.url), AUTH_SECRET: testSecret } });
  node = await createKillableNode({
    DATABASE_URL: test.database.ownerUrl,
    EXCHANGES_URL: exchanges.url,
    MARKET_STREAMS: 'off',
    ...paymentsEnv(fake.url),
  });
});
afterAll(async () => {
  await node.close();
  await fake.close();
  await test.close();
  await exchanges.close();
});

/** Buys on the node, which may die at any moment: what is lost is lost for the buyer, too. */
async function buyAndPay(token: Record<string, string>): Promise<void> {
  const answer = await fetch(`${node.url}/api/billing/now/create-payment`, {
    method: 'POST',
    headers: { ...token, 'content-type': 'application/json', origin: node.url },
    body: JSON.stringify({ amount: 20, currency: 'usdt' }),
    signal: AbortSignal.timeout(10_000),
  });
  const { payment_id: id } = (await answer.json()) as { payment_id?: string };
  if (id !== undefined) await fake.coins.pay(Number(id), 'full');
}

it(
  `K1 FUND-034 loses and doubles no credit when the server is killed ${killCount} times between creation, notification and credit`,
  async () => {
    const users: TestUser[] = [];
    const startsMs: number[] = [];
    for (let index = 0; index < killCount; index++) {
      const startedAt = performance.now();
      await node.start();
      startsMs.push(performance.now() - startedAt);
      const user = await test.signUp();
      users.push(user);
      const buying = buyAndPay(user.bearer).catch(() => undefined);
      await delay(Math.random() * 400);
      await node.kill();
      await buying;
    }
    // The provider finishes what it knows of; then the list says what notifications did not.
    for (const payment of fake.coins.payments.values())
      Object.assign(payment, { payment_status: 'finished', actually_paid: 20 });
    const { payments } = test.deps;
    await heal({ db: test.database.db, providers: [payments.coins!] });
    await heal({ db: test.database.db, providers: [payments.coins!] });
    const made = new Set([...fake.coins.payments.values()].map(({ order_id: id }) => id));
    const rows = await test.database.asOwner<{ order: string; status: string; credits: number; balance: number }>(
      `select provider_order_id as order, status, p.credits, b.credits as balance from payments p join balances b using (user_id)`,
    );
    for (const row of rows) {
      const isPaid = made.has(row.order);
      expect(row).toMatchObject({
        credits: isPaid ? 20 : 0,
        balance: welcome + (isPaid ? 20 : 0),
        status: isPaid ? 'COMPLETED' : 'PENDING',
      });
    }
    // Every address the provider gave out has its order here: it is stored before the provider is asked.
    expect([...made].filter((order) => !rows.some((row) => row.order === order))).toEqual([]);
    expect(await findViolations(test.database.db)).toEqual([]);
    process.stdout.write(
      `K1 ${JSON.stringify({ kills: killCount, orders: rows.length, paid: made.size, users: users.length, slowestStartMs: Math.round(Math.max(...startsMs)) })}\n`,
    );
  },
  60_000 + killCount * 60_000,
);
