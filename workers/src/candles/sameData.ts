import type { Candles } from '../protocol/backtest.ts';

/** Which candles a set was judged on. */
export interface DataMark {
  /** Hash of the candles themselves. */
  hash: string;
  /** Where they came from: `binance BTCUSDT 1h`; null for a file without a symbol. */
  series: string | null;
  /** Opens of the first and the last scored candle, epoch ms. */
  fromMs: number;
  toMs: number;
  /** By `sampleCloses`, of the scored candles; null or absent in counts from before it was stored. */
  closes?: string | null;
}

/** Candles of a sample. Where one window is twenty times as long as the other, about two of them are in both samples. */
const SAMPLE_COUNT = 48;

/** A 32-bit number that looks random and depends on the time alone, so that two windows choose the same of their shared candles. */
function rankOf(timeMs: number): number {
  let mixed = Math.imul(timeMs ^ Math.floor(timeMs / 2 ** 32), 0x9e3779b1);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x85ebca77);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae3d);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

/** Four characters of a close (FNV-1a of nine digits): enough to compare, short to store. */
function checkOf(close: number): string {
  let hash = 0x811c9dc5;
  for (const digit of String(Number(close.toPrecision(9)))) hash = Math.imul(hash ^ digit.charCodeAt(0), 0x01000193);
  return ((hash >>> 0) % 36 ** 4).toString(36);
}

/**
 * A sample of the scored candles as text: `time.check` in base 36, separated by blanks. Of each window the candles whose times rank
 * lowest are taken, so two windows that overlap sample the same candles and can be compared without storing all closes.
 * @param first index of the first scored candle
 */
export function sampleCloses({ time, close }: Pick<Candles, 'time' | 'close'>, first: number): string {
  const lowest: { rank: number; index: number }[] = [];
  for (let index = Math.max(0, first); index < time.length; index++) {
    const rank = rankOf(time[index] ?? 0);
    if (lowest.length === SAMPLE_COUNT && rank >= (lowest.at(-1)?.rank ?? 0)) continue;
    const at = lowest.findIndex((each) => rank < each.rank);
    lowest.splice(at < 0 ? lowest.length : at, 0, { rank, index });
    lowest.length = Math.min(lowest.length, SAMPLE_COUNT);
  }
  return lowest.map(({ index }) => `${(time[index] ?? 0).toString(36)}.${checkOf(close[index] ?? 0)}`).join(' ');
}

/** Whether most candles that both samples hold have the same close; false when they share none, or a sample is unknown. */
function haveSameCloses(a: DataMark, b: DataMark): boolean {
  if (!a.closes || !b.closes) return false;
  const known = new Map(a.closes.split(' ').map((each) => each.split('.') as [string, string]));
  let [shared, equal] = [0, 0];
  for (const each of b.closes.split(' ')) {
    const [time = '', check] = each.split('.');
    const other = known.get(time);
    if (other === undefined) continue;
    shared += 1;
    equal += Number(other === check);
  }
  return shared > 0 && equal > shared / 2;
}

/** Windows that share at least half of the shorter one. */
function isSameTime(a: DataMark, b: DataMark): boolean {
  const shared = Math.min(a.toMs, b.toMs) - Math.max(a.fromMs, b.fromMs);
  return shared > 0 && shared >= Math.min(a.toMs - a.fromMs, b.toMs - b.fromMs) / 2;
}

/**
 * The same data for trial counts: identical candles, or windows that share at least half of the shorter one and are of one market or have
 * the same closes. The next candle makes another window, but results found in the previous one still apply; so does one row less of a file.
 */
export function isSameData(a: DataMark, b: DataMark): boolean {
  if (a.hash === b.hash) return true;
  return isSameTime(a, b) && ((a.series !== null && a.series === b.series) || haveSameCloses(a, b));
}

/** Another market of an exchange over the same dates: choosing the best of several markets is a search, too. */
export const isSameFamily = (a: DataMark, b: DataMark): boolean =>
  a.series !== null && b.series !== null && a.series !== b.series && isSameTime(a, b) && !haveSameCloses(a, b);

/** Trials, and results seen on the scored candles. */
export interface TrialCount {
  trials: number;
  looks: number;
}

/** Searches on other markets over the same dates. */
export interface TrialFamily extends TrialCount {
  markets: number;
}

interface CountedData extends DataMark, TrialCount {
  isSearch: boolean;
}

const sumOf = (rows: readonly TrialCount[]): TrialCount =>
  rows.reduce((sum, { trials, looks }) => ({ trials: sum.trials + trials, looks: sum.looks + looks }), {
    trials: 0,
    looks: 0,
  });

/** Trials on the data. */
export const countOn = (rows: readonly CountedData[], data: DataMark): TrialCount =>
  sumOf(rows.filter((row) => isSameData(row, data)));

/** What searches tried on other markets over the same dates. */
export function familyOf(rows: readonly CountedData[], data: DataMark): TrialFamily {
  const matches = rows.filter((row) => row.isSearch && isSameFamily(row, data));
  return { ...sumOf(matches), markets: new Set(matches.map(({ series }) => series)).size };
}

/** Searches over many markets, in words; empty for one. */
export const familyWords = ({ trials, markets }: TrialFamily): string =>
  markets === 0
    ? ''
    : `${trials.toLocaleString('en-US')} of them on ${markets} other ${markets === 1 ? 'market' : 'markets'} over the same dates`;
