import { venueIds } from '@sextant/engine-as/abi/costs.ts';
import { z } from 'zod';

/** Probed parts, the headline first. */
export const statusParts = [
  'signals',
  'database',
  ...venueIds,
  'mail',
  'coins',
  'cards',
  'ai',
  'feeds',
  'telegram',
  'storage',
] as const;
export type StatusPart = (typeof statusParts)[number];

const At = z.iso.datetime();
export const PartState = z.enum(['up', 'down', 'unknown']);

export const StatusDay = z.object({
  date: z.iso.date(),
  up_minutes: z.int(),
  minutes: z.int().meta({
    description: 'Counted minutes of the day: probed ones, and gaps of two minutes or more without any probe.',
  }),
});
export const StatusUptime = z
  .object({
    days: z.int().meta({ description: 'Length of the window.' }),
    fraction: z.number(),
    up_minutes: z.int(),
    minutes: z.int().meta({
      description:
        'Counted minutes: probed ones, and gaps of two minutes or more without any probe, which count as down.',
    }),
  })
  .nullable()
  .meta({
    description: 'Over the longest fully probed window of 90, 30, 7 or 1 days; null on the first day.',
  });
export const StatusPartWire = z.object({
  part: z.enum(statusParts),
  state: PartState.meta({ description: '`unknown`: no probe within the last three minutes.' }),
  checked_at: At.nullable(),
  duration_ms: z.number().nullable().meta({ description: 'Latency of the last successful probe.' }),
  uptime: StatusUptime,
  days: z.array(StatusDay).meta({ description: 'At most 90, oldest first, from the first probed day on.' }),
});
export const StatusIncident = z.object({
  part: z.enum([...statusParts, 'service']).meta({ description: '`service`: no probe was stored.' }),
  from: At,
  to: At.nullable().meta({ description: 'Null while it lasts.' }),
  minutes: z.int(),
  code: z.string().nullable().meta({ description: 'Error code of the last failed probe; see docs/errors.md.' }),
});
export const StatusBackfill = z.object({
  exchange: z.enum(venueIds),
  state: z.enum(['running', 'waiting', 'complete', 'failed']),
  stored_parts: z.int(),
  total_parts: z.int(),
  failed_parts: z.int().meta({ description: 'Parts that the exchange did not deliver; each is tried again.' }),
  code: z
    .string()
    .nullable()
    .meta({ description: 'Error code of the newest failure of this round; see docs/errors.md.' }),
  updated_at: At,
});
export const StatusResponse = z.object({
  timestamp: At,
  market: z.enum(['simulated', 'replay', 'live']),
  state: z.enum(['operational', 'disrupted', 'unknown']),
  since: At.nullable().meta({ description: 'The first stored probe; null: none.' }),
  parts: z.array(StatusPartWire).meta({ description: 'Parts configured here.' }),
  incidents: z
    .array(StatusIncident)
    .meta({ description: 'Two failed probes in a row or more, of the last 90 days; newest first, at most 50.' }),
  history: z
    .array(StatusBackfill)
    .meta({ description: 'Stored candles by exchange; it does not change `state`. Empty: none is filled backwards.' }),
});
