// Long because everything that was tried on some candles is counted in one place.
import type { StrategyParams } from '@sextant/workers/src/protocol/backtest.ts';
import { liveRules, type Strategy } from '@sextant/engine-as/abi/strategy.ts';
import {
  type DataMark,
  familyOf,
  isSameData,
  sampleCloses,
  type TrialCount,
  type TrialFamily,
} from '@sextant/workers/src/candles/sameData.ts';
import { indexFrom } from '@sextant/workers/src/candles/candleColumns.ts';
import { canonicalJson } from '@sextant/workers/src/protocol/wire/strategy.ts';
import type { LoadedCandles } from '../../api/candles.ts';
import { readSaved, save } from '../../state/storage.ts';
import { onUserReset } from '../../state/userReset.ts';
import { allLooks, countedLooks, familyLooks, looksOfData, noteLooks } from './marketLooks.ts';
import { scoredOf } from './setup/scored.ts';
import { defaultParams, paramsText } from './params.ts';

const KEY = 'trials';
const SEARCHES_KEY = 'trials.searches';
const SEEN_KEY = 'trials.seen';
const KINDS_KEY = 'trials.searched';
const SEEN_MAX = 300;
/** Searches of the server that are remembered as counted: more than it keeps. */
const SEARCHES_MAX = 20;
/** Maximum number of windows; of those counted longest ago the one with the fewest trials is dropped first. */
const DATA_MAX = 200;
/** Windows counted last that are not dropped: by the fewest trials a new one would be, each time, and count nothing. */
const RECENT_COUNT = 100;

export const seriesOf = ({
  exchange,
  label,
  interval,
}: Pick<LoadedCandles, 'exchange' | 'label' | 'interval'>): string => `${exchange ?? ''} ${label} ${interval}`;

export function markOf(
  { source, exchange, label, interval, scoredFromMs, scoredCount, candles }: LoadedCandles,
  hash: string,
): DataMark {
  const { time } = candles;
  // Earlier candles only warm up or train: two windows that share only those are different data.
  const fromMs = scoredFromMs ?? time[time.length - (scoredCount ?? scoredOf(time.length))] ?? 0;
  return {
    hash,
    series: source === 'exchange' ? seriesOf({ exchange, label, interval }) : null,
    fromMs,
    toMs: time.at(-1) ?? 0,
    closes: closesOf(candles, fromMs),
  };
}

/** Samples of the candles on screen: marks are made at every change of the form. */
const sampled = new WeakMap<Float64Array, { fromMs: number; closes: string }>();

function closesOf(candles: LoadedCandles['candles'], fromMs: number): string {
  const known = sampled.get(candles.time);
  if (known?.fromMs === fromMs) return known.closes;
  const closes = sampleCloses(candles, indexFrom(candles.time, fromMs));
  sampled.set(candles.time, { fromMs, closes });
  return closes;
}

interface Counted extends DataMark {
  count: number;
  /** Number of their results seen on the scored candles. */
  looks: number;
}

/**
 * How many parameter sets this user has tested on each window of candles. The honesty panel counts all of them: a result found in the tenth
 * search is the best of ten searches.
 */
let counts = readCounts();
/** Sets and searches already counted and where, the newest last: returning to one counts neither a trial nor a look again. */
let seen = readSeen();
/** Searches and their size, the newest last: a search marks the strategy it searched, and other markets count as its family. */
let searched = readSearched();

onUserReset(() => {
  counts = [];
  seen = [];
  searched = [];
  save(KINDS_KEY, null);
  save(SEEN_KEY, null);
  save(KEY, null);
  save(SEARCHES_KEY, null);
});

function readCounts(): Counted[] {
  return readList(KEY).flatMap(countedOf);
}

interface Seen extends DataMark {
  set: string;
}

/** Storage format: `[set, hash, series, fromMs, toMs, closes]`; older versions are without `closes`. */
function readSeen(): Seen[] {
  return readList(SEEN_KEY).flatMap((entry): Seen[] => {
    const [set, hash, series, fromMs, toMs, closes] = (Array.isArray(entry) ? entry : []) as unknown[];
    const isMark = (series === null || typeof series === 'string') && Number.isFinite(fromMs) && Number.isFinite(toMs);
    return typeof set === 'string' && typeof hash === 'string' && isMark
      ? [{ set, hash, series, fromMs: Number(fromMs), toMs: Number(toMs), closes: textOrNull(closes) }]
      : [];
  });
}

export type SetKind = 'classic' | 'rules';

interface Searched extends DataMark {
  /** As in `seen`. */
  set: string;
  kind: SetKind;
  trials: number;
  looks: number;
}

/** Storage format: `[set, kind, hash, series, fromMs, toMs, trials, looks, closes]`; older versions are without `closes`. */
function readSearched(): Searched[] {
  return readList(KINDS_KEY).flatMap((entry): Searched[] => {
    const [set, kind, hash, series, ...rest] = (Array.isArray(entry) ? entry : []) as unknown[];
    const numbers = rest.slice(0, 4).map(Number);
    const [fromMs = 0, toMs = 0, trials = 0, looks = 0] = numbers;
    const isKind = kind === 'classic' || kind === 'rules';
    const isMark = typeof hash === 'string' && (series === null || typeof series === 'string');
    return typeof set === 'string' && isKind && isMark && numbers.length === 4 && numbers.every(Number.isFinite)
      ? [{ set, kind, hash, series, fromMs, toMs, trials, looks, closes: textOrNull(rest[4]) }]
      : [];
  });
}

