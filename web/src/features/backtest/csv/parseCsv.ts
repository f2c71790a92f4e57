import { intervals } from '@sextant/engine-as/abi/intervals.ts';
import { formingCount } from '@sextant/workers/src/candles/closedCandles.ts';
import { OWN_CANDLES_MAX } from '@sextant/workers/src/core/limits.ts';
import type { Candles } from '@sextant/workers/src/protocol/backtest.ts';
import { failWith, ok, type Result } from '@sextant/workers/src/core/result.ts';
import { intervalToMs, type LoadedCandles, msToInterval } from '../../../api/candles.ts';
import type { IntervalName } from '../../../api/types.ts';
import { formatCount } from '../../../format/number.ts';
import { formatDuration, formatUtc } from '../../../format/time.ts';
import { type CsvProblem, quoted, separatorOf, splitLine } from './csvText.ts';

interface Spacing {
  interval: IntervalName;
  /** Places where candles are missing, and how many in all. They are never invented. */
  gapCount: number;
  missingCount: number;
  /** Open time before the first gap, epoch ms. */
  firstGapMs: number | null;
}

/**
 * Finds the candle length and checks that every candle lies on its grid.
 * @param time  epoch ms, strictly increasing, at least two
 * @param lines line of each candle in the file
 */
function readSpacing(time: ArrayLike<number>, lines: ArrayLike<number>): Spacing | CsvProblem {
  const stepMs = mostCommonStep(time);
  const interval = intervals.find((name) => intervalToMs(name) === stepMs);
  if (interval === undefined) {
    const result = msToInterval(stepMs) ?? formatDuration(stepMs);
    return {
      line: lines[1] ?? 2,
      column: 'time',
      text: `the candles are ${result} apart; use ${intervals.join(', ')}`,
    };
  }
  let gapCount = 0;
  let missingCount = 0;
  let firstGapMs: number | null = null;
  for (let i = 1; i < time.length; i++) {
    const step = (time[i] ?? NaN) - (time[i - 1] ?? NaN);
    if (step === stepMs) continue;
    if (step % stepMs !== 0) {
      const text = `${formatUtc(time[i])} is ${formatDuration(step)} after the previous line; expected ${interval} steps`;
      return { line: lines[i] ?? 0, column: 'time', text };
    }
    gapCount++;
    missingCount += step / stepMs - 1;
    firstGapMs ??= time[i - 1] ?? null;
  }
  return { interval, gapCount, missingCount, firstGapMs };
}

function mostCommonStep(time: ArrayLike<number>): number {
  const counts = new Map<number, number>();
  let best = NaN;
  for (let i = 1; i < time.length; i++) {
    const step = (time[i] ?? NaN) - (time[i - 1] ?? NaN);
    const count = (counts.get(step) ?? 0) + 1;
    counts.set(step, count);
    if (count > (counts.get(best) ?? 0)) best = step;
  }
  return best;
}

const columnNames = ['time', 'open', 'high', 'low', 'close', 'volume'] as const;
type ColumnName = (typeof columnNames)[number];

interface Header {
  /** Position of each needed column. */
  at: Record<ColumnName, number>;
  cellCount: number;
  /** Names of columns that are not needed. */
  ignored: string[];
}

/** Finds the needed columns by name, in any order and letter case; others are ignored. */
function readHeader(cells: readonly string[]): Header | { problem: string } {
  const names = cells.map((cell) => cell.toLowerCase());
  const needed = `Use ${columnNames.join(', ')}`;
  if (names.every((name) => name === '' || /^[-\d.:TZ\s+]+$/i.test(name)))
    return { problem: `column names are missing. ${needed} in the first line, in any order` };
  const missing = columnNames.filter((name) => !names.includes(name));
  if (missing.length > 0) {
    const list = missing.map((name) => quoted(name)).join(', ');
    return {
      problem: `the column${missing.length > 1 ? 's' : ''} ${list} ${missing.length > 1 ? 'are' : 'is'} missing. ${needed}`,
    };
  }
  const double = columnNames.find((name) => names.indexOf(name) !== names.lastIndexOf(name));
  if (double !== undefined) return { problem: `duplicate column ${quoted(double)}` };
  const at = Object.fromEntries(columnNames.map((name) => [name, names.indexOf(name)])) as Record<ColumnName, number>;
  const ignored = cells.filter((_, position) => !columnNames.some((name) => at[name] === position));
  return { at, cellCount: cells.length, ignored };
}

