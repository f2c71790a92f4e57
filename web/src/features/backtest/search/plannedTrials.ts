import { isRanged } from '@sextant/workers/src/rules/checked.ts';
import { useSnapshot } from 'valtio';
import { draft } from '../backtestState.ts';
import { useRulesText } from '../own/textState.ts';
import { laterCount, samplesOf, searchDraft } from './searchState.ts';

/**
 * Trials of the search in the form. @returns `drawn`: samples and up to so many refined ones; `tried`: those that can differ, which count;
 * fewer where ranges of own rules have fewer sets
 */
export function usePlannedTrials(): { drawn: number; tried: number } {
  const search = useSnapshot(searchDraft);
  const { strategy } = useSnapshot(draft);
  const { checked } = useRulesText();
  const drawn = samplesOf(search) + laterCount(search);
  if (strategy !== 'own' || !checked.ok || !checked.value.parameters.some(isRanged)) return { drawn, tried: drawn };
  return { drawn, tried: Math.min(drawn, checked.value.setCount) };
}
