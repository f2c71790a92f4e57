import { useState } from 'react';
import { ApiFailure, messageOf } from '../../../api/failure.ts';
import { usePreferencesForm } from '../../../api/preferences.ts';
import { findChanges } from '../../../state/draftForm.ts';
import { toast } from '../../../state/toasts.ts';
import { cleanSettings, scannerForm, type ScannerSettings, settingsOf, validate } from './settingsForm.ts';

export function useScannerSettings() {
  const [errors, setErrors] = useState<Partial<Record<string, string>>>({});
  const form = usePreferencesForm({
    form: scannerForm,
    readForm: settingsOf,
    onSaved: () => toast('Scanner settings saved', 'success'),
    onFailed: (failure) => {
      if (failure instanceof ApiFailure && failure.field !== undefined)
        setErrors({ [failure.field]: messageOf(failure, 'Check this value') });
      toast('Failed to save preferences', 'error');
    },
  });
  return {
    ...form,
    errors,
    edit: (change: Partial<ScannerSettings>) => {
      form.edit(change);
      setErrors({});
    },
    discard: () => {
      form.discard();
      setErrors({});
    },
    submit: () => {
      const typed = scannerForm.read();
      if (typed === null) return;
      const found = validate(typed.draft);
      setErrors(found);
      if (Object.keys(found).length === 0)
        form.save(findChanges(cleanSettings(typed.draft), typed.saved), typed.changes);
    },
  };
}
