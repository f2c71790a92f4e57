import type { SavedState } from '../../../api/types.ts';
import { samplesRule, searchDraft } from './searchState.ts';

/** Puts a kept search into the form. */
export function restoreSearch(saved: NonNullable<SavedState['optimize']>): void {
  const { samples, target, seed, trainOn, refine: isRefined, walkForward } = saved;
  const isDeep = samples > samplesRule.max;
  Object.assign(searchDraft, { target, seed, trainOn, isRefined, walkForward, isDeep });
  if (isDeep) searchDraft.deepSamples = samples;
  else searchDraft.samples = samples;
}
