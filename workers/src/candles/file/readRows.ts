import { failWith, ok, type Result } from '../../core/result.ts';
import type { Candles } from '../../protocol/backtest.ts';
import { candleFields, candlesOf } from '../candleColumns.ts';
import { type CsvProblem, splitLine } from './csvText.ts';
import { numberCell, readDecimal, TimeReader, type TimeUnit, timeCell } from './fileCells.ts';
import { type ColumnMapping, detectLayout, type FileColumn, type FileLayout } from './fileLayout.ts';

/** Reading stops here: a file with this many problems has one cause. */
export const PROBLEMS_MAX = 20;

/** The rows of a file, oldest first where the file is sorted either way. */
export interface FileRows {
  columns: Candles;
  /** Line of each row, from 1. */
  lines: Int32Array;
  layout: FileLayout;
  timeUnit: TimeUnit;
  /** The file has the newest row first. */
  isNewestFirst: boolean;
  hasVolume: boolean;
}

export interface RowsProblem {
  problems: CsvProblem[];
  /** First rows for a user who names the columns; absent when that would not help. */
  sample?: { names: string[]; rows: string[][] };
}

/** Calls back for each line with the offsets of its start and end, until that returns false. */
function eachLine(text: string, read: (from: number, until: number) => boolean): void {
  let from = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  const { length } = text;
  const isSingle = !text.includes('\n') && text.includes('\r');
  const end = isSingle ? '\r' : '\n';
  while (from <= length) {
    const at = text.indexOf(end, from);
    const until = at < 0 ? length : at;
    if (!read(from, until > from && text.charCodeAt(until - 1) === 13 ? until - 1 : until) || at < 0) return;
    from = until + 1;
  }
}

const headLines = 40;
/** The first lines of the file, among them the names of the columns. */
function headOf(text: string): string[] {
  const lines: string[] = [];
  eachLine(text, (from, until) => lines.push(text.slice(from, until)) < headLines);
  return lines;
}

export interface ReadOptions {
  rowsMax: number;
  /** Columns that the user has named. */
  mapping?: ColumnMapping | undefined;
}

/** Reads the rows; every problem of a cell has its line and column. Nothing is repaired. */
export function readRows(text: string, { rowsMax, mapping }: ReadOptions): Result<FileRows, RowsProblem> {
  const head = headOf(text);
  const layout = detectLayout(head, mapping);
  if (!layout.ok) {
    const problems = [{ line: layout.error.index + 1, text: layout.error.text }];
    return failWith(
      layout.error.needsMapping ? { problems, sample: sampleOf(head, layout.error.index) } : { problems },
    );
  }
  const reader = new RowReader(text, layout.value);
  const state = { line: 0, isTooLong: false };
  eachLine(text, (from, until) => {
    state.line++;
    if (state.line <= layout.value.firstRow || isBlank(text, from, until)) return true;
    state.isTooLong = reader.count === rowsMax;
    if (!state.isTooLong) reader.read(state.line, from, until);
    return !state.isTooLong && reader.problems.length < PROBLEMS_MAX;
  });
  if (state.isTooLong) {
    const rows = rowsMax.toLocaleString('en-US');
    const tooLong = `more than ${rows} candles; shorten the file or use a longer interval`;
    return failWith({ problems: [{ line: state.line, text: tooLong }] });
  }
  if (reader.problems.length > 0) return failWith({ problems: reader.problems.slice(0, PROBLEMS_MAX) });
  return ok(reader.rows());
}

function sampleOf(head: readonly string[], index: number): { names: string[]; rows: string[][] } {
  const first = head[index] ?? '';
  const separator = ([';', '\t', '|', ','] as const).find((each) => first.split(each).length >= 5) ?? ',';
  const rows = head.slice(index, index + 5).flatMap((line) => {
    const cells = splitLine(line, separator);
    return 'problem' in cells ? [] : [cells];
  });
  const [names = [], ...rest] = rows;
  return { names, rows: rest };
}

function isBlank(text: string, from: number, until: number): boolean {
  for (let at = from; at < until; at++) {
    const code = text.charCodeAt(at);
    if (code !== 32 && code !== 9 && code !== 13) return false;
  }
  return true;
}

const firstSize = 4096;

/** Reads rows into growing columns. */
class RowReader {
  readonly problems: CsvProblem[] = [];
  count = 0;
  readonly #text: string;
  readonly #layout: FileLayout;
  readonly #separatorCode: number;
  readonly #bounds: Int32Array;
  #columns: Candles;
  #lines = new Int32Array(firstSize);
  readonly #times = new TimeReader();
  #start = 0;
  #end = 0;

  constructor(text: string, layout: FileLayout) {
    this.#text = text;
    this.#layout = layout;
    this.#separatorCode = layout.separator.charCodeAt(0);
    // Start and end of each cell.
    this.#bounds = new Int32Array(2 * (layout.cellCount + 1));
    this.#columns = candlesOf(() => new Float64Array(firstSize));
  }

