import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { failWith, ok } from '@sextant/workers/src/core/result.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { attemptDelivery, type DeliverDeps, failDelivery } from '../../../src/features/notifications/deliver.ts';
import { dispatchQueued } from '../../../src/features/notifications/dispatch.ts';
import { POSTS_AN_HOUR_TO_HOST, postsAMinute } from '../../../src/features/notifications/postSlots.ts';
import { queueNotification } from '../../../src/features/notifications/queueNotification.ts';
import { withSystem } from '../../../src/platform/db/scope.ts';
import type { TestUser } from '../../support/createTestApp.ts';
import { type Courier, createCourier } from './support/courier.ts';

/** A flood of one account does not delay others, and a failing host costs a few requests, however many messages are queued for it. */
let courier: Courier;
let flooder: TestUser;
let customer: TestUser;
beforeAll(async () => {
  courier = await createCourier();
});
afterAll(() => courier.close());
beforeEach(async () => {
  courier.queue.length = 0;
  await courier.test.database.asOwner('delete from rate_limits');
  flooder = await courier.test.signUp();
  customer = await courier.test.signUp();
});

async function makeHook(user: TestUser, url: string, events: string[]): Promise<string> {
  const response = await courier.test.app.inject({
    method: 'POST',
    url: '/api/webhooks',
    headers: user.bearer,
    payload: { url, events },
  });
  expect(response.statusCode, response.body).toBe(200);
  return response.json<{ webhook: { id: string } }>().webhook.id;
}

const signal = (user: TestUser) =>
  withSystem(courier.deps.db, (tx) =>
    queueNotification(tx, user.id, 'signal_created', {
      signal_id: randomUUID(),
      scan_id: randomUUID(),
      exchange: 'binance',
      symbol: 'BTCUSDT',
      interval: '1h',
      direction: 'LONG',
      confidence: 0.6,
      confidence_kind: 'score',
      risk_label: 'Low',
      price: 100,
      stop_loss: null,
      take_profit: null,
      candle_close_at: '2026-01-05T00:00:00.000Z',
      eligible: true,
      outcome: 'ELIGIBLE',
      filtered_by: null,
    }),
  );
const payment = (user: TestUser) =>
  withSystem(courier.deps.db, (tx) =>
    queueNotification(tx, user.id, 'payment_completed', {
      payment_id: randomUUID(),
      credits: 20,
      credits_total: 20,
      method: 'usdt',
    }),
  );

type Post = DeliverDeps['poster']['post'];
const withPost = (post: Post): DeliverDeps => ({ ...courier.deps, poster: { ...courier.deps.poster, post } });
const hostOf = (url: string): string => new URL(url).host;

describe('messages to a failing host', () => {
  const unreachable: Post = () => Promise.resolve(failWith({ kind: 'unreachable', message: 'No response.' }));
  const broken: Post = () => Promise.resolve(ok({ status: 500, retryAfterS: undefined }));
  const missing: Post = () => Promise.resolve(ok({ status: 404, retryAfterS: undefined }));
  // One attempt each, and the nine retries of the message that probes whether the host works again.
  it.each([
    ['cannot be reached', unreachable, 2 * 10 + 2],
    ['responds with 500', broken, 2 * 10 + 2],
    ['responds with 404', missing, 2 * 10 + 2],
  ])(
    'cost the attempts of one for each webhook, not of all: a host that %s',
    async (_how, post, postsMax) => {
      for (let i = 0; i < 2; i++) await makeHook(flooder, `https://hooks.example/${i}`, ['signal.created']);
      for (let i = 0; i < 6; i++) await signal(flooder);
      await courier.dispatch();
      expect(courier.queue).toHaveLength(12);
      let posts = 0;
      const counting = withPost((...args) => {
        posts += 1;
        return post(...args);
      });
      await courier.drain(counting);
      expect(posts).toBeLessThanOrEqual(postsMax);
      const states = await courier.test.database.asOwner<{ state: string; count: number }>(
        `select state, count(*)::int as count from notification_deliveries where user_id = '${flooder.id}' group by state`,
      );
      expect(states).toEqual([{ state: 'failed', count: 12 }]);
    },
    120_000,
  );

  it('are all sent once it works again', async () => {
    await makeHook(flooder, 'https://hooks.example/a', ['signal.created']);
    for (let i = 0; i < 10; i++) await signal(flooder);
    await courier.dispatch();
    let posts = 0;
    await courier.drain(
      withPost(() => {
        posts += 1;
        return Promise.resolve(
          posts < 4 ? failWith({ kind: 'unreachable', message: 'x' }) : ok({ status: 200, retryAfterS: undefined }),
        );
      }),
    );
    expect(posts).toBe(10 + 3);
  });

  it('do not delay another host, nor another webhook of a host that responds', async () => {
    const bad = await makeHook(flooder, 'https://hooks.example/bad', ['signal.created']);
    await makeHook(flooder, 'https://hooks.example/good', ['signal.created']);
    await makeHook(flooder, 'https://other.example/good', ['signal.created']);
    await signal(flooder);
    await signal(flooder);
    await courier.dispatch();
    const arrived: string[] = [];
    const jobs = courier.queue.splice(0);
    const deps = withPost((url) => {
      if (url.endsWith('bad')) return Promise.resolve(ok({ status: 503, retryAfterS: undefined }));
      arrived.push(url);
      return Promise.resolve(ok({ status: 200, retryAfterS: undefined }));
    });
    for (const job of jobs) await attemptDelivery(deps, job.deliveryId, job.attempt);
    expect(arrived).toHaveLength(4);
    const rows = await courier.test.database.asOwner<{ attempt_count: number }>(
      `select attempt_count from notification_deliveries where webhook_id = '${bad}' order by attempt_count`,
    );
    expect(rows.map((row) => row.attempt_count)).toEqual([0, 1]);
  });
});

