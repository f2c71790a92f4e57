import { z } from 'zod';

const Credits = z.int();

export const CreditsResponse = z.object({
  balance: Credits.min(0).meta({ description: 'Whole credits available; 1 credit was 1 USD.' }),
  credits: Credits.min(0).meta({ description: 'The same as `balance`, under its other name.' }),
  held: Credits.min(0).meta({
    description: 'Reserved for running work; spent on success, returned otherwise.',
  }),
  entries: z
    .array(
      z.object({
        id: z.uuid(),
        at: z.iso.datetime(),
        kind: z.enum(['grant', 'hold', 'capture', 'release']).meta({
          description: 'grant: added; hold: reserved; capture: a reservation spent; release: a reservation returned.',
        }),
        reason: z.string().meta({ examples: ['welcome', 'scan'] }),
        credits: Credits.meta({
          description: 'Change of the balance; the balance is the sum of all entries.',
        }),
        ref: z.string().nullable().meta({ description: 'Reference, e.g. the id of a scan.' }),
        note: z.string().nullable(),
      }),
    )
    .meta({ description: 'The newest 20 entries, newest first.' }),
});
export type Credits = z.input<typeof CreditsResponse>;
