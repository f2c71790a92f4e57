/** Limits of the journal, for the server and the page. db/migrations/0070_positions.sql has the same. */

/** Characters of a note. */
export const JOURNAL_NOTE_MAX = 4000;
/** Tags of one position. */
export const JOURNAL_TAGS_MAX = 10;
/** Characters of a tag. */
export const JOURNAL_TAG_MAX = 30;
/** Bytes of a stored picture. */
export const JOURNAL_PICTURE_BYTES_MAX = 512 * 1024;
/** Pixels of its longer side. */
export const JOURNAL_PICTURE_SIDE_MAX = 1600;
/** Bytes of all pictures of an account. */
export const JOURNAL_PICTURES_BYTES_MAX = 64 * 1024 * 1024;

/** A tag as it is stored: lower case, single spaces. */
export const normaliseTag = (text: string): string => text.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase();

/** Letters, digits, spaces, `-`, `_`, `+`, `.`, `#` and `/`: a comma separates tags. */
export const isTag = (tag: string): boolean =>
  tag.length <= JOURNAL_TAG_MAX && /^[\p{L}\p{N}#][\p{L}\p{M}\p{N} _+./#-]*$/u.test(tag);
