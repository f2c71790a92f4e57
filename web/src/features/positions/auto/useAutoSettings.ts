import { useMutation, useQueryClient } from '@tanstack/react-query';
import { proxy, useSnapshot } from 'valtio';
import { messageOf } from '../../../api/failure.ts';
import { savePreferences, usePreferences } from '../../../api/preferences.ts';
import { queryKeys } from '../../../api/queryKeys.ts';
import type { Preferences, PreferencesChange } from '../../../api/types.ts';
import { toast } from '../../../state/toasts.ts';
import { onLeaveWithUnsaved } from '../../../state/unsavedChanges.ts';
import { onUserReset } from '../../../state/userReset.ts';

/** Settings that are typed and not saved yet, by preference. */
export const autoState = proxy<{ draft: PreferencesChange }>({ draft: {} });

onLeaveWithUnsaved(() => Object.keys(autoState.draft).length > 0);
onUserReset(() => {
  autoState.draft = {};
});

/** A change on top of what was typed before; what is as it was saved needs no saving. */
function withChange(
  draft: Readonly<PreferencesChange>,
  change: PreferencesChange,
  saved: Readonly<Preferences>,
): PreferencesChange {
  const next = { ...draft, ...change };
  return Object.fromEntries(Object.entries(next).filter(([key, value]) => saved[key as keyof Preferences] !== value));
}

/** The preferences with what is typed on top; typed values are kept while other tabs are looked at. */
export function useAutoSettings() {
  const client = useQueryClient();
  const preferences = usePreferences();
  const { draft } = useSnapshot(autoState);
  const saved = preferences.data ?? null;
  const save = useMutation({
    mutationFn: savePreferences,
    onSuccess: (answer, sent) => {
      client.setQueryData(queryKeys.preferences, answer);
      void client.invalidateQueries({ queryKey: queryKeys.positions.guards });
      // What was typed while the answer was on its way stays.
      autoState.draft = withChange(autoState.draft, {}, answer);
      toast(
        Object.hasOwn(sent, 'auto_open_enabled') ? switchText(sent) : 'Automatic trading settings saved',
        'success',
      );
    },
    onError: (failure) => toast(messageOf(failure, 'Failed to save preferences'), 'error'),
  });
  return {
    saved,
    values: saved === null ? null : { ...saved, ...draft },
    failure: saved === null ? preferences.error : null,
    reload: () => void preferences.refetch(),
    isUnsaved: Object.keys(draft).length > 0,
    isSaving: save.isPending,
    edit: (change: PreferencesChange) => {
      if (saved !== null) autoState.draft = withChange(autoState.draft, change, saved);
    },
    discard: () => (autoState.draft = {}),
    submit: () => save.mutate({ ...autoState.draft }),
    /** Saved at once, without what is typed elsewhere. */
    saveNow: save.mutate,
  };
}

const switchText = ({ auto_open_enabled: isOn }: PreferencesChange): string =>
  isOn === true ? 'Automatic opening is on' : 'Automatic opening is off';
