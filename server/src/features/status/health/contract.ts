import { z } from 'zod';

export const ExternalStatus = z.enum(['ok', 'degraded', 'down', 'unknown']);

/** Field names follow the specification. */
export const HealthResponse = z.object({
  status: z.enum(['ok', 'degraded']),
  message: z.string(),
  timestamp: z.iso.datetime(),
  responseTime: z.number().meta({ description: 'Database round trip, milliseconds, at most a second old.' }),
  uptime: z.number().meta({ description: 'Seconds since this server process started.' }),
  external_api_status: ExternalStatus.meta({ description: 'The exchanges, as last seen.' }),
  unexpected_errors: z.int().min(0).meta({
    description: 'Unhandled errors since this process started; `degraded` for ten minutes after one.',
  }),
  jobs_set_aside: z.int().min(0).meta({
    description: 'Background jobs of the last day set aside after ending the server twice.',
  }),
  silent_streams: z.int().min(0).meta({
    description: 'Acknowledged topics without data; resubscribed, with candles requested meanwhile.',
  }),
  unpriced_positions: z.int().min(0).meta({
    description: 'Open positions without a price for over a minute; their stops and targets wait.',
  }),
});

/** State of the exchanges as known to the market, without new requests. */
export interface ExternalStatusPort {
  status: () => z.infer<typeof ExternalStatus>;
}
