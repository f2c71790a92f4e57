import type { TabId } from '../../../api/types.ts';

/** `g` and then one of these goes to a tab. */
export const goKeys: Partial<Record<TabId, string>> = {
  dashboard: 'd',
  signals: 's',
  auto: 'a',
  backtest: 'b',
  arb: 'r',
  profile: 'p',
  funds: 'f',
  news: 'n',
  help: 'h',
  vision: 'v',
  settings: 't',
  payments: 'y',
  'api-manager': 'k',
  'api-docs': 'o',
  account: 'c',
};

export interface KeyPress {
  key: string;
  isCommand: boolean;
  /** Whether the key goes into a field that takes text. */
  isTyping: boolean;
}

export type ShortcutStep =
  { kind: 'none' } | { kind: 'awaitGo' } | { kind: 'palette' } | { kind: 'shortcuts' } | { kind: 'tab'; id: TabId };

/**
 * What a key press means.
 * @param isGo whether `g` was the key before, a moment ago
 */
export function shortcutOf({ key, isCommand, isTyping }: KeyPress, isGo: boolean): ShortcutStep {
  if (isCommand) return { kind: key.toLowerCase() === 'k' ? 'palette' : 'none' };
  if (isTyping) return { kind: 'none' };
  if (key === '?') return { kind: 'shortcuts' };
  if (isGo) {
    const found = Object.entries(goKeys).find(([, goKey]) => goKey === key.toLowerCase());
    return found === undefined ? { kind: 'none' } : { kind: 'tab', id: found[0] as TabId };
  }
  return { kind: key === 'g' ? 'awaitGo' : 'none' };
}
