import { randomUUID } from 'node:crypto';
import { ok } from '@sextant/workers/src/core/result.ts';
import { WEBHOOK_OVERLAP_HOURS } from '@sextant/workers/src/core/webhooks.ts';
import { sql } from 'kysely';
import type { AuthenticatedUser } from '../../platform/auth/requireUser.ts';
import { withSystem, withUser, type SystemTx, type UserTx } from '../../platform/db/scope.ts';
import { reject } from '../../platform/errors.ts';
import type { App } from '../../platform/http/app.ts';
import { bodyRejections, problems, sendProblem } from '../../platform/http/problem.ts';
import { countHit } from '../../platform/limits/countHit.ts';
import type { RateLimiter } from '../../platform/limits/rateLimiter.ts';
import { isDemoEmail } from '../../platform/auth/demoAccount.ts';
import {
  DeliveriesResponse,
  DeliveryParams,
  NotificationsResponse,
  type NotificationsWire,
  RenewedResponse,
  SecretResponse,
  TargetChange,
  TelegramLinkResponse,
  TestResponse,
  WebhookRequest,
  type DeliveriesWire,
} from './contract.ts';
import type { DeliverDeps } from './deliver.ts';
import { queueNotification } from './queueNotification.ts';
import {
  type Channel,
  changeTarget,
  ensureSecret,
  readTargets,
  removeTarget,
  renewSecret,
  setTarget,
} from './targets.ts';
import { rejectDemo } from './rejectDemo.ts';
import { openLink } from './telegramLink.ts';
import { notifyUser } from '../../platform/events/notify.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';

const shownMax = 50;
type Wire = DeliveriesWire['deliveries'][number];

async function readDeliveries(tx: UserTx): Promise<DeliveriesWire> {
  const rows = await tx
    .selectFrom('notification_deliveries as d')
    .innerJoin('notifications as n', 'n.id', 'd.notification_id')
    .select(['d.id', 'd.channel', 'n.kind', 'd.state', 'd.attempt_count', 'd.next_attempt_at', 'd.status', 'd.failure'])
    .select(['d.created_at', 'd.finished_at'])
    // Webhooks of the API have separate lists.
    .where('d.webhook_id', 'is', null)
    .orderBy('d.created_at', 'desc')
    .orderBy('d.id')
    .limit(shownMax)
    .execute();
  return {
    deliveries: rows.map((row) => ({
      ...row,
      channel: row.channel as Wire['channel'],
      kind: row.kind as Wire['kind'],
      state: row.state as Wire['state'],
      next_attempt_at: row.state === 'waiting' ? row.next_attempt_at.toISOString() : null,
      created_at: row.created_at.toISOString(),
      finished_at: row.finished_at?.toISOString() ?? null,
    })),
  };
}

/** Sends a failed delivery again, with the same id. False when the user has no failed delivery with that id. */
async function sendAgain(tx: SystemTx, jobs: Jobs, userId: string, id: string): Promise<boolean> {
  const { rows } = await sql<{ attempt_count: number }>`
    update notification_deliveries set state = 'waiting', finished_at = null, next_attempt_at = now()
    where id = ${id} and user_id = ${userId} and webhook_id is null and state = 'failed' and attempt_count < 100
    returning attempt_count`.execute(tx);
  if (rows[0] === undefined) return false;
  await jobs.send(tx, 'notification', randomUUID(), { deliveryId: id, attempt: rows[0].attempt_count });
  await notifyUser(tx, userId, 'notifications');
  return true;
}

export interface NotificationRouteDeps {
  notifications: DeliverDeps & { practiceReceiver: string | undefined };
  limiter: RateLimiter;
}

/** Each test, redelivery and link sends a request to an external server, which a third party may own: limited against misuse. */
const callLimit = { hitMax: 6, windowS: 60 };
const rejections = problems('not_authenticated', 'origin_refused', 'forbidden', 'not_found');
const noTarget = 'Target not found. Set it up first.';

