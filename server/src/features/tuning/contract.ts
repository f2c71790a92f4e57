import { z } from 'zod';
import { InstantOrNull } from '../../platform/instant.ts';
import { Text } from '../../platform/contract.ts';
import { Tuning } from '../signals/rules.ts';

/** The factor of a preset, for all weights. */
export const presets = { conservative: 0.8, balanced: 1, aggressive: 1.3 } as const;

const Name = Text.trim().min(1, 'must not be empty').max(50, 'must be at most 50 characters');

export const TuningBody = z
  .strictObject({
    weights: Tuning.partial().default({}).meta({ description: 'Weights to change; others stay.' }),
    version_id: z.uuid().optional().meta({ description: 'Go back to this version first.' }),
    save_as: Name.optional().meta({ description: 'Save the result under this name, replacing an existing one.' }),
  })
  .meta({ description: 'Missing fields stay unchanged.' });

export const TuningResponse = z.object({
  weights: Tuning,
  updated_at: InstantOrNull.meta({ description: 'null before the first save.' }),
  presets: z.object({ conservative: z.number(), balanced: z.number(), aggressive: z.number() }).meta({
    description: 'Preset value of every weight.',
  }),
  versions: z
    .array(z.object({ id: z.uuid(), name: z.string(), weights: Tuning, created_at: z.iso.datetime() }))
    .meta({ description: 'Newest first, at most 50.' }),
});

export const VersionParams = z.strictObject({ id: z.uuid() });
