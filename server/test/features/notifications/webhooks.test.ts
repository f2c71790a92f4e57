// Long because its cases share one app, one database and their helpers: a start of them costs more than most cases.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { usualWebhookEvents, webhookPausesS } from '@sextant/workers/src/core/webhooks.ts';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ReceivedHook } from '../../../fakes/webhook/server.ts';
import { announceEnds } from '../../../src/features/apiKeys/subscriptions.ts';
import { attemptDelivery, type DeliverDeps } from '../../../src/features/notifications/deliver.ts';
import {
  queueForWebhooks,
  queueNotification,
  queueWhereWebhook,
} from '../../../src/features/notifications/queueNotification.ts';
import { withSystem } from '../../../src/platform/db/scope.ts';
import type { TestUser } from '../../support/createTestApp.ts';
import { blockedUrls } from './support/blockedUrls.ts';
import { type Courier, createCourier } from './support/courier.ts';

interface Hook {
  id: string;
  url: string;
  events: string[];
  active: boolean;
  secret_hint: string;
  payload: Record<string, unknown>;
  last_status: number | null;
  last_sequence: number;
  last_test_at: string | null;
  last_test_succeeded: boolean | null;
  failing_since: string | null;
  off_reason: string | null;
}
interface Delivery {
  id: string;
  event: string;
  sequence: number | null;
  state: string;
  attempt_count: number;
  status: number | null;
  failure: string | null;
  body: string;
}

let courier: Courier;
let anna: TestUser;
beforeAll(async () => {
  courier = await createCourier();
});
afterAll(() => courier.close());
beforeEach(async () => {
  courier.queue.length = 0;
  courier.webhooks.received.length = 0;
  courier.webhooks.play({ status: 204 });
  anna = await courier.test.signUp();
});

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';
const call = (method: Method, url: string, payload?: unknown, user = anna) =>
  courier.test.app.inject({
    method,
    url,
    headers: user.bearer,
    ...(payload === undefined ? {} : { payload: payload as object }),
  });
const hookUrl = (name = 'hook') => `${courier.webhooks.origin}/${name}`;

async function makeHook(fields: object = {}, user = anna): Promise<Hook & { secret: string }> {
  const response = await call('POST', '/api/webhooks', { url: hookUrl(), ...fields }, user);
  expect(response.statusCode).toBe(200);
  const { webhook, secret } = response.json<{ webhook: Hook; secret: string }>();
  return { ...webhook, secret };
}
const list = async (user = anna) =>
  (await call('GET', '/api/webhooks', undefined, user)).json<{ webhooks: Hook[] }>().webhooks;
const deliveriesOf = async (id: string) =>
  (await call('GET', `/api/webhooks/${id}/deliveries`)).json<{ deliveries: Delivery[] }>().deliveries;
const low = (user = anna) =>
  withSystem(courier.deps.db, (tx) =>
    queueNotification(tx, user.id, 'credits_low', { credits: 2, ledger_id: randomUUID() }),
  );
async function deliverLow(): Promise<void> {
  await low();
  await courier.dispatch();
  await courier.drain();
}
/** What a receiver does with the package of Standard Webhooks: returns the body, or throws. */
const verify = ({ body, headers }: ReceivedHook, secret: string) =>
  new Webhook(secret).verify(body, headers as Record<string, string>) as {
    type: string;
    sequence?: number;
    data: object;
  };