function noteSearched(search: Searched): void {
  searched = [...searched, search].slice(-SEEN_MAX);
  const rows = searched.map(({ set, kind, hash, series, fromMs, toMs, trials, looks, closes }) => [
    set,
    kind,
    hash,
    series,
    fromMs,
    toMs,
    trials,
    looks,
    closes ?? null,
  ]);
  save(KINDS_KEY, JSON.stringify(rows));
}

const kindOf = (set: TriedSet): SetKind => ('intervals' in set ? 'rules' : 'classic');

/** The product's own sets: they were chosen by no search. */
const isDefault = (set: TriedSet): boolean =>
  'intervals' in set
    ? canonicalJson(set) === canonicalJson(liveRules(set.intervals.map(({ interval }) => interval)))
    : paramsText(set) === paramsText(defaultParams());

/**
 * Number of sets, besides itself, among which a run of one set was selected: manually set ones, and those of searches that may have led to
 * it. Excludes searches of the other kind of strategy and searches made after the set had been run by hand; a default was selected by no
 * search.
 */
export function earlierTrialsFor(data: DataMark, set: TriedSet): number {
  const name = nameOf(textOf(set));
  const first = seen.findIndex((each) => each.set === name && isSameData(each, data));
  const isUnrelated = (search: Searched): boolean => {
    const at = seen.findIndex((each) => each.set === search.set && each.hash === search.hash);
    return search.kind !== kindOf(set) || isDefault(set) || (first >= 0 && at >= 0 && first < at);
  };
  const unrelated = searched.filter((search) => isSameData(search, data) && isUnrelated(search));
  const left = unrelated.reduce((sum, { trials }) => sum + trials, 0);
  return Math.max(0, trialsOn(data) - 1 - left) + marketFamilyOf(data, set).trials;
}

/** What a heat map of the same rules showed on other markets over the same dates: choosing one of its cells is a search. */
export const marketFamilyOf = (data: DataMark, set: TriedSet): TrialFamily =>
  familyOf(countedLooks(familyLooks(data, nameOf(textOf(set)))), data);

/** Results of one set of rules on many markets. @param rules text that is the same on all of them */
export function countMarkets(rules: string, cells: readonly { data: DataMark; set: TriedSet }[]): void {
  const family = nameOf(rules);
  noteLooks(
    cells.flatMap(({ data: { series, fromMs, toMs }, set }) =>
      series === null ? [] : [{ family, set: nameOf(textOf(set)), series, fromMs, toMs }],
    ),
  );
}

/** Sets of heat maps on the data that were not run by themselves. */
const unseenLooks = (data: DataMark): number => looksOfData(data).filter(({ set }) => !isSeen(data, set)).length;

/** One trial: parameters of Classic, or a strategy of rules. */
type TriedSet = StrategyParams | Strategy;

const textOf = (set: TriedSet): string => ('intervals' in set ? canonicalJson(set) : paramsText(set));

/** A short hash of a set or a search: its text is long, and hundreds are stored (FNV-1a). */
function nameOf(text: string): string {
  let hash = 0x811c9dc5;
  for (const letter of text) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193);
  return (hash >>> 0).toString(36);
}

const isSeen = (data: DataMark, set: string): boolean =>
  seen.some((each) => each.set === set && isSameData(each, data));

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** The stored list of a key; empty when it is damaged. */
function readList(key: string): unknown[] {
  try {
    const saved = JSON.parse(readSaved(key) ?? '[]') as unknown;
    return Array.isArray(saved) ? saved : [];
  } catch {
    return [];
  }
}

/** Storage format: `[hash, count, series, fromMs, toMs, looks, closes]`; older versions have only the first two, five or six. */
function countedOf(entry: unknown): Counted[] {
  const [hash, count, series = null, fromMs = 0, toMs = 0, looks = 1, closes] = (
    Array.isArray(entry) ? entry : []
  ) as unknown[];
  const isCount =
    typeof hash === 'string' && Number.isSafeInteger(count) && Number(count) > 0 && Number.isSafeInteger(looks);
  const isWindow = (series === null || typeof series === 'string') && Number.isFinite(fromMs) && Number.isFinite(toMs);
  return isCount && isWindow
    ? [
        {
          hash,
          count: Number(count),
          series,
          fromMs: Number(fromMs),
          toMs: Number(toMs),
          looks: Number(looks),
          closes: textOrNull(closes),
        },
      ]
    : [];
}

export const trialsOn = (data: DataMark): number =>
  counts.reduce((sum, each) => sum + (isSameData(each, data) ? each.count : 0), unseenLooks(data));

