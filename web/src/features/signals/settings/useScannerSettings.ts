import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useSnapshot } from 'valtio';
import { ApiFailure, messageOf } from '../../../api/failure.ts';
import { savePreferences, usePreferences } from '../../../api/preferences.ts';
import { queryKeys } from '../../../api/queryKeys.ts';
import { toast } from '../../../state/toasts.ts';
import { scannerState } from '../scannerState.ts';
import { changeOf, cleaned, isDirty, type ScannerSettings, settingsOf, validate } from './settingsForm.ts';

export function useScannerSettings() {
  const client = useQueryClient();
  const preferences = usePreferences();
  const { draft, saved } = useSnapshot(scannerState);
  const [errors, setErrors] = useState<Partial<Record<string, string>>>({});
  useEffect(() => {
    if (preferences.data != null) takeSaved(settingsOf(preferences.data));
  }, [preferences.data]);

  const save = useMutation({
    mutationFn: savePreferences,
    onSuccess: (answer) => {
      scannerState.saved = settingsOf(answer);
      scannerState.draft = settingsOf(answer);
      client.setQueryData(queryKeys.preferences, answer);
      toast('Scanner settings saved', 'success');
    },
    onError: (failure) => {
      if (failure instanceof ApiFailure && failure.field !== undefined)
        setErrors({ [failure.field]: messageOf(failure, 'Check this value') });
      toast('Failed to save preferences', 'error');
    },
  });
  return {
    draft: draft,
    preferences: preferences.data ?? null,
    errors,
    failure: draft === null ? preferences.error : null,
    reload: () => void preferences.refetch(),
    isUnsaved: draft !== null && saved !== null && isDirty(draft, saved),
    isSaving: save.isPending,
    edit: (change: Partial<ScannerSettings>) => {
      if (scannerState.draft !== null) Object.assign(scannerState.draft, change);
      setErrors({});
    },
    discard: () => {
      scannerState.draft = structuredCloneOf(scannerState.saved);
      setErrors({});
    },
    submit: () => {
      const { draft: typed, saved: before } = scannerState;
      if (typed === null || before === null) return;
      const found = validate(typed);
      setErrors(found);
      if (Object.keys(found).length === 0) save.mutate(changeOf(cleaned(typed), before));
    },
  };
}

/** Proxies cannot be cloned as they are. */
const structuredCloneOf = (settings: ScannerSettings | null): ScannerSettings | null =>
  settings === null ? null : (JSON.parse(JSON.stringify(settings)) as ScannerSettings);

/** Takes over what the server has; a draft of the user's stays. */
function takeSaved(next: ScannerSettings): void {
  const { draft, saved } = scannerState;
  const isTouched = draft !== null && saved !== null && isDirty(draft, saved);
  scannerState.saved = next;
  if (!isTouched) scannerState.draft = structuredCloneOf(next);
}
