import { WEBHOOK_OVERLAP_HOURS, WEBHOOK_SPAN_TEXT, webhookPausesText } from '@sextant/workers/src/core/webhooks.ts';
import { ok } from '@sextant/workers/src/core/result.ts';
import { withSystem, withUser } from '../../../platform/db/scope.ts';
import { createRejection, type Outcome, reject } from '../../../platform/errors.ts';
import type { App } from '../../../platform/http/app.ts';
import { bodyRejections, problems, sendProblem } from '../../../platform/http/problem.ts';
import { RejectionError } from '../../../platform/http/rejectionError.ts';
import { countHit } from '../../../platform/limits/countHit.ts';
import { isDemoEmail } from '../../../platform/auth/demoAccount.ts';
import { RenewedResponse } from '../contract.ts';
import { attemptDelivery } from '../deliver.ts';
import { rejectDemo } from '../rejectDemo.ts';
import type { NotificationRouteDeps } from '../routes.ts';
import {
  PAYLOAD_BYTES_MAX,
  WebhookResponse,
  WebhookCreated,
  WebhookDeliveriesResponse,
  WebhookDeliveryResponse,
  WebhookDeliveryId,
  WebhookId,
  WebhookPayload,
  WebhooksResponse,
  WebhookTestResponse,
  WebhookTestRequest,
  WebhookUpdate,
} from './contract.ts';
import { exampleCreated, exampleOf, exampleWebhooks } from './examples.ts';
import {
  addTest,
  addWebhook,
  changeWebhook,
  readDeliveries,
  readDelivery,
  readWebhooks,
  redeliver,
  removeWebhook,
  rotateSecret,
  WEBHOOKS_MAX,
  WEBHOOKS_PER_HOST_MAX,
} from './repository.ts';

const tags = ['Webhooks'];
/** Each of these calls sends a request to a server chosen by the caller. */
const callLimit = { hitMax: 10, windowS: 60 };
const tooMany = `At most ${callLimit.hitMax} of these calls in a minute.`;
const unknownWebhook = createRejection('not_found', 'No webhook of yours has this id.');
const access = 'manage:webhooks';
// Messages to the owner's program are always live.
const sandbox = 'none';
const rejections = problems('origin_refused', 'not_found');

/** Routes of the API's webhooks. Their messages use the sender of the notifications. */
export function webhookRoutes(app: App, deps: NotificationRouteDeps): void {
  app.addHook('onRequest', app.requireUser);
  app.addHook('onRequest', rejectDemo);
  addList(app, deps);
  addCreate(app, deps);
  addChange(app, deps);
  addRotate(app, deps);
  addTestRoute(app, deps);
  addDeliveries(app, deps);
}

async function listOf({ notifications }: NotificationRouteDeps, user: { id: string; email: string }) {
  return {
    webhooks: await withUser(notifications.db, user.id, readWebhooks),
    is_demo: isDemoEmail(user.email),
    practice_receiver: notifications.practiceReceiver ?? null,
  };
}

function addList(app: App, deps: NotificationRouteDeps): void {
  app.get(
    '/api/webhooks',
    {
      schema: {
        access,
        sandbox: { answer: exampleWebhooks },
        tags,
        summary: 'List your webhooks, newest first',
        response: { 200: WebhooksResponse },
      },
    },
    (request) => listOf(deps, request.user),
  );
}

/** Text that PostgreSQL rejects inside JSON: NUL and half of a surrogate pair, in JSON encoding. */
const unstorable = /\\u(0000|d[89a-f])/i;

/** The unknown fields of a request, as JSON. */
function payloadText(fields: object): Outcome<string> {
  const text = JSON.stringify(fields);
  if (Buffer.byteLength(text) > PAYLOAD_BYTES_MAX)
    return reject('validation_failed', `Other fields must be at most ${PAYLOAD_BYTES_MAX} bytes of JSON.`);
  if (unstorable.test(text) || text.includes('\0') || !text.isWellFormed())
    return reject('validation_failed', 'Other fields must be text without NUL or unpaired surrogates.');
  return ok(text);
}

function rejectUrl({ poster }: NotificationRouteDeps['notifications'], url: string | undefined): void {
  const rejection = url === undefined ? undefined : poster.rejectionOf(url);
  if (rejection === undefined) return;
  throw new RejectionError({ code: 'validation_failed', message: `The URL ${rejection}.`, field: 'url' });
}

function addCreate(app: App, { notifications }: NotificationRouteDeps): void {
  const { db, seal } = notifications;
  app.post(
    '/api/webhooks',
    {
      schema: {
        access,
        sandbox: { answer: exampleCreated },
        tags,
        summary: 'Create a webhook; only this response shows its secret',
        description:
          `Messages are signed as Standard Webhooks: verify \`webhook-signature\` with the secret. A response other than 2xx is a failure: ` +
          `it is retried after ${webhookPausesText}, later with Retry-After. ` +
          `410 switches the webhook off, as do ${WEBHOOK_SPAN_TEXT} of failures. At most ${WEBHOOKS_MAX} webhooks, ${WEBHOOKS_PER_HOST_MAX} of them to one host.`,
        body: WebhookPayload,
        response: { 200: WebhookCreated, ...problems(...bodyRejections, 'conflict') },
      },
    },
    async (request, reply) => {
      const { url, events, ...fields } = request.body;
      rejectUrl(notifications, url);
      const payload = payloadText(fields);
      if (!payload.ok) return sendProblem(reply, payload.error);
      const webhook = { userId: request.user.id, url, events, payload: payload.value };
      return withSystem(db, (tx) => addWebhook(tx, seal, webhook));
    },
  );
}

