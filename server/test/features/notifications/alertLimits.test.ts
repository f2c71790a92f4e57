import { randomUUID } from 'node:crypto';
import { ok } from '@sextant/workers/src/core/result.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  ALERTS_LEFT_OUT_MAX,
  ALERTS_WAITING_MAX,
  LATE_TURN_TEXT,
  LEFT_OUT_TEXT,
} from '../../../src/features/notifications/alertLimits.ts';
import { attemptDelivery, type DeliverDeps } from '../../../src/features/notifications/deliver.ts';
import { acquirePostSlot, postsAMinute } from '../../../src/features/notifications/postSlots.ts';
import { queueNotification } from '../../../src/features/notifications/queueNotification.ts';
import { withSystem } from '../../../src/platform/db/scope.ts';
import type { TestUser } from '../../support/createTestApp.ts';
import { type Courier, createCourier } from './support/courier.ts';

/** The alerts of one account fire faster than their messages may leave. */
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
  await courier.test.database.asOwner('delete from notifications');
  flooder = await courier.test.signUp();
  customer = await courier.test.signUp();
});

const FCM = 'https://fcm.googleapis.com/fcm/send';
async function addBrowser(user: TestUser, endpoint = `${FCM}/${randomUUID()}`): Promise<void> {
  await courier.test.database.asOwner(
    `insert into push_subscriptions (user_id, endpoint, p256dh, sealed_auth, label) values ($1, $2, repeat('p', 87), $3, 'Chrome')`,
    [user.id, endpoint, courier.deps.seal.seal('auth', user.id)],
  );
}

const payload = () => ({
  receipt_id: randomUUID(),
  alert_id: randomUUID(),
  condition: 'BTCUSDT is above 100',
  value: '101',
  note: null,
  exchange_at: '2026-01-05T00:00:00.000Z',
  is_late: false,
  channels: ['push'],
});
const fire = (user: TestUser) =>
  withSystem(courier.deps.db, (tx) => queueNotification(tx, user.id, 'alert_fired', payload()));
/** Firings whose messages are stored: `dispatched` with a waiting delivery each, else queued. */
async function fireMany(user: TestUser, count: number, dispatched = false): Promise<void> {
  await courier.test.database.asOwner(
    `with n as (
       insert into notifications (user_id, kind, key, payload, dispatched_at)
       select $1, 'alert_fired', gen_random_uuid()::text, $2::jsonb, case when $4 then now() end from generate_series(1, $3)
       returning id)
     insert into notification_deliveries (notification_id, user_id, channel, push_id)
     select n.id, $1, 'push', p.id from n, push_subscriptions p where p.user_id = $1 and $4`,
    [user.id, JSON.stringify(payload()), count, dispatched],
  );
}
async function dispatchAll(): Promise<void> {
  while ((await courier.dispatch()) > 0);
}
const states = (user: TestUser) =>
  courier.test.database.asOwner<{ state: string; failure: string | null; count: number }>(
    `select state, failure, count(*)::int as count from notification_deliveries where user_id = $1
     group by state, failure order by state desc`,
    [user.id],
  );

type Send = DeliverDeps['push']['send'];
const withSend = (send: Send): DeliverDeps => ({ ...courier.deps, push: { ...courier.deps.push, send } });
const accepted: Send = () => Promise.resolve(ok({ status: 201, retryAfterS: undefined }));
/** Takes both slots of the account for the time of the work. */
async function whileBusy(user: TestUser, work: () => Promise<void>): Promise<void> {
  const slots = [1, 2].map((nth) => acquirePostSlot({ userId: user.id, host: `busy${nth}`, kind: 'alert_fired' }));
  try {
    await work();
  } finally {
    for (const release of slots) release?.();
  }
}

