import { failWith, ok, type Result } from '../../core/result.ts';
import { candleFields } from '../candleColumns.ts';
import { quoted, splitLine } from './csvText.ts';

/** Where a candle file has its columns, and how it writes numbers. */

export type FileColumn = (typeof candleFields)[number];

/** Position of each column; volume is null where the file has none. */
export type ColumnMapping = Record<Exclude<FileColumn, 'volume'>, number> & { volume: number | null };

export interface FileLayout {
  separator: ',' | ';' | '\t' | '|';
  mapping: ColumnMapping;
  cellCount: number;
  /** `1,5` is 1.5. */
  hasDecimalComma: boolean;
  /** Index of the first row. */
  firstRow: number;
  /** Names of columns that are not used. */
  ignored: string[];
  /** What was guessed, as sentences. */
  assumed: string[];
}

/** A problem of the first lines, at an index of the lines. `needsMapping`: the user can name the columns. */
export interface LayoutProblem {
  index: number;
  text: string;
  needsMapping: boolean;
}

/** Names by column, the better ones first. Lower case, without spaces, dots, underlines and brackets. */
const names: Record<Exclude<FileColumn, 'volume'>, readonly string[]> = {
  time: [
    'time',
    'opentime',
    'unix',
    'unixtimestamp',
    'timestamp',
    'epoch',
    'datetime',
    'date',
    'gmttime',
    'timeutc',
    'dateutc',
    'datetimeutc',
    'opentimems',
    'startat',
    'start',
    'ts',
    't',
    '<date>',
    'candletime',
    'bartime',
  ],
  open: ['open', 'o', 'openprice', '<open>', 'openusd', 'priceopen'],
  high: ['high', 'h', 'highprice', 'max', '<high>', 'highusd', 'pricehigh'],
  low: ['low', 'l', 'lowprice', 'min', '<low>', 'lowusd', 'pricelow'],
  close: ['close', 'c', 'closeprice', 'last', 'closelast', '<close>', 'closeusd', 'priceclose'],
};
const volumeNames = [
  'volume',
  'vol',
  'v',
  'basevolume',
  'volumebase',
  'volumefrom',
  'volumecoin',
  'basevol',
  'tickvolume',
  '<vol>',
  'volumecontracts',
  'amount',
  'qty',
  'quantity',
];
/** Currencies in which a volume is turnover, not coins. */
const quotes = ['usdt', 'usdc', 'usd', 'busd', 'fdusd', 'eur', 'gbp', 'jpy', 'krw', 'dai', 'tusd', 'to', 'quote'];
const plainHelp = 'Use time, open, high, low, close, volume';

const plainName = (cell: string): string => cell.toLowerCase().replaceAll(/[\s._()[\]/-]/g, '');
const isFigure = (cell: string): boolean => cell === '' || /^[-\d.,:TZ\s+eE]+$/.test(cell);
/** Lines above the names that are skipped: an address, a title. */
const titleLinesMax = 5;

/** The separator that splits a line into most cells; a comma in a tie. */
function separatorOf(line: string): FileLayout['separator'] {
  let best: FileLayout['separator'] = ',';
  for (const each of [',', ';', '\t', '|'] as const) if (line.split(each).length > line.split(best).length) best = each;
  // Decimal commas may outnumber the semicolons that separate.
  return line.includes(';') && line.split(';').length >= 5 ? ';' : best;
}

/**
 * The layout of a file by its first lines.
 * @param lines at least the first lines of the file
 * @param mapping columns that the user has named; found by their names when absent
 */
export function detectLayout(lines: readonly string[], mapping?: ColumnMapping): Result<FileLayout, LayoutProblem> {
  const first = lines.findIndex((line) => line.trim() !== '');
  if (first < 0) return failWith({ index: 0, text: 'the file is empty', needsMapping: false });
  const head = skipTitles(lines, first);
  const separator = separatorOf(lines[head] ?? '');
  const cells = splitLine(lines[head] ?? '', separator);
  if ('problem' in cells) return failWith({ index: head, text: cells.problem, needsMapping: false });
  const assumed =
    head > first ? [`Skipped ${head - first} line${head - first === 1 ? '' : 's'} above the columns.`] : [];
  const isHeaderless = cells.every(isFigure) && cells.filter((cell) => cell !== '').length >= 5;
  const rest = { separator, cellCount: cells.length, assumed };
  const found = mapping === undefined ? mapColumns(cells, isHeaderless, rest) : ok({ ...rest, mapping, ignored: [] });
  if (!found.ok) return failWith({ index: head, text: found.error, needsMapping: cells.length >= 5 });
  const firstRow = isHeaderless ? head : head + 1;
  const sample = lines.slice(firstRow, firstRow + 20).map((line) => splitLine(line, separator));
  const { mapping: at } = found.value;
  const hasDecimalComma =
    separator !== ',' && sample.some((row) => !('problem' in row) && /^-?\d+,\d+$/.test(row[at.close] ?? ''));
  if (hasDecimalComma) found.value.assumed.push('A comma is read as the decimal point.');
  return ok({ ...found.value, hasDecimalComma, firstRow });
}

