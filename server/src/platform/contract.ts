import { z } from 'zod';

/**
 * Text as PostgreSQL can keep it, unchanged: without NUL, which it refuses, and without half a surrogate pair, which would be
 * stored as U+FFFD. Every free text of a request starts from this: `Text.min(1).max(64)`.
 */
export const Text = z
  .string()
  .refine(
    (text) => !text.includes('\0') && text.isWellFormed(),
    'must be text without NUL and without half characters',
  );
