import { z } from 'zod';
import { InstantOrNull } from '../../platform/instant.ts';
import { Text } from '../../platform/contract.ts';
import { chosenKinds } from './kinds.ts';

const Kinds = z.array(z.enum(chosenKinds)).meta({ description: 'Events it receives.' });
export const DeliveryParams = z.strictObject({ id: z.uuid() });

const Target = {
  is_on: z.boolean(),
  kinds: Kinds,
  off_reason: z.string().nullable().meta({ description: 'Why the service switched it off; null: it did not.' }),
  failing_since: InstantOrNull.meta({ description: 'Start of the current failures.' }),
};

export const NotificationsResponse = z.object({
  telegram: z
    .object({ name: z.string(), ...Target })
    .nullable()
    .meta({ description: 'The linked chat; null: none.' }),
  is_demo: z.boolean().meta({ description: 'True in a demo account, which has no targets.' }),
  telegram_available: z.boolean().meta({ description: 'Whether this installation has a Telegram bot.' }),
  webhook: z.object({ url: z.string(), ...Target }).nullable(),
  practice_receiver: z
    .string()
    .nullable()
    .meta({ description: 'Local test receiver that stores messages; demo only.' }),
});
export type NotificationsWire = z.input<typeof NotificationsResponse>;

export const WebhookRequest = z.strictObject({
  url: Text.trim().min(1).max(2000).meta({
    description: 'https on port 443 or 8443, at a public address. Redirects are not followed.',
  }),
});
export const SecretResponse = z.object({
  secret: z.string().nullable().meta({
    description: 'Signs every message (Standard Webhooks). Shown once; null: the existing secret stays.',
  }),
});
export const RenewedResponse = z.object({
  secret: z.string().meta({ description: 'Signs every message from now on (Standard Webhooks). Shown once.' }),
  previous_until: z.iso.datetime().meta({
    description:
      'Until then `webhook-signature` carries two signatures, space-separated, by the new and the previous key. ' +
      'Accept either while you switch.',
  }),
});
export const TargetChange = z.strictObject({ is_on: z.boolean(), kinds: Kinds.max(chosenKinds.length) }).partial();
export const TelegramLinkResponse = z.object({
  url: z.url().meta({ description: 'Opens the bot; Start links the chat. Works once.' }),
  expires_at: z.iso.datetime(),
});
export const TestResponse = z.object({ notification_id: z.uuid() });

export const DeliveriesResponse = z.object({
  deliveries: z
    .array(
      z.object({
        id: z.uuid().meta({ description: 'Part of `webhook-id`, the same for every attempt.' }),
        channel: z.enum(['telegram', 'webhook', 'email', 'push']),
        kind: z.enum([...chosenKinds, 'alert_fired', 'alert_ended', 'test']),
        state: z.enum(['waiting', 'sent', 'failed']),
        attempt_count: z.int().min(0),
        next_attempt_at: InstantOrNull,
        status: z.int().nullable().meta({ description: 'HTTP status of the last attempt.' }),
        failure: z.string().nullable(),
        created_at: z.iso.datetime(),
        finished_at: InstantOrNull,
      }),
    )
    .meta({ description: 'The newest 50, newest first; stored for 30 days.' }),
});
export type DeliveriesWire = z.input<typeof DeliveriesResponse>;
