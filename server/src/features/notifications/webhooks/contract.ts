import { usualWebhookEvents, type WebhookEvent, webhookEvents } from '@sextant/workers/src/core/webhooks.ts';
import { z } from 'zod';
import { Text } from '../../../platform/contract.ts';

const Instant = z.iso.datetime();
const Url = Text.trim().min(1).max(2000).meta({
  description: 'https on port 443 or 8443, at a public address. Redirects are not followed.',
});

export const WebhookEventName = z.enum(webhookEvents);
const Events = z.array(WebhookEventName).min(1).max(webhookEvents.length).meta({
  description:
    'The events that are sent to it. `signal.created` is a signal that may be opened, `signal.found` is every signal with a direction.',
});

/** Maximum bytes of the fields that the service does not know. */
export const PAYLOAD_BYTES_MAX = 4096;

export const WebhookPayload = z
  .looseObject({ url: Url, events: Events.default([...usualWebhookEvents]) })
  .meta({ description: 'Any further fields are stored and returned as `payload`, up to 4 KiB of JSON.' });

export const WebhookUpdate = z
  .strictObject({
    url: Url.optional(),
    events: Events.optional(),
    active: z.boolean().optional(),
  })
  .refine((body) => Object.values(body).some((value) => value !== undefined), 'give url, events or active');

export const WebhookId = z.strictObject({ id: z.uuid() });
export const WebhookDeliveryId = z.strictObject({ id: z.uuid(), delivery: z.uuid() });

export const Webhook = z.object({
  id: z.uuid(),
  url: z.string(),
  events: z.array(WebhookEventName),
  active: z.boolean().meta({ description: 'Messages are sent.' }),
  secret_hint: z.string().meta({ description: 'Last characters of the signing secret.', examples: ['…Xk3='] }),
  payload: z.record(z.string(), z.unknown()).meta({ description: 'Further fields of the request that made it.' }),
  created_at: Instant,
  last_delivery_at: Instant.nullable(),
  last_status: z
    .int()
    .nullable()
    .meta({ description: 'HTTP status of the last attempt; null when there was no answer.' }),
  last_sequence: z
    .int()
    .meta({ description: 'Number of the newest message. A gap on your side is a message you missed.' }),
  last_test_at: Instant.nullable(),
  last_test_succeeded: z.boolean().nullable(),
  failing_since: Instant.nullable().meta({ description: 'Since when nothing has arrived.' }),
  off_reason: z.string().nullable().meta({ description: 'Why the service switched it off; null when it did not.' }),
});

export const WebhooksAnswer = z.object({
  webhooks: z.array(Webhook),
  is_demo: z.boolean().meta({ description: 'A demo account: it can have no webhooks.' }),
  practice_receiver: z
    .string()
    .nullable()
    .meta({ description: 'A receiver on this machine that keeps what it gets; in a demo installation only.' }),
});
export const WebhookAnswer = z.object({ webhook: Webhook });
export const WebhookCreated = z.object({
  webhook: Webhook,
  secret: z.string().meta({
    description: 'Signs every message (Standard Webhooks, https://www.standardwebhooks.com). Shown this once.',
  }),
});

export const WebhookTestRequest = z
  .strictObject({
    webhook_id: z.uuid().optional(),
    url: Text.max(2000).optional().meta({ description: 'URL of a webhook you have, instead of its id.' }),
    event: WebhookEventName.optional().meta({ description: 'The test carries an example of this event.' }),
  })
  .nullish()
  .meta({ description: 'Left out: your newest webhook.' });

export const WebhookTestAnswer = z.object({
  success: z.boolean(),
  error: z.literal('Webhook test failed').nullable(),
  message: z.string().meta({ description: 'What the receiver answered, or why there was no answer.' }),
  webhook_id: z.uuid(),
  delivery_id: z.uuid(),
  status: z.int().nullable(),
  duration_ms: z.int().nullable(),
  tested_at: Instant,
});

export const WebhookDelivery = z.object({
  id: z.uuid().meta({ description: '`webhook-id` is `msg_` and this, the same for every attempt.' }),
  event: z
    .string()
    .meta({ description: 'Name of the event, or `test`.', examples: ['position.opened' satisfies WebhookEvent] }),
  sequence: z.int().nullable().meta({ description: 'Number among the messages of this webhook; null for a test.' }),
  state: z.enum(['waiting', 'sent', 'failed']),
  attempt_count: z.int().min(0),
  next_attempt_at: Instant.nullable(),
  status: z.int().nullable().meta({ description: 'HTTP status of the last attempt.' }),
  duration_ms: z.int().nullable().meta({ description: 'Of the last attempt.' }),
  failure: z.string().nullable(),
  body: z.string().meta({ description: 'The exact body that is signed and sent.' }),
  created_at: Instant,
  finished_at: Instant.nullable(),
});
export const WebhookDeliveriesAnswer = z.object({
  deliveries: z.array(WebhookDelivery).meta({ description: 'The newest 50, newest first; kept for 30 days.' }),
});
export const WebhookDeliveryAnswer = z.object({ delivery: WebhookDelivery });
