import { decodeHTMLStrict } from 'entities';

/** Characters read per character returned: leaves room for markup, which is removed. */
const MARKUP_FACTOR = 4;
/** Texts escaped more often than this stay as they are. */
const ESCAPED_TIMES_MAX = 4;

/** Removes the markers of `<![CDATA[text]]>` that arrived as text because the feed escaped it. */
const withoutCdata = (text: string): string => text.replaceAll('<![CDATA[', '').replaceAll(']]>', '');

const withoutMarkup = (text: string): string =>
  text.replace(/<(script|style)\b[^>]{0,200}>[\s\S]*?(<\/\1\s*>|$)/gi, ' ').replace(/<[/!?a-z][^<>]*(>|$)/gi, ' ');

/** Removes CDATA markers and entities from a value that is not prose, such as a link or a date. */
export function unescaped(text: string): string {
  let plain = text;
  for (let times = 0; times < ESCAPED_TIMES_MAX; times++) {
    const next = decodeHTMLStrict(withoutCdata(plain));
    if (next === plain) break;
    plain = next;
  }
  return plain.trim();
}

/** Text without tags, control characters and directional overrides, on one line and cut at `length`. */
export function plainText(text: unknown, length: number): string {
  if (typeof text !== 'string') return '';
  let plain = withoutMarkup(withoutCdata(text.slice(0, MARKUP_FACTOR * length)));
  // Decoding a text that was escaped twice yields markup and entities again.
  for (let times = 0; times < ESCAPED_TIMES_MAX; times++) {
    const next = withoutMarkup(withoutCdata(decodeHTMLStrict(plain)));
    if (next === plain) break;
    plain = next;
  }
  const clean = plain.replace(/[\p{Cc}\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\s]+/gu, ' ').trim();
  return clean.length <= length ? clean.toWellFormed() : `${clean.slice(0, length - 1).trimEnd()}…`.toWellFormed();
}
