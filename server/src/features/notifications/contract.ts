import { z } from 'zod';
import { Text } from '../../platform/contract.ts';
import { chosenKinds } from './kinds.ts';

const Kinds = z.array(z.enum(chosenKinds)).meta({ description: 'What it is told of.' });
export const DeliveryParams = z.strictObject({ id: z.uuid() });

const Target = {
  is_on: z.boolean(),
  kinds: Kinds,
  off_reason: z.string().nullable().meta({ description: 'Why the service switched it off; null when it did not.' }),
  failing_since: z.iso.datetime().nullable().meta({ description: 'Since when nothing has arrived.' }),
};

export const NotificationsAnswer = z.object({
  telegram: z
    .object({ name: z.string(), ...Target })
    .nullable()
    .meta({ description: 'The chat that was linked; null when there is none.' }),
  is_demo: z.boolean().meta({ description: 'A demo account: it has no targets, and none can be set.' }),
  telegram_available: z.boolean().meta({ description: 'Whether this installation has a bot.' }),
  webhook: z.object({ url: z.string(), ...Target }).nullable(),
  practice_receiver: z
    .string()
    .nullable()
    .meta({ description: 'A receiver of webhooks on this machine that keeps what it gets; in a demo only.' }),
});
export type NotificationsWire = z.input<typeof NotificationsAnswer>;

export const WebhookRequest = z.strictObject({
  url: Text.trim().min(1).max(2000).meta({
    description: 'https on port 443 or 8443, at a public address. Redirects are not followed.',
  }),
});
export const SecretAnswer = z.object({
  secret: z.string().nullable().meta({
    description:
      'Signs every message (Standard Webhooks). Shown this once; null when there was one before, which stays.',
  }),
});
export const RenewedAnswer = z.object({
  secret: z.string().meta({ description: 'Signs every message from now on (Standard Webhooks). Shown this once.' }),
  previous_until: z.iso.datetime().meta({
    description:
      'Until then `webhook-signature` carries two signatures with a space between them, by this key and by the one before. ' +
      'Accept a message when either fits, and change over meanwhile.',
  }),
});
export const TargetChange = z.strictObject({ is_on: z.boolean(), kinds: Kinds.max(chosenKinds.length) }).partial();
export const TelegramLinkAnswer = z.object({
  url: z.url().meta({ description: 'Opens the bot; pressing Start there links the chat. Works once.' }),
  expires_at: z.iso.datetime(),
});
export const TestAnswer = z.object({ notification_id: z.uuid() });

export const DeliveriesAnswer = z.object({
  deliveries: z
    .array(
      z.object({
        id: z.uuid().meta({ description: 'Part of `webhook-id`, the same for every attempt.' }),
        channel: z.enum(['telegram', 'webhook']),
        kind: z.enum([...chosenKinds, 'test']),
        state: z.enum(['waiting', 'sent', 'failed']),
        attempt_count: z.int().min(0),
        next_attempt_at: z.iso.datetime().nullable(),
        status: z.int().nullable().meta({ description: 'HTTP status of the last attempt.' }),
        failure: z.string().nullable(),
        created_at: z.iso.datetime(),
        finished_at: z.iso.datetime().nullable(),
      }),
    )
    .meta({ description: 'The newest 50, newest first; kept for 30 days.' }),
});
export type DeliveriesWire = z.input<typeof DeliveriesAnswer>;
