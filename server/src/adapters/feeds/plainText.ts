const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };
const ENTITY = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(amp|lt|gt|quot|apos|nbsp));/gi;

function decoded(text: string): string {
  return text.replace(ENTITY, (whole, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return entities[name.toLowerCase()] ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
    return code > 0 && code <= 0x10_ff_ff && !(code >= 0xd800 && code <= 0xdfff) ? String.fromCodePoint(code) : ' ';
  });
}

/** Room for markup around the text that is kept. */
const MARKUP_FACTOR = 4;

const withoutMarkup = (text: string): string =>
  text.replace(/<(script|style)\b[^>]{0,200}>[\s\S]*?(<\/\1\s*>|$)/gi, ' ').replace(/<[/!?a-z][^<>]*(>|$)/gi, ' ');

/** Text without tags, control characters and directional overrides, on one line and cut at `length`. */
export function plainText(text: unknown, length: number): string {
  if (typeof text !== 'string') return '';
  // Twice: texts that were escaped twice hold markup again once they are decoded.
  const clean = withoutMarkup(decoded(withoutMarkup(text.slice(0, MARKUP_FACTOR * length))))
    .replace(/[\p{Cc}\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\s]+/gu, ' ')
    .trim();
  return clean.length <= length ? clean.toWellFormed() : `${clean.slice(0, length - 1).trimEnd()}…`.toWellFormed();
}