describe('one account', () => {
  it('has at most two concurrent posts, whatever its webhooks', async () => {
    for (let i = 0; i < 6; i++) await makeHook(flooder, `https://host${i}.example/`, ['signal.created']);
    await signal(flooder);
    await courier.dispatch();
    const jobs = courier.queue.splice(0);
    const isOver = Promise.withResolvers<undefined>();
    let underWay = 0;
    const slow = withPost(async () => {
      underWay += 1;
      await isOver.promise;
      return ok({ status: 200, retryAfterS: undefined });
    });
    const attempts = jobs.map(({ deliveryId, attempt }) => attemptDelivery(slow, deliveryId, attempt));
    await expect.poll(() => courier.queue.map(({ startAfterS }) => startAfterS)).toEqual([5, 5, 5, 5]);
    await expect.poll(() => underWay).toBe(2);
    isOver.resolve(undefined);
    await Promise.all(attempts);
  });

  it('is limited in posts a minute, also to a host that responds', async () => {
    for (let i = 0; i < 10; i++) await makeHook(flooder, `https://hooks${i % 5}.example/${i}`, ['signal.created']);
    for (let i = 0; i < 14; i++) await signal(flooder);
    await courier.dispatch();
    const jobs = courier.queue.splice(0);
    expect(jobs).toHaveLength(140);
    let posts = 0;
    const deps = withPost(() => {
      posts += 1;
      return Promise.resolve(ok({ status: 200, retryAfterS: undefined }));
    });
    for (const job of jobs) await attemptDelivery(deps, job.deliveryId, job.attempt);
    expect(posts).toBe(postsAMinute.account);
    expect(courier.queue).toHaveLength(140 - postsAMinute.account);
    for (const { startAfterS } of courier.queue) expect(startAfterS).toBeLessThanOrEqual(60);
  });

  it('sends one host at most 60 messages a minute and 600 an hour, but a payment at once', async () => {
    for (let i = 0; i < 5; i++)
      await makeHook(flooder, `https://hooks.example/${i}`, ['signal.created', 'payment.completed']);
    for (let i = 0; i < 14; i++) await signal(flooder);
    await courier.dispatch();
    const jobs = courier.queue.splice(0);
    expect(jobs).toHaveLength(70);
    let posts = 0;
    const deps = withPost(() => {
      posts += 1;
      return Promise.resolve(ok({ status: 200, retryAfterS: undefined }));
    });
    for (const job of jobs) await attemptDelivery(deps, job.deliveryId, job.attempt);
    expect(posts).toBe(postsAMinute.accountToHost);
    expect(courier.queue.splice(0)).toHaveLength(10);
    await payment(flooder);
    await courier.dispatch();
    for (const job of courier.queue.splice(0)) await attemptDelivery(deps, job.deliveryId, job.attempt);
    expect(posts).toBe(60 + 5);
    // The hourly limit is used up: the next minute brings no more.
    await courier.test.database.asOwner(
      `delete from rate_limits where key not like '%:hour'; update rate_limits set hit_count = ${POSTS_AN_HOUR_TO_HOST}`,
    );
    await signal(flooder);
    await courier.dispatch();
    for (const job of courier.queue.splice(0)) await attemptDelivery(deps, job.deliveryId, job.attempt);
    expect(posts).toBe(60 + 5);
    // Another account is not delayed by it.
    await makeHook(customer, 'https://hooks.example/', ['signal.created']);
    await signal(customer);
    await courier.dispatch();
    for (const job of courier.queue.splice(0)) await attemptDelivery(deps, job.deliveryId, job.attempt);
    expect(posts).toBe(60 + 5 + 1);
  });

  it('has at most five webhooks to one host, however its address is written', async () => {
    const make = (url: string) =>
      courier.test.app.inject({
        method: 'POST',
        url: '/api/webhooks',
        headers: flooder.bearer,
        payload: { url, events: ['signal.created'] },
      });
    for (let i = 0; i < 5; i++) expect((await make(`https://hooks.example/${i}`)).statusCode).toBe(200);
    for (const url of ['https://hooks.example/6', 'https://HOOKS.example?a=7', 'https://hooks.example:443/8']) {
      const rejected = await make(url);
      expect(rejected.json()).toMatchObject({ code: 'conflict', field: 'url' });
      expect(rejected.json<{ message: string }>().message).toBe(
        'Limit reached: 5 webhooks for hooks.example. Delete one or add its events to another.',
      );
    }
    const other = (await make('https://other.example/')).json<{ webhook: { id: string } }>().webhook.id;
    const move = (url: string) =>
      courier.test.app.inject({
        method: 'PATCH',
        url: `/api/webhooks/${other}`,
        headers: flooder.bearer,
        payload: { url },
      });
    expect((await move('https://hooks.example/9')).json()).toMatchObject({ code: 'conflict', field: 'url' });
    expect((await move('https://other.example/9')).statusCode).toBe(200);
    const id = await makeHook(customer, 'https://hooks.example/', ['signal.created']);
    expect(id).not.toBe('');
  });

  it('with many queued messages does not delay a payment of another, nor its signal', async () => {
    await makeHook(flooder, 'https://hooks.example/', ['signal.created']);
    await makeHook(customer, 'https://customer.example/', ['payment.completed', 'signal.created']);
    for (let i = 0; i < 120; i++) await signal(flooder);
    await signal(customer);
    await payment(customer);
    await courier.dispatch();
    const ids = courier.queue.map(({ deliveryId }) => deliveryId);
    const rows = await courier.test.database.asOwner<{ id: string }>(
      `select id from notification_deliveries where user_id = '${customer.id}'`,
    );
    expect(rows).toHaveLength(2);
    for (const { id } of rows) expect(ids).toContain(id);
  });

  it('with more queued messages than are read at once does not delay a payment of another', async () => {
    await makeHook(customer, 'https://customer.example/', ['payment.completed']);
    await signal(flooder);
    await courier.test.database.asOwner(
      `insert into notifications (user_id, kind, key, payload)
       select user_id, kind, 'flood ' || n, payload from notifications, generate_series(1, 6000) n where user_id = '${flooder.id}'`,
    );
    await payment(customer);
    expect(await dispatchQueued(courier.deps)).toBe(50);
    const rows = await courier.test.database.asOwner(
      `select id from notification_deliveries where user_id = '${customer.id}'`,
    );
    expect(rows).toHaveLength(1);
    await courier.test.database.asOwner(`delete from notifications where user_id = '${flooder.id}'`);
  });
});

