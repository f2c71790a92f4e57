import { z } from 'zod';

export const ExternalStatus = z.enum(['ok', 'degraded', 'down', 'unknown']);

/** Field names follow the specification. */
export const HealthAnswer = z.object({
  status: z.enum(['ok', 'degraded']),
  message: z.string(),
  timestamp: z.iso.datetime(),
  responseTime: z
    .number()
    .meta({ description: 'Milliseconds of the round trip to the database, measured at most a second ago.' }),
  uptime: z.number().meta({ description: 'Seconds since this server process started.' }),
  external_api_status: ExternalStatus.meta({ description: 'The exchanges, as last seen.' }),
  unexpected_errors: z.int().min(0).meta({
    description: 'Errors no handler caught since this server process started; `degraded` for ten minutes after one.',
  }),
  jobs_set_aside: z.int().min(0).meta({
    description: 'Background jobs that ended the server twice and are not run again, of the last day.',
  }),
  silent_streams: z.int().min(0).meta({
    description:
      'Topics that an exchange acknowledged and sends nothing on; they are subscribed to again, and candles are requested meanwhile.',
  }),
  unpriced_positions: z.int().min(0).meta({
    description: 'Open positions without a price for more than a minute: their stops and targets wait for one.',
  }),
});

/** State of the exchanges as known to the market, without new requests. */
export interface ExternalStatusPort {
  status: () => z.infer<typeof ExternalStatus>;
}
