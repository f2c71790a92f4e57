import { setTimeout as pause } from 'node:timers/promises';
import { randomInt, randomUUID } from 'node:crypto';
import { Agent, request } from 'undici';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type FakePayment, noticeOf, signNotice } from '../../../fakes/payments/nowPayments.ts';
import { findViolations } from '../../../src/features/credits/ledgerWatch.ts';
import type { TestUser } from '../../support/createTestApp.ts';
import { createPaymentsApp, type PaymentsApp } from './support/paymentsApp.ts';

/** PAYMENT_NOTICES=3000 for the full run. */
const noticeCount = Number(process.env['PAYMENT_NOTICES'] ?? 400);
const perPayment = 15;
const killMs = 30;
const senders = 16;

let test: PaymentsApp;
let users: TestUser[];
beforeAll(async () => {
  test = await createPaymentsApp();
  users = [];
  for (let made = 0; made < 10; made++) users.push(await test.signUp());
});
afterAll(() => test.close());

interface Letter {
  payload: string;
  signature: string;
  isForged: boolean;
}
const letterOf = (payment: FakePayment, change: Partial<FakePayment>, isForged = false): Letter => {
  const notice = noticeOf({ ...payment, ...change });
  const signature = signNotice(notice, 'sdk', isForged ? 'another secret' : undefined);
  return { payload: JSON.stringify(notice), signature, isForged };
};

/** One payment of an account, stored as if it had been created, and all notifications of its provider about it. */
async function makePayment(index: number): Promise<{ letters: Letter[]; credits: number; userId: string }> {
  const user = users[index % users.length]!;
  const tokens = 20 + (index % 50);
  const [row] = await test.database.asOwner<{ id: string; order: string }>(
    `with p as (insert into payments (user_id, tokens, amount_cents, method, provider, status, expires_at, pay_amount, pay_currency, provider_payment_id)
       values ($1, $2, $2 * 100, 'usdt', 'nowpayments', $3, now() + interval '1 hour', $2, 'usdttrc20', $4) returning *),
     e as (insert into payment_events (payment_id, user_id, kind, status, provider, idempotency_key)
       select id, user_id, 'cancelled', status, provider, 'made' from p where status = 'CANCELLED'
       union all select id, user_id, 'expired', status, provider, 'made' from p where status = 'EXPIRED')
     select id, provider_order_id as order from p`,
    [user.id, tokens, index % 2 === 0 ? 'CANCELLED' : 'EXPIRED', String(7_000_000_000 + index)],
  );
  const payment: FakePayment = {
    payment_id: 7_000_000_000 + index,
    payment_status: 'waiting',
    order_id: row!.order,
    price_amount: tokens,
    price_currency: 'usd',
    pay_amount: tokens,
    pay_currency: 'usdttrc20',
    pay_address: 'TPractice',
    actually_paid: 0,
    ipn_callback_url: '',
    created_at: '',
    expiration_estimate_date: '',
  };
  const paid = { actually_paid: tokens };
  const words = ['waiting', 'confirming', 'confirmed', 'sending'].map((word) =>
    letterOf(payment, { ...paid, payment_status: word }),
  );
  const forged = letterOf(payment, { ...paid, payment_status: 'finished' }, true);
  const repeated = (letter: Letter, count: number): Letter[] => Array.from({ length: count }, () => letter);
  const kind = index % 4;
  if (kind === 0) {
    const half = letterOf(payment, { actually_paid: tokens / 2, payment_status: 'partially_paid' });
    return {
      letters: [...words, forged, ...repeated(half, perPayment - 5)],
      credits: Math.floor(tokens / 2),
      userId: user.id,
    };
  }
  const finished = letterOf(payment, { ...paid, payment_status: 'finished' });
  if (kind === 1) {
    const child = letterOf(payment, {
      payment_id: 8_000_000_000 + index,
      parent_payment_id: payment.payment_id,
      actually_paid: 7.5,
      payment_status: 'finished',
    });
    return {
      letters: [...words, forged, ...repeated(finished, 5), ...repeated(child, perPayment - 10)],
      credits: tokens + 7,
      userId: user.id,
    };
  }
  if (kind === 2) {
    const expired = letterOf(payment, { payment_status: 'expired' });
    return {
      letters: [...words, forged, expired, ...repeated(finished, perPayment - 6)],
      credits: tokens,
      userId: user.id,
    };
  }
  const failed = letterOf(payment, { payment_status: 'failed' });
  return {
    letters: [forged, failed, ...repeated(forged, 3), ...words, ...repeated(failed, perPayment - 9)],
    credits: 0,
    userId: user.id,
  };
}

