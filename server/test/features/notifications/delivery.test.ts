// Long because its cases share one app, one database and their helpers: a start of them costs more than most cases.
import { webhookPausesS } from '@sextant/workers/src/core/webhooks.ts';
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { attemptDelivery, type DeliverDeps } from '../../../src/features/notifications/deliver.ts';
import { chosenKinds } from '../../../src/features/notifications/kinds.ts';
import { signedHeaders } from '../../../src/features/notifications/message.ts';
import { queueNotification } from '../../../src/features/notifications/queueNotification.ts';
import { takeLinks } from '../../../src/features/notifications/telegramLink.ts';
import { withSystem } from '../../../src/platform/db/scope.ts';
import type { TestUser } from '../../support/createTestApp.ts';
import { type Courier, createCourier } from './support/courier.ts';

let courier: Courier;
let anna: TestUser;
let secret: string;
beforeAll(async () => {
  courier = await createCourier();
  anna = await courier.test.signUp();
  secret = await setWebhook();
});
afterAll(() => courier.close());
beforeEach(async () => {
  courier.queue.length = 0;
  courier.webhooks.received.length = 0;
  courier.webhooks.play({ status: 204 });
  courier.telegram.messages.length = 0;
  courier.telegram.play('hang', 0);
  await courier.test.database.asOwner('delete from notifications');
  await call('PATCH', '/webhook', { is_on: true });
});

async function call(method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, payload?: object, user = anna) {
  const url = `/api/notifications${path}`;
  return courier.test.app.inject({ method, url, headers: user.bearer, ...(payload === undefined ? {} : { payload }) });
}
async function setWebhook(): Promise<string> {
  const response = await call('PUT', '/webhook', { url: `${courier.webhooks.origin}/hook` });
  return response.json<{ secret: string }>().secret;
}
const low = (user = anna, ledgerId: string = randomUUID()) =>
  withSystem(courier.deps.db, (tx) =>
    queueNotification(tx, user.id, 'credits_low', { credits: 2, ledger_id: ledgerId }),
  );
const log = async (user = anna) =>
  (await call('GET', '/deliveries', undefined, user)).json<{
    deliveries: { id: string; state: string; attempt_count: number; status: number | null; failure: string | null }[];
  }>().deliveries;
const settings = async (user = anna) =>
  (await call('GET', '', undefined, user)).json<{
    telegram: { name: string; is_on: boolean; off_reason: string | null } | null;
    webhook: { is_on: boolean; off_reason: string | null; failing_since: string | null } | null;
  }>();