/** A cell's value, or its problem. */
type Cell = { value: number } | { problem: string };

/** Plain decimal notation. parseFloat would take `12abc`, Number would take `0x10`, blanks and Infinity. */
const plainNumber = /^-?\d+(\.\d+)?([eE][+-]?\d{1,3})?$/;
/** Prefixes that spreadsheets execute as formulas; such a cell is never data, and pasted back it would run. */
const formula = /^[=+@]|^-[^\d.]/;

function numberCell(text: string): Cell {
  if (text === '') return { problem: 'the cell is empty' };
  if (formula.test(text)) return { problem: `${quoted(text)} is a formula; use plain numbers` };
  if (!plainNumber.test(text)) return { problem: `${quoted(text)} is not a number; write it like 1234.56` };
  const value = Number(text);
  return Number.isFinite(value) ? { value } : { problem: `${quoted(text)} is too large for a number` };
}

function priceCell(text: string): Cell {
  const cell = numberCell(text);
  if ('value' in cell && cell.value <= 0) return { problem: `${text} is no price; use a number above 0` };
  return cell;
}

function volumeCell(text: string): Cell {
  const cell = numberCell(text);
  if ('value' in cell && cell.value < 0) return { problem: `${text} is no volume; use 0 or more` };
  return cell;
}

type TimeUnit = 'epoch seconds' | 'epoch milliseconds' | 'ISO';

const isoTime =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,3})\d*)?)?\s?(Z|UTC|[+-]\d{2}:?\d{2})?)?$/;
const TIME_HELP = 'write epoch milliseconds, epoch seconds or ISO like 2026-01-03T14:00:00Z';
/** 1973 in milliseconds, and the year 5138 in seconds: every real candle lies between them. */
const SECONDS_MAX = 1e11;
const MILLISECONDS_MAX = 1e14;
const SECONDS_MIN = 1e8;

/** Epoch ms and how it was written. */
type TimeCell = { value: number; unit: TimeUnit } | { problem: string };

/** A time without a zone is read as UTC. */
function timeCell(text: string): TimeCell {
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

/** Parsing stops here: a file with this many problems has one cause. */
export const PROBLEMS_MAX = 20;

export interface CsvCandles extends Spacing {
  candles: Candles;
  timeUnit: TimeUnit;
  ignoredColumns: string[];
  /** Open of the last row where it was left out because its candle has not closed, epoch ms. A file stored before has none. */
  formingMs?: number | null;
}

export type CsvResult = Result<CsvCandles, CsvProblem[]>;

/**
 * Candles from the text of a CSV file, or every problem with its line and column.
 * Nothing is repaired: a wrong row would make every figure after it wrong too.
 * @param nowMs a candle that opens later than now is an error, one that ends later has not closed and is left out
 * @param rowsMax a file with more is rejected
 */
export function parseCsv(text: string, nowMs: number, rowsMax = OWN_CANDLES_MAX): CsvResult {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/);
  const headerAt = lines.findIndex((line) => line.trim() !== '');
  const headerText = lines[headerAt];
  if (headerText === undefined) return problem(1, 'the file is empty');
  const separator = separatorOf(headerText);
  const cells = splitLine(headerText, separator);
  const header = 'problem' in cells ? cells : readHeader(cells);
  if ('problem' in header) return problem(headerAt + 1, header.problem);
  return readRows({ lines, from: headerAt + 1, separator }, header, nowMs, rowsMax);
}

function problem(line: number, text: string): CsvResult {
  return failWith([{ line, text }]);
}

interface Rows {
  lines: string[];
  /** Position of the first line below the names of the columns. */
  from: number;
  separator: string;
}

function readRows({ lines, from, separator }: Rows, header: Header, nowMs: number, rowsMax: number): CsvResult {
  const reader = rowReader(header, nowMs);
  for (let at = from; at < lines.length; at++) {
    const text = lines[at] ?? '';
    if (text.trim() === '') continue;
    if (reader.lines.length === rowsMax)
      return problem(at + 1, `more than ${formatCount(rowsMax)} candles; shorten the file or use a longer interval`);
    const cells = splitLine(text, separator);
    if ('problem' in cells) reader.problems.push({ line: at + 1, text: cells.problem });
    else reader.read(at + 1, cells);
    if (reader.problems.length >= PROBLEMS_MAX) break;
  }
  if (reader.problems.length > 0) return failWith(reader.problems.slice(0, PROBLEMS_MAX));
  if (reader.lines.length < 2) return problem(from, 'add at least two candles below the column names');
  const formingMs = takeForming(reader, nowMs);
  if (reader.lines.length < 2) return problem(from, 'the file needs at least two closed candles');
  const spacing = readSpacing(reader.columns.time, reader.lines);
  if ('text' in spacing) return failWith([spacing]);
  const candles = Object.fromEntries(
    columnNames.map((name) => [name, Float64Array.from(reader.columns[name])]),
  ) as unknown as Candles;
  const about = { timeUnit: reader.unit() ?? 'ISO', ignoredColumns: header.ignored, formingMs };
  return ok({ ...spacing, candles, ...about });
}