it('twenty webhooks on four hosts that never respond: the payment of another account arrives within seconds', async () => {
  for (let i = 0; i < 20; i++) await makeHook(flooder, `https://hangs${i % 4}.example/${i}`, ['signal.created']);
  await makeHook(customer, 'https://customer.example/', ['payment.completed']);
  const arrived: string[] = [];
  let postsToHost = 0;
  const { jobs } = courier.test.deps;
  const deps: DeliverDeps = {
    ...courier.deps,
    jobs,
    poster: {
      ...courier.deps.poster,
      post: async (url) => {
        if (hostOf(url) === 'customer.example') {
          arrived.push(url);
          return ok({ status: 200, retryAfterS: undefined });
        }
        postsToHost += 1;
        await pause(10_000);
        return failWith({ kind: 'unreachable', message: 'No response within 10 seconds.' });
      },
    },
  };
  await jobs.work('notification', {
    atOnce: 8,
    handle(data) {
      const { deliveryId, attempt } = data as { deliveryId: string; attempt: number };
      return attemptDelivery(deps, deliveryId, attempt);
    },
    setAside: (data) => failDelivery(deps.db, (data as { deliveryId: string }).deliveryId),
  });
  for (let i = 0; i < 10; i++) await signal(flooder);
  await dispatchQueued(deps);
  await pause(2000);
  const startMs = performance.now();
  await payment(customer);
  await dispatchQueued(deps);
  await expect.poll(() => arrived.length, { timeout: 60_000 }).toBe(1);
  process.stdout.write(`payment message arrived after ${Math.round(performance.now() - startMs)} ms\n`);
  expect(performance.now() - startMs).toBeLessThan(30_000);
  await pause(12_000);
  expect(postsToHost).toBeLessThanOrEqual(8);
}, 120_000);
