export interface GridColumn<Id extends string = string> {
  id: Id;
  label: string;
  /** CSS grid track: `76px`, `minmax(88px, 1fr)`. */
  width: string;
  /** Words read from the left; figures stand at the right. */
  isText?: boolean;
  /** A column that is not sorted by: a row of buttons, say. */
  isUnsorted?: boolean;
}

export interface GridSort<Id extends string = string> {
  column: Id;
  isDescending: boolean;
}

/** One template for head and rows, so that they cannot part. */
export const templateOf = (columns: readonly GridColumn[]): string => columns.map(({ width }) => width).join(' ');

/**
 * The row an arrow key leads to: from no row, down is the first and up the last; the ends hold. Undefined for any other key and for
 * an empty list.
 */
export function rowOfKey(key: string, at: number, count: number): number | undefined {
  const step = { ArrowDown: 1, ArrowUp: -1 }[key];
  if (step === undefined || count === 0) return undefined;
  const start = at < 0 && step < 0 ? count : at;
  return Math.min(count - 1, Math.max(0, start + step));
}
