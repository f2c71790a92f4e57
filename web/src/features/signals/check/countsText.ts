import type { ScanSignal } from '../../../api/types.ts';

const words: [ScanSignal['ai_state'], string][] = [
  ['approved', 'approved'],
  ['online', 'not approved'],
  ['offline', 'offline'],
  ['unchecked', 'not checked'],
];

/** `3 approved, 6 not approved, 1 offline`; what there is none of is not said. */
export function countsText(signals: readonly Pick<ScanSignal, 'ai_state'>[]): string {
  const counts = words.map(([state, word]) => [signals.filter(({ ai_state }) => ai_state === state).length, word]);
  return counts
    .filter(([count]) => count !== 0)
    .map(([count, word]) => `${count} ${word}`)
    .join(', ');
}