describe('DESK-223 messages of the alerts of one account', () => {
  it('wait up to a number; further ones are stored as failed with the reason, without a job', async () => {
    await addBrowser(flooder);
    await addBrowser(customer);
    await fireMany(flooder, ALERTS_WAITING_MAX - 10, true);
    await fireMany(flooder, 120);
    await fire(customer);
    await dispatchAll();
    expect(await states(flooder)).toEqual([
      { state: 'waiting', failure: null, count: ALERTS_WAITING_MAX },
      { state: 'failed', failure: LEFT_OUT_TEXT, count: 110 },
    ]);
    expect(await states(customer)).toEqual([{ state: 'waiting', failure: null, count: 1 }]);
    expect(courier.queue).toHaveLength(10 + 1);
  });

  it('that are left out are stored up to a number, too, and sent where the owner sends one again', async () => {
    await addBrowser(flooder);
    await fireMany(flooder, ALERTS_WAITING_MAX, true);
    await fireMany(flooder, ALERTS_LEFT_OUT_MAX + 150);
    await dispatchAll();
    const failed = (await states(flooder)).find(({ state }) => state === 'failed')?.count ?? 0;
    expect(failed).toBeGreaterThan(ALERTS_LEFT_OUT_MAX - 50);
    expect(failed).toBeLessThanOrEqual(ALERTS_LEFT_OUT_MAX);
    const [one] = await courier.test.database.asOwner<{ id: string }>(
      `select id from notification_deliveries where user_id = $1 and state = 'failed' limit 1`,
      [flooder.id],
    );
    const url = `/api/notifications/deliveries/${one?.id}/retry`;
    const again = await courier.test.app.inject({ method: 'POST', url, headers: flooder.bearer });
    expect(again.statusCode, again.body).toBeLessThan(300);
    const rows = await courier.test.database.asOwner('select state from notification_deliveries where id = $1', [
      one?.id,
    ]);
    expect(rows).toEqual([{ state: 'waiting' }]);
  });

  it('that wait for the turn of the account come back one after the other, not all at once', async () => {
    await addBrowser(flooder);
    for (let i = 0; i < 60; i++) await fire(flooder);
    await dispatchAll();
    const jobs = courier.queue.splice(0);
    await whileBusy(flooder, async () => {
      for (const { deliveryId, attempt } of jobs) await attemptDelivery(withSend(accepted), deliveryId, attempt);
    });
    const waits = courier.queue.map(({ startAfterS }) => startAfterS);
    const aSecond = postsAMinute.account / 60;
    expect(waits).toEqual(Array.from({ length: 60 }, (_, nth) => Math.max(5, Math.ceil(nth / aSecond))));
  });

  it('end when their turn does not come within two hours, and say so; retries of a failing target go on', async () => {
    await addBrowser(flooder);
    await fire(flooder);
    await dispatchAll();
    const [job] = courier.queue.splice(0);
    if (job === undefined) return expect.fail('no job');
    const ageHours = (hours: number) =>
      courier.test.database.asOwner(
        `update notifications set created_at = now() - make_interval(hours => $2) where user_id = $1`,
        [flooder.id, hours],
      );
    await ageHours(1);
    await whileBusy(flooder, () => attemptDelivery(withSend(accepted), job.deliveryId, 0));
    expect(await states(flooder)).toMatchObject([{ state: 'waiting' }]);
    await courier.test.database.asOwner('update notification_deliveries set attempt_count = 1');
    await ageHours(3);
    await whileBusy(flooder, () => attemptDelivery(withSend(accepted), job.deliveryId, 1));
    expect(await states(flooder)).toMatchObject([{ state: 'waiting' }]);
    // Late, as after an outage, and its turn comes in seconds.
    await courier.test.database.asOwner(
      'update notification_deliveries set attempt_count = 0, next_attempt_at = now()',
    );
    await whileBusy(flooder, () => attemptDelivery(withSend(accepted), job.deliveryId, 0));
    expect(await states(flooder)).toMatchObject([{ state: 'waiting' }]);
    await courier.test.database.asOwner(
      `insert into rate_limits (key, hit_count, window_ends_at) values ('posts-account:' || $1, 1000, now() + interval '1 hour')
       on conflict (key) do update set hit_count = 1000, window_ends_at = now() + interval '1 hour'`,
      [flooder.id],
    );
    await attemptDelivery(withSend(accepted), job.deliveryId, 0);
    expect(await states(flooder)).toEqual([{ state: 'failed', failure: LATE_TURN_TEXT, count: 1 }]);
    await courier.test.database.asOwner(`delete from rate_limits where key = 'posts-account:' || $1`, [flooder.id]);
  });

  it('held back twice for one attempt, as after a kill, have one job', async () => {
    await addBrowser(flooder);
    await fire(flooder);
    await dispatchAll();
    const [job] = courier.queue.splice(0);
    if (job === undefined) return expect.fail('no job');
    await whileBusy(flooder, async () => {
      for (let run = 0; run < 2; run++) await attemptDelivery(withSend(accepted), job.deliveryId, job.attempt);
    });
    expect(courier.queue).toHaveLength(1);
  });

  it('to a browser whose pushes fail cost the attempts of one, and end with its subscription', async () => {
    await addBrowser(flooder);
    for (let i = 0; i < 6; i++) await fire(flooder);
    await dispatchAll();
    let posts = 0;
    await courier.drain(
      withSend(() => {
        posts += 1;
        return Promise.resolve(ok({ status: 500, retryAfterS: undefined }));
      }),
    );
    expect(posts).toBeLessThanOrEqual(11);
    const rows = await courier.test.database.asOwner('select 1 from push_subscriptions where user_id = $1', [
      flooder.id,
    ]);
    expect(rows).toEqual([]);
  }, 60_000);

  it('to a browser that works again are all sent', async () => {
    await addBrowser(flooder);
    for (let i = 0; i < 6; i++) await fire(flooder);
    await dispatchAll();
    let posts = 0;
    await courier.drain(
      withSend((...args) =>
        ++posts <= 2 ? Promise.resolve(ok({ status: 503, retryAfterS: undefined })) : accepted(...args),
      ),
    );
    expect(await states(flooder)).toEqual([{ state: 'sent', failure: null, count: 6 }]);
    expect(posts).toBe(6 + 2);
  });
});

