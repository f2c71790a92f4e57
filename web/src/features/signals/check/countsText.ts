import { type CheckFields, isUnchecked } from '../results/signalText.ts';

const words = ['approved', 'not approved', 'passed', 'not passed', 'offline', 'not checked'] as const;

function wordOf(signal: CheckFields): (typeof words)[number] {
  if (isUnchecked(signal)) return 'not checked';
  if (signal.rule_check !== null) return signal.rule_check === 'passed' ? 'passed' : 'not passed';
  if (signal.ai_state === 'offline') return 'offline';
  return signal.ai_state === 'approved' ? 'approved' : 'not approved';
}

/** `3 approved, 6 not approved, 1 offline`; what there is none of is not said. */
export function countsText(signals: readonly CheckFields[]): string {
  const found = Object.groupBy(signals, wordOf);
  return words.flatMap((word) => (found[word] === undefined ? [] : `${found[word].length} ${word}`)).join(', ');
}
