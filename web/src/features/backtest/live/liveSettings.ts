import { runParameters } from '@sextant/engine-as/abi/runParameters.ts';
import {
  liveExits,
  liveRules,
  type Strategy,
  type StrategyExits,
  tunedWeights,
} from '@sextant/engine-as/abi/strategy.ts';
import { voteIds } from '@sextant/engine-as/abi/voteExports.ts';
import { isSameParameters, type VoteParameters } from '@sextant/engine-as/abi/voteParameters.ts';
import { intervalMs, type IntervalName, intervals, signalIntervals } from '@sextant/engine-as/abi/intervals.ts';
import { LIVE_RULES, strategyVersion } from '@sextant/workers/src/protocol/wire/strategy.ts';
import { readSaved, save } from '../../../state/storage.ts';
import { onUserReset } from '../../../state/userReset.ts';

/** The parts of the scanner's rules that the lab may change. */
export interface LiveSettings {
  /** The longer intervals that vote beside the base at half weight; intervals not longer are ignored. */
  longer: readonly IntervalName[];
  entryThreshold: number;
  /** Factor on the weight of each vote by id, as a signal was made with; null: the tuning of the account. */
  tuning: Record<string, number> | null;
  exits: StrategyExits;
  /** Weights that replace the scanner's. Null: the scanner's. */
  own: OwnVotes | null;
}

/** The strategy that rules were opened as: a saved one, or that of a saved run. */
export interface OpenedRules {
  name: string;
  version: string;
}

type EditedParameters = Record<string, Record<string, number>>;

/** Votes that differ from the scanner's: of a saved strategy, of a saved run, or Live rules with other weights or parameters. */
export interface OwnVotes extends OpenedRules {
  weights: Record<string, number>;
  /** Weights at opening. */
  startWeights: Record<string, number>;
  /** Parameters of its votes that are not the defaults. */
  parameters: EditedParameters;
  startParameters: EditedParameters;
  /** By interval; an interval that is not in it speaks half as loud. */
  intervalWeights: Record<string, number>;
}

export const startLive = (): LiveSettings => ({
  longer: ['1h', '4h'],
  entryThreshold: runParameters.entryThreshold.default,
  tuning: null,
  exits: structuredClone(liveExits),
  own: null,
});

/** Initial weights of rules: those at opening, or those of the scanner. */
export type StartWeights = Readonly<Record<string, number>>;

/** The editable votes of the rules; copies the scanner's when there are none yet. */
export function ownVotes(live: LiveSettings, start: StartWeights): OwnVotes {
  live.own ??= { ...noVotes(), name: LIVE_RULES, weights: { ...start }, startWeights: { ...start } };
  return live.own;
}

/** Drops the own votes of Live rules when all equal the scanner's again. */
export function dropUnchangedVotes(live: LiveSettings): void {
  if (live.own?.version !== '') return;
  const { weights, startWeights, parameters, startParameters } = live.own;
  const isStart = voteIds.every((id) => (weights[id] ?? 0) === (startWeights[id] ?? 0));
  if (isStart && isSameParameters(parameters, startParameters)) live.own = null;
}

/** The longer intervals that vote beside an interval. */
export const besideOf = (interval: IntervalName, { longer }: Pick<LiveSettings, 'longer'>): IntervalName[] =>
  intervals.filter((name) => intervalMs[name] > intervalMs[interval] && longer.includes(name));

/** Selectable longer intervals: those of the scanner, and those the rules were opened with. */
export function longerOffered(
  interval: IntervalName,
  { longer, own }: { longer: readonly IntervalName[]; own: Pick<OwnVotes, 'intervalWeights'> | null },
): IntervalName[] {
  const scanned: readonly IntervalName[] = signalIntervals;
  const isOffered = (name: IntervalName): boolean =>
    scanned.includes(name) || longer.includes(name) || own?.intervalWeights[name] !== undefined;
  return intervals.filter((name) => intervalMs[name] > intervalMs[interval] && isOffered(name));
}