describe('DESK-224 pushes to an address that is of no browser', () => {
  it.each([
    ['https://fcm.googleapis.com/fcm/send/abc', true],
    ['https://updates.push.services.mozilla.com/wpush/v2/abc', true],
    ['https://web.push.apple.com/abc', true],
    ['https://wns2-par02p.notify.windows.com/w/?token=abc', true],
    ['https://victim.example/', false],
    ['https://fcm.googleapis.com.victim.example/', false],
    ['https://notfcm.googleapis.com/', false],
    ['https://evilnotify.windows.com/', false],
  ])('%s is of a browser: %s', (url, isOf) => expect(courier.deps.push.isOfBrowsers(url)).toBe(isOf));

  it('count for the host like webhooks: other accounts wait, too', async () => {
    const isSentBy = async (user: TestUser): Promise<boolean> => {
      await fire(user);
      await dispatchAll();
      let posts = 0;
      const jobs = courier.queue.splice(0);
      const counting = withSend((...args) => {
        posts += 1;
        return accepted(...args);
      });
      for (const { deliveryId, attempt } of jobs) await attemptDelivery(counting, deliveryId, attempt);
      courier.queue.length = 0;
      return posts > 0;
    };
    await addBrowser(flooder, 'https://victim.example/1');
    expect(await isSentBy(flooder)).toBe(true);
    await courier.test.database.asOwner(`update rate_limits set hit_count = $1 where key like 'posts-host:%'`, [
      postsAMinute.host,
    ]);
    await addBrowser(customer, 'https://victim.example/2');
    expect(await isSentBy(customer)).toBe(false);
    // The service of a browser serves everyone: one account does not use it up.
    const third = await courier.test.signUp();
    await addBrowser(third);
    expect(await isSentBy(third)).toBe(true);
  });
});