export function notificationRoutes(app: App, deps: NotificationRouteDeps): void {
  app.addHook('onRequest', app.requireUser);
  app.addHook('onRequest', rejectDemo);
  addReads(app, deps);
  addWebhook(app, deps);
  addTelegram(app, deps);
  addTargets(app, deps);
  addRetry(app, deps);
}

const tags = ['Notifications'];

async function settingsOf(
  { db, telegram, practiceReceiver }: NotificationRouteDeps['notifications'],
  user: Pick<AuthenticatedUser, 'id' | 'email'>,
): Promise<NotificationsWire> {
  const targets = await withUser(db, user.id, readTargets);
  const of = (channel: Channel) => targets.find((target) => target.channel === channel);
  const shared = (target: (typeof targets)[number]) => ({
    is_on: target.isOn,
    kinds: target.kinds,
    off_reason: target.offReason,
    failing_since: target.failingSince?.toISOString() ?? null,
  });
  const [chat, hook] = [of('telegram'), of('webhook')];
  return {
    telegram: chat === undefined ? null : { name: chat.label ?? 'Telegram', ...shared(chat) },
    is_demo: isDemoEmail(user.email),
    telegram_available: telegram !== undefined,
    webhook: hook === undefined ? null : { url: hook.address, ...shared(hook) },
    practice_receiver: practiceReceiver ?? null,
  };
}

function addReads(app: App, { notifications }: NotificationRouteDeps): void {
  const { db } = notifications;
  app.get(
    '/api/notifications',
    {
      schema: {
        access: 'manage:webhooks',
        sandbox: 'none',
        tags,
        summary: 'Read your notification targets',
        response: { 200: NotificationsResponse, ...problems('not_authenticated') },
      },
    },
    (request) => settingsOf(notifications, request.user),
  );
  app.get(
    '/api/notifications/deliveries',
    {
      schema: {
        access: 'manage:webhooks',
        sandbox: 'none',
        tags,
        summary: 'List deliveries to your targets',
        response: { 200: DeliveriesResponse, ...problems('not_authenticated') },
      },
    },
    (request) => withUser(db, request.user.id, readDeliveries),
  );
}

function addWebhook(app: App, { notifications }: NotificationRouteDeps): void {
  const { db, poster, seal } = notifications;
  app.put(
    '/api/notifications/webhook',
    {
      schema: {
        access: 'manage:webhooks',
        sandbox: 'none',
        tags,
        summary: 'Set the webhook URL',
        body: WebhookRequest,
        response: { 200: SecretResponse, ...problems(...bodyRejections, 'not_authenticated', 'forbidden') },
      },
    },
    async (request, reply) => {
      const { url } = request.body;
      const rejection = poster.rejectionOf(url);
      if (rejection !== undefined)
        return sendProblem(reply, { code: 'validation_failed', message: `The URL ${rejection}.`, field: 'url' });
      return withSystem(db, async (tx) => {
        await setTarget(tx, request.user.id, { channel: 'webhook', address: url, label: null });
        return { secret: await ensureSecret(tx, seal, request.user.id) };
      });
    },
  );
  app.post(
    '/api/notifications/webhook/secret',
    {
      schema: {
        access: 'manage:webhooks',
        sandbox: 'none',
        tags,
        summary: 'Rotate the signing secret of your webhook',
        description: `For ${WEBHOOK_OVERLAP_HOURS} hours each message is signed with both keys.`,
        response: { 200: RenewedResponse, ...rejections },
      },
    },
    async (request, reply) => {
      const renewed = await withSystem(db, (tx) => renewSecret(tx, seal, request.user.id));
      if (renewed === null) return sendProblem(reply, { code: 'not_found', message: noTarget });
      return { secret: renewed.secret, previous_until: renewed.previousUntil.toISOString() };
    },
  );
}