/** How many results were seen on the scored candles of the data. */
export const looksOn = (data: DataMark): number =>
  counts.reduce((sum, each) => sum + (isSameData(each, data) ? each.looks : 0), unseenLooks(data));

/**
 * @param looks how many of the trials were judged on the scored candles: the one shown, or all of a search on those
 * @returns number of earlier trials on the data
 */
export function countTrials(data: DataMark, count: number, looks = 1): number {
  const before = trialsOn(data);
  const own = counts.find(({ hash }) => hash === data.hash) ?? { count: 0, looks: 0 };
  const now = { ...data, count: own.count + count, looks: own.looks + looks };
  counts = [...counts.filter(({ hash }) => hash !== data.hash), now];
  if (counts.length > DATA_MAX) {
    const older = counts.slice(0, -RECENT_COUNT);
    const fewest = Math.min(...older.map((each) => each.count));
    const dropped = older.find((each) => each.count === fewest);
    counts = counts.filter((each) => each !== dropped);
  }
  save(
    KEY,
    JSON.stringify(
      counts.map(({ hash, count: all, series, fromMs, toMs, looks: seenCount, closes }) => [
        hash,
        all,
        series,
        fromMs,
        toMs,
        seenCount,
        closes ?? null,
      ]),
    ),
  );
  return before;
}

export interface Before extends TrialCount {
  /** Searches on other markets over the same dates; absent where there was none. */
  family?: TrialFamily;
}

/** Raises the counts to those of a saved run, whose trials another browser made. */
export function raiseCounts(data: DataMark, { trials, looks }: Before): void {
  const missing = { trials: trials - trialsOn(data), looks: looks - looksOn(data) };
  if (missing.trials > 0) countTrials(data, missing.trials, Math.max(0, missing.looks));
}

interface SearchSize {
  trialCount: number;
  trainOn: 'earlier' | 'scored';
  kind?: SetKind;
}

/**
 * Counts a finished search. Repeating a search on the very same candles tries nothing new and is counted once.
 * @param text identifies the search (`searchText` of search/setText.ts)
 * @returns the counts without it
 */
export function countSearch(data: DataMark, size: SearchSize, text: string): Before {
  const set = `search ${nameOf(text)}`;
  // Not `isSameData`: with one candle more the refinement may reach other sets.
  if (!seen.some((each) => each.set === set && each.hash === data.hash)) {
    noteSeen(data, set);
    countTrials(data, size.trialCount, looksOf(size));
    noteSearched({ set, ...data, kind: size.kind ?? 'classic', trials: size.trialCount, looks: looksOf(size) });
  }
  const others = { trials: trialsOn(data) - size.trialCount, looks: looksOn(data) - looksOf(size) };
  const elsewhere = [...searched.map((each) => ({ ...each, isSearch: true })), ...countedLooks(allLooks())];
  const family = familyOf(elsewhere, data);
  return {
    trials: Math.max(0, others.trials),
    looks: Math.max(0, others.looks),
    ...(family.markets === 0 ? {} : { family }),
  };
}

/** Results of a search that are seen on the scored candles. */
const looksOf = ({ trialCount, trainOn }: SearchSize): number => (trainOn === 'scored' ? trialCount : 1);

/**
 * A server search, which may be opened many times.
 * @param text as for `countSearch`
 * @returns the counts before it
 */
export function countSearchOnce(searchId: string, data: DataMark, size: SearchSize, text: string): Before {
  const counted = readList(SEARCHES_KEY).flatMap((entry): [string, Before][] => {
    const [id, trials, looks = 0, family] = (Array.isArray(entry) ? entry : []) as unknown[];
    const isWhole = typeof id === 'string' && Number.isSafeInteger(trials) && Number.isSafeInteger(looks);
    const counts = { trials: Number(trials), looks: Number(looks) };
    const isFamily = typeof family === 'object' && family !== null;
    return isWhole ? [[id, isFamily ? { ...counts, family: family as TrialFamily } : counts]] : [];
  });
  const known = counted.find(([id]) => id === searchId);
  if (known !== undefined) return known[1];
  const before = countSearch(data, size, text);
  const rows = [...counted, [searchId, before] as const].slice(-SEARCHES_MAX);
  save(
    SEARCHES_KEY,
    JSON.stringify(rows.map(([id, { trials, looks, family }]) => [id, trials, looks, family ?? null])),
  );
  return before;
}

/** A set that a search has tried already, and counted. */
export function noteTried(data: DataMark, tried: TriedSet): void {
  const set = nameOf(textOf(tried));
  if (!isSeen(data, set)) noteSeen(data, set);
}

function noteSeen(data: DataMark, set: string): void {
  seen = [...seen, { set, ...data }].slice(-SEEN_MAX);
  save(
    SEEN_KEY,
    JSON.stringify(seen.map((each) => [each.set, each.hash, each.series, each.fromMs, each.toMs, each.closes ?? null])),
  );
}

/** One set of one run: counted the first time it is shown. */
export function countRun(data: DataMark, tried: TriedSet): void {
  if (isSeen(data, nameOf(textOf(tried)))) return;
  noteTried(data, tried);
  countTrials(data, 1);
}
