import { venueIds } from '@sextant/engine-as/abi/costs.ts';
import { z } from 'zod';

const At = z.iso.datetime();

export const MeasuredAnswer = z.object({
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
      count: z.int().meta({ description: 'Market data requests answered with 200 in the window, on this node.' }),
      countMin: z.int().meta({ description: 'Minimum number for a figure.' }),
      p50Ms: z.number().nullable(),
      p95Ms: z.number().nullable(),
    })
    .meta({ description: 'From the arrival of a request to the end of its answer, on the server.' }),
  pageLoads: z
    .object({
      windowMinutes: z.int(),
      count: z.int().meta({
        description:
          'Loads that browsers of people who allow analytics reported, on this node: one of an account in an hour, of at most five of a network.',
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
    .meta({ description: 'Answers of the help assistant that users called helpful, of all they rated.' }),
  uptime: z
    .object({
      fraction: z.number(),
      upMinutes: z.int(),
      minutes: z.int().meta({
        description:
          'Of the window, from `from` on, that count: those checked, and those without a check for two minutes or more, which count as down.',
      }),
      from: At,
    })
    .nullable()
    .meta({
      description:
        'From the checks the server makes of itself each minute, over the last 30 days, 7 days or 24 hours: the longest of these that has been measured whole; null before the first day is over.',
    }),
});