function addTelegram(app: App, { notifications, limiter }: NotificationRouteDeps): void {
  app.post(
    '/api/notifications/telegram/link',
    {
      schema: {
        access: 'session',
        tags,
        summary: 'Create a link that connects your Telegram chat',
        response: {
          200: TelegramLinkResponse,
          ...problems('not_authenticated', 'origin_refused', 'forbidden', 'rate_limited', 'telegram_unavailable'),
        },
      },
    },
    async (request, reply) => {
      await countHit(limiter, { key: `telegram-link:${request.user.id}`, ...callLimit }, tooMany);
      const { telegram } = notifications;
      if (telegram === undefined) {
        const message = 'This installation has no Telegram bot.';
        return sendProblem(reply, { code: 'telegram_unavailable', message });
      }
      const { code, expiresAt } = await openLink(notifications, request.user.id);
      const link = await telegram.linkOf(code);
      if (!link.ok) return sendProblem(reply, { code: 'telegram_unavailable', message: link.error.message });
      return { url: link.value, expires_at: expiresAt.toISOString() };
    },
  );
}

const tooMany = 'At most six of these calls in a minute.';

async function sendTest({ notifications, limiter }: NotificationRouteDeps, userId: string, channel: Channel) {
  await countHit(limiter, { key: `notification-test:${userId}`, ...callLimit }, tooMany);
  const targets = await withUser(notifications.db, userId, readTargets);
  if (!targets.some((target) => target.channel === channel)) return reject('not_found', noTarget);
  const testId = randomUUID();
  await withSystem(notifications.db, (tx) => queueNotification(tx, userId, 'test', { test_id: testId, channel }));
  return ok({ notification_id: testId });
}

/** The same routes for each channel. */
function addTargets(app: App, deps: NotificationRouteDeps): void {
  const { notifications } = deps;
  const { db } = notifications;
  for (const channel of ['telegram', 'webhook'] as const) {
    const path = `/api/notifications/${channel}`;
    const byChannel =
      channel === 'webhook'
        ? ({ access: 'manage:webhooks', sandbox: 'none' } as const)
        : ({ access: 'session' } as const);
    app.post(
      `${path}/test`,
      {
        schema: {
          ...byChannel,
          tags,
          summary: `Send a test message by ${channel}`,
          response: { 200: TestResponse, ...rejections, ...problems('rate_limited') },
        },
      },
      async (request, reply) => {
        const outcome = await sendTest(deps, request.user.id, channel);
        return outcome.ok ? outcome.value : sendProblem(reply, outcome.error);
      },
    );
    app.patch(
      path,
      {
        schema: {
          ...byChannel,
          tags,
          summary: `Switch messages by ${channel} on or off, or choose their events`,
          body: TargetChange,
          response: { 200: NotificationsResponse, ...problems(...bodyRejections), ...rejections },
        },
      },
      async (request, reply) => {
        const { is_on: isOn, kinds } = request.body;
        const isKnown = await withSystem(db, (tx) => changeTarget(tx, request.user.id, channel, { isOn, kinds }));
        if (!isKnown) return sendProblem(reply, { code: 'not_found', message: noTarget });
        return settingsOf(notifications, request.user);
      },
    );
    app.delete(
      path,
      {
        schema: {
          ...byChannel,
          tags,
          summary: `Remove the ${channel} target`,
          response: { 200: NotificationsResponse, ...problems('not_authenticated', 'origin_refused') },
        },
      },
      async (request) => {
        await withSystem(db, (tx) => removeTarget(tx, request.user.id, channel));
        return settingsOf(notifications, request.user);
      },
    );
  }
}

function addRetry(app: App, { notifications: { db, jobs }, limiter }: NotificationRouteDeps): void {
  app.post(
    '/api/notifications/deliveries/:id/retry',
    {
      schema: {
        access: 'manage:webhooks',
        sandbox: 'none',
        tags,
        summary: 'Resend a failed message',
        params: DeliveryParams,
        response: { 200: DeliveriesResponse, ...rejections, ...problems('validation_failed', 'rate_limited') },
      },
    },
    async (request, reply) => {
      await countHit(limiter, { key: `notification-retry:${request.user.id}`, ...callLimit }, tooMany);
      const exists = await withSystem(db, (tx) => sendAgain(tx, jobs, request.user.id, request.params.id));
      if (!exists) return sendProblem(reply, { code: 'not_found', message: notFailed });
      return withUser(db, request.user.id, readDeliveries);
    },
  );
}

const notFailed = 'No failed message has this id.';