/** Index of the line with the names, or of the first row: lines of fewer than five cells above it are titles. */
function skipTitles(lines: readonly string[], first: number): number {
  const isWide = (line: string | undefined): boolean => line !== undefined && line.split(separatorOf(line)).length >= 5;
  if (isWide(lines[first])) return first;
  for (let at = first; at < Math.min(lines.length, first + titleLinesMax); at++) if (isWide(lines[at])) return at;
  return first;
}

type Mapped = Omit<FileLayout, 'hasDecimalComma' | 'firstRow'>;

function mapColumns(
  cells: readonly string[],
  isHeaderless: boolean,
  rest: Pick<FileLayout, 'separator' | 'cellCount' | 'assumed'>,
): Result<Mapped, string> {
  if (isHeaderless) return withoutHeader(cells, rest);
  const plain = cells.map(plainName);
  const double = candleFields.find((name) => plain.indexOf(name) !== plain.lastIndexOf(name));
  if (double !== undefined) return failWith(`duplicate column ${quoted(double)}`);
  const positionOf = (list: readonly string[]): number => {
    const name = list.find((each) => plain.includes(each));
    return name === undefined ? -1 : plain.indexOf(name);
  };
  const assumed = [...rest.assumed];
  let time = positionOf(names.time);
  // An index column of pandas has no name.
  if (time < 0 && (plain[0] === '' || plain[0] === 'unnamed:0' || plain[0] === 'index')) {
    time = 0;
    assumed.push('The first column, which has no name, is the time.');
  }
  const prices = {
    open: positionOf(names.open),
    high: positionOf(names.high),
    low: positionOf(names.low),
    close: positionOf(names.close),
  };
  const missing = Object.entries({ time, ...prices }).flatMap(([name, at]) => (at < 0 ? [name] : []));
  const volume = volumeOf(plain);
  if (missing.length > 0) return failWith(missingText(volume === null ? [...missing, 'volume'] : missing));
  const mapping = { time, ...prices, volume };
  const named = candleFields.flatMap((column) => {
    const cell = mapping[column] === null ? '' : (cells[mapping[column]] ?? '');
    return cell === '' || plainName(cell) === column ? [] : [`${quoted(cell)} as ${column}`];
  });
  if (named.length > 0) assumed.push(`Read ${named.join(', ')}.`);
  const used: readonly (number | null)[] = Object.values(mapping);
  return ok({ ...rest, mapping, assumed, ignored: cells.filter((_, position) => !used.includes(position)) });
}

const missingText = (missing: readonly string[]): string =>
  `the column${missing.length > 1 ? 's' : ''} ${missing.map((name) => quoted(name)).join(', ')} ${
    missing.length > 1 ? 'are' : 'is'
  } missing. ${plainHelp}`;

/** The volume in coins: a column that names a quote currency is turnover. */
function volumeOf(plain: readonly string[]): number | null {
  const exact = volumeNames.find((name) => plain.includes(name));
  if (exact !== undefined) return plain.indexOf(exact);
  const inCoins = plain.findIndex(
    (name) => name.startsWith('volume') && !quotes.some((quote) => name === `volume${quote}`),
  );
  return inCoins < 0 ? null : inCoins;
}

/** Rows without names: the order of Binance's archives, or six columns and more in the same order. */
function withoutHeader(
  cells: readonly string[],
  rest: Pick<FileLayout, 'separator' | 'cellCount' | 'assumed'>,
): Result<Mapped, string> {
  if (cells.length < 6) return failWith(`column names are missing. ${plainHelp} in the first line, in any order`);
  const mapping = { time: 0, open: 1, high: 2, low: 3, close: 4, volume: 5 };
  const assumed = [...rest.assumed, 'No column names: read as time, open, high, low, close, volume.'];
  return ok({ ...rest, mapping, assumed, ignored: [] });
}
