import { useQueryClient } from '@tanstack/react-query';
import { messageOf } from '../../../api/failure.ts';
import { usePreferencesForm } from '../../../data/preferences.ts';
import { queryKeys } from '../../../api/queryKeys.ts';
import type { Preferences, PreferencesChange } from '../../../api/types.ts';
import { createDraftForm } from '../../../state/draftForm.ts';
import { toast, toastRejection } from '../../../state/toasts.ts';

/** The pages of automatic trading edit one draft; it is preserved while other tabs are open. */
export const autoForm = createDraftForm<Preferences>();

const readPreferences = (preferences: Preferences): Preferences => preferences;

/** The preferences as typed and as saved, and the ways to save them. */
export function useAutoSettings() {
  const client = useQueryClient();
  const form = usePreferencesForm({
    form: autoForm,
    readForm: readPreferences,
    onSaved: (sent) => {
      void client.invalidateQueries({ queryKey: queryKeys.positions.guards });
      toast(
        Object.hasOwn(sent, 'auto_open_enabled') ? switchText(sent) : 'Automatic trading settings saved',
        'success',
      );
    },
    onFailed: (failure) => toastRejection(messageOf(failure, 'Failed to save preferences'), failure),
  });
  return {
    ...form,
    submit: () => {
      const typed = autoForm.read();
      if (typed !== null) form.save(typed.changes);
    },
  };
}

const switchText = ({ auto_open_enabled: isOn }: PreferencesChange): string =>
  isOn === true ? 'Automatic opening is on' : 'Automatic opening is off';