function addChange(app: App, deps: NotificationRouteDeps): void {
  const { notifications } = deps;
  const { db } = notifications;
  app.patch(
    '/api/webhooks/:id',
    {
      schema: {
        access,
        sandbox,
        tags,
        summary: 'Update URL or events of a webhook, or switch it on or off',
        params: WebhookId,
        body: WebhookUpdate,
        response: { 200: WebhookResponse, ...problems(...bodyRejections, 'conflict'), ...rejections },
      },
    },
    async (request, reply) => {
      const { user, params, body } = request;
      rejectUrl(notifications, body.url);
      const webhook = await withSystem(db, (tx) => changeWebhook(tx, { userId: user.id, id: params.id }, body));
      return webhook === undefined ? sendProblem(reply, unknownWebhook) : { webhook };
    },
  );
  app.delete(
    '/api/webhooks/:id',
    {
      schema: {
        access,
        sandbox,
        tags,
        summary: 'Delete a webhook and its deliveries',
        params: WebhookId,
        response: { 200: WebhooksResponse, ...problems('validation_failed'), ...rejections },
      },
    },
    async (request, reply) => {
      const key = { userId: request.user.id, id: request.params.id };
      const isRemoved = await withSystem(db, (tx) => removeWebhook(tx, key));
      return isRemoved ? listOf(deps, request.user) : sendProblem(reply, unknownWebhook);
    },
  );
}

function addRotate(app: App, { notifications: { db, seal } }: NotificationRouteDeps): void {
  app.post(
    '/api/webhooks/:id/secret',
    {
      schema: {
        access,
        sandbox,
        tags,
        summary: `Replace the secret of a webhook; both sign for ${WEBHOOK_OVERLAP_HOURS} hours`,
        params: WebhookId,
        response: { 200: RenewedResponse, ...problems('validation_failed'), ...rejections },
      },
    },
    async (request, reply) => {
      const key = { userId: request.user.id, id: request.params.id };
      const rotated = await withSystem(db, (tx) => rotateSecret(tx, seal, key));
      if (rotated === undefined) return sendProblem(reply, unknownWebhook);
      return { secret: rotated.secret, previous_until: rotated.previousUntil.toISOString() };
    },
  );
}

const failedText = 'Webhook test failed' as const;

function addTestRoute(app: App, { notifications, limiter }: NotificationRouteDeps): void {
  const { db, jobs } = notifications;
  app.post(
    '/api/webhook/test',
    {
      schema: {
        access,
        sandbox,
        tags,
        summary: 'Send a test message now and return the response',
        description:
          'Its `type` is `test`, without `sequence`; a named event is in `data.example`, so no receiver ' +
          'mistakes it for a real one. One attempt.',
        body: WebhookTestRequest,
        response: { 200: WebhookTestResponse, ...problems(...bodyRejections, 'rate_limited'), ...rejections },
      },
    },
    async (request, reply) => {
      const userId = request.user.id;
      const { webhook_id: id, url, event } = request.body ?? {};
      const all = await withUser(db, userId, readWebhooks);
      const webhook = all.find(
        (each) => (id === undefined || each.id === id) && (url === undefined || each.url === url),
      );
      if (webhook === undefined) return sendProblem(reply, unknownWebhook);
      await countHit(limiter, { key: `webhook-test:${userId}`, ...callLimit }, tooMany);
      const example = event === undefined ? undefined : exampleOf(event);
      const deliveryId = await withSystem(db, (tx) => addTest(tx, jobs, { userId, webhookId: webhook.id, example }));
      await attemptDelivery(notifications, deliveryId, 0);
      const delivery = await withUser(db, userId, (tx) => readDelivery(tx, webhook.id, deliveryId));
      if (delivery === undefined) return sendProblem(reply, unknownWebhook);
      const isSent = delivery.state === 'sent';
      return {
        success: isSent,
        error: isSent ? null : failedText,
        message: delivery.failure ?? `The receiver returned ${String(delivery.status)}.`,
        webhook_id: webhook.id,
        delivery_id: deliveryId,
        status: delivery.status,
        duration_ms: delivery.duration_ms,
        tested_at: delivery.finished_at ?? delivery.created_at,
      };
    },
  );
}

const notFinished = 'No finished delivery has this id.';

function addDeliveries(app: App, { notifications: { db, jobs }, limiter }: NotificationRouteDeps): void {
  app.get(
    '/api/webhooks/:id/deliveries',
    {
      schema: {
        access,
        sandbox,
        tags,
        summary: 'List deliveries to a webhook with their responses',
        params: WebhookId,
        response: { 200: WebhookDeliveriesResponse, ...problems('validation_failed', 'not_found') },
      },
    },
    async (request, reply) => {
      const deliveries = await withUser(db, request.user.id, (tx) => readDeliveries(tx, request.params.id));
      return deliveries === undefined ? sendProblem(reply, unknownWebhook) : { deliveries };
    },
  );
  app.post(
    '/api/webhooks/:id/deliveries/:delivery/redeliver',
    {
      schema: {
        access,
        sandbox,
        tags,
        summary: 'Resend a message with its original id',
        params: WebhookDeliveryId,
        response: { 200: WebhookDeliveryResponse, ...problems('validation_failed', 'rate_limited'), ...rejections },
      },
    },
    async (request, reply) => {
      const { id: webhookId, delivery: id } = request.params;
      const userId = request.user.id;
      await countHit(limiter, { key: `webhook-redeliver:${userId}`, ...callLimit }, tooMany);
      const isQueued = await withSystem(db, (tx) => redeliver(tx, jobs, { userId, webhookId, id }));
      const delivery = isQueued ? await withUser(db, userId, (tx) => readDelivery(tx, webhookId, id)) : undefined;
      if (delivery === undefined) return sendProblem(reply, { code: 'not_found', message: notFinished });
      return { delivery };
    },
  );
}
