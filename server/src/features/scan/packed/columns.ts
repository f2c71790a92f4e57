/**
 * Records of one shape as columns: what belongs together stands together, which a compressor needs, and each name is written once. Values
 * are JSON; a field that some records lack is absent there again.
 */
export type Columns =
  | { same: unknown; count: number }
  | { fields: Record<string, Columns> }
  | { values: unknown[]; absent?: number[] };

type Json = Record<string, unknown>;

const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isScalar = (value: unknown): boolean => value === null || typeof value !== 'object';

/** Columns of any values; undefined is an absent field. */
export function toColumns(rows: readonly unknown[]): Columns {
  const [first] = rows;
  if (rows.length > 0 && first !== undefined && isScalar(first) && rows.every((row) => Object.is(row, first)))
    return { same: first, count: rows.length };
  if (rows.length > 0 && rows.every(isRecord)) {
    const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
    if (names.length > 0)
      return { fields: Object.fromEntries(names.map((name) => [name, toColumns(rows.map((row) => row[name]))])) };
  }
  const absent = rows.flatMap((row, index) => (row === undefined ? [index] : []));
  const values = rows.map((row) => row ?? null);
  return absent.length === 0 ? { values } : { values, absent };
}

/** The values that the columns were made of. */
export function fromColumns(columns: Columns): unknown[] {
  if ('same' in columns) return Array.from({ length: columns.count }, () => columns.same);
  if ('values' in columns) {
    const rows = [...columns.values];
    for (const index of columns.absent ?? []) rows[index] = undefined;
    return rows;
  }
  const parts = Object.entries(columns.fields).map(([name, part]) => [name, fromColumns(part)] as const);
  const count = parts[0]?.[1].length ?? 0;
  return Array.from({ length: count }, (_, index) => {
    const row: Json = {};
    for (const [name, values] of parts) if (values[index] !== undefined) row[name] = values[index];
    return row;
  });
}
