import { usualWebhookEvents, type WebhookEvent, webhookEvents } from '@sextant/workers/src/core/webhooks.ts';
import { z } from 'zod';
import { InstantOrNull } from '../../../platform/instant.ts';
import { Text } from '../../../platform/contract.ts';

const Instant = z.iso.datetime();
const Url = Text.trim().min(1).max(2000).meta({
  description: 'https on port 443 or 8443, at a public address. Redirects are not followed.',
});

export const WebhookEventName = z.enum(webhookEvents);
const Events = z.array(WebhookEventName).min(1).max(webhookEvents.length).meta({
  description:
    'Events to send. `signal.created`: a signal that may be opened; `signal.found`: every signal with a direction.',
});

/** Maximum bytes of the fields that the service does not know. */
export const PAYLOAD_BYTES_MAX = 4096;

export const WebhookPayload = z
  .looseObject({ url: Url, events: Events.default([...usualWebhookEvents]) })
  .meta({ description: 'Other fields are stored and returned as `payload`, up to 4 KiB of JSON.' });

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
  payload: z.record(z.string(), z.unknown()).meta({ description: 'Other fields of the request that created it.' }),
  created_at: Instant,
  last_delivery_at: InstantOrNull,
  last_status: z.int().nullable().meta({ description: 'HTTP status of the last attempt; null: no response.' }),
  last_sequence: z.int().meta({ description: 'Number of the newest message; a gap means a missed message.' }),
  last_test_at: InstantOrNull,
  last_test_succeeded: z.boolean().nullable(),
  failing_since: InstantOrNull.meta({ description: 'Start of the current failures.' }),
  off_reason: z.string().nullable().meta({ description: 'Why the service switched it off; null: it did not.' }),
});

export const WebhooksResponse = z.object({
  webhooks: z.array(Webhook),
  is_demo: z.boolean().meta({ description: 'True in a demo account, which has no webhooks.' }),
  practice_receiver: z
    .string()
    .nullable()
    .meta({ description: 'Local test receiver that stores messages; demo only.' }),
});
export const WebhookResponse = z.object({ webhook: Webhook });
export const WebhookCreated = z.object({
  webhook: Webhook,
  secret: z.string().meta({
    description: 'Signs every message (Standard Webhooks, https://www.standardwebhooks.com). Shown once.',
  }),
});

export const WebhookTestRequest = z
  .strictObject({
    webhook_id: z.uuid().optional(),
    url: Text.max(2000).optional().meta({ description: 'URL of your webhook, instead of its id.' }),
    event: WebhookEventName.optional().meta({ description: 'Event to send an example of.' }),
  })
  .nullish()
  .meta({ description: 'Default: your newest webhook.' });

export const WebhookTestResponse = z.object({
  success: z.boolean(),
  error: z.literal('Webhook test failed').nullable(),
  message: z.string().meta({ description: 'Response of the receiver, or why there was none.' }),
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
  next_attempt_at: InstantOrNull,
  status: z.int().nullable().meta({ description: 'HTTP status of the last attempt.' }),
  duration_ms: z.int().nullable().meta({ description: 'Duration of the last attempt.' }),
  failure: z.string().nullable(),
  body: z.string().meta({ description: 'The exact body that is signed and sent.' }),
  created_at: Instant,
  finished_at: InstantOrNull,
});
export const WebhookDeliveriesResponse = z.object({
  deliveries: z.array(WebhookDelivery).meta({ description: 'The newest 50, newest first; stored for 30 days.' }),
});
export const WebhookDeliveryResponse = z.object({ delivery: WebhookDelivery });