describe('a message to a webhook', () => {
  it('arrives signed, says what happened, and is logged as delivered', async () => {
    await low();
    await courier.dispatch();
    await courier.drain();
    const [hook] = courier.webhooks.received;
    const [entry] = await log();
    expect(entry).toMatchObject({
      channel: 'webhook',
      kind: 'credits_low',
      state: 'sent',
      attempt_count: 1,
      status: 204,
    });
    expect(JSON.parse(hook?.body ?? '')).toMatchObject({ type: 'credits.low', data: { credits: 2 } });
    expect(hook?.headers['webhook-id']).toBe(`msg_${entry?.id ?? ''}`);
    const atMs = Number(hook?.headers['webhook-timestamp']) * 1000;
    expect(Math.abs(atMs - Date.now())).toBeLessThan(60_000);
    expect(hook?.headers).toMatchObject(signedHeaders([secret], `msg_${entry?.id ?? ''}`, atMs, hook?.body ?? ''));
  });

  it('is tried for three days with growing pauses; then the target is switched off and says why', async () => {
    courier.webhooks.play({ status: 500 });
    await low();
    await courier.dispatch();
    expect(await courier.drain()).toEqual([0, ...webhookPausesS]);
    expect(await log()).toMatchObject([
      { state: 'failed', attempt_count: 10, status: 500, failure: 'The receiver returned 500.' },
    ]);
    expect(new Set(courier.webhooks.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect((await settings()).webhook).toMatchObject({
      is_on: false,
      off_reason: 'No message was accepted for three days.',
    });
    await low();
    await courier.dispatch();
    expect(courier.queue).toEqual([]);
  });

  it('can be sent again by its owner once it failed, with the same id', async () => {
    courier.webhooks.play({ status: 500 });
    await low();
    await courier.dispatch();
    await courier.drain();
    courier.webhooks.play({ status: 200 });
    await call('PATCH', '/webhook', { is_on: true });
    const [failed] = await log();
    expect((await call('POST', `/deliveries/${failed?.id ?? ''}/retry`)).statusCode).toBe(200);
    // The queue of the app took the job; here the test delivers it.
    await attemptDelivery(courier.deps, failed?.id ?? '', 10);
    expect(await log()).toMatchObject([{ id: failed?.id, state: 'sent', attempt_count: 11 }]);
    expect(new Set(courier.webhooks.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect((await call('POST', `/deliveries/${failed?.id ?? ''}/retry`)).statusCode).toBe(404);
  });

  it('waits as long as the receiver requests', async () => {
    courier.webhooks.play({ status: 429, headers: { 'retry-after': '77' } }, 1);
    await low();
    await courier.dispatch();
    expect(await courier.drain()).toEqual([0, 77]);
    expect(await log()).toMatchObject([{ state: 'sent', attempt_count: 2 }]);
  });

  it('with response 410 switches the target off at once', async () => {
    courier.webhooks.play({ status: 410 });
    await low();
    await courier.dispatch();
    expect(await courier.drain()).toEqual([0]);
    expect((await settings()).webhook).toMatchObject({
      is_on: false,
      off_reason: 'The receiver returned 410 Gone.',
    });
  });

  it('does not follow a redirect', async () => {
    courier.webhooks.play({ status: 302, headers: { location: 'http://127.0.0.1:1/' } }, 1);
    await low();
    await courier.dispatch();
    await courier.drain();
    expect(courier.webhooks.received).toHaveLength(2);
  });

  it('is about what its owner chose, and about nothing while it is switched off', async () => {
    await call('PATCH', '/webhook', { kinds: ['position_opened'] });
    await low();
    await courier.dispatch();
    await call('PATCH', '/webhook', { kinds: ['credits_low'], is_on: false });
    await low();
    await courier.dispatch();
    expect(courier.queue).toEqual([]);
    await call('PATCH', '/webhook', { is_on: true });
    await low();
    await courier.dispatch();
    expect(courier.queue).toHaveLength(1);
    // Switched off after it was queued: not sent any more.
    await call('PATCH', '/webhook', { is_on: false });
    await courier.drain();
    expect(courier.webhooks.received).toEqual([]);
    expect(await log()).toMatchObject([{ state: 'failed', failure: 'The target was switched off.' }]);
  });
});

/** Outcome of one attempt: a response, or the death of the node before it sent, or after it sent and before it marked. */
const fates = ['ok', 'busy', 'broken', 'diesBefore', 'diesAfter', 'twice'] as const;

it('at least once, under one id, whatever the response and whichever node dies', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...fates), { maxLength: 7 }), async (plan) => {
      courier.queue.length = 0;
      courier.webhooks.received.length = 0;
      await courier.test.database.asOwner('delete from notifications');
      await low();
      await courier.dispatch();
      const statuses = { ok: 204, busy: 429, broken: 500, diesBefore: 204, diesAfter: 204, twice: 204 } as const;
      let accepted = 0;
      for (const fate of [...plan, 'ok' as const]) {
        const job = courier.queue[0];
        if (job === undefined) break;
        courier.webhooks.play({ status: statuses[fate] });
        const dying: DeliverDeps = {
          ...courier.deps,
          poster: {
            ...courier.deps.poster,
            post: async (...args) => {
              if (fate !== 'diesBefore') await courier.deps.poster.post(...args);
              throw new Error('this node died');
            },
          },
        };
        if (fate === 'diesBefore' || fate === 'diesAfter') {
          await expect(attemptDelivery(dying, job.deliveryId, job.attempt)).rejects.toThrow('this node died');
          // The queue gives the job to another node, so it stays queued here.
          if (fate === 'diesAfter') accepted++;
          continue;
        }
        courier.queue.shift();
        const nodes = fate === 'twice' ? 2 : 1;
        await Promise.all(
          Array.from({ length: nodes }, () => attemptDelivery(courier.deps, job.deliveryId, job.attempt)),
        );
        if (statuses[fate] === 204) accepted++;
      }
      const received = courier.webhooks.received;
      expect(accepted).toBeGreaterThanOrEqual(1);
      expect(received.length).toBeGreaterThanOrEqual(1);
      expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
      expect(new Set(received.map(({ body }) => body)).size).toBe(1);
      expect((await log()).map(({ state }) => state)).toEqual(['sent']);
      expect(courier.queue).toEqual([]);
    }),
    { numRuns: 25 },
  );
});

