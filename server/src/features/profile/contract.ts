import { BIO_MAX, DISPLAY_NAME_MAX } from '@sextant/workers/src/core/limits.ts';
import { z } from 'zod';
import { Text } from '../../platform/contract.ts';

/** Storage quota of one account. */
export const FILES_MAX = 20;
export const FILE_BYTES_MAX = 20 * 1024 * 1024;

const bioTooLong = `must be at most ${BIO_MAX} characters`;
const nameTooLong = `must be at most ${DISPLAY_NAME_MAX} characters`;

const blank = "Name can't be blank";
/** Spaces and invisible characters. */
const invisible = /[\s\p{Cf}\u115F\u1160\u3164\uFFA0\u2800]/gu;
/** Control characters, and those that change the text direction. */
const unruly = /[\p{Cc}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/u;

// Lengths count visible characters; the bounds in UTF-16 units limit the work before that.
const DisplayName = Text.trim()
  .max(8 * DISPLAY_NAME_MAX, nameTooLong)
  .refine((name) => name.replace(invisible, '') !== '', blank)
  .refine((name) => Array.from(name).length <= DISPLAY_NAME_MAX, nameTooLong)
  .refine((name) => !unruly.test(name), 'must not contain control characters');

const Bio = Text.trim()
  .max(8 * BIO_MAX, bioTooLong)
  .refine((bio) => Array.from(bio).length <= BIO_MAX, bioTooLong)
  .refine((bio) => !unruly.test(bio.replace(/[\n\t]/g, '')), 'must not contain control characters')
  .transform((bio) => (bio === '' ? null : bio));

/** Omitted fields stay unchanged. */
export const ProfileRequest = z
  .strictObject({
    display_name: DisplayName,
    bio: Bio.nullable().meta({ description: 'Plain text with line breaks.' }),
  })
  .partial();
export type ProfileChange = z.infer<typeof ProfileRequest>;

const Url = z.string().nullable().meta({ description: 'Path on this server.' });

export const ProfileResponse = z.object({
  display_name: z.string(),
  username: z.string().nullable().meta({ description: 'Null: none chosen.' }),
  bio: z.string().nullable(),
  avatar_url: Url,
  cover_url: Url,
  created_at: z.iso.datetime(),
});
export type Profile = z.infer<typeof ProfileResponse>;

/** Published by the option "Public stats". */
export const PublicProfileResponse = ProfileResponse.extend({
  stats: z
    .object({
      closed_positions: z.int(),
      win_rate: z.number().nullable().meta({ description: 'Share of closes with a net gain; null without a close.' }),
      net_pnl_usdt: z.number().meta({ description: 'After fees and funding.' }),
    })
    .meta({ description: 'Results of simulated positions on the market of this installation.' }),
});
export type PublicProfile = z.infer<typeof PublicProfileResponse>;

export const UsernameParams = z.object({ username: Text.max(50) });
export const FileParams = z.object({ id: z.uuid() });

/** Content security policy of an uploaded file: it may not run or load anything. */
export const sandboxed = "default-src 'none'; object-src 'none'; sandbox";

/** The bytes of a picture; its type is detected from the bytes. */
export const PictureBytes = z.unknown().meta({ type: 'string', format: 'binary' });
