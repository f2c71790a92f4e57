import { z } from 'zod';
import { InstantOrNull } from '../../../platform/instant.ts';
import { Text } from '../../../platform/contract.ts';

const base64url = (bytes: number, what: string) =>
  z
    .string()
    .max(120)
    .transform((text) => text.replace(/=+$/, '').replaceAll('+', '-').replaceAll('/', '_'))
    .refine((text) => /^[\w-]*$/.test(text) && Buffer.from(text, 'base64url').length === bytes, `must be ${what}`);

const Endpoint = Text.trim().min(1).max(1000).meta({ description: 'https address of the browser’s push service.' });

export const PushSubscriptionBody = z.strictObject({
  endpoint: Endpoint,
  keys: z.strictObject({
    p256dh: base64url(65, 'a P-256 public key in base64url').meta({ description: 'Public key of the browser.' }),
    auth: base64url(16, '16 bytes in base64url').meta({ description: 'Secret of the subscription.' }),
  }),
  label: Text.trim().min(1).max(100).meta({ description: 'Name of the browser, such as Chrome on Linux.' }),
});
export const PushEndpointBody = z.strictObject({ endpoint: Endpoint });

export const SUBSCRIPTIONS_MAX = 10;

export const PushSubscriptionsResponse = z.object({
  public_key: z.string().meta({ description: 'Application server key for `pushManager.subscribe`, base64url.' }),
  subscriptions: z
    .array(
      z.object({
        endpoint: z.string(),
        label: z.string(),
        created_at: z.iso.datetime(),
        last_sent_at: InstantOrNull,
      }),
    )
    .meta({ description: `Browsers that receive pushes, oldest first; at most ${SUBSCRIPTIONS_MAX}.` }),
});
export type PushSubscriptionsWire = z.input<typeof PushSubscriptionsResponse>;