describe('the messages about one position', () => {
  beforeEach(async () => {
    await call('PATCH', '/webhook', { kinds: ['position_opened', 'position_closed'] });
  });
  afterEach(async () => {
    await call('PATCH', '/webhook', { kinds: [...chosenKinds] });
  });
  const queueBoth = (id: string) =>
    withSystem(courier.deps.db, async (tx) => {
      const of = { position_id: id, symbol: 'BTCUSDT', side: 'LONG', entry_price: 100 } as const;
      await queueNotification(tx, anna.id, 'position_opened', { ...of, quantity: 1, leverage: 10 });
      const end = { exit_price: 101, reason: 'take_profit', net_pnl_usdt: 1 } as const;
      await queueNotification(tx, anna.id, 'position_closed', { ...of, ...end });
    });
  const types = () => courier.webhooks.received.map(({ body }) => (JSON.parse(body) as { type: string }).type);
  /** The opening comes first in the queue. */
  const jobs = async () => {
    const opened = await courier.test.database.asOwner<{ id: string }>(
      `select d.id from notification_deliveries d join notifications n on n.id = d.notification_id
       where n.kind = 'position_opened'`,
    );
    return courier.queue.splice(0).sort((a) => (a.deliveryId === opened[0]?.id ? -1 : 1));
  };

  it('arrive in order when the first is slow and both are delivered concurrently', async () => {
    await queueBoth(randomUUID());
    await courier.dispatch();
    const [opened, closed] = await jobs();
    // The close is taken first, by another node, while the opening is being delivered.
    await attemptDelivery(courier.deps, closed?.deliveryId ?? '', 0);
    const [arrived, read] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
    const post: DeliverDeps['poster']['post'] = async (...args) => {
      const response = await courier.deps.poster.post(...args);
      arrived.resolve(undefined);
      // The response is pending until the close was checked.
      await read.promise;
      return response;
    };
    const slowDeps = { ...courier.deps, poster: { ...courier.deps.poster, post } };
    const slow = attemptDelivery(slowDeps, opened?.deliveryId ?? '', 0);
    await arrived.promise;
    await attemptDelivery(courier.deps, closed?.deliveryId ?? '', 0);
    read.resolve(undefined);
    await slow;
    expect(types()).toEqual(['position.opened']);
    await courier.drain();
    expect(types()).toEqual(['position.opened', 'position.closed']);
  });

  it('arrive in order when the first has to be repeated', async () => {
    courier.webhooks.play({ status: 500 }, 2);
    await queueBoth(randomUUID());
    await courier.dispatch();
    courier.queue.push(...(await jobs()).toReversed());
    await courier.drain();
    expect(types()).toEqual([...Array<string>(3).fill('position.opened'), 'position.closed']);
  });
});

it('a message is dispatched once, however many nodes poll at the same time', async () => {
  await Promise.all(Array.from({ length: 8 }, () => low()));
  const taken = await Promise.all(Array.from({ length: 4 }, () => courier.dispatch()));
  expect(taken.reduce((sum, count) => sum + count, 0)).toBe(8);
  expect(new Set(courier.queue.map(({ deliveryId }) => deliveryId)).size).toBe(8);
  expect(await log()).toHaveLength(8);
});