function shuffled<T>(items: readonly T[]): T[] {
  const mixed = [...items];
  for (let at = mixed.length - 1; at > 0; at--) {
    const other = randomInt(at + 1);
    [mixed[at], mixed[other]] = [mixed[other]!, mixed[at]!];
  }
  return mixed;
}

it(
  `FUND-034 credits every payment exactly once: ${noticeCount} notifications, shuffled, repeated, forged, late, partial and of further transfers, while backends are ended`,
  async () => {
    const made = [];
    for (let index = 0; index < Math.ceil(noticeCount / perPayment); index++) made.push(await makePayment(index));
    const queue = shuffled(made.flatMap(({ letters }) => letters));
    const sent = queue.length;
    const origin = test.deps.payments.baseUrl;
    const agent = new Agent({ connections: senders });
    const times: number[] = [];
    const forged: number[] = [];
    let failed = 0;
    let taken = 0;

    const done = new AbortController();
    const isOver = (): boolean => done.signal.aborted;
    let killed = 0;
    const killer = (async () => {
      while (!isOver()) {
        const rows = await test.database.asOwner(
          `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'sextant'
             and state <> 'idle' and pid <> pg_backend_pid() order by random() limit 1`,
        );
        killed += rows.length;
        const takenBefore = taken;
        await pause(killMs);
        // On a busy machine a transaction takes longer than the pause: without waiting for one to end between two kills none ever would.
        while (taken === takenBefore && !isOver()) await pause(1);
      }
    })();

    async function send({ payload, signature, isForged }: Letter): Promise<void> {
      for (;;) {
        const startedAt = performance.now();
        const response = await request(`${origin}/api/billing/now/ipn`, {
          method: 'POST',
          dispatcher: agent,
          headers: { 'content-type': 'application/json', 'x-nowpayments-sig': signature },
          body: payload,
        });
        await response.body.dump();
        times.push(performance.now() - startedAt);
        if (isForged) forged.push(response.statusCode);
        if (response.statusCode === 200) taken++;
        if (isForged || response.statusCode === 200) return;
        // The provider repeats after an error; an ended backend may cause no other status.
        expect([500, 503]).toContain(response.statusCode);
        failed++;
      }
    }
    await Promise.all(
      Array.from({ length: senders }, async () => {
        for (let letter = queue.pop(); letter !== undefined; letter = queue.pop()) await send(letter);
      }),
    );
    done.abort();
    await killer;
    await agent.close();

    const wanted = new Map<string, number>();
    for (const { userId, credits } of made) wanted.set(userId, (wanted.get(userId) ?? 10) + credits);
    for (const [userId, credits] of wanted) expect((await test.balanceOf(userId)).credits).toBe(credits);
    expect(new Set(forged)).toEqual(new Set([401]));
    expect(await findViolations(test.database.db)).toEqual([]);
    times.sort((a, b) => a - b);
    const p99Ms = Math.round(times[Math.floor(times.length * 0.99)]!);
    process.stdout.write(
      `payments ${JSON.stringify({ run: randomUUID().slice(0, 8), sent, payments: made.length, killed, failed, forged: forged.length, p99Ms })}\n`,
    );
  },
  60_000 + noticeCount * 100,
);