/** The strategy of these settings on one interval. @param context longer intervals whose candles are loaded */
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
  const parameters = structuredClone(own.parameters);
  const isRetuned = Object.keys(parameters).length > 0;
  return { ...rules, intervals, weights: { ...own.weights }, ...(isRetuned && { parameters }) };
}

const copyOf = (parameters: VoteParameters): EditedParameters =>
  Object.fromEntries(Object.entries(parameters).map(([id, own]) => [id, { ...own }]));

/** The settings that reproduce a saved strategy, on the interval it was saved for. */
export function settingsOf(name: string, strategy: Strategy): LiveSettings {
  const { intervals, weights, parameters = {}, entryThreshold, ...exits } = strategy;
  return {
    longer: intervals.slice(1).map(({ interval }) => interval),
    entryThreshold,
    tuning: null,
    exits: structuredClone(exits),
    own: {
      name,
      version: strategyVersion(strategy),
      weights: { ...weights },
      startWeights: { ...weights },
      parameters: copyOf(parameters),
      startParameters: copyOf(parameters),
      intervalWeights: Object.fromEntries(intervals.map(({ interval, weight }) => [interval, weight])),
    },
  };
}

/**
 * The settings that reproduce the rules of a run. Live rules stay those of the scanner while its tuning gives them; with another tuning
 * they become own rules.
 * @param stored current settings: intervals not longer than the base, which a run does not name, stay selected as here
 */
export function settingsOfRun(
  strategy: Strategy,
  {
    opened,
    tuning,
    stored,
  }: { opened: OpenedRules | null; tuning: Readonly<Record<string, number>>; stored: LiveSettings },
): LiveSettings {
  const [base, ...longer] = strategy.intervals.map(({ interval }) => interval);
  const settings = settingsOf(opened?.name ?? LIVE_RULES, strategy);
  if (settings.own === null || base === undefined) return settings;
  if (opened !== null) {
    // Live rules with other weights start from those of the scanner; opened rules from what was opened.
    const { startWeights, startParameters } =
      opened.version === '' ? { startWeights: tunedWeights(tuning), startParameters: {} } : settings.own;
    return { ...settings, own: { ...settings.own, startWeights, startParameters, version: opened.version } };
  }
  const live = { ...settings, own: null };
  const again = strategyOf(live, base, { context: longer, tuning });
  if (strategyVersion(again) !== strategyVersion(strategy)) return settings;
  const isChosen = (name: IntervalName): boolean =>
    longer.includes(name) || (intervalMs[name] <= intervalMs[base] && stored.longer.includes(name));
  return { ...live, longer: intervals.filter(isChosen) };
}

const KEY = 'lab.live';
onUserReset(() => save(KEY, null));

/** The settings last stored in this browser; the defaults where there are none, or another version of this page wrote them. */
export function readLive(): LiveSettings {
  try {
    const stored = JSON.parse(readSaved(KEY) ?? 'null') as unknown;
    const before: Partial<OwnVotes> | null = (stored as LiveSettings | null)?.own ?? null;
    // Settings from before votes had parameters get the defaults.
    const own = before === null ? null : { parameters: {}, startParameters: {}, ...before };
    const isStored = isLike(stored, startLive()) && (own === null || isLike(own, noVotes()));
    return isStored ? { ...startLive(), ...(stored as LiveSettings), own: own as OwnVotes | null } : startLive();
  } catch {
    return startLive();
  }
}

const noVotes = (): OwnVotes => ({
  name: '',
  version: '',
  weights: {},
  startWeights: {},
  parameters: {},
  startParameters: {},
  intervalWeights: {},
});

export const keepLive = (settings: LiveSettings): void => save(KEY, JSON.stringify(settings));

/** Whether every field of the pattern exists with its type; a level may have either type. */
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
