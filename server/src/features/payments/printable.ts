/** Signs of the standard fonts of PDF beyond Latin-1 (Windows code page 1252). */
const furtherSigns = '€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ';
const unprintable = new RegExp(String.raw`[^\n\u0020-\u007e\u00a0-\u00ff${furtherSigns}]`, 'gu');
const unified = (text: string): string => text.replaceAll('\r\n', '\n').replaceAll(/[\t\u2028\u2029]/g, ' ');

/** The first sign of a text that a PDF in a standard font cannot show; undefined when it shows them all. */
export const unprintableSign = (text: string): string | undefined => unified(text).match(unprintable)?.[0];

/** A text as a standard font of PDF shows it: a question mark stands for a sign that the font does not have. */
export const printable = (text: string): string => unified(text).replaceAll(unprintable, '?');
