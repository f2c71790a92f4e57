import { sorted } from '../protocol/wire/strategy.ts';

/**
 * The one text of a value, over which proofs are signed: JSON without spaces, names of each object in order of their UTF-16 code units,
 * numbers and strings as ECMAScript's JSON.stringify writes them (the shortest digits that read back as the same double; NaN as null).
 * Its bytes are UTF-8. Names that are whole numbers do not occur.
 */
export const canonicalText = (value: unknown): string => JSON.stringify(sorted(value));

/** The text of a JSON document without the spaces between its tokens. */
export const withoutSpacing = (text: string): string =>
  text.replaceAll(/("(?:[^"\\]|\\.)*")|[ \t\r\n]+/g, (_whole, string: string | undefined) => string ?? '');
