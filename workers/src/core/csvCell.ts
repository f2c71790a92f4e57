// Characters a reader may drop in front of a formula: white space, NUL and other controls (U+0085 too), zero-width ones, the BOM.
const skipped = String.raw`[\s\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2060\ufeff]*`;
/** Characters that start a formula, full-width forms included. */
const sign = String.raw`[=+\-@\uff1d\uff0b\uff0d\uff20]`;
/** Text that a spreadsheet would read as a formula, or as the end of a cell. */
const formula = new RegExp(`^(${skipped}${sign}|[\\t\\r\\0])`);
/** The same behind a separator of another locale: a spreadsheet that splits there would start a cell with it, quotes or not. */
const formulaInside = new RegExp(`([;,|\\t\\r\\n\\u0085]${skipped})(?=${sign})`, 'g');

/**
 * One cell. Text that a spreadsheet would run as a formula gets a leading apostrophe; numbers are written in full precision with their
 * sign. Null, undefined and NaN give an empty cell.
 */
export function csvCell(value: string | number | boolean | null | undefined): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return numberText(value);
  if (typeof value !== 'string') return String(value);
  const guarded = value.replace(formulaInside, "$1'");
  const safe = formula.test(value) ? `'${guarded}` : guarded;
  return /[",;\n\r\u0085]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** The shortest text that reads back as the same f64; a negative zero keeps its sign. */
function numberText(value: number): string {
  if (!Number.isFinite(value)) return '';
  return Object.is(value, -0) ? '-0' : String(value);
}

export const csvText = (rows: readonly (readonly Parameters<typeof csvCell>[0][])[]): string =>
  `${rows.map((row) => row.map(csvCell).join(',')).join('\n')}\n`;
