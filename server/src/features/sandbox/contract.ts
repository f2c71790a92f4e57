import { apiPlans, SANDBOX_DAYS } from '@sextant/workers/src/core/apiAccess.ts';
import { oneOf } from '@sextant/workers/src/core/oneOf.ts';
import { z } from 'zod';
import { Text } from '../../platform/contract.ts';
import { InstantOrNull } from '../../platform/instant.ts';
import { PURCHASE_MAX } from '../payments/contract.ts';
import { PURCHASE_MIN } from '@sextant/workers/src/core/creditPrices.ts';

const minutesMax = SANDBOX_DAYS * 1440;
const paidPlans = apiPlans.filter(({ priceCredits }) => priceCredits > 0).map(({ name }) => name);

export const SandboxInvoiceRequest = z.strictObject({
  credits: z
    .int('must be a whole number')
    .min(PURCHASE_MIN, `must be at least ${PURCHASE_MIN}`)
    .max(PURCHASE_MAX, `must be at most ${PURCHASE_MAX}`),
  paid_after_minutes: z
    .int('must be a whole number')
    .min(1, 'must be at least 1')
    .max(minutesMax, `must be at most ${minutesMax}`)
    .nullable()
    .default(null)
    .meta({ description: 'When the money arrives; null: never, so that the invoice expires.' }),
});

export const SandboxClockRequest = z.strictObject({
  restart: z
    .boolean()
    .default(false)
    .meta({ description: 'Return to the start, without plan, invoices and messages.' }),
  buy_plan: z
    .enum(paidPlans, `must be ${oneOf(paidPlans)}`)
    .optional()
    .meta({ description: 'Buy this plan before the clock moves.' }),
  invoice: SandboxInvoiceRequest.optional().meta({ description: 'Open a USDT invoice before the clock moves.' }),
  advance_minutes: z
    .int('must be a whole number')
    .min(0, 'must be at least 0')
    .max(minutesMax, `must be at most ${minutesMax}`)
    .multipleOf(15, 'must be a multiple of 15')
    .default(0),
  webhook_url: Text.trim().min(1, 'must not be empty').max(2000).optional().meta({
    description: 'Post each message there, in order, signed with the secret of the published test vectors.',
  }),
});

const Instant = z.iso.datetime();

export const SandboxInvoice = z.object({
  payment_id: z.uuid(),
  credits: z.int(),
  status: z.enum(['PENDING', 'COMPLETED', 'EXPIRED']),
  created_at: Instant,
  expires_at: Instant,
});

export const SandboxMessage = z.object({
  id: z.string().meta({ description: 'The header `webhook-id`.' }),
  event: z.string(),
  body: z.string().meta({ description: 'The exact body, with the time of the sandbox.' }),
});

export const SandboxDelivery = z.object({
  delivered: z.int().meta({ description: 'Messages accepted; the first rejected one ends the delivery.' }),
  failure: z.string().nullable(),
});

export const SandboxClockResponse = z.object({
  now: Instant,
  starts_at: Instant,
  ends_at: Instant,
  plan: z.object({ name: z.string(), expires_at: InstantOrNull }),
  invoices: z.array(SandboxInvoice),
});
export const SandboxMoveResponse = SandboxClockResponse.extend({
  messages: z.array(SandboxMessage).meta({ description: 'What happened meanwhile, oldest first.' }),
  delivery: SandboxDelivery.nullable().meta({ description: 'Null without `webhook_url`.' }),
});
