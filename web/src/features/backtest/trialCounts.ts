import type { StrategyParams } from '@sextant/workers/src/protocol.ts';
import type { LoadedCandles } from '../../api/candles.ts';
import { readSaved, save } from '../../state/storage.ts';
import { onUserReset } from '../../state/userReset.ts';
import { paramsText } from './params.ts';

const KEY = 'trials';
const SEARCHES_KEY = 'trials.searches';
/** Searches of the server that are remembered as counted: more than it keeps. */
const SEARCHES_MAX = 20;
/** Windows remembered; of more, the one with the fewest trials is forgotten first. */
const DATA_MAX = 200;

/** Which candles a set was tried on. */
export interface DataMark {
  /** Of the candles themselves. */
  hash: string;
  /** Where they came from: `binance BTCUSDT 1h`; null for a file. */
  series: string | null;
  /** Opens of the first and the last candle, epoch ms. */
  fromMs: number;
  toMs: number;
}

export const markOf = (
  { source, exchange, label, interval, candles: { time } }: LoadedCandles,
  hash: string,
): DataMark => ({
  hash,
  series: source === 'exchange' ? `${exchange ?? ''} ${label} ${interval}` : null,
  fromMs: time[0] ?? 0,
  toMs: time.at(-1) ?? 0,
});

/**
 * The same data as far as luck goes: the very candles, or windows of one market that share at least half of the shorter one. The next
 * candle makes another window, and what was found in the one before is still what is known of it.
 */
export function isSameData(a: DataMark, b: DataMark): boolean {
  if (a.hash === b.hash) return true;
  if (a.series === null || a.series !== b.series) return false;
  const shared = Math.min(a.toMs, b.toMs) - Math.max(a.fromMs, b.fromMs);
  return shared > 0 && shared >= Math.min(a.toMs - a.fromMs, b.toMs - b.fromMs) / 2;
}

interface Counted extends DataMark {
  count: number;
}

/**
 * How many parameter sets this person has looked at on each window of candles. The honesty panel counts all of them: a result that
 * was found in the tenth search is the best of ten searches.
 */
let counts = readCounts();
/** Sets already counted in this visit and where, so that going back to one is no new trial. */
const seen = new Map<string, DataMark[]>();

onUserReset(() => {
  counts = [];
  seen.clear();
  save(KEY, null);
  save(SEARCHES_KEY, null);
});

function readCounts(): Counted[] {
  return readList(KEY).flatMap(countedOf);
}

/** What is kept under a key; nothing when it is damaged. */
function readList(key: string): unknown[] {
  try {
    const saved = JSON.parse(readSaved(key) ?? '[]') as unknown;
    return Array.isArray(saved) ? saved : [];
  } catch {
    return [];
  }
}

/** As it is stored: `[hash, count, series, fromMs, toMs]`; of older versions only the first two. */
function countedOf(entry: unknown): Counted[] {
  const [hash, count, series = null, fromMs = 0, toMs = 0] = (Array.isArray(entry) ? entry : []) as unknown[];
  const isCount = typeof hash === 'string' && Number.isSafeInteger(count) && Number(count) > 0;
  const isWindow = (series === null || typeof series === 'string') && Number.isFinite(fromMs) && Number.isFinite(toMs);
  return isCount && isWindow
    ? [{ hash, count: Number(count), series, fromMs: Number(fromMs), toMs: Number(toMs) }]
    : [];
}

export const trialsOn = (data: DataMark): number =>
  counts.reduce((sum, each) => sum + (isSameData(each, data) ? each.count : 0), 0);

/** @returns how many trials had been made on the data before these */
export function countTrials(data: DataMark, count: number): number {
  const before = trialsOn(data);
  const own = counts.find(({ hash }) => hash === data.hash)?.count ?? 0;
  counts = [...counts.filter(({ hash }) => hash !== data.hash), { ...data, count: own + count }];
  if (counts.length > DATA_MAX) {
    const fewest = Math.min(...counts.map((each) => each.count));
    const at = counts.findIndex((each) => each.count === fewest);
    counts = counts.filter((_, i) => i !== at);
  }
  save(
    KEY,
    JSON.stringify(counts.map(({ hash, count: of, series, fromMs, toMs }) => [hash, of, series, fromMs, toMs])),
  );
  return before;
}

/** The trials of a search of the server, which may be opened many times. @returns how many had been made before it */
export function countTrialsOnce(searchId: string, data: DataMark, count: number): number {
  const counted = readList(SEARCHES_KEY).filter(
    (entry): entry is [string, number] => Array.isArray(entry) && Number.isSafeInteger(entry[1]),
  );
  const known = counted.find(([id]) => id === searchId);
  if (known !== undefined) return known[1];
  const before = countTrials(data, count);
  save(SEARCHES_KEY, JSON.stringify([...counted, [searchId, before]].slice(-SEARCHES_MAX)));
  return before;
}

/** A set that a search has tried already, and counted. */
export function noteTried(data: DataMark, params: StrategyParams): void {
  const name = paramsText(params);
  const where = seen.get(name) ?? [];
  if (!where.some((each) => isSameData(each, data))) seen.set(name, [...where, data]);
}

/** One set of one run: counted the first time it is looked at. */
export function countRun(data: DataMark, params: StrategyParams): void {
  if (seen.get(paramsText(params))?.some((each) => isSameData(each, data)) === true) return;
  noteTried(data, params);
  countTrials(data, 1);
}
