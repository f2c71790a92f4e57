import { randomUUID } from 'node:crypto';
import { failWith, ok } from '@sextant/workers/src/core/result.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { attemptDelivery, type DeliverDeps } from '../../../src/features/notifications/deliver.ts';
import { queueNotifications } from '../../../src/features/notifications/queueNotification.ts';
import { withSystem } from '../../../src/platform/db/scope.ts';
import { hitAll } from '../../../src/platform/limits/rateLimiter.ts';
import type { TestUser } from '../../support/createTestApp.ts';
import { type Courier, createCourier } from './support/courier.ts';

/** Deliveries that are due at the same moment share transactions. */
let courier: Courier;
let users: TestUser[];
beforeAll(async () => {
  courier = await createCourier();
  users = await Promise.all(Array.from({ length: 8 }, () => courier.test.signUp()));
  for (const [at, user] of users.entries())
    await courier.test.database.asOwner(
      `insert into push_subscriptions (user_id, endpoint, p256dh, sealed_auth, label)
       values ($1, $2, repeat('p', 87), $3, 'Chrome')`,
      [user.id, `https://fcm.googleapis.com/fcm/send/${at}`, courier.deps.seal.seal('auth', user.id)],
    );
});
afterAll(() => courier.close());
beforeEach(async () => {
  courier.queue.length = 0;
  await courier.test.database.asOwner('delete from notifications; delete from rate_limits');
});

/** One firing of an alert of each user, dispatched. */
async function fireAll(): Promise<void> {
  const messages = users.map(({ id }) => ({
    userId: id,
    payload: {
      receipt_id: randomUUID(),
      alert_id: randomUUID(),
      condition: 'BTCUSDT is above 100',
      value: '101',
      note: null,
      exchange_at: '2026-01-05T00:00:00.000Z',
      is_late: false,
      channels: ['push'],
    },
  }));
  await withSystem(courier.deps.db, (tx) => queueNotifications(tx, 'alert_fired', messages));
  await courier.dispatch();
}

interface Row {
  user_id: string;
  state: string;
  attempt_count: number;
  status: number | null;
  isDated: boolean;
}
const log = () =>
  courier.test.database.asOwner<Row & Record<string, unknown>>(
    `select user_id, state, attempt_count, status, finished_at is not null as "isDated" from notification_deliveries`,
  );

type Fate = 'ok' | 'busy' | 'gone' | 'diesBefore' | 'diesAfter' | 'twice';
const fates = ['ok', 'busy', 'gone', 'diesBefore', 'diesAfter', 'twice'] as const;

/** Sends as the push service of each user is fated at each attempt; counts what a browser accepted. */
function fatedDeps(plan: Map<string, Fate[]>, accepted: Map<string, number>): DeliverDeps {
  return {
    ...courier.deps,
    pushKeys: () => Promise.resolve({ publicKey: '', privateKey: '' }),
    push: {
      ...courier.deps.push,
      send: ({ endpoint }) => {
        const fate = plan.get(endpoint)?.shift() ?? 'ok';
        if (fate === 'busy') return Promise.resolve(failWith({ kind: 'unreachable', message: 'busy' }));
        if (fate === 'gone') return Promise.resolve(ok({ status: 503, retryAfterS: undefined }));
        if (fate === 'diesBefore') return Promise.reject(new Error('this node died'));
        accepted.set(endpoint, (accepted.get(endpoint) ?? 0) + 1);
        if (fate === 'diesAfter') return Promise.reject(new Error('this node died'));
        return Promise.resolve(ok({ status: 201, retryAfterS: undefined }));
      },
    },
  };
}

describe('deliveries at the same moment', () => {
  it('DESK-205 are each sent and recorded once, whatever dies, fails or runs twice among them', async () => {
    const plans = fc.array(fc.array(fc.constantFrom(...fates), { maxLength: 3 }), {
      minLength: users.length,
      maxLength: users.length,
    });
    await fc.assert(
      fc.asyncProperty(plans, async (given) => {
        courier.queue.length = 0;
        await courier.test.database.asOwner('delete from notifications; delete from rate_limits');
        await fireAll();
        expect(courier.queue).toHaveLength(users.length);
        const plan = new Map(given.map((each, at) => [`https://fcm.googleapis.com/fcm/send/${at}`, [...each]]));
        const twice = given.some((each) => each.includes('twice'));
        const accepted = new Map<string, number>();
        const deps = fatedDeps(plan, accepted);
        for (let round = 0; courier.queue.length > 0 && round < 20; round++) {
          const jobs = courier.queue.splice(0);
          const again = twice && round === 0 ? [...jobs, ...jobs] : jobs;
          const ends = await Promise.allSettled(again.map((job) => attemptDelivery(deps, job.deliveryId, job.attempt)));
          // The queue gives the job of a node that died to another one.
          for (const [at, job] of jobs.entries()) if (ends[at]?.status === 'rejected') courier.queue.push(job);
        }
        const rows = await log();
        expect(rows).toHaveLength(users.length);
        for (const row of rows) expect(row).toMatchObject({ state: 'sent', status: 201, isDated: true });
        // A message that was accepted before a death is sent again with its id; none is lost.
        for (const at of users.keys())
          expect(accepted.get(`https://fcm.googleapis.com/fcm/send/${at}`) ?? 0).toBeGreaterThanOrEqual(1);
      }),
      { numRuns: 15 },
    );
  }, 120_000);

  it('DESK-205 are recorded though one record is rejected, which alone fails', async () => {
    await fireAll();
    // Stands for any row that the database does not take.
    await courier.test.database.asOwner(
      `alter table notification_deliveries add constraint planted check (not (state = 'sent' and user_id = '${users[3]!.id}'))`,
    );
    try {
      const deps = fatedDeps(new Map(), new Map());
      const jobs = courier.queue.splice(0);
      const ends = await Promise.allSettled(jobs.map((job) => attemptDelivery(deps, job.deliveryId, job.attempt)));
      expect(ends.filter(({ status }) => status === 'rejected')).toHaveLength(1);
      const waiting = (await log()).filter(({ state }) => state !== 'sent');
      expect(waiting).toMatchObject([{ user_id: users[3]!.id, state: 'waiting', attempt_count: 0 }]);
    } finally {
      await courier.test.database.asOwner('alter table notification_deliveries drop constraint planted');
    }
    const [subscription] = await courier.test.database.asOwner<{ sent: number }>(
      'select count(last_sent_at)::int as sent from push_subscriptions where last_sent_at is not null',
    );
    expect(subscription?.sent).toBeGreaterThanOrEqual(users.length - 1);
  });

  it('DESK-205 count against the limits one after the other, those of one key too', async () => {
    const of = (key: string, hitMax: number) => [{ key, hitMax, windowS: 60 }];
    const blocked = await hitAll(courier.deps.db, [of('a', 2), of('b', 1), of('a', 2), of('a', 2), of('b', 1)]);
    expect(blocked.map((each) => each?.key)).toEqual([undefined, undefined, undefined, 'a', 'b']);
    expect((await hitAll(courier.deps.db, [of('a', 4)]))[0]).toBeUndefined();
    expect((await hitAll(courier.deps.db, [of('a', 4)]))[0]).toMatchObject({ key: 'a' });
  });
});
