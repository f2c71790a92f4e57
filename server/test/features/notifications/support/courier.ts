import { fakeBot, startTelegram, type TelegramFake } from '../../../../fakes/telegram/server.ts';
import { startWebhookReceiver, type WebhookFake } from '../../../../fakes/webhook/server.ts';
import { attemptDelivery, type DeliverDeps } from '../../../../src/features/notifications/deliver.ts';
import { dispatchQueued } from '../../../../src/features/notifications/dispatch.ts';
import type { Jobs } from '../../../../src/platform/jobs/jobs.ts';
import { createTestApp, type TestApp } from '../../../support/createTestApp.ts';

export interface QueuedJob {
  deliveryId: string;
  attempt: number;
  startAfterS: number;
}

export interface Courier {
  test: TestApp;
  telegram: TelegramFake;
  webhooks: WebhookFake;
  /** Jobs that were sent and not taken yet, in order. */
  queue: QueuedJob[];
  deps: DeliverDeps;
  /** Creates deliveries for queued notifications. */
  dispatch: () => Promise<number>;
  /** Runs every job, due or not, until none is left. Returns the requested pauses. */
  drain: (deps?: DeliverDeps) => Promise<number[]>;
  close: () => Promise<void>;
}

/** The app with its outside services on loopback, and a queue that runs on request of the test, without waiting. */
export async function createCourier(): Promise<Courier> {
  const [telegram, webhooks] = await Promise.all([startTelegram(), startWebhookReceiver()]);
  const test = await createTestApp({
    env: {
      TELEGRAM_BOT_TOKEN: fakeBot.token,
      TELEGRAM_API_URL: telegram.url,
      TELEGRAM_LINK_URL: telegram.url,
      WEBHOOK_RECEIVER_URL: webhooks.origin,
    },
  });
  const queue: QueuedJob[] = [];
  const jobs: Jobs = {
    ...test.deps.jobs,
    send: (_tx, _queue, _id, data, { startAfterS = 0 } = {}) => {
      queue.push({ ...(data as { deliveryId: string; attempt: number }), startAfterS });
      return Promise.resolve();
    },
    sendAll: (_tx, _queue, sent) => {
      for (const { data } of sent) queue.push({ ...(data as { deliveryId: string; attempt: number }), startAfterS: 0 });
      return Promise.resolve();
    },
  };
  const deps: DeliverDeps = { ...test.deps.notifications, jobs, random: () => 0 };
  return {
    test,
    telegram,
    webhooks,
    queue,
    deps,
    dispatch: () => dispatchQueued({ db: deps.db, jobs }),
    drain: async (used = deps) => {
      const pauses: number[] = [];
      for (let job = queue.shift(); job !== undefined; job = queue.shift()) {
        pauses.push(job.startAfterS);
        // As if its time had come.
        await test.database.asOwner(
          'update notification_deliveries set next_attempt_at = now() where id = $1 and next_attempt_at > now()',
          [job.deliveryId],
        );
        await attemptDelivery(used, job.deliveryId, job.attempt);
      }
      return pauses;
    },
    close: async () => {
      await test.close();
      await Promise.all([telegram.close(), webhooks.close()]);
    },
  };
}
