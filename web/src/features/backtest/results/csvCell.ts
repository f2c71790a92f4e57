/** What a spreadsheet would take for a formula, or for the end of a cell. */
const formula = /^(\s*[=+\-@]|[\t\r])/;
/** The same behind a separator of another country: a spreadsheet that splits there would begin a cell with it, quotes or not. */
const formulaInside = /([;,|\t\r\n]\s*)(?=[=+\-@])/g;

/**
 * One cell. A text that a spreadsheet would run as a formula gets an apostrophe in front; numbers are written as they are,
 * with their sign and every bit. Nothing, and what is no number, is a cell without content.
 */
export function csvCell(value: string | number | boolean | null | undefined): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return numberText(value);
  if (typeof value !== 'string') return String(value);
  const guarded = value.replace(formulaInside, "$1'");
  const safe = formula.test(guarded) ? `'${guarded}` : guarded;
  return /[",;\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** The shortest text that reads back as the same f64; a negative zero keeps its sign. */
function numberText(value: number): string {
  if (!Number.isFinite(value)) return '';
  return Object.is(value, -0) ? '-0' : String(value);
}

export const csvText = (rows: readonly (readonly Parameters<typeof csvCell>[0][])[]): string =>
  `${rows.map((row) => row.map(csvCell).join(',')).join('\n')}\n`;
