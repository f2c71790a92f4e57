import { quoted } from './csvText.ts';

/** Numbers and times of candle files. */

/** A cell's value, or its problem. */
export type Cell = { value: number } | { problem: string };
export type TimeUnit = 'epoch seconds' | 'epoch milliseconds' | 'epoch microseconds' | 'epoch nanoseconds' | 'ISO';
/** Epoch ms and how it was written. */
export type TimeCell = { value: number; unit: TimeUnit } | { problem: string };

/** Plain decimal notation. parseFloat would take `12abc`, Number would take `0x10`, blanks and Infinity. */
const plainNumber = /^-?\d+(\.\d+)?([eE][+-]?\d{1,3})?$/;
/** Prefixes that spreadsheets execute as formulas; such a cell is never data, and pasted back it would run. */
const formula = /^[=+@]|^-[^\d.]/;

export function numberCell(text: string, hasDecimalComma: boolean): Cell {
  if (text === '') return { problem: 'the cell is empty' };
  if (formula.test(text)) return { problem: `${quoted(text)} is a formula; use plain numbers` };
  const plain = hasDecimalComma ? text.replace(',', '.') : text;
  if (!plainNumber.test(plain)) return { problem: `${quoted(text)} is not a number; write it like 1234.56` };
  const value = Number(plain);
  return Number.isFinite(value) ? { value } : { problem: `${quoted(text)} is too large for a number` };
}

const powers = Array.from({ length: 16 }, (_, i) => 10 ** i);
const ZERO = 48;
const POINT = 46;
const COMMA = 44;

/**
 * A plain decimal of at most 15 digits, exactly as Number() reads it; NaN for anything else. A quotient of two exact numbers is rounded once.
 */
export function readDecimal(text: string, from: number, until: number, hasDecimalComma: boolean): number {
  let digits = 0;
  let whole = 0;
  let decimals = -1;
  for (let at = from; at < until; at++) {
    const code = text.charCodeAt(at) - ZERO;
    if (code >= 0 && code <= 9) {
      whole = whole * 10 + code;
      digits++;
      if (decimals >= 0) decimals++;
    } else if (decimals < 0 && digits > 0 && code === (hasDecimalComma ? COMMA : POINT) - ZERO) decimals = 0;
    else return NaN;
  }
  if (digits === 0 || digits > 15 || decimals === 0) return NaN;
  return decimals > 0 ? whole / (powers[decimals] as number) : whole;
}

const digit = (text: string, at: number): number => text.charCodeAt(at) - ZERO;
const isDigit = (value: number): boolean => value >= 0 && value <= 9;
/** A number of two digits; NaN for anything else. */
function two(text: string, at: number): number {
  const [tens, ones] = [digit(text, at), digit(text, at + 1)];
  return isDigit(tens) && isDigit(ones) ? 10 * tens + ones : NaN;
}

/**
 * Reads the usual forms of a time fast, one after the other of a file: digits in the unit of the row before, and `2026-01-03 14:00:00` with
 * the day of the row before. NaN for any other form, which `timeCell` then reads.
 */
export class TimeReader {
  /** Set by the first row, which `timeCell` reads. */
  unit: TimeUnit | undefined;
  #day = NaN;
  #dayMs = NaN;

  read(text: string, from: number, until: number): number {
    if (this.unit === undefined) return NaN;
    if (this.unit === 'ISO') return this.#readIso(text, from, until);
    const rule = units.find(({ unit }) => unit === this.unit);
    if (rule === undefined || until - from > 15) return NaN;
    let value = 0;
    for (let at = from; at < until; at++) {
      const code = digit(text, at);
      if (!isDigit(code)) return NaN;
      value = value * 10 + code;
    }
    if (value < rule.min || value >= rule.max) return NaN;
    return rule.perMs === 1 ? value : Math.floor(value / rule.perMs + 1e-6);
  }

