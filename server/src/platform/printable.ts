/** Characters of the standard PDF fonts beyond Latin-1 (Windows code page 1252). */
const furtherSigns = '€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ';
const unprintable = new RegExp(String.raw`[^\n\u0020-\u007e\u00a0-\u00ff${furtherSigns}]`, 'gu');
const unified = (text: string): string => text.replaceAll('\r\n', '\n').replaceAll(/[\t\u2028\u2029]/g, ' ');

/** The first character of a text that a standard PDF font lacks; undefined when it has all of them. */
export const unprintableSign = (text: string): string | undefined => unified(text).match(unprintable)?.[0];

/** A text for a standard PDF font: a question mark replaces each character that the font lacks. */
export const printable = (text: string): string => unified(text).replaceAll(unprintable, '?');
