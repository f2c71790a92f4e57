import { intervalMs, intervals } from '@sextant/engine-as/abi/intervals.ts';
import { FILE_CANDLES_MAX } from '../../core/limits.ts';
import { ok, type Result } from '../../core/result.ts';
import { formingCount, formingWords } from '../closedCandles.ts';
import { type FileRows, readRows, type RowsProblem } from './readRows.ts';
import { mostCommonStep, stepName } from './fileTimes.ts';

/** Rows that are listed of each kind; the counts are complete. */
const LISTED_MAX = 20;
/** A close that moves by more than this many times the median move, and by more than the least share, is an outlier. */
const outlier = { medians: 25, shareMin: 0.05 };
/** Equal rows in a row that count as frozen. */
const FROZEN_MIN = 5;

interface Place {
  line: number;
  at: string;
}

interface Kind<Row> {
  count: number;
  /** The first ones. */
  rows: Row[];
}

export interface FileVerdict {
  /** `usable`: the lab reads it as it is. `check`: it reads it, and the listed rows deserve a look. `unusable`: it does not. */
  verdict: 'usable' | 'check' | 'unusable';
  /** Why, as sentences; what was assumed about the file. */
  reasons: string[];
  assumed: string[];
  format: {
    separator: string;
    time: string;
    decimal_comma: boolean;
    newest_first: boolean;
    columns: Record<string, number | null>;
    ignored: string[];
  };
  rows: number;
  /** Name of the candle length, e.g. `1h` or `30m`; null for fewer than two rows. */
  interval: string | null;
  first: string | null;
  last: string | null;
  has_volume: boolean;
  gaps: Kind<{ from: string; to: string; missing: number }>;
  /** Rows whose time was there before; `same` when all values are equal. */
  overlaps: Kind<Place & { same: boolean }>;
  out_of_order: Kind<Place>;
  off_grid: Kind<Place>;
  outliers: Kind<Place & { move_pct: number }>;
  /** Runs of rows with equal prices and no volume. */
  frozen: Kind<Place & { length: number }>;
  /** High below low, or open or close outside of both. */
  bad_shape: Kind<Place>;
  forming_dropped: number;
}

const iso = (ms: number): string => new Date(ms).toISOString();

/** Reads any candle file and lists what is wrong with it. @returns the problems of a file whose rows cannot be read */
export function judgeFile(text: string, nowMs: number, rowsMax = FILE_CANDLES_MAX): Result<FileVerdict, RowsProblem> {
  const read = readRows(text, { rowsMax });
  return read.ok ? ok(judgeRows(read.value, nowMs)) : read;
}

function judgeRows(file: FileRows, nowMs: number): FileVerdict {
  const { layout, columns, timeUnit, isNewestFirst, hasVolume } = file;
  const stepMs = mostCommonStep(columns.time);
  const forming = Number.isFinite(stepMs) ? formingCount(columns.time, stepMs, nowMs) : 0;
  const count = file.lines.length - forming;
  const time = columns.time.subarray(0, count);
  const figures = {
    gaps: gapsOf(time, stepMs),
    ...orderOf(file, count),
    off_grid: offGrid(file, count, stepMs),
    outliers: outliersOf(file, count),
    frozen: frozenOf(file, count),
    bad_shape: badShape(file, count),
  };
  const reasons = reasonsOf(file, figures, { count, stepMs });
  const formingMs = columns.time[count];
  const notes = forming > 0 && formingMs !== undefined ? [formingWords(forming, formingMs)] : [];
  const isWrong = reasons.length > 0;
  const isDoubtful = figures.gaps.count + figures.outliers.count + figures.frozen.count > 0;
  return {
    verdict: isWrong ? 'unusable' : isDoubtful ? 'check' : 'usable',
    reasons,
    assumed: [
      ...layout.assumed,
      ...(isNewestFirst ? ['The newest row comes first: sorted oldest first.'] : []),
      ...notes,
    ],
    format: {
      separator: layout.separator,
      time: timeUnit,
      decimal_comma: layout.hasDecimalComma,
      newest_first: isNewestFirst,
      columns: layout.mapping,
      ignored: layout.ignored,
    },
    rows: count,
    interval: Number.isFinite(stepMs) ? stepName(stepMs) : null,
    first: count === 0 ? null : iso(time[0] as number),
    last: count === 0 ? null : iso(time[count - 1] as number),
    has_volume: hasVolume,
    ...figures,
    forming_dropped: forming,
  };
}

type Figures = Pick<
  FileVerdict,
  'gaps' | 'overlaps' | 'out_of_order' | 'off_grid' | 'outliers' | 'frozen' | 'bad_shape'
>;

/** Why the lab would reject the file. */
function reasonsOf(
  { hasVolume }: FileRows,
  { overlaps, out_of_order, off_grid, bad_shape }: Figures,
  { count, stepMs }: { count: number; stepMs: number },
): string[] {
  const reasons: string[] = [];
  const rowsOf = (each: number): string => `${each} row${each === 1 ? '' : 's'}`;
  if (count < 2) reasons.push('Fewer than two closed candles.');
  if (!hasVolume) reasons.push('No volume: orders fill, and volume votes count, only with volume.');
  if (overlaps.count > 0) reasons.push(`${rowsOf(overlaps.count)} repeat a time.`);
  if (out_of_order.count > 0) reasons.push(`${rowsOf(out_of_order.count)} out of order.`);
  if (off_grid.count > 0) reasons.push(`${rowsOf(off_grid.count)} off the time grid.`);
  if (bad_shape.count > 0) reasons.push(`${rowsOf(bad_shape.count)} with a high or low inside the body.`);
  const isKnown = intervals.some((name) => intervalMs[name] % stepMs === 0);
  if (count >= 2 && !isKnown) reasons.push(`Candles of ${stepName(stepMs)} cannot be run.`);
  return reasons;
}