  /** `YYYY-MM-DD HH:MM` with a blank or T, seconds and Z if there are any. */
  #readIso(text: string, from: number, until: number): number {
    const end = text.charCodeAt(until - 1) === 90 ? until - 1 : until;
    const length = end - from;
    if (length !== 16 && length !== 19) return NaN;
    if (!isIsoShape(text, from, length)) return NaN;
    const day = ((two(text, from) * 100 + two(text, from + 2)) * 100 + two(text, from + 5)) * 100 + two(text, from + 8);
    if (day !== this.#day) {
      const cell = timeCell(text.slice(from, from + 10));
      if ('problem' in cell) return NaN;
      [this.#day, this.#dayMs] = [day, cell.value];
    }
    const hour = two(text, from + 11);
    const minute = two(text, from + 14);
    const second = length === 19 ? two(text, from + 17) : 0;
    const isTime = hour <= 23 && minute <= 59 && second <= 59;
    return isTime ? this.#dayMs + hour * 3_600_000 + minute * 60_000 + second * 1000 : NaN;
  }
}

/** Separators of `2026-01-03 14:00` and `2026-01-03T14:00:00` where they belong. */
function isIsoShape(text: string, from: number, length: number): boolean {
  const code = (at: number): number => text.charCodeAt(from + at);
  const isDate = code(4) === 45 && code(7) === 45 && (code(10) === 32 || code(10) === 84);
  return isDate && code(13) === 58 && (length === 16 || code(16) === 58);
}

const isoTime =
  /^(\d{4})[-/.](\d{2})[-/.](\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,3})\d*)?)?\s?(Z|UTC|GMT|[+-]\d{2}:?\d{2})?)?$/;
const TIME_HELP = 'write epoch milliseconds, epoch seconds or ISO like 2026-01-03T14:00:00Z';

/** Units by size: every real candle lies between 1973 and the year 5138 in one of them. */
const units: readonly { unit: TimeUnit; min: number; max: number; perMs: number }[] = [
  { unit: 'epoch seconds', min: 1e8, max: 1e11, perMs: 1e-3 },
  { unit: 'epoch milliseconds', min: 1e11, max: 1e14, perMs: 1 },
  { unit: 'epoch microseconds', min: 1e14, max: 1e17, perMs: 1e3 },
  { unit: 'epoch nanoseconds', min: 1e17, max: 1e20, perMs: 1e6 },
];

/** A time without a zone is read as UTC. */
export function timeCell(text: string): TimeCell {
  if (text === '') return { problem: 'the cell is empty' };
  if (formula.test(text)) return { problem: `${quoted(text)} is a formula; ${TIME_HELP}` };
  if (/^\d+(\.\d+)?([eE]\+?\d{1,2})?$/.test(text)) return epoch(text);
  const match = isoTime.exec(text);
  if (match === null) return { problem: `${quoted(text)} is not a time; ${TIME_HELP}` };
  const utc = utcOf(match);
  return utc === null
    ? { problem: `${quoted(text)} is a time that does not exist` }
    : { value: utc - zoneMs(match[8]), unit: 'ISO' };
}

/** Null for a date the calendar does not have: Date.UTC turns 30 February into 2 March. */
function utcOf(match: RegExpExecArray): number | null {
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as Six;
  const millisecond = Number((match[7] ?? '0').padEnd(3, '0'));
  const utc = Date.UTC(year, month - 1, day, hour || 0, minute || 0, second || 0, millisecond);
  const back = new Date(utc);
  const isDay = back.getUTCMonth() === month - 1 && back.getUTCDate() === day;
  return isDay && !(hour > 23 || minute > 59 || second > 59) ? utc : null;
}

type Six = [number, number, number, number, number, number];

function epoch(text: string): TimeCell {
  const value = Number(text);
  const match = units.find(({ min, max }) => value >= min && value < max);
  if (match === undefined) return { problem: `${quoted(text)} is no epoch of a candle; ${TIME_HELP}` };
  // Beyond 2^53 the last digits are lost, which are far below a millisecond.
  return { value: Math.floor(value / match.perMs + 1e-6), unit: match.unit };
}

function zoneMs(zone: string | undefined): number {
  const match = /^([+-])(\d{2}):?(\d{2})$/.exec(zone ?? '');
  if (match === null) return 0;
  const minutes = Number(match[2]) * 60 + Number(match[3]);
  return (match[1] === '-' ? -minutes : minutes) * 60_000;
}
