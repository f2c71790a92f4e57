import { z } from 'zod';

/** Whether PostgreSQL can store a text unchanged: it rejects NUL, and half a surrogate pair would become U+FFFD. */
export const isStorableText = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

/** Like `Text`, with its own message for a field that is missing or not text. */
export const textOr = (missing?: string) =>
  z.string(missing).refine(isStorableText, 'must be text without NUL or unpaired surrogates');

/** Base of every free text of a request. Each use adds a length: `Text.min(1).max(64)`. */
export const Text = textOr();

/** The range covers every real price and keeps sums finite. */
export const Price = z
  .number()
  .min(1e-12, 'must be at least 1e-12')
  .max(1e12, 'must be at most 1e12')
  .meta({ description: 'Price in quote currency.' });

/** Longest comma-separated list in a query; more than any list may hold. */
export const LIST_TEXT_MAX = 8000;
