import { intervalMs, type IntervalName, intervals } from '@sextant/engine-as/abi/intervals.ts';
import { useSnapshot } from 'valtio';
import { draft, runState } from '../backtestState.ts';
import { checkRules, type CheckedRules } from './ownRules.ts';

interface Candles {
  source: 'exchange' | 'csv';
  intervalMs: number;
}

/** Candles that decide: those of the setup, or of the file that is loaded. */
function intervalOfForm(
  form: Pick<typeof draft, 'source' | 'interval'>,
  loaded: Readonly<Candles> | null,
): IntervalName {
  const ofFile = form.source === 'csv' && loaded?.source === 'csv' ? loaded.intervalMs : undefined;
  return intervals.find((name) => intervalMs[name] === ofFile) ?? form.interval;
}

/** False while the form has own rules with an error. */
export const isRunnable = (): boolean =>
  draft.strategy !== 'own' || checkRules(draft.rules.text, intervalOfForm(draft, runState.loaded)).ok;

/** Text of the own rules in the form, compiled for its candles. */
export function useRulesText(): { text: string; interval: IntervalName; checked: CheckedRules } {
  const form = useSnapshot(draft);
  const { loaded } = useSnapshot(runState);
  const { text } = form.rules;
  const interval = intervalOfForm(form, loaded);
  return { text, interval, checked: checkRules(text, interval) };
}

export const setText = (text: string): void => {
  draft.rules.text = text;
};