/** Removes the last row when its candle has not closed. @returns its open, epoch ms */
function takeForming({ columns, lines }: Pick<ReturnType<typeof rowReader>, 'columns' | 'lines'>, nowMs: number) {
  if (formingCount(columns.time, mostCommonStep(columns.time), nowMs) === 0) return null;
  const openMs = columns.time.at(-1) ?? null;
  for (const name of columnNames) columns[name].pop();
  lines.pop();
  return openMs;
}

function readCell(column: ColumnName, text: string): Cell | TimeCell {
  if (column === 'time') return timeCell(text);
  return column === 'volume' ? volumeCell(text) : priceCell(text);
}

/** Reads rows into columns and stores what the next row is compared with. */
function rowReader(header: Header, nowMs: number) {
  const columns: Record<ColumnName, number[]> = { time: [], open: [], high: [], low: [], close: [], volume: [] };
  const lines: number[] = [];
  const problems: CsvProblem[] = [];
  let unit: TimeUnit | undefined;

  const readCells = (line: number, cells: string[]): Record<ColumnName, number> | null => {
    const row: Partial<Record<ColumnName, number>> = {};
    for (const column of columnNames) {
      const text = cells[header.at[column]] ?? '';
      const cell = readCell(column, text);
      if ('problem' in cell) problems.push({ line, column, text: cell.problem });
      else {
        row[column] = cell.value;
        if ('unit' in cell) checkUnit(line, cell.unit);
      }
    }
    return columnNames.every((column) => row[column] !== undefined) ? (row as Record<ColumnName, number>) : null;
  };
  const checkUnit = (line: number, result: TimeUnit) => {
    unit ??= result;
    if (result !== unit) problems.push({ line, column: 'time', text: `${result}, but the file starts with ${unit}` });
  };

  return {
    columns,
    lines,
    problems,
    unit: () => unit,
    read(line: number, cells: string[]): void {
      if (cells.length !== header.cellCount) {
        problems.push({ line, text: `${cells.length} cells, but the first line names ${header.cellCount} columns` });
        return;
      }
      const row = readCells(line, cells);
      if (row === null) return;
      const match = shapeProblem(row) ?? timeProblem(row.time, columns.time.at(-1), lines.at(-1), nowMs);
      if (match !== undefined) problems.push({ line, ...match });
      for (const column of columnNames) columns[column].push(row[column]);
      lines.push(line);
    },
  };
}

type RowProblem = Omit<CsvProblem, 'line'> | undefined;

function shapeProblem({ open, high, low, close }: Record<ColumnName, number>): RowProblem {
  if (high < low) return { column: 'high', text: `${high} is below the low ${low}` };
  if (high < Math.max(open, close))
    return { column: 'high', text: `${high} is below the open ${open} or the close ${close}` };
  if (low > Math.min(open, close))
    return { column: 'low', text: `${low} is above the open ${open} or the close ${close}` };
  return undefined;
}

function timeProblem(
  time: number,
  before: number | undefined,
  lineBefore: number | undefined,
  nowMs: number,
): RowProblem {
  if (time > nowMs) return { column: 'time', text: `${quoted(formatUtc(time))} is in the future` };
  if (before === undefined || time > before) return undefined;
  return time === before
    ? { column: 'time', text: `${formatUtc(time)} repeats line ${lineBefore ?? 0}` }
    : {
        column: 'time',
        text: `${formatUtc(time)} is before line ${lineBefore ?? 0}; sort candles oldest first`,
      };
}

/** The rows of a file as loaded candles: no exchange, no fundings. */
export function candlesOfFile(fileName: string, { candles, interval }: CsvCandles): LoadedCandles {
  const intervalMs = intervalToMs(interval);
  return { candles, label: fileName, interval, intervalMs, source: 'csv', exchange: null, funding: null };
}
