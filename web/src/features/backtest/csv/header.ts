import { quoted } from './csvText.ts';

export const columnNames = ['time', 'open', 'high', 'low', 'close', 'volume'] as const;
export type ColumnName = (typeof columnNames)[number];

export interface Header {
  /** Position of each needed column. */
  at: Record<ColumnName, number>;
  cellCount: number;
  /** Names of columns that are not needed. */
  ignored: string[];
}

/** Finds the needed columns by name, in any order and letter case; others are ignored. */
export function readHeader(cells: readonly string[]): Header | { problem: string } {
  const names = cells.map((cell) => cell.toLowerCase());
  const needed = `Needed are ${columnNames.join(', ')}`;
  if (names.every((name) => name === '' || /^[-\d.:TZ\s+]+$/i.test(name)))
    return { problem: `the names of the columns are missing. ${needed}, in the first line and in any order` };
  const missing = columnNames.filter((name) => !names.includes(name));
  if (missing.length > 0) {
    const list = missing.map((name) => quoted(name)).join(', ');
    return {
      problem: `the column${missing.length > 1 ? 's' : ''} ${list} ${missing.length > 1 ? 'are' : 'is'} missing. ${needed}`,
    };
  }
  const double = columnNames.find((name) => names.indexOf(name) !== names.lastIndexOf(name));
  if (double !== undefined) return { problem: `the column ${quoted(double)} is there twice` };
  const at = Object.fromEntries(columnNames.map((name) => [name, names.indexOf(name)])) as Record<ColumnName, number>;
  const ignored = cells.filter((_, position) => !columnNames.some((name) => at[name] === position));
  return { at, cellCount: cells.length, ignored };
}
