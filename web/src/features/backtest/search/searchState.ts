import type { OptimizeInput, OptimizeResult, OptimizeTarget } from '@sextant/workers/src/protocolOptimize.ts';
import { proxy, ref } from 'valtio';
import type { LoadedCandles } from '../../../api/candles.ts';
import type { SavedState } from '../../../api/types.ts';
import { onUserReset } from '../../../state/userReset.ts';
import type { Before } from '../trialCounts.ts';
import type { Trials } from './trials.ts';
import { walkForwardLater } from './walkForwardState.ts';

/** A deep search is named as such and goes further. */
export const samplesRule = { min: 10, max: 1000, step: 10, decimals: 0 } as const;
export const deepSamplesRule = { min: 2000, max: 100_000, step: 1000, decimals: 0 } as const;
const SAMPLES_START = 50;
const DEEP_SAMPLES_START = 20_000;
export const SEED_MAX = 2 ** 31 - 1;

export interface SearchDraft {
  samples: number;
  deepSamples: number;
  isDeep: boolean;
  /** A deep search may run on the server, which goes on when this page is closed. */
  isOnServer: boolean;
  target: OptimizeTarget;
  seed: number;
  trainOn: 'earlier' | 'scored';
  isRefined: boolean;
  walkForward: 'off' | 'anchored' | 'rolling';
}

/** A finished search with everything that went into it. */
export interface SearchRun {
  loaded: LoadedCandles;
  input: OptimizeInput;
  result: OptimizeResult & { best: NonNullable<OptimizeResult['best']> };
  trials: Trials;
  /** What had been tried and looked at on the same candles before this search. */
  before: Before;
  ranOn: 'browser' | 'server';
  tookMs: number;
}

interface SearchState {
  status: 'idle' | 'running' | 'result' | 'error';
  progress: { done: number; total: number } | null;
  /** Candles of a long history on their way. */
  loading: { done: number; total: number } | null;
  run: SearchRun | null;
  error: string | null;
}

const startDraft = (): SearchDraft => ({
  samples: SAMPLES_START,
  deepSamples: DEEP_SAMPLES_START,
  isDeep: false,
  isOnServer: false,
  target: 'pnl',
  seed: 1,
  trainOn: 'earlier',
  isRefined: true,
  walkForward: 'anchored',
});
const startState = (): SearchState => ({ status: 'idle', progress: null, loading: null, run: null, error: null });

export const searchDraft = proxy<SearchDraft>(startDraft());
export const searchState = proxy<SearchState>(startState());

export const samplesOf = ({ isDeep, deepSamples, samples }: SearchDraft): number => (isDeep ? deepSamples : samples);

/** Puts a search on screen; its walk-forward, when it has none yet, follows a moment later. */
export function keepSearch(run: SearchRun): void {
  walkForwardLater(run);
  const kept: SearchState = { status: 'result', progress: null, loading: null, error: null, run: ref(run) };
  Object.assign(searchState, kept);
}

export function forgetSearch(): void {
  Object.assign(searchState, startState());
}

onUserReset(() => {
  Object.assign(searchDraft, startDraft());
  forgetSearch();
});

/** Puts a kept search into the form. */
export function restoreSearch(saved: NonNullable<SavedState['optimize']>): void {
  const { samples, target, seed, trainOn, refine: isRefined, walkForward } = saved;
  const isDeep = samples > samplesRule.max;
  Object.assign(searchDraft, { target, seed, trainOn, isRefined, walkForward, isDeep });
  if (isDeep) searchDraft.deepSamples = samples;
  else searchDraft.samples = samples;
}
