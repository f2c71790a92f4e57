import type { Credits } from '../api/types.ts';

type Entry = Credits['entries'][number];

/** What an entry of the ledger did to the balance. */
export const entryKinds: Record<Entry['kind'], string> = {
  grant: 'Added',
  hold: 'Set aside',
  capture: 'Spent',
  release: 'Given back',
};

/** `welcome` and `news_analysis` as people read them. */
export function reasonWords(reason: string): string {
  const words = reason.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
