/**
 * Records of one shape as columns: what belongs together stands together, which a compressor needs, and each name is written once. Values
 * are JSON; a field that some records lack is absent there again.
 */
export type Columns =
  | { same: unknown; count: number }
  | { fields: Record<string, Columns> }
  | { values: unknown[]; absent?: number[] }
  /** Numbers with all their digits: the first byte of each (little-endian), then the second, ..., as base64. */
  | { numbers: string }
  /** 16 bytes each, as base64. */
  | { uuids: string };

type Json = Record<string, unknown>;

const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isScalar = (value: unknown): boolean => value === null || typeof value !== 'object';

const BYTES = Float64Array.BYTES_PER_ELEMENT;
/** Digits of a number from which its eight bytes are shorter: prices and counts are not. */
const DIGITS_MIN = 12;

function numbersToBase64(rows: readonly number[]): string {
  const bytes = new Uint8Array(Float64Array.from(rows).buffer);
  // The first bytes of a mantissa are noise, signs and exponents are much alike.
  const planes = bytes.map((_, at) => bytes[(at % rows.length) * BYTES + Math.floor(at / rows.length)] ?? 0);
  return Buffer.from(planes).toString('base64');
}

function numbersFromBase64(text: string): number[] {
  const planes = Buffer.from(text, 'base64');
  const count = planes.length / BYTES;
  const bytes = new Uint8Array(planes.length);
  for (const [at, byte] of planes.entries()) bytes[(at % count) * BYTES + Math.floor(at / count)] = byte;
  return [...new Float64Array(bytes.buffer)];
}

/** Whether JSON can state each number and takes more room for it than its bytes. */
function areLongNumbers(rows: readonly unknown[]): rows is readonly number[] {
  return rows.every(Number.isFinite) && JSON.stringify(rows).length > DIGITS_MIN * rows.length;
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const isUuid = (row: unknown): boolean => typeof row === 'string' && uuid.test(row);
const uuidBytes = 16;

const uuidsToBase64 = (rows: readonly unknown[]): string =>
  Buffer.from(rows.join('').replaceAll('-', ''), 'hex').toString('base64');

function uuidsFromBase64(text: string): string[] {
  const bytes = Buffer.from(text, 'base64');
  return Array.from({ length: bytes.length / uuidBytes }, (_, index) => {
    const hex = bytes.toString('hex', index * uuidBytes, (index + 1) * uuidBytes);
    return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
  });
}

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
  if (rows.length > 0 && areLongNumbers(rows)) return { numbers: numbersToBase64(rows) };
  if (rows.length > 0 && rows.every(isUuid)) return { uuids: uuidsToBase64(rows) };
  const absent = rows.flatMap((row, index) => (row === undefined ? [index] : []));
  const values = rows.map((row) => row ?? null);
  return absent.length === 0 ? { values } : { values, absent };
}

/** The values that the columns were made of. */
export function fromColumns(columns: Columns): unknown[] {
  if ('same' in columns) return Array.from({ length: columns.count }, () => columns.same);
  if ('numbers' in columns) return numbersFromBase64(columns.numbers);
  if ('uuids' in columns) return uuidsFromBase64(columns.uuids);
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
