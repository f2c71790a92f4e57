/** What a spreadsheet would take for a formula, or for the end of a cell. */
const formula = /^[=+\-@\t\r]/;

/**
 * One cell. A text that a spreadsheet would run as a formula gets an apostrophe in front; numbers are written as they are,
 * with their sign. Nothing is a cell without content.
 */
export function csvCell(value: string | number | boolean | null | undefined): string {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'string') return String(value);
  const safe = formula.test(value) ? `'${value}` : value;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export const csvText = (rows: readonly (readonly Parameters<typeof csvCell>[0][])[]): string =>
  `${rows.map((row) => row.map(csvCell).join(',')).join('\n')}\n`;
