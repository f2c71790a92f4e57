import type {
  NumberRange,
  OptimizeInput,
  OptimizeResult,
  OptimizeSpace,
  OptimizeTarget,
  RulesSpace,
  WalkForwardInput,
} from '@sextant/workers/src/protocol/optimize.ts';
import type { SearchMinutes } from '@sextant/workers/src/tasks/optimize/settleSearch.ts';
import {
  DEEP_SAMPLES_MAX,
  SAMPLES_MAX,
  SAMPLES_MIN,
  searchDefaults,
  walkForwardDefaults,
} from '@sextant/workers/src/protocol/wire/defaults.ts';
import { proxy, ref } from 'valtio';
import type { LoadedCandles } from '../../../api/candles.ts';
import type { SavedState } from '../../../api/types.ts';
import { onUserReset } from '../../../state/userReset.ts';
import type { Draft } from '../backtestState.ts';
import type { Before } from '../trialCounts.ts';
import type { Trials } from './trials.ts';
import { walkForwardLater } from './walkForwardState.ts';

/** A larger search is called a deep search. */
export const samplesRule = {
  min: SAMPLES_MIN,
  max: SAMPLES_MAX,
  step: 10,
  decimals: 0,
  default: searchDefaults.samples,
} as const;
export const deepSamplesRule = { min: 2000, max: DEEP_SAMPLES_MAX, step: 1000, decimals: 0, default: 20_000 } as const;
export const rangeNames = [
  'entryThreshold',
  'stopLossFraction',
  'takeProfitFraction',
  'callbackFraction',
  'stepFraction',
] as const;
export type RangeName = (typeof rangeNames)[number];
export const SEED_MAX = 2 ** 31 - 1;

export type SearchSpace = Partial<Pick<OptimizeSpace, RangeName | 'weights'>>;

/** Ranges of rules; stop, target and trailing have one per unit of measurement. */
export type RulesRangeName =
  | 'weight'
  | 'entryThreshold'
  | `${'stop' | 'target'}${'Fraction' | 'Multiple'}`
  | 'callbackFraction'
  | 'trailingMultiple';
export type RulesRanges = Partial<Record<RulesRangeName, NumberRange>> & Pick<RulesSpace, 'weights'>;

export interface SearchDraft {
  samples: number;
  deepSamples: number;
  isDeep: boolean;
  /** A deep search may run on the server, which continues when this page is closed. */
  isOnServer: boolean;
  target: OptimizeTarget;
  seed: number;
  trainOn: 'earlier' | 'scored';
  isRefined: boolean;
  /** Generations of CMA-ES after the refinement. */
  isGuided: boolean;
  /** Ranges of the user where they differ from the product's, as fractions. */
  space: SearchSpace;
  /** The same of searches over rules. */
  rulesSpace: RulesRanges;
  walkForward: 'off' | WalkForwardInput['kind'];
}

/** Why the sets of a search were compared without minute candles. */
export type WithoutMinutes = 'off' | 'file' | 'finest' | 'exchange' | 'before';

/** The minutes used by every set of a search. */
export type MinutesOfSearch =
  | { kind: 'without'; why: WithoutMinutes }
  | ({ kind: 'with' } & Omit<SearchMinutes, 'fineCandles'>);

/** A finished search with everything that went into it. */
export interface SearchRun {
  loaded: LoadedCandles;
  input: OptimizeInput;
  result: OptimizeResult & { best: NonNullable<OptimizeResult['best']> };
  trials: Trials;
  /** Earlier trials and results seen on the same candles. */
  before: Before;
  minutes: MinutesOfSearch;
  ranOn: 'browser' | 'server';
  tookMs: number;
}

/** The sliders before a set of a search was applied. */
export interface OwnSet extends Pick<Draft, 'strategy' | 'params' | 'live' | 'rules'> {
  /** `setText` of the set that replaced it. */
  appliedText: string;
}

interface SearchState {
  status: 'idle' | 'running' | 'result' | 'error';
  progress: { done: number; total: number } | null;
  /** Candles of a long history on their way. */
  loading: { done: number; total: number } | null;
  /** Candles whose minutes are loading. */
  minutes: { done: number; total: number } | null;
  run: SearchRun | null;
  error: string | null;
  /** Null while no set of the search was applied. */
  own: OwnSet | null;
}

const startDraft = (): SearchDraft => ({
  samples: samplesRule.default,
  deepSamples: deepSamplesRule.default,
  isDeep: false,
  isOnServer: false,
  target: searchDefaults.target,
  seed: searchDefaults.seed,
  trainOn: searchDefaults.trainOn,
  isRefined: searchDefaults.refine,
  isGuided: searchDefaults.guide,
  space: {},
  rulesSpace: {},
  walkForward: walkForwardDefaults.kind,
});
const startState = (): SearchState => ({
  status: 'idle',
  progress: null,
  loading: null,
  minutes: null,
  run: null,
  error: null,
  own: null,
});

/** What selects the candles of a run. */
export type SearchSetup = Pick<Draft, 'source' | 'symbol' | 'interval' | 'window' | 'range' | 'historyCount'>;

/** The newest search that ended under another setup, which stays on screen. */
export const asideState = proxy<{ search: { run: SearchRun; setup: SearchSetup } | null }>({ search: null });

export const searchDraft = proxy<SearchDraft>(startDraft());
export const searchState = proxy<SearchState>(startState());

/** The walk-forward of a search as task input; nothing when it is off. */
export const walkForwardPlan = (kind: SearchDraft['walkForward']): Pick<OptimizeInput, 'walkForward'> =>
  kind === 'off' ? {} : { walkForward: { ...walkForwardDefaults, kind } };

export const samplesOf = ({ isDeep, deepSamples, samples }: SearchDraft): number => (isDeep ? deepSamples : samples);

/** Sets of a round of refinement are shared among five leaders and four rounds. */
const REFINED_SHARES = 20;

/** Sets that the stages after the samples add. */
export function laterCount(
  search: Pick<SearchDraft, 'isDeep' | 'deepSamples' | 'samples' | 'isRefined' | 'isGuided'>,
): number {
  const samples = samplesOf(search as SearchDraft);
  if (!search.isRefined) return 0;
  return search.isGuided
    ? Math.max(samples, REFINED_SHARES)
    : REFINED_SHARES * Math.max(1, Math.floor(samples / REFINED_SHARES));
}

/** Puts a search on screen; its walk-forward, when it has none yet, follows a moment later. */
export function keepSearch(run: SearchRun): void {
  walkForwardLater(run);
  const stored: SearchState = { ...startState(), status: 'result', run: ref(run) };
  Object.assign(searchState, stored);
}

export function forgetSearch(): void {
  Object.assign(searchState, startState());
}

onUserReset(() => {
  Object.assign(searchDraft, startDraft());
  asideState.search = null;
  forgetSearch();
});

/** Puts a saved search into the form. */
export function restoreSearch(saved: NonNullable<SavedState['optimize']>): void {
  const { samples, target, seed, trainOn, refine: isRefined, walkForward } = saved;
  const isDeep = samples > samplesRule.max;
  Object.assign(searchDraft, { target, seed, trainOn, isRefined, walkForward, isDeep });
  if (isDeep) searchDraft.deepSamples = samples;
  else searchDraft.samples = samples;
}
