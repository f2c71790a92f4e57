import { venueIds } from '@sextant/engine-as/abi/costs.ts';
import { z } from 'zod';

const At = z.iso.datetime();

export const MeasuredResponse = z.object({
  timestamp: At,
  market: z.enum(['simulated', 'replay', 'live']),
  symbols: z
    .object({
      count: z.int().meta({ description: 'Perpetuals that are trading.' }),
      exchange: z.enum(venueIds),
      at: At.meta({ description: 'When the exchange last confirmed the list.' }),
    })
    .nullable(),
  latency: z
    .object({
      windowMinutes: z.int(),
      count: z.int().meta({ description: 'Market data requests with status 200 in the window, on this node.' }),
      countMin: z.int().meta({ description: 'Minimum number for a figure.' }),
      p50Ms: z.number().nullable(),
      p95Ms: z.number().nullable(),
    })
    .meta({ description: 'From request to end of response, on the server.' }),
  pageLoads: z
    .object({
      windowMinutes: z.int(),
      count: z.int().meta({
        description:
          'Page loads reported with analytics on, on this node: one per account and hour, at most five per network.',
      }),
      countMin: z.int().meta({ description: 'Minimum number for a figure.' }),
      p50Ms: z.number().nullable(),
      p95Ms: z.number().nullable(),
    })
    .meta({ description: 'From the click to the loaded product, in browsers.' }),
  helpRatings: z
    .object({
      count: z.int(),
      countMin: z.int().meta({ description: 'Minimum number for a share.' }),
      helpfulFraction: z.number().nullable(),
    })
    .meta({ description: 'Share of rated assistant responses marked helpful.' }),
  uptime: z
    .object({
      fraction: z.number(),
      upMinutes: z.int(),
      minutes: z.int().meta({
        description:
          'Counted minutes since `from`: checked ones, and gaps of two minutes or more, which count as down.',
      }),
      from: At,
    })
    .nullable()
    .meta({
      description:
        'From self-checks each minute, over the longest fully measured window of 30 days, 7 days or 24 hours; null on the first day.',
    }),
});
