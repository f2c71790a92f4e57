import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { queueNotification } from '../../../src/features/notifications/queueNotification.ts';
import { startDeliveries } from '../../../src/features/notifications/startDeliveries.ts';
import { withSystem } from '../../../src/platform/db/scope.ts';
import { notifyUser } from '../../../src/platform/events/notify.ts';
import { until } from '../positions/support/positions.ts';
import { type Courier, createCourier } from './support/courier.ts';

/** More than one batch of the dispatcher. */
const MESSAGES = 60;
const WAIT_MS = 30_000;

let courier: Courier;
beforeAll(async () => {
  courier = await createCourier();
});
afterAll(() => courier.close());
afterEach(() => {
  vi.useRealTimers();
});

it('DESK-203 messages of fired alerts are dispatched at the notice of the firing, however many, without a round', async () => {
  const { deps, test, queue } = courier;
  const user = await test.signUp();
  await test.database.asOwner(
    `insert into push_subscriptions (user_id, endpoint, p256dh, sealed_auth, label)
     values ($1, 'https://push.example.com/1', repeat('p', 87), 'sealed', 'Chrome')`,
    [user.id],
  );
  // The rounds stand still: what is dispatched follows from the notice.
  vi.useFakeTimers({ toFake: ['setInterval'] });
  const errors: unknown[] = [];
  // This queue runs on request of the test: no work is taken from it.
  const notifications = { ...deps, jobs: { ...deps.jobs, work: () => Promise.resolve() } };
  const stop = await startDeliveries({ notifications, events: test.deps.events }, (error) => errors.push(error));
  try {
    expect(await test.deps.events.isListening(WAIT_MS)).toBe(true);
    await withSystem(deps.db, async (tx) => {
      for (let i = 0; i < MESSAGES; i++)
        await queueNotification(tx, user.id, 'alert_fired', {
          receipt_id: randomUUID(),
          alert_id: randomUUID(),
          condition: 'BTCUSDT is above 100',
          value: '101',
          note: null,
          exchange_at: '2026-01-05T00:00:00.000Z',
          is_late: false,
          channels: ['push'],
        });
      await notifyUser(tx, user.id, 'alerts', { change: 'fired' });
    });
    await until('the deliveries', () => Promise.resolve(queue.length >= MESSAGES));
    expect(queue).toHaveLength(MESSAGES);
    expect(errors).toEqual([]);
  } finally {
    stop();
  }
});
