import { z } from 'zod';

/** Whether PostgreSQL can keep a text unchanged: NUL it refuses, and half a surrogate pair would be stored as U+FFFD. */
export const isStorableText = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

/** Text as below, with a message of its own for a field that is missing or no text. */
export const textOr = (missing?: string) =>
  z.string(missing).refine(isStorableText, 'must be text without NUL and without half characters');

/** Free text of a request. Every one starts from this and says its length: `Text.min(1).max(64)`. */
export const Text = textOr();

/** Far beyond any price there is, and far inside what a number holds: sums of it stay finite. */
export const Price = z
  .number()
  .min(1e-12, 'must be at least 1e-12')
  .max(1e12, 'must be at most 1e12')
  .meta({ description: 'Price in quote currency.' });

/** Longest list in a query with commas between its parts: more than any list may name. */
export const LIST_TEXT_MAX = 8000;