  read(line: number, from: number, until: number): void {
    const cellCount = this.#split(from, until);
    if (cellCount < 0) {
      this.#readQuoted(line, this.#text.slice(from, until));
      return;
    }
    if (!this.#hasCells(line, cellCount)) return;
    this.#grow();
    const problemsBefore = this.problems.length;
    for (const column of candleFields) {
      const position = this.#layout.mapping[column];
      if (position === null) continue;
      this.#trim(position);
      const [text, start, end] = [this.#text, this.#start, this.#end];
      const fast =
        column === 'time'
          ? this.#times.read(text, start, end)
          : readDecimal(text, start, end, this.#layout.hasDecimalComma);
      if (fast > 0 || (fast === 0 && column === 'volume')) this.#columns[column][this.count] = fast;
      else this.#store(line, column, text.slice(start, end));
    }
    this.#next(line, problemsBefore);
  }

  /** A line with quotes, which may hide separators. */
  #readQuoted(line: number, text: string): void {
    const cells = splitLine(text, this.#layout.separator);
    if ('problem' in cells) return void this.problems.push({ line, text: cells.problem });
    if (!this.#hasCells(line, cells.length)) return;
    this.#grow();
    const problemsBefore = this.problems.length;
    for (const column of candleFields) {
      const position = this.#layout.mapping[column];
      if (position !== null) this.#store(line, column, cells[position] ?? '');
    }
    this.#next(line, problemsBefore);
  }

  #next(line: number, problemsBefore: number): void {
    if (this.problems.length > problemsBefore) return;
    this.#lines[this.count] = line;
    this.count++;
  }

  #hasCells(line: number, cellCount: number): boolean {
    if (cellCount === this.#layout.cellCount) return true;
    const text = `${cellCount} cells, but the first line names ${this.#layout.cellCount} columns`;
    this.problems.push({ line, text });
    return false;
  }

  /** Bounds of the cells of a line. @returns their number; -1 for a line with quotes */
  #split(from: number, until: number): number {
    const text = this.#text;
    let cells = 0;
    let start = from;
    for (let at = from; at <= until; at++) {
      const code = at === until ? this.#separatorCode : text.charCodeAt(at);
      if (code === 34) return -1;
      if (code !== this.#separatorCode) continue;
      if (cells < this.#layout.cellCount) {
        this.#bounds[2 * cells] = start;
        this.#bounds[2 * cells + 1] = at;
      }
      cells++;
      start = at + 1;
    }
    return cells;
  }

  /** Bounds of a cell without blanks around it. */
  #trim(position: number): void {
    let start = this.#bounds[2 * position] as number;
    let end = this.#bounds[2 * position + 1] as number;
    while (start < end && this.#text.charCodeAt(start) <= 32) start++;
    while (end > start && this.#text.charCodeAt(end - 1) <= 32) end--;
    this.#start = start;
    this.#end = end;
  }

  #store(line: number, column: FileColumn, text: string): void {
    const cell = column === 'time' ? timeCell(text) : numberCell(text, this.#layout.hasDecimalComma);
    if ('problem' in cell) return void this.problems.push({ line, column, text: cell.problem });
    const { value } = cell;
    if ('unit' in cell) this.#checkUnit(line, cell.unit as TimeUnit);
    if (column !== 'time' && (column === 'volume' ? value < 0 : value <= 0)) {
      const problem = column === 'volume' ? 'no volume; use 0 or more' : 'no price; use a number above 0';
      this.problems.push({ line, column, text: `${text} is ${problem}` });
    }
    this.#columns[column][this.count] = value;
  }

  #checkUnit(line: number, unit: TimeUnit): void {
    const first = (this.#times.unit ??= unit);
    if (unit !== first)
      this.problems.push({ line, column: 'time', text: `${unit}, but the file starts with ${first}` });
  }

  #grow(): void {
    if (this.count < this.#lines.length) return;
    const size = 2 * this.#lines.length;
    const columns = this.#columns;
    this.#columns = candlesOf((name) => grown(columns[name], new Float64Array(size)));
    this.#lines = grown(this.#lines, new Int32Array(size));
  }

  rows(): FileRows {
    const { count } = this;
    const columns = candlesOf((name) => this.#columns[name].slice(0, count));
    const lines = this.#lines.slice(0, count);
    const { time } = columns;
    const isNewestFirst = count > 1 && (time[1] ?? 0) < (time[0] ?? 0) && (time.at(-1) ?? 0) < (time[0] ?? 0);
    if (isNewestFirst) {
      for (const name of candleFields) columns[name].reverse();
      lines.reverse();
    }
    const hasVolume = this.#layout.mapping.volume !== null;
    return { columns, lines, layout: this.#layout, timeUnit: this.#times.unit ?? 'ISO', isNewestFirst, hasVolume };
  }
}

function grown<T extends Float64Array | Int32Array>(from: T, into: T): T {
  into.set(from);
  return into;
}
