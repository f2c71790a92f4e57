import type { Candles } from '@sextant/workers/src/protocol.ts';
import { formatCount } from '../../../format/number.ts';
import { formatUtc } from '../../../format/time.ts';
import { type Cell, priceCell, timeCell, type TimeCell, type TimeUnit, volumeCell } from './cells.ts';
import { type CsvProblem, quoted, separatorOf, splitLine } from './csvText.ts';
import { type ColumnName, columnNames, type Header, readHeader } from './header.ts';
import { readSpacing, type Spacing } from './spacing.ts';

export const ROWS_MAX = 200_000;
/** Reading stops here: a file with so many problems has one cause. */
export const PROBLEMS_MAX = 20;

export interface CsvCandles extends Spacing {
  candles: Candles;
  timeUnit: TimeUnit;
  ignoredColumns: string[];
}

export type CsvOutcome = { ok: true; value: CsvCandles } | { ok: false; problems: CsvProblem[] };

/**
 * Candles from the text of a CSV file, or every problem with its line and column.
 * Nothing is repaired: a row that is wrong would make every figure after it wrong too.
 * @param nowMs a candle that opens later than now cannot have closed
 * @param rowsMax a file with more is refused
 */
export function parseCsv(text: string, nowMs: number, rowsMax = ROWS_MAX): CsvOutcome {
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

function problem(line: number, text: string): CsvOutcome {
  return { ok: false, problems: [{ line, text }] };
}

interface Rows {
  lines: string[];
  /** Position of the first line below the names of the columns. */
  from: number;
  separator: string;
}

function readRows({ lines, from, separator }: Rows, header: Header, nowMs: number, rowsMax: number): CsvOutcome {
  const reader = rowReader(header, nowMs);
  for (let at = from; at < lines.length; at++) {
    const text = lines[at] ?? '';
    if (text.trim() === '') continue;
    if (reader.lines.length === rowsMax)
      return problem(
        at + 1,
        `there are more than ${formatCount(rowsMax)} candles; cut the file or use a longer interval`,
      );
    const cells = splitLine(text, separator);
    if ('problem' in cells) reader.problems.push({ line: at + 1, text: cells.problem });
    else reader.read(at + 1, cells);
    if (reader.problems.length >= PROBLEMS_MAX) break;
  }
  if (reader.problems.length > 0) return { ok: false, problems: reader.problems.slice(0, PROBLEMS_MAX) };
  if (reader.lines.length < 2) return problem(from, 'there are fewer than two candles below the names of the columns');
  const spacing = readSpacing(reader.columns.time, reader.lines);
  if ('text' in spacing) return { ok: false, problems: [spacing] };
  const candles = Object.fromEntries(
    columnNames.map((name) => [name, Float64Array.from(reader.columns[name])]),
  ) as unknown as Candles;
  return { ok: true, value: { ...spacing, candles, timeUnit: reader.unit() ?? 'ISO', ignoredColumns: header.ignored } };
}

function readCell(column: ColumnName, text: string): Cell | TimeCell {
  if (column === 'time') return timeCell(text);
  return column === 'volume' ? volumeCell(text) : priceCell(text);
}

/** Reads row after row into columns and remembers what the next row is compared with. */
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
  const checkUnit = (line: number, found: TimeUnit) => {
    unit ??= found;
    if (found !== unit) problems.push({ line, column: 'time', text: `${found}, but the file began with ${unit}` });
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
      const found = shapeProblem(row) ?? timeProblem(row.time, columns.time.at(-1), lines.at(-1), nowMs);
      if (found !== undefined) problems.push({ line, ...found });
      for (const column of columnNames) columns[column].push(row[column]);
      lines.push(line);
    },
  };
}

type Found = Omit<CsvProblem, 'line'> | undefined;

function shapeProblem({ open, high, low, close }: Record<ColumnName, number>): Found {
  if (high < low) return { column: 'high', text: `${high} is below the low ${low}` };
  if (high < Math.max(open, close))
    return { column: 'high', text: `${high} is below the open ${open} or the close ${close}` };
  if (low > Math.min(open, close))
    return { column: 'low', text: `${low} is above the open ${open} or the close ${close}` };
  return undefined;
}

function timeProblem(time: number, before: number | undefined, lineBefore: number | undefined, nowMs: number): Found {
  if (time > nowMs) return { column: 'time', text: `${quoted(formatUtc(time))} lies in the future` };
  if (before === undefined || time > before) return undefined;
  return time === before
    ? { column: 'time', text: `${formatUtc(time)} stands in line ${lineBefore ?? 0} already` }
    : {
        column: 'time',
        text: `${formatUtc(time)} is before line ${lineBefore ?? 0}; candles go from oldest to newest`,
      };
}