describe('a webhook', () => {
  it('HOOK-003 HOOK-006 API-022 API-023 KEY-025: is made from a free-form payload and listed with its state', async () => {
    expect(await list()).toEqual([]);
    const made = await makeHook({ events: ['credits.low'], team: 'desk 4', tags: ['a', { b: null }] });
    expect(made.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const [hook] = await list();
    expect(hook).toMatchObject({
      id: made.id,
      url: hookUrl(),
      events: ['credits.low'],
      active: true,
      secret_hint: `…${made.secret.slice(-4)}`,
      payload: { team: 'desk 4', tags: ['a', { b: null }] },
      last_delivery_at: null,
      last_status: null,
      off_reason: null,
    });
    expect((await call('GET', '/api/webhooks')).body).not.toContain(made.secret);
    expect((await makeHook()).events).toEqual([...usualWebhookEvents]);
  });

  it.each([
    [{}, 'url'],
    [{ url: 7 }, 'url'],
    [{ url: 'https://example.com', events: [] }, 'events'],
    [{ url: 'https://example.com', events: ['position.moved'] }, 'events'],
    [{ url: 'https://example.com', note: '\u0000' }, undefined],
    [{ url: 'https://example.com', note: 'x'.repeat(4096) }, undefined],
  ])('HOOK-003: rejects %j', async (payload, field) => {
    const response = await call('POST', '/api/webhooks', payload);
    expect(response.statusCode).toBe(400);
    if (field !== undefined) expect(response.json<{ field: string }>().field).toContain(field);
    expect(await list()).toEqual([]);
  });

  it('is changed, switched off and on, and deleted by its owner only', async () => {
    const hook = await makeHook();
    const bert = await courier.test.signUp();
    expect((await call('PATCH', `/api/webhooks/${hook.id}`, { active: false }, bert)).statusCode).toBe(404);
    expect((await call('DELETE', `/api/webhooks/${hook.id}`, undefined, bert)).statusCode).toBe(404);
    const changed = await call('PATCH', `/api/webhooks/${hook.id}`, { url: hookUrl('b'), events: ['position.closed'] });
    expect(changed.json()).toMatchObject({ webhook: { url: hookUrl('b'), events: ['position.closed'], active: true } });
    await call('PATCH', `/api/webhooks/${hook.id}`, { events: ['credits.low'], active: false });
    await deliverLow();
    expect(courier.webhooks.received).toEqual([]);
    await call('PATCH', `/api/webhooks/${hook.id}`, { active: true });
    await deliverLow();
    expect(courier.webhooks.received).toHaveLength(1);
    expect((await call('DELETE', `/api/webhooks/${hook.id}`)).json()).toMatchObject({ webhooks: [] });
    expect((await call('GET', `/api/webhooks/${hook.id}/deliveries`)).statusCode).toBe(404);
  });

  it('an account has at most 20', async () => {
    for (let i = 0; i < 20; i++) {
      const url = `https://hook${i % 4}.example/${i}`;
      expect((await call('POST', '/api/webhooks', { url })).statusCode).toBe(200);
    }
    expect((await call('POST', '/api/webhooks', { url: hookUrl() })).json()).toMatchObject({ code: 'conflict' });
  });

  it('is made with a key of the scope; other keys are rejected', async () => {
    const key = async (scopes: string[]) => {
      const made = await call('POST', '/api/account/api-keys', { name: 'k', scopes });
      return { 'x-api-key': made.json<{ api_key: string }>().api_key };
    };
    const make = async (headers: Record<string, string>) =>
      (await courier.test.app.inject({ method: 'POST', url: '/api/webhooks', headers, payload: { url: hookUrl() } }))
        .statusCode;
    expect(await make(await key(['manage:webhooks']))).toBe(200);
    expect(await make(await key([]))).toBe(403);
  });

  it('is rejected for the shared demo account', async () => {
    const entered = await courier.test.app.inject({ method: 'POST', url: '/api/auth/demo' });
    const headers = { authorization: `Bearer ${entered.json<{ token: string }>().token}` };
    for (const url of ['/api/webhooks', '/api/webhook/test'])
      expect(
        (await courier.test.app.inject({ method: 'POST', url, headers, payload: { url: hookUrl() } })).statusCode,
      ).toBe(403);
    expect((await courier.test.app.inject({ url: '/api/webhooks', headers })).json()).toMatchObject({ is_demo: true });
  });
});

describe('messages', () => {
  it('HOOK-007: every event arrives numbered, and the package of Standard Webhooks verifies each (W1)', async () => {
    const hook = await makeHook();
    const [id, other] = [randomUUID(), randomUUID()];
    const position = { position_id: id, symbol: 'BTCUSDT', side: 'LONG', entry_price: 100 } as const;
    await withSystem(courier.deps.db, async (tx) => {
      const signal = {
        signal_id: id,
        scan_id: other,
        exchange: 'binance',
        symbol: 'BTCUSDT',
        interval: '1h',
        direction: 'LONG',
        confidence: 0.61,
        confidence_kind: 'score',
        risk_label: 'STANDARD',
        price: 100,
        stop_loss: 98,
        take_profit: 104,
        candle_close_at: '2026-01-01T00:00:00.000Z',
        eligible: true,
        outcome: 'ELIGIBLE',
        filtered_by: null,
      } as const;
      await queueForWebhooks(tx, anna.id, 'signal_created', [signal]);
      // Without chosen events a webhook receives every signal that may be opened, not each that was found.
      await queueForWebhooks(tx, anna.id, 'signal_found', [{ ...signal, eligible: false, outcome: 'LOW_CONF' }]);
      await queueNotification(tx, anna.id, 'position_opened', { ...position, quantity: 1, leverage: 5 });
      const end = { exit_price: 101, reason: 'take_profit', net_pnl_usdt: 1 };
      await queueNotification(tx, anna.id, 'position_closed', { ...position, ...end });
      const alert = { receipt_id: id, alert_id: id, condition: 'BTCUSDT crosses 1', value: null, note: null };
      const fired = { ...alert, exchange_at: '2026-01-01T00:00:00.000Z', is_late: false, channels: ['page'] };
      await queueWhereWebhook(tx, 'alert_fired', [{ userId: anna.id, payload: fired }]);
      const payment = { payment_id: id, credits: 20, credits_total: 20, method: 'usdt' };
      await queueForWebhooks(tx, anna.id, 'payment_completed', [payment]);
      await queueNotification(tx, anna.id, 'credits_low', { credits: 2, ledger_id: id });
      const plan = { subscription_id: id, plan: 'PRO', expires_at: '2026-01-01T00:00:00.000Z' };
      await queueForWebhooks(tx, anna.id, 'plan_expiring', [plan]);
    });
    await courier.dispatch();
    await courier.drain();
    const read = courier.webhooks.received.map((each) => verify(each, hook.secret));
    expect(new Set(read.map(({ type }) => type))).toEqual(new Set(usualWebhookEvents));
    expect(read.map(({ sequence }) => sequence).sort()).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect((await list())[0]).toMatchObject({ last_sequence: 7, last_status: 204, failing_since: null });
    const shown = await deliveriesOf(hook.id);
    const sent = new Map(courier.webhooks.received.map(({ headers, body }) => [String(headers['webhook-id']), body]));
    expect(shown.map(({ id: each, body }) => [`msg_${each}`, body]).sort()).toEqual([...sent].sort());
    expect(shown.every(({ state, status }) => state === 'sent' && status === 204)).toBe(true);
  });

  it('a changed body, time or key is no longer verified', async () => {
    const hook = await makeHook();
    await deliverLow();
    const [good] = courier.webhooks.received as [ReceivedHook];
    expect(verify(good, hook.secret).type).toBe('credits.low');
    expect(() => verify({ ...good, body: `${good.body} ` }, hook.secret)).toThrow();
    const late = { ...good.headers, 'webhook-timestamp': String(Number(good.headers['webhook-timestamp']) - 1) };
    expect(() => verify({ ...good, headers: late }, hook.secret)).toThrow();
    expect(() => verify(good, `whsec_${Buffer.alloc(32).toString('base64')}`)).toThrow();
  });

  it('go to each webhook by its events, key and numbers, and to no user without one', async () => {
    const [one, two] = [await makeHook({ url: hookUrl('one') }), await makeHook({ url: hookUrl('two') })];
    await makeHook({ events: ['position.opened'] });
    const bert = await courier.test.signUp();
    await low();
    await low(bert);
    await courier.dispatch();
    await courier.drain();
    expect(courier.webhooks.received).toHaveLength(2);
    const verified = (secret: string) =>
      courier.webhooks.received.filter((each) => {
        try {
          return verify(each, secret).sequence === 1;
        } catch {
          return false;
        }
      });
    expect(verified(one.secret)).toHaveLength(1);
    expect(verified(two.secret)).toHaveLength(1);
    await withSystem(courier.deps.db, (tx) =>
      queueForWebhooks(tx, bert.id, 'plan_expiring', [
        { subscription_id: randomUUID(), plan: 'PRO', expires_at: '2026-01-01T00:00:00.000Z' },
      ]),
    );
    expect(
      await courier.test.database.asOwner(
        `select id from notifications where user_id = $1 and kind = 'plan_expiring'`,
        [bert.id],
      ),
    ).toEqual([]);
  });

  it('numbers have no gap and no repetition when several nodes dispatch at once', async () => {
    const hooks = [await makeHook({ url: hookUrl('one') }), await makeHook({ url: hookUrl('two') })];
    for (let i = 0; i < 6; i++) {
      await Promise.all(Array.from({ length: 10 }, () => low()));
      await Promise.all(Array.from({ length: 4 }, () => courier.dispatch()));
    }
    for (const { id } of hooks) {
      const rows = await courier.test.database.asOwner<{ sequence: string }>(
        'select sequence from notification_deliveries where webhook_id = $1 order by sequence',
        [id],
      );
      expect(rows.map(({ sequence }) => Number(sequence))).toEqual(Array.from({ length: 60 }, (_, i) => i + 1));
    }
  });

  it('the end of a plan is announced three days before', async () => {
    const hook = await makeHook();
    await courier.test.database.asOwner(
      `with g as (insert into credit_ledger (user_id, kind, reason, delta_credits, idempotency_key) values ($1, 'grant', 'purchase', 100, 'g')),
        h as (insert into credit_ledger (user_id, kind, reason, delta_credits, idempotency_key, expires_at)
          values ($1, 'hold', 'plan', -100, 'h', now()) returning id),
        c as (insert into credit_ledger (user_id, kind, reason, delta_credits, idempotency_key, hold_id)
          select $1, 'capture', 'plan', 0, 'c', id from h)
        insert into api_subscriptions (user_id, plan, price_credits, credit_ref, expires_at)
          select $1, 'STARTER', 100, id, now() + interval '2 days' from h`,
      [anna.id],
    );
    await announceEnds({ ...courier.deps });
    await courier.dispatch();
    await courier.drain();
    const [received] = courier.webhooks.received;
    expect(verify(received!, hook.secret)).toMatchObject({ type: 'plan.expiring', data: { plan: 'STARTER' } });
  });
});

describe('a receiver that fails', () => {
  it('HOOK-007: is tried on the schedule of the standard; then the webhook is off, says why, and its owner gets an email', async () => {
    const hook = await makeHook();
    const emails: { to: string; subject: string; paragraphs: string[] }[] = [];
    const outbox = {
      ...courier.deps.outbox,
      add: (_tx: unknown, email: (typeof emails)[number]) => Promise.resolve(void emails.push(email)),
    };
    courier.webhooks.play({ status: 500 });
    await low();
    await courier.dispatch();
    expect(await courier.drain({ ...courier.deps, outbox })).toEqual([
      0, 5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400,
    ]);
    expect(new Set(courier.webhooks.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect((await list())[0]).toMatchObject({
      id: hook.id,
      active: false,
      off_reason: 'No message was accepted for three days.',
    });
    expect(emails).toMatchObject([{ to: anna.email, subject: 'Your webhook was switched off' }]);
    expect(await deliveriesOf(hook.id)).toMatchObject([{ state: 'failed', attempt_count: 10, status: 500 }]);
  });

  it('410 switches it off at once; switching on clears the reason', async () => {
    const hook = await makeHook();
    courier.webhooks.play({ status: 410 });
    await deliverLow();
    expect((await list())[0]).toMatchObject({ active: false, off_reason: 'The receiver returned 410 Gone.' });
    await call('PATCH', `/api/webhooks/${hook.id}`, { active: true });
    expect((await list())[0]).toMatchObject({ active: true, off_reason: null, failing_since: null });
  });

  it('is retried after the pause it requests', async () => {
    await makeHook();
    courier.webhooks.play({ status: 429, headers: { 'retry-after': '77' } }, 1);
    await low();
    await courier.dispatch();
    expect(await courier.drain()).toEqual([0, 77]);
  });

  it('receives a message again on demand, sent or failed, with the same id and body', async () => {
    const hook = await makeHook();
    await deliverLow();
    const [sent] = await deliveriesOf(hook.id);
    const again = await call('POST', `/api/webhooks/${hook.id}/deliveries/${sent?.id ?? ''}/redeliver`);
    expect(again.json()).toMatchObject({ delivery: { id: sent?.id, state: 'waiting' } });
    expect((await call('POST', `/api/webhooks/${hook.id}/deliveries/${sent?.id ?? ''}/redeliver`)).statusCode).toBe(
      404,
    );
    // The queue of the app took the job; here the test delivers it.
    await attemptDelivery(courier.deps, sent?.id ?? '', 1);
    const [first, second] = courier.webhooks.received as [ReceivedHook, ReceivedHook];
    expect(second.headers['webhook-id']).toBe(first.headers['webhook-id']);
    expect(second.body).toBe(first.body);
    expect(await deliveriesOf(hook.id)).toMatchObject([{ state: 'sent', attempt_count: 2 }]);
  });

  it('that never responds does not occupy every slot of a node', async () => {
    await makeHook();
    for (let i = 0; i < 5; i++) await low();
    await courier.dispatch();
    const jobs = courier.queue.splice(0);
    const isOver = Promise.withResolvers<undefined>();
    const post: DeliverDeps['poster']['post'] = async (...args) => {
      const response = await courier.deps.poster.post(...args);
      await isOver.promise;
      return response;
    };
    const silent = { ...courier.deps, poster: { ...courier.deps.poster, post } };
    const attempts = jobs.map((job) => attemptDelivery(silent, job.deliveryId, job.attempt));
    await expect.poll(() => courier.queue.map(({ startAfterS }) => startAfterS)).toEqual([5, 5]);
    await expect.poll(() => courier.webhooks.received.length).toBe(3);
    isOver.resolve(undefined);
    await Promise.all(attempts);
    expect(courier.webhooks.received).toHaveLength(3);
    await courier.drain();
    expect(courier.webhooks.received).toHaveLength(5);
  });
});

/** Outcome of one attempt: a response, or the death of the node before it sent, or after it sent and before it marked. */
const fates = ['ok', 'broken', 'diesBefore', 'diesAfter', 'twice'] as const;

it('at least once, under one id and number, whatever the response and whichever node dies (W1)', async () => {
  const hook = await makeHook();
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...fates), { maxLength: 6 }), async (plan) => {
      courier.queue.length = 0;
      courier.webhooks.received.length = 0;
      await low();
      await courier.dispatch();
      for (const fate of [...plan, 'ok' as const]) {
        const job = courier.queue[0];
        if (job === undefined) break;
        courier.webhooks.play({ status: fate === 'broken' ? 503 : 200 });
        const post: DeliverDeps['poster']['post'] = async (...args) => {
          if (fate === 'diesAfter') await courier.deps.poster.post(...args);
          throw new Error('this node died');
        };
        if (fate === 'diesBefore' || fate === 'diesAfter') {
          const dying = { ...courier.deps, poster: { ...courier.deps.poster, post } };
          await expect(attemptDelivery(dying, job.deliveryId, job.attempt)).rejects.toThrow('this node died');
          continue;
        }
        courier.queue.shift();
        const nodes = Array.from({ length: fate === 'twice' ? 2 : 1 }, () => job);
        await Promise.all(nodes.map(({ deliveryId, attempt }) => attemptDelivery(courier.deps, deliveryId, attempt)));
      }
      const { received } = courier.webhooks;
      expect(received.length).toBeGreaterThanOrEqual(1);
      expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
      expect(new Set(received.map((each) => verify(each, hook.secret).sequence)).size).toBe(1);
      expect((await deliveriesOf(hook.id))[0]?.state).toBe('sent');
      expect(courier.queue).toEqual([]);
    }),
    { numRuns: 15 },
  );
});