function collect<Row>(): Kind<Row> & { add: (make: () => Row) => void } {
  const kind = {
    count: 0,
    rows: [] as Row[],
    add(make: () => Row): void {
      if (kind.rows.length < LISTED_MAX) kind.rows.push(make());
      kind.count++;
    },
  };
  return kind;
}

const plain = <Row>({ count, rows }: Kind<Row>): Kind<Row> => ({ count, rows });

function gapsOf(time: Float64Array, stepMs: number): FileVerdict['gaps'] {
  const gaps = collect<FileVerdict['gaps']['rows'][number]>();
  for (let i = 1; i < time.length; i++) {
    const [before, next] = [time[i - 1] as number, time[i] as number];
    const missing = Math.ceil((next - before) / stepMs) - 1;
    if (missing > 0) gaps.add(() => ({ from: iso(before + stepMs), to: iso(before + missing * stepMs), missing }));
  }
  return plain(gaps);
}

const placeOf = ({ columns, lines }: FileRows, i: number): Place => ({
  line: lines[i] as number,
  at: iso(columns.time[i] as number),
});

function orderOf(file: FileRows, count: number): Pick<FileVerdict, 'overlaps' | 'out_of_order'> {
  const { columns } = file;
  const overlaps = collect<Place & { same: boolean }>();
  const outOfOrder = collect<Place>();
  const rowOf = new Map<number, number>();
  const isSame = (a: number, b: number): boolean =>
    (['open', 'high', 'low', 'close', 'volume'] as const).every((name) => columns[name][a] === columns[name][b]);
  let latest = -Infinity;
  let isRising = true;
  for (let i = 0; i < count; i++) {
    const at = columns.time[i] as number;
    if (at <= latest) isRising = false;
    // A rising file has no repeated time: the map is needed from the first row that is not.
    if (!isRising && rowOf.size === 0) for (let j = 0; j < i; j++) rowOf.set(columns.time[j] as number, j);
    if (isRising) latest = at;
    else {
      const known = rowOf.get(at);
      if (known !== undefined) overlaps.add(() => ({ ...placeOf(file, i), same: isSame(known, i) }));
      else if (at < latest) outOfOrder.add(() => placeOf(file, i));
      rowOf.set(at, i);
      latest = Math.max(latest, at);
    }
  }
  return { overlaps: plain(overlaps), out_of_order: plain(outOfOrder) };
}

/** Rows beside the grid of most rows. */
function offGrid(file: FileRows, count: number, stepMs: number): FileVerdict['off_grid'] {
  const { time } = file.columns;
  const phases = new Map<number, number>();
  for (let i = 0; i < count; i++) {
    const phase = (time[i] as number) % stepMs;
    phases.set(phase, (phases.get(phase) ?? 0) + 1);
  }
  const [usual] = [...phases].sort((a, b) => b[1] - a[1])[0] ?? [0];
  const off = collect<Place>();
  for (let i = 0; i < count; i++) if ((time[i] as number) % stepMs !== usual) off.add(() => placeOf(file, i));
  return plain(off);
}

function outliersOf(file: FileRows, count: number): FileVerdict['outliers'] {
  const { close } = file.columns;
  const move = (i: number): number => Math.abs((close[i] as number) / (close[i - 1] as number) - 1);
  const sorted = Float64Array.from({ length: Math.max(0, count - 1) }, (_, i) => move(i + 1)).sort();
  const median = sorted[sorted.length >> 1] ?? 0;
  const limit = Math.max(outlier.shareMin, outlier.medians * median);
  const outliers = collect<Place & { move_pct: number }>();
  for (let i = 1; i < count; i++)
    if (move(i) > limit) outliers.add(() => ({ ...placeOf(file, i), move_pct: Math.round(move(i) * 10_000) / 100 }));
  return plain(outliers);
}

function frozenOf(file: FileRows, count: number): FileVerdict['frozen'] {
  const { open, high, low, close, volume } = file.columns;
  const isFlat = (i: number): boolean =>
    open[i] === close[i] && high[i] === low[i] && volume[i] === 0 && (i === 0 || close[i] === close[i - 1]);
  const frozen = collect<Place & { length: number }>();
  for (let i = 0; i < count;) {
    let end = i;
    while (end < count && isFlat(end)) end++;
    const [start, length] = [i, end - i];
    if (length >= FROZEN_MIN) frozen.add(() => ({ ...placeOf(file, start), length }));
    i = Math.max(end, i + 1);
  }
  return plain(frozen);
}

function badShape(file: FileRows, count: number): FileVerdict['bad_shape'] {
  const { open, high, low, close } = file.columns;
  const bad = collect<Place>();
  for (let i = 0; i < count; i++) {
    const [o, h, l, c] = [open[i], high[i], low[i], close[i]] as [number, number, number, number];
    if (!(h >= Math.max(o, c) && l <= Math.min(o, c))) bad.add(() => placeOf(file, i));
  }
  return plain(bad);
}
