import { proxy } from 'valtio';
import type { Preferences, PreferencesChange } from '../../../api/types.ts';
import { onLeaveWithUnsaved } from '../../../state/unsavedChanges.ts';
import { onUserReset } from '../../../state/userReset.ts';

/** Settings that are typed and not saved yet, by preference. */
export const autoState = proxy<{ draft: PreferencesChange }>({ draft: {} });

onLeaveWithUnsaved(() => Object.keys(autoState.draft).length > 0);
onUserReset(() => {
  autoState.draft = {};
});

/** A change on top of what was typed before; what is as it was saved needs no saving. */
export function withChange(
  draft: Readonly<PreferencesChange>,
  change: PreferencesChange,
  saved: Readonly<Preferences>,
): PreferencesChange {
  const next = { ...draft, ...change };
  return Object.fromEntries(Object.entries(next).filter(([key, value]) => saved[key as keyof Preferences] !== value));
}