it('a secret that is replaced signs beside its successor for a day, in one header (W1)', async () => {
  const hook = await makeHook();
  const rotated = (await call('POST', `/api/webhooks/${hook.id}/secret`)).json<{
    secret: string;
    previous_until: string;
  }>();
  expect((await list())[0]?.secret_hint).toBe(`…${rotated.secret.slice(-4)}`);
  const hours = (Date.parse(rotated.previous_until) - Date.now()) / 3_600_000;
  expect(hours).toBeGreaterThan(23.9);
  expect(hours).toBeLessThan(24.1);
  await deliverLow();
  const [both] = courier.webhooks.received as [ReceivedHook];
  expect(verify(both, hook.secret).type).toBe('credits.low');
  expect(verify(both, rotated.secret).type).toBe('credits.low');
  await courier.test.database.asOwner(`update webhook_secrets set previous_until = now() where webhook_id = $1`, [
    hook.id,
  ]);
  courier.webhooks.received.length = 0;
  await deliverLow();
  const [one] = courier.webhooks.received as [ReceivedHook];
  expect(verify(one, rotated.secret).type).toBe('credits.low');
  expect(() => verify(one, hook.secret)).toThrow();
});

describe('a test', () => {
  const test = (body?: object) => call('POST', '/api/webhook/test', body);

  it('API-021 X64 HOOK-001: is sent at once, and its time is stored', async () => {
    const hook = await makeHook();
    const fromMs = Date.now();
    const body = (await test({ webhook_id: hook.id, event: 'position.opened' })).json<{ tested_at: string }>();
    const toMs = Date.now();
    expect(body).toMatchObject({ success: true, error: null, status: 204, webhook_id: hook.id });
    const [received] = courier.webhooks.received as [ReceivedHook];
    const message = verify(received, hook.secret);
    // A receiver that acts on events must not act on the example in a test message.
    expect(message).toMatchObject({
      type: 'test',
      data: { example: { type: 'position.opened', data: { symbol: 'BTCUSDT' } } },
    });
    expect(message.sequence).toBeUndefined();
    const [shown] = await list();
    expect(shown).toMatchObject({ last_test_succeeded: true, last_sequence: 0 });
    for (const at of [shown?.last_test_at, body.tested_at]) {
      expect(Date.parse(at ?? '')).toBeGreaterThanOrEqual(fromMs - 1);
      expect(Date.parse(at ?? '')).toBeLessThanOrEqual(toMs + 1);
    }
    // The fallback job that sends it when this node dies finds nothing to do.
    await attemptDelivery(courier.deps, (await deliveriesOf(hook.id))[0]?.id ?? '', 0);
    expect(courier.webhooks.received).toHaveLength(1);
  });

  it('HOOK-002 ERR-008: that fails reports it, is not repeated and leaves the webhook inactive', async () => {
    await makeHook();
    courier.webhooks.play({ status: 500 });
    const response = await test();
    expect(response.statusCode).toBe(200);
    expect(response.json()).toMatchObject({
      success: false,
      error: 'Webhook test failed',
      message: 'The receiver returned 500.',
      status: 500,
    });
    expect(courier.webhooks.received).toHaveLength(1);
    expect((await list())[0]).toMatchObject({ last_test_succeeded: false, active: true });
  });

  it('takes the newest webhook, or the one that is named by id or URL, and says when there is none', async () => {
    expect((await test()).statusCode).toBe(404);
    const first = await makeHook({ url: hookUrl('first') });
    const second = await makeHook({ url: hookUrl('second') });
    expect((await test()).json()).toMatchObject({ webhook_id: second.id });
    expect((await test({ url: hookUrl('first') })).json()).toMatchObject({ webhook_id: first.id });
    expect((await test({ url: 'https://example.com/other' })).statusCode).toBe(404);
    expect((await test({ webhook_id: randomUUID() })).statusCode).toBe(404);
  });
});

