import { type IntervalName, intervalMs, intervals } from '@sextant/engine-as/abi/intervals.ts';
import { FILE_CANDLES_MAX } from '../../core/limits.ts';
import { failWith, ok, type Result } from '../../core/result.ts';
import type { Candles } from '../../protocol/backtest.ts';
import { candlesOf } from '../candleColumns.ts';
import { formingCount } from '../closedCandles.ts';
import { type CsvProblem, quoted } from './csvText.ts';
import type { TimeUnit } from './fileCells.ts';
import type { ColumnMapping } from './fileLayout.ts';
import { combineBars } from './combineBars.ts';
import { durationText, utcText } from '../../core/timeText.ts';
import { mostCommonStep, stepName } from './fileTimes.ts';
import { type FileRows, PROBLEMS_MAX, readRows, type RowsProblem } from './readRows.ts';

export interface FileCandles {
  candles: Candles;
  interval: IntervalName;
  /** Places where candles are missing, and how many in all. They are never invented. */
  gapCount: number;
  missingCount: number;
  /** Open time before the first gap, epoch ms. */
  firstGapMs: number | null;
  timeUnit: TimeUnit;
  ignoredColumns: string[];
  /** What was guessed or changed, as sentences. A file stored before has none. */
  assumed?: string[];
  /** Open of the last row where it was left out because its candle has not closed, epoch ms. A file stored before has none. */
  formingMs?: number | null;
}

export type FileResult = Result<FileCandles, RowsProblem>;

export interface ParseOptions {
  /** Columns that the user has named. */
  mapping?: ColumnMapping | undefined;
  /** A file with more rows is rejected. */
  rowsMax?: number;
}

/**
 * Candles from the text of a file, or every problem with its line and column. Nothing is repaired: a wrong row would make every figure
 * after it wrong too.
 * @param nowMs a candle that opens later than now is an error, one that ends later has not closed and is left out
 */
export function parseCandleFile(
  text: string,
  nowMs: number,
  { mapping, rowsMax = FILE_CANDLES_MAX }: ParseOptions = {},
): FileResult {
  const read = readRows(text, { rowsMax, mapping });
  if (!read.ok) return read;
  const rows = read.value;
  const { layout } = rows;
  const nameLine = Math.max(1, layout.firstRow);
  if (!rows.hasVolume)
    return problem(1, 'the column "volume" is missing. Add it: orders fill, and volume votes count, only with volume');
  if (rows.lines.length < 2) return problem(nameLine, 'add at least two candles below the column names');
  const problems = rowProblems(rows, nowMs);
  if (problems.length > 0) return failWith({ problems });
  const closed = withoutLastForming(rows, nowMs);
  if (closed.time.length < 2) return problem(nameLine, 'the file needs at least two closed candles');
  const assumed = [...layout.assumed];
  if (rows.isNewestFirst) assumed.push('The newest row comes first: sorted oldest first.');
  const ignoredColumns = layout.ignored;
  const formingMs = rows.columns.time[closed.time.length] ?? null;
  return withSpacing({ candles: closed, timeUnit: rows.timeUnit, ignoredColumns, assumed, formingMs }, rows.lines);
}

/** Candles on a grid that can be run, combined into longer ones where theirs cannot. */
function withSpacing(read: Omit<FileCandles, keyof Spacing> & { assumed: string[] }, lines: Int32Array): FileResult {
  const stepMs = mostCommonStep(read.candles.time);
  const combined = isKnownStep(stepMs) ? null : combineBars(read.candles, stepMs);
  if (combined !== null) read.assumed.push(combined.words);
  const candles = combined?.candles ?? read.candles;
  const spacing = readSpacing(candles.time, lines);
  return 'text' in spacing ? failWith({ problems: [spacing] }) : ok({ ...read, ...spacing, candles });
}

function problem(line: number, text: string): FileResult {
  return failWith({ problems: [{ line, text }] });
}

const isKnownStep = (stepMs: number): boolean => intervals.some((name) => intervalMs[name] === stepMs);

/** The candles without the last row when it has not closed. */
function withoutLastForming({ columns }: FileRows, nowMs: number): Candles {
  const { time } = columns;
  const count = formingCount(time, mostCommonStep(time), nowMs) === 0 ? time.length : time.length - 1;
  return candlesOf((name) => (count === time.length ? columns[name] : columns[name].slice(0, count)));
}

/** Shape and order of all rows, up to the maximum of problems. */
function rowProblems({ columns, lines }: FileRows, nowMs: number): CsvProblem[] {
  const problems: CsvProblem[] = [];
  const { time, open, high, low, close } = columns;
  for (let i = 0; i < lines.length && problems.length < PROBLEMS_MAX; i++) {
    // No tuple: this runs a million times.
    const o = open[i] as number;
    const h = high[i] as number;
    const l = low[i] as number;
    const c = close[i] as number;
    const openMs = time[i] as number;
    const isSound = h >= o && h >= c && l <= o && l <= c && h >= l;
    const isInOrder = openMs <= nowMs && (i === 0 || openMs > (time[i - 1] as number));
    if (isSound && isInOrder) continue;
    const line = lines[i] as number;
    const match = isSound
      ? timeProblem(openMs, time[i - 1], lines[i - 1], nowMs)
      : shapeProblem({ open: o, high: h, low: l, close: c });
    problems.push({ line, ...match });
  }
  return problems;
}

type RowProblem = Omit<CsvProblem, 'line'>;

function shapeProblem({ open, high, low, close }: Record<'open' | 'high' | 'low' | 'close', number>): RowProblem {
  if (high < low) return { column: 'high', text: `${high} is below the low ${low}` };
  if (high < Math.max(open, close))
    return { column: 'high', text: `${high} is below the open ${open} or the close ${close}` };
  return { column: 'low', text: `${low} is above the open ${open} or the close ${close}` };
}

function timeProblem(
  time: number,
  before: number | undefined,
  lineBefore: number | undefined,
  nowMs: number,
): RowProblem {
  if (time > nowMs) return { column: 'time', text: `${quoted(utcText(time))} is in the future` };
  return time === before
    ? { column: 'time', text: `${utcText(time)} repeats line ${lineBefore ?? 0}` }
    : { column: 'time', text: `${utcText(time)} is before line ${lineBefore ?? 0}; sort candles oldest first` };
}

type Spacing = Pick<FileCandles, 'interval' | 'gapCount' | 'missingCount' | 'firstGapMs'>;

/** Finds the candle length and checks that every candle lies on its grid. */
function readSpacing(time: Float64Array, lines: Int32Array): Spacing | CsvProblem {
  const stepMs = mostCommonStep(time);
  const interval = intervals.find((name) => intervalMs[name] === stepMs);
  if (interval === undefined) {
    const text = `the candles are ${stepName(stepMs)} apart; use ${intervals.join(', ')}`;
    return { line: lines[1] ?? 2, column: 'time', text };
  }
  let gapCount = 0;
  let missingCount = 0;
  let firstGapMs: number | null = null;
  for (let i = 1; i < time.length; i++) {
    const step = (time[i] as number) - (time[i - 1] as number);
    if (step === stepMs) continue;
    if (step % stepMs !== 0) {
      const text = `${utcText(time[i] as number)} is ${durationText(step)} after the previous line; expected ${interval} steps`;
      return { line: lines[i] ?? 0, column: 'time', text };
    }
    gapCount++;
    missingCount += step / stepMs - 1;
    firstGapMs ??= time[i - 1] ?? null;
  }
  return { interval, gapCount, missingCount, firstGapMs };
}
