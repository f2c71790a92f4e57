import { z } from 'zod';

export const AwayResponse = z.object({
  is_on: z.boolean().meta({
    description: '`keep_scanning` of your preferences; turns off at 0 credits, or when your rules no longer compile.',
  }),
  last: z
    .object({
      at: z.iso.datetime(),
      scan_id: z.uuid().nullable(),
      status: z.enum(['queued', 'running', 'done', 'failed', 'cancelled', 'refused']),
      message: z.string().nullable().meta({ description: 'Why it failed or was rejected.' }),
    })
    .nullable()
    .meta({ description: 'The newest scan the service started, or failed to start, for you.' }),
});
export type AwayResponse = z.input<typeof AwayResponse>;