describe('addresses that are not public (R1)', () => {
  it(`${blockedUrls.length} URLs are rejected when a webhook is made or changed`, async () => {
    const hook = await makeHook();
    const passed: string[] = [];
    for (const url of blockedUrls) {
      const responses = [
        await call('POST', '/api/webhooks', { url }),
        await call('PATCH', `/api/webhooks/${hook.id}`, { url }),
      ];
      if (responses.some(({ statusCode }) => statusCode !== 400)) passed.push(url);
    }
    expect(passed).toEqual([]);
    expect(await list()).toHaveLength(1);
  });

  it('and not called when a receiver redirects to them', async () => {
    let connections = 0;
    const canary = createServer((socket) => {
      connections++;
      socket.destroy();
    });
    await new Promise<void>((resolve) => canary.listen(0, '127.0.0.1', resolve));
    const { port } = canary.address() as AddressInfo;
    await makeHook();
    const targets = [
      `http://127.0.0.1:${port}/`,
      `http://[::ffff:127.0.0.1]:${port}/`,
      `http://2130706433:${port}/`,
      ...blockedUrls,
    ];
    const statuses = [301, 302, 303, 307, 308];
    for (const [i, location] of targets.entries()) {
      courier.webhooks.play({ status: statuses[i % 5] ?? 302, headers: { location: encodeURI(location) } }, 1);
      await low();
      await courier.dispatch();
      const [job] = courier.queue.splice(0);
      await attemptDelivery(courier.deps, job?.deliveryId ?? '', 0);
      courier.queue.length = 0;
      // The next message would wait for this one.
      await courier.test.database.asOwner('delete from notifications');
    }
    expect(courier.webhooks.received).toHaveLength(targets.length);
    expect(connections).toBe(0);
    await new Promise((resolve) => canary.close(resolve));
  });

  it('and not called when the row was changed bypassing the check', async () => {
    const hook = await makeHook();
    await courier.test.database.asOwner(`update webhooks set url = 'https://169.254.169.254/' where id = $1`, [
      hook.id,
    ]);
    await deliverLow();
    expect((await list())[0]).toMatchObject({
      active: false,
      off_reason: 'The URL leads to an address that is not public.',
    });
  });
});

it('the schedule is the one of the standard', () =>
  expect(webhookPausesS).toEqual([5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]));
