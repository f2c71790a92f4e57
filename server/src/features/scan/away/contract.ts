import { z } from 'zod';

export const AwayAnswer = z.object({
  is_on: z.boolean().meta({ description: '`keep_scanning` of your preferences. Goes off by itself at 0 credits.' }),
  last: z
    .object({
      at: z.iso.datetime(),
      scan_id: z.uuid().nullable(),
      status: z.enum(['queued', 'running', 'done', 'failed', 'cancelled', 'refused']),
      message: z.string().nullable().meta({ description: 'Why it failed, or was refused.' }),
    })
    .nullable()
    .meta({ description: 'The newest scan the service started for you, or could not start.' }),
});
export type AwayAnswer = z.input<typeof AwayAnswer>;