describe('a chat', () => {
  const link = async (user: TestUser) => {
    const response = await call('POST', '/telegram/link', undefined, user);
    return new URL(response.json<{ url: string }>().url).searchParams.get('start') ?? '';
  };
  const take = () => takeLinks({ ...courier.deps, telegram: courier.deps.telegram! });

  it('is linked by the code of its owner, once, and gets the messages', async () => {
    const code = await link(anna);
    const chat = courier.telegram.pressStart(code, 'anna');
    expect(await take()).toBe(1);
    expect((await settings()).telegram).toMatchObject({ name: '@anna', is_on: true });
    // Another user who saw the code later cannot use it.
    courier.telegram.pressStart(code, 'mallory');
    expect(await take()).toBe(0);
    expect((await settings()).telegram?.name).toBe('@anna');
    await low();
    await courier.dispatch();
    await courier.drain();
    expect(courier.telegram.messages).toEqual([{ chatId: chat, text: 'Credits are low: 2 left' }]);
  });

  it('is not linked by a guess, an old code or a message', async () => {
    const bert = await courier.test.signUp();
    const old = await link(bert);
    await link(bert);
    courier.telegram.pressStart(old);
    courier.telegram.pressStart('A'.repeat(32));
    courier.telegram.write('4242', 'hello bot');
    expect(await take()).toBe(0);
    expect((await settings(bert)).telegram).toBeNull();
  });

  it('has a name that can be stored, whatever it calls itself, and does not block other chats', async () => {
    const names = ['', '\u0000', '\u202eevil\u0007', 'x'.repeat(99) + '\u{1f600}'];
    const users = await Promise.all(names.map(() => courier.test.signUp()));
    const messages = await Promise.all(
      users.map(async (user, i) => ({
        updateId: i,
        chatId: `77${i}`,
        chatName: names[i]!,
        text: `/start ${await link(user)}`,
      })),
    );
    const updates = () => Promise.resolve({ ok: true, value: { messages, nextOffset: 0 } } as const);
    const telegram = { ...courier.deps.telegram!, updates };
    expect(await takeLinks({ ...courier.deps, telegram })).toBe(names.length);
    const shown = await Promise.all(users.map(async (user) => (await settings(user)).telegram?.name));
    expect(shown).toEqual(['Telegram', 'Telegram', 'evil', `${'x'.repeat(99)}\ufffd`]);
  });

  it('is read by one node at a time', async () => {
    const carl = await courier.test.signUp();
    courier.telegram.pressStart(await link(carl), 'carl');
    const linked = await Promise.all([take(), take(), take()]);
    expect(linked.reduce((sum, count) => sum + count, 0)).toBe(1);
  });

  it('that its owner blocked is switched off; one that moved is followed', async () => {
    const dora = await courier.test.signUp();
    courier.telegram.pressStart(await link(dora), 'dora');
    await take();
    courier.telegram.play('migrated', 1);
    await low(dora);
    await courier.dispatch();
    expect(await courier.drain()).toEqual([0, 5]);
    expect(courier.telegram.messages).toMatchObject([{ chatId: '-1001234567890' }]);
    courier.telegram.play('blocked', 1);
    await low(dora);
    await courier.dispatch();
    await courier.drain();
    expect((await settings(dora)).telegram).toMatchObject({
      is_on: false,
      off_reason: 'Telegram: Forbidden: bot was blocked by the user',
    });
  });

  it('that is rate limited waits as long as Telegram says', async () => {
    courier.telegram.play('rateLimited', 1);
    await low();
    await courier.dispatch();
    const pauses = await courier.drain();
    expect(pauses.sort((a, b) => a - b)).toEqual([0, 0, 35]);
  });
});

