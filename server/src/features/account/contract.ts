import { z } from 'zod';

/** Privacy settings with their defaults. A test compares them with the defaults of the table. */
export const privacyDefaults = {
  analytics: true,
  research_sharing: true,
  marketing: false,
  public_stats: false,
  leaderboard: true,
  allow_follow: false,
} as const;

const Toggle = z.boolean();
const toggles = {
  analytics: Toggle.meta({ description: 'Loading times your browser measured are counted, without your name.' }),
  research_sharing: Toggle.meta({
    description: 'Your runs count in `GET /api/research/backtests`, in groups of at least five people.',
  }),
  marketing: Toggle.meta({ description: 'News of the operator by mail.' }),
  public_stats: Toggle.meta({ description: 'The profile is public: names, bio, pictures.' }),
  leaderboard: Toggle.meta({ description: 'A place in `GET /api/leaderboard`, under your username.' }),
  allow_follow: Toggle.meta({
    description: 'Others may follow you in the ranking. Turning it off removes all followers.',
  }),
};

export const PrivacyRequest = z.strictObject(toggles).partial();
export type PrivacyChange = z.infer<typeof PrivacyRequest>;
export const PrivacyAnswer = z.object(toggles);
export type Privacy = z.infer<typeof PrivacyAnswer>;

export const DeletionRequest = z.strictObject({
  email: z
    .string('Type your email address')
    .max(254)
    .meta({ description: 'The address of the account, typed again so that no click alone deletes it.' }),
});

export const DeletionAnswer = z
  .object({
    requested_at: z.iso.datetime().nullable(),
    erase_after: z.iso.datetime().nullable().meta({ description: 'Time at which the account is erased.' }),
    can_cancel: z.boolean(),
    is_deletable: z.boolean().meta({ description: 'False for a demo account.' }),
    grace_days: z.number().meta({ description: 'How long a request can be cancelled here.' }),
  })
  .meta({ description: 'Both times are null when no deletion was requested.' });
export type Deletion = z.infer<typeof DeletionAnswer>;

/** One database row of a table. */
const Row = z.record(z.string(), z.unknown());

export const ExportAnswer = z.object({
  format: z.literal('sextant-export-1'),
  exported_at: z.iso.datetime(),
  user_id: z.uuid(),
  tables: z.record(z.string(), z.array(Row)).meta({ description: 'Every table with rows of a user, empty ones too.' }),
  withheld: z
    .array(z.object({ table: z.string(), columns: z.array(z.string()) }))
    .meta({ description: 'Columns that hold secrets: hashes, tokens, keys.' }),
  files: z
    .array(z.object({ path: z.string(), url: z.string() }))
    .meta({ description: 'Files, to be fetched by `url`.' }),
});
