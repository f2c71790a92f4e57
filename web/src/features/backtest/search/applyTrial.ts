import { setOf } from '@sextant/workers/src/tasks/optimize/parameters.ts';
import { unpackSet } from '@sextant/workers/src/tasks/optimize/space.ts';
import { ref } from 'valtio';
import { draft, runState } from '../backtestState.ts';
import { markOf, noteTried } from '../trialCounts.ts';
import type { SearchRun } from './searchState.ts';

/** Puts the parameters of one trial on the sliders; the live run shows what they give on the scored window. */
export function applyTrial({ trials, input, loaded, result }: SearchRun, trial: number): void {
  if (runState.loaded !== loaded) runState.loaded = ref(loaded);
  const params = unpackSet(setOf(trials.sets, trial), structuredClone(input.params));
  noteTried(markOf(loaded, result.best.scored.hashes.data), params);
  Object.assign(draft.params, params);
}

/** Sample 0 of every search is the set that was on the sliders before it. */
export const OWN_TRIAL = 0;