describe('a key that is replaced', () => {
  it('signs beside its successor for a day, and a receiver that knows either of them can check the message', async () => {
    const renew = async () =>
      (await call('POST', '/webhook/secret')).json<{ secret: string; previous_until: string }>();
    const keys = [secret];
    /** Which of the keys the next message is signed with, in the order of the header. */
    const signers = async (): Promise<(string | undefined)[]> => {
      courier.webhooks.received.length = 0;
      await low();
      await courier.dispatch();
      await courier.drain();
      const { headers, body } = courier.webhooks.received[0]!;
      const signed = keys.map((key) =>
        signedHeaders([key], String(headers['webhook-id']), Number(headers['webhook-timestamp']) * 1000, body),
      );
      const sent = String(headers['webhook-signature']).split(' ');
      return sent.map((each) => keys[signed.findIndex((header) => header['webhook-signature'] === each)]);
    };
    const { secret: second, previous_until: until } = await renew();
    keys.push(second);
    expect(Math.abs(Date.parse(until) - Date.now() - 24 * 3_600_000)).toBeLessThan(60_000);
    expect(await signers()).toEqual([second, secret]);
    await courier.test.database.asOwner('update webhook_keys set previous_until = now() where user_id = $1', [anna.id]);
    expect(await signers()).toEqual([second]);
    // At most two keys sign: the one replaced before them has expired.
    const [third, fourth] = [(await renew()).secret, (await renew()).secret];
    keys.push(third, fourth);
    expect(await signers()).toEqual([fourth, third]);
    secret = fourth;
  });
});

describe('the settings', () => {
  it('show a signing key once, replace it on demand, and never show it again', async () => {
    const emma = await courier.test.signUp();
    const url = `${courier.webhooks.origin}/hook`;
    const first = (await call('PUT', '/webhook', { url }, emma)).json<{ secret: string }>().secret;
    expect(first).toMatch(/^whsec_[\w+/]{43}=$/);
    expect((await call('PUT', '/webhook', { url: `${url}?b` }, emma)).json()).toEqual({ secret: null });
    const second = (await call('POST', '/webhook/secret', undefined, emma)).json<{ secret: string }>().secret;
    expect(second).not.toBe(first);
    const texts = [await call('GET', '', undefined, emma), await call('GET', '/deliveries', undefined, emma)];
    expect(texts.map(({ body }) => body).join()).not.toContain('whsec_');
    const stored = await courier.test.database.asOwner<{ sealed: string }>('select sealed from webhook_keys');
    expect(stored.every(({ sealed }) => !sealed.includes(second.slice(6, 20)))).toBe(true);
  });

  it('name what is wrong with a URL', async () => {
    for (const url of ['http://example.com/', 'https://127.0.0.1/', 'https://[::ffff:10.0.0.1]/', 'nonsense'])
      expect((await call('PUT', '/webhook', { url })).json()).toMatchObject({ status: 400, field: 'url' });
  });

  it('HOOK-008 are named by the preferences', async () => {
    const preferences = await courier.test.app.inject({ url: '/api/preferences', headers: anna.bearer });
    expect(preferences.json()).toMatchObject({ telegram: '@anna', webhook: `${courier.webhooks.origin}/hook` });
    await call('DELETE', '/telegram');
    const after = await courier.test.app.inject({ url: '/api/preferences', headers: anna.bearer });
    expect(after.json()).toMatchObject({ telegram: null });
  });

  it('send a test to one channel even while it is switched off, in one attempt', async () => {
    await call('PATCH', '/webhook', { is_on: false });
    courier.webhooks.play({ status: 500 });
    expect((await call('POST', '/webhook/test')).statusCode).toBe(200);
    await courier.dispatch();
    expect(await courier.drain()).toEqual([0]);
    expect(await log()).toMatchObject([{ kind: 'test', state: 'failed', status: 500 }]);
    expect((await call('POST', '/telegram/test')).json()).toMatchObject({ code: 'not_found' });
  });

  it('allow six retries of failed messages a minute: the receiver may be a third party', async () => {
    const gina = await courier.test.signUp();
    const retry = () => call('POST', `/deliveries/${randomUUID()}/retry`, undefined, gina);
    const codes: number[] = [];
    for (let time = 0; time < 7; time++) codes.push((await retry()).statusCode);
    expect(codes).toEqual([404, 404, 404, 404, 404, 404, 429]);
  });

  it('allow six tests in a minute', async () => {
    const fred = await courier.test.signUp();
    await call('PUT', '/webhook', { url: `${courier.webhooks.origin}/hook` }, fred);
    const codes: number[] = [];
    for (let time = 0; time < 7; time++) codes.push((await call('POST', '/webhook/test', undefined, fred)).statusCode);
    expect(codes).toEqual([200, 200, 200, 200, 200, 200, 429]);
  });
});
