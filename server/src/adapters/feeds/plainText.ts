import { decodeHTMLStrict } from 'entities';

/** Room for markup around the text that is kept. */
const MARKUP_FACTOR = 4;
/** A text that was escaped more often than this is left as it is. */
const ESCAPED_TIMES_MAX = 4;

/** `<![CDATA[text]]>` that arrived as text, because the feed escaped it. */
const withoutCdata = (text: string): string => text.replaceAll('<![CDATA[', '').replaceAll(']]>', '');

const withoutMarkup = (text: string): string =>
  text.replace(/<(script|style)\b[^>]{0,200}>[\s\S]*?(<\/\1\s*>|$)/gi, ' ').replace(/<[/!?a-z][^<>]*(>|$)/gi, ' ');

/** A value that is no prose, such as a link or a date, without what a feed wrapped around it. */
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
  // Texts that were escaped twice hold markup and entities again once they are decoded.
  for (let times = 0; times < ESCAPED_TIMES_MAX; times++) {
    const next = withoutMarkup(withoutCdata(decodeHTMLStrict(plain)));
    if (next === plain) break;
    plain = next;
  }
  const clean = plain.replace(/[\p{Cc}\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\s]+/gu, ' ').trim();
  return clean.length <= length ? clean.toWellFormed() : `${clean.slice(0, length - 1).trimEnd()}…`.toWellFormed();
}
