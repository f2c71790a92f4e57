/** Rows of candles cut out of an exchange's response. */
export interface KlineRows {
  /** The first cells of every row, row after row. */
  cells: Float64Array;
  rowCount: number;
  /** The response as JSON text with an empty list in place of the rows; it shows whether the response is valid. */
  rest: string;
}

/** Where an exchange puts the rows, and how many cells of each are read. */
export interface KlineLayout {
  /** Name of the list in the response, e.g. `list`; undefined when the response is the list itself. */
  listName?: string;
  cellCount: number;
}

/** Initial capacity, the rows of one response; the buffer grows for more. */
const USUAL_ROWS = 1000;
const LARGEST_EXACT = 2 ** 53;

const QUOTE = 0x22;
const COMMA = 0x2c;
const DOT = 0x2e;
const ZERO = 0x30;
const BACKSLASH = 0x5c;
const OPEN = 0x5b;
const CLOSE = 0x5d;
/** Powers of ten that a double holds exactly. */
const POWERS = Float64Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`));

/**
 * Reads rows as `[[time,"open","high","low","close","volume",...],...]` without making a value of every cell, several times as fast as
 * `JSON.parse` and `Number` and equal to them to the bit: a number of at most 2^53 over a power of ten up to 22 is one correctly rounded
 * division, and any other is read by `Number`. It accepts only what exchanges send, compact JSON of plain decimals; anything else, invalid
 * JSON included, is left to the JSON parser.
 *
 * @param body UTF-8
 * @returns undefined when the body is not such rows
 */
export function cutKlineRows(body: Uint8Array, { listName, cellCount }: KlineLayout): KlineRows | undefined {
  const start = listName === undefined ? 0 : endOf(body, `"${listName}":`);
  if (start === undefined || body[start] !== OPEN) return undefined;
  let cells = new Float64Array(USUAL_ROWS * cellCount);
  const reader = new RowReader(body, start + 1);
  let rowCount = 0;
  for (; body[reader.at] !== CLOSE; rowCount++) {
    if (rowCount > 0 && !reader.take(COMMA)) return undefined;
    if ((rowCount + 1) * cellCount > cells.length) cells = doubled(cells);
    if (!reader.readRow(cells, rowCount * cellCount, cellCount)) return undefined;
  }
  const text = new TextDecoder();
  const rest = `${text.decode(body.subarray(0, start + 1))}${text.decode(body.subarray(reader.at))}`;
  return { cells: cells.slice(0, rowCount * cellCount), rowCount, rest };
}

function doubled(cells: Float64Array): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(cells.length * 2);
  larger.set(cells);
  return larger;
}

/** Index after the first `mark`, which stands near the start: envelopes are short. */
function endOf(body: Uint8Array, mark: string): number | undefined {
  const head = String.fromCharCode(...body.subarray(0, 512));
  const at = head.indexOf(mark);
  return at < 0 ? undefined : at + mark.length;
}

/** Correctly rounded, or undefined where a double holds not all of it. */
function exactly(digits: number, decimalCount: number): number | undefined {
  return digits < LARGEST_EXACT && decimalCount < POWERS.length ? digits / (POWERS[decimalCount] as number) : undefined;
}

class RowReader {
  readonly #body: Uint8Array;
  at: number;

  constructor(body: Uint8Array, at: number) {
    this.#body = body;
    this.at = at;
  }

  take(byte: number): boolean {
    if (this.#body[this.at] !== byte) return false;
    this.at++;
    return true;
  }

  /** One row; its first `count` cells go to `cells` from `offset` on. False when it is invalid. */
  readRow(cells: Float64Array, offset: number, count: number): boolean {
    if (!this.take(OPEN)) return false;
    for (let index = 0; index < count; index++) {
      if (index > 0 && !this.take(COMMA)) return false;
      const value = this.#readNumber();
      if (!(value >= 0)) return false;
      cells[offset + index] = value;
    }
    while (this.take(COMMA)) if (!this.#skipCell()) return false;
    return this.take(CLOSE);
  }

  /** A plain decimal, bare or in quotes; NaN when it is invalid. */
  #readNumber(): number {
    const body = this.#body;
    const isQuoted = body[this.at] === QUOTE;
    const start = isQuoted ? this.at + 1 : this.at;
    let at = start;
    let digits = 0;
    let digit = (body[at] as number) - ZERO;
    for (; digit >= 0 && digit <= 9; digit = (body[++at] as number) - ZERO) digits = digits * 10 + digit;
    const wholeCount = at - start;
    let decimalCount = 0;
    if (body[at] === DOT) {
      const first = ++at;
      digit = (body[at] as number) - ZERO;
      for (; digit >= 0 && digit <= 9; digit = (body[++at] as number) - ZERO) digits = digits * 10 + digit;
      decimalCount = at - first;
      if (decimalCount === 0) return NaN;
    }
    // JSON has no leading zeros; in quotes they are unusual.
    if (wholeCount === 0 || (wholeCount > 1 && body[start] === ZERO)) return NaN;
    this.at = isQuoted ? at + 1 : at;
    if (isQuoted && body[at] !== QUOTE) return NaN;
    return exactly(digits, decimalCount) ?? Number(String.fromCharCode(...body.subarray(start, at)));
  }

  /** Skips an unused cell: a number or a text without escapes. */
  #skipCell(): boolean {
    if (!this.take(QUOTE)) return this.#readNumber() >= 0;
    const body = this.#body;
    for (let byte = body[this.at]; byte !== QUOTE; byte = body[++this.at]) {
      if (byte === undefined || byte === BACKSLASH || byte < 0x20) return false;
    }
    this.at++;
    return true;
  }
}
