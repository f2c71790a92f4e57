import {
  liveExits,
  liveRules,
  type Strategy,
  type StrategyExits,
  strategyFields,
} from '@sextant/engine-as/abi/strategy.ts';
import { intervalMs, type IntervalName, intervals, signalIntervals } from '@sextant/engine-as/abi/intervals.ts';
import { readSaved, save } from '../../../state/storage.ts';
import { onUserReset } from '../../../state/userReset.ts';

/** What the lab may change of the scanner's rules. */
export interface LiveSettings {
  /** The longer intervals that speak beside the base, half as loud; those that are not longer are left out. */
  longer: readonly IntervalName[];
  entryThreshold: number;
  /** Factor on the weight of each vote by id, as a signal was made with; null: the tuning of the account. */
  tuning: Record<string, number> | null;
  exits: StrategyExits;
  /** A saved strategy that was opened: its weights stand in place of the scanner's. Null: the scanner's. */
  own: OwnVotes | null;
}

export interface OwnVotes {
  name: string;
  weights: Record<string, number>;
  /** By interval; an interval that is not in it speaks half as loud. */
  intervalWeights: Record<string, number>;
}

export const startLive = (): LiveSettings => ({
  longer: ['1h', '4h'],
  entryThreshold: strategyFields.entryThreshold.default,
  tuning: null,
  exits: structuredClone(liveExits),
  own: null,
});

/** The longer intervals that speak beside one. */
export const besideOf = (interval: IntervalName, { longer }: Pick<LiveSettings, 'longer'>): IntervalName[] =>
  longerThan(interval).filter((name) => longer.includes(name));

/** The intervals of the scanner that are longer than one. */
export const longerThan = (interval: IntervalName): IntervalName[] =>
  signalIntervals.filter((name) => intervalMs[name] > intervalMs[interval]);

/** The strategy of these settings on one interval. @param context the longer intervals whose candles are there */
export function strategyOf(
  { entryThreshold, exits, own }: LiveSettings,
  interval: IntervalName,
  { context, tuning }: { context: readonly IntervalName[]; tuning: Readonly<Record<string, number>> },
): Strategy {
  const rules = { ...liveRules([interval, ...context], tuning), ...structuredClone(exits), entryThreshold };
  if (own === null) return rules;
  const intervals = rules.intervals.map((each) => ({
    ...each,
    weight: own.intervalWeights[each.interval] ?? each.weight,
  }));
  return { ...rules, intervals, weights: { ...own.weights } };
}

/** The settings that give a saved strategy again, on the interval it was saved for. */
export function settingsOf(name: string, { intervals, weights, entryThreshold, ...exits }: Strategy): LiveSettings {
  return {
    longer: intervals.slice(1).map(({ interval }) => interval),
    entryThreshold,
    tuning: null,
    exits: structuredClone(exits),
    own: {
      name,
      weights: { ...weights },
      intervalWeights: Object.fromEntries(intervals.map(({ interval, weight }) => [interval, weight])),
    },
  };
}

/** What the lab stands on while Live rules are chosen. */
export interface LivePlace {
  symbol: string;
  interval: IntervalName;
  historyCount: number;
  /** How the window was chosen; those that were kept before dates could be chosen have none. */
  window?: 'count' | 'range';
  range?: { from: string; to: string };
}

interface Kept {
  settings: LiveSettings;
  /** Null: Classic was chosen last. */
  place: LivePlace | null;
}

const KEY = 'lab.live';
onUserReset(() => save(KEY, null));

/** What was last set in this browser; undefined where there is nothing, or what another version of this page has kept. */
function readKept(): Kept | undefined {
  try {
    const kept = JSON.parse(readSaved(KEY) ?? 'null') as Partial<Kept> | null;
    const place = { symbol: '', interval: '', historyCount: 0 };
    const isKept = isLike(kept?.settings, startLive()) && (kept?.place === null || isLike(kept?.place, place));
    return isKept ? (kept as Kept) : undefined;
  } catch {
    return undefined;
  }
}

export const readLive = (): LiveSettings => ({ ...startLive(), ...readKept()?.settings });

/** Where Live rules were last run, when they were chosen last. */
export const readLivePlace = (): LivePlace | null => {
  const place = readKept()?.place ?? null;
  return place !== null && intervals.includes(place.interval) ? place : null;
};

export const keepLive = (settings: LiveSettings, place: LivePlace | null): void =>
  save(KEY, JSON.stringify({ settings, place }));

/** Every field of the pattern is there and of its kind; a level may be of either kind. */
function isLike(value: unknown, pattern: unknown): boolean {
  if (pattern === null) return true;
  if (Array.isArray(pattern)) return Array.isArray(value);
  if (typeof pattern !== 'object') return typeof value === typeof pattern;
  if (typeof value !== 'object' || value === null) return false;
  const fields = value as Record<string, unknown>;
  if ('mode' in pattern && ('multiple' in pattern || 'fraction' in pattern))
    return fields['mode'] === 'atr' ? typeof fields['multiple'] === 'number' : typeof fields['fraction'] === 'number';
  return Object.entries(pattern).every(([name, like]) => isLike(fields[name], like));
}
