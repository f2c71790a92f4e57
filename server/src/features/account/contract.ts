import { z } from 'zod';
import { InstantOrNull } from '../../platform/instant.ts';

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
  analytics: Toggle.meta({ description: 'Page load times of your browser are counted anonymously.' }),
  research_sharing: Toggle.meta({
    description: 'Your runs count in `GET /api/research/backtests`, in groups of at least five users.',
  }),
  marketing: Toggle.meta({ description: 'Operator news by email.' }),
  public_stats: Toggle.meta({ description: 'Shows your names, bio and pictures to all users.' }),
  leaderboard: Toggle.meta({ description: 'Lists your username in `GET /api/leaderboard`.' }),
  allow_follow: Toggle.meta({
    description: 'Lets users follow you. Turning it off removes all followers.',
  }),
};

export const PrivacyRequest = z.strictObject(toggles).partial();
export type PrivacyChange = z.infer<typeof PrivacyRequest>;
export const PrivacyResponse = z.object(toggles);
export type Privacy = z.infer<typeof PrivacyResponse>;

export const DeletionRequest = z.strictObject({
  email: z
    .string('Type your email address')
    .max(254)
    .meta({ description: 'Email address of the account, typed to confirm.' }),
});

export const DeletionResponse = z
  .object({
    requested_at: InstantOrNull,
    erase_after: InstantOrNull.meta({ description: 'When the account is erased.' }),
    can_cancel: z.boolean(),
    is_deletable: z.boolean().meta({ description: 'False for a demo account.' }),
    grace_days: z.number().meta({ description: 'Days in which you can cancel.' }),
  })
  .meta({ description: 'Both times are null without a deletion request.' });
export type Deletion = z.infer<typeof DeletionResponse>;

/** One database row of a table. */
const Row = z.record(z.string(), z.unknown());

export const ExportResponse = z.object({
  format: z.literal('sextant-export-1'),
  exported_at: z.iso.datetime(),
  user_id: z.uuid(),
  tables: z.record(z.string(), z.array(Row)).meta({ description: 'Every table with rows of a user, empty ones too.' }),
  withheld: z
    .array(z.object({ table: z.string(), columns: z.array(z.string()) }))
    .meta({ description: 'Columns that hold secrets: hashes, tokens, keys.' }),
  files: z
    .array(z.object({ path: z.string(), url: z.string() }))
    .meta({ description: 'Files; download each by `url`.' }),
});
