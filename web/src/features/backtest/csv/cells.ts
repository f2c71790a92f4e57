import { quoted } from './csvText.ts';

/** A cell's value, or what is wrong with it. */
export type Cell = { value: number } | { problem: string };

/** Plain decimal notation. parseFloat would take `12abc`, Number would take `0x10`, blanks and Infinity. */
const plainNumber = /^-?\d+(\.\d+)?([eE][+-]?\d{1,3})?$/;
/** How spreadsheets mark what they will compute; such a cell is never data, and pasted back it would run. */
const formula = /^[=+@]|^-[^\d.]/;

export function numberCell(text: string): Cell {
  if (text === '') return { problem: 'the cell is empty' };
  if (formula.test(text)) return { problem: `${quoted(text)} is a formula; only plain numbers are read` };
  if (!plainNumber.test(text)) return { problem: `${quoted(text)} is not a number; write it like 1234.56` };
  const value = Number(text);
  return Number.isFinite(value) ? { value } : { problem: `${quoted(text)} is too large for a number` };
}

export function priceCell(text: string): Cell {
  const cell = numberCell(text);
  if ('value' in cell && cell.value <= 0) return { problem: `${text} is no price; a price is above 0` };
  return cell;
}

export function volumeCell(text: string): Cell {
  const cell = numberCell(text);
  if ('value' in cell && cell.value < 0) return { problem: `${text} is no volume; a volume is 0 or more` };
  return cell;
}

export type TimeUnit = 'epoch seconds' | 'epoch milliseconds' | 'ISO';

const isoTime =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,3})\d*)?)?\s?(Z|UTC|[+-]\d{2}:?\d{2})?)?$/;
const TIME_HELP = 'write epoch milliseconds, epoch seconds or ISO like 2026-01-03T14:00:00Z';
/** 1973 in milliseconds, and the year 5138 in seconds: between them lies every candle there is. */
const SECONDS_MAX = 1e11;
const MILLISECONDS_MAX = 1e14;
const SECONDS_MIN = 1e8;

/** Epoch ms and how it was written. */
export type TimeCell = { value: number; unit: TimeUnit } | { problem: string };

/** A time without a zone is read as UTC. */
export function timeCell(text: string): TimeCell {
  if (text === '') return { problem: 'the cell is empty' };
  if (formula.test(text)) return { problem: `${quoted(text)} is a formula; ${TIME_HELP}` };
  if (/^\d+(\.0+)?$/.test(text)) return epoch(text);
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
  if (value >= SECONDS_MIN && value < SECONDS_MAX) return { value: value * 1000, unit: 'epoch seconds' };
  if (value >= SECONDS_MAX && value < MILLISECONDS_MAX) return { value, unit: 'epoch milliseconds' };
  const hint = value >= MILLISECONDS_MAX ? 'micro- or nanoseconds' : 'no epoch of a candle';
  return { problem: `${quoted(text)} is ${hint}; ${TIME_HELP}` };
}

function zoneMs(zone: string | undefined): number {
  const match = /^([+-])(\d{2}):?(\d{2})$/.exec(zone ?? '');
  if (match === null) return 0;
  const minutes = Number(match[2]) * 60 + Number(match[3]);
  return (match[1] === '-' ? -minutes : minutes) * 60_000;
}
