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
    description:
      'Minutes of the day that count: those probed, and those in which nothing at all was probed for two minutes or more.',
  }),
});
export const StatusUptime = z
  .object({
    days: z.int().meta({ description: 'Length of the window.' }),
    fraction: z.number(),
    up_minutes: z.int(),
    minutes: z.int().meta({
      description:
        'Of the window that count: those probed, and those in which nothing at all was probed for two minutes or more, which count as down.',
    }),
  })
  .nullable()
  .meta({
    description: 'Over the longest of 90, 30, 7 and 1 days that was probed whole; null before the first day is over.',
  });
export const StatusPartWire = z.object({
  part: z.enum(statusParts),
  state: PartState.meta({ description: '`unknown`: no probe within the last three minutes.' }),
  checked_at: At.nullable(),
  duration_ms: z.number().nullable().meta({ description: 'Of the last probe that succeeded.' }),
  uptime: StatusUptime,
  days: z.array(StatusDay).meta({ description: 'At most 90, oldest first, from the first probed day on.' }),
});
export const StatusIncident = z.object({
  part: z.enum([...statusParts, 'service']).meta({ description: '`service`: no probe was stored at all.' }),
  from: At,
  to: At.nullable().meta({ description: 'Null while it lasts.' }),
  minutes: z.int(),
  code: z.string().nullable().meta({ description: 'Of the last failed probe; see docs/errors.md.' }),
});
export const StatusAnswer = z.object({
  timestamp: At,
  market: z.enum(['simulated', 'replay', 'live']),
  state: z.enum(['operational', 'disrupted', 'unknown']),
  since: At.nullable().meta({ description: 'The first probe that is kept; null before it.' }),
  parts: z.array(StatusPartWire).meta({ description: 'Those that this installation is configured with.' }),
  incidents: z
    .array(StatusIncident)
    .meta({ description: 'Two failed probes in a row or more, of the last 90 days; newest first, at most 50.' }),
});
