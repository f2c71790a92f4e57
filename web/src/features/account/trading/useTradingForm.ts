import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useSnapshot } from 'valtio';
import { ApiFailure } from '../../../api/failure.ts';
import { fetchPreferences, savePreferences } from '../../../api/preferences.ts';
import { queryKeys } from '../../../api/queryKeys.ts';
import type { Preferences } from '../../../api/types.ts';
import { toast } from '../../../state/toasts.ts';
import { changeOf, cleaned, formOf, isDirty, type TradingErrors, type TradingForm, validate } from './tradingForm.ts';
import { tradingState } from './tradingState.ts';

/** Takes over what the server has; a draft of the user's stays. */
function takeSaved(preferences: Preferences): void {
  const saved = formOf(preferences);
  const { draft, saved: before } = tradingState;
  const isTouched = draft !== null && before !== null && isDirty(draft, before);
  tradingState.saved = saved;
  if (!isTouched) tradingState.draft = { ...saved };
}

/** The browser asks before it closes a page with unsaved changes. */
function useLeaveGuard(isActive: boolean): void {
  useEffect(() => {
    if (!isActive) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isActive]);
}

export function useTradingForm() {
  const queryClient = useQueryClient();
  const [errors, setErrors] = useState<TradingErrors>({});
  const { draft, saved } = useSnapshot(tradingState);
  const preferences = useQuery({ queryKey: queryKeys.preferences, queryFn: fetchPreferences, staleTime: Infinity });
  useEffect(() => {
    if (preferences.data != null) takeSaved(preferences.data);
  }, [preferences.data]);
  const isUnsaved = draft !== null && saved !== null && isDirty(draft, saved);
  useLeaveGuard(isUnsaved);

  const save = useMutation({
    mutationFn: savePreferences,
    onSuccess: (answer) => {
      tradingState.saved = formOf(answer);
      tradingState.draft = formOf(answer);
      queryClient.setQueryData(queryKeys.preferences, answer);
      toast('Trading preferences saved!', 'success');
    },
    onError: (failure) => {
      if (failure instanceof ApiFailure && failure.field !== undefined) setErrors({ [failure.field]: failure.message });
      toast('Failed to save preferences', 'error');
    },
  });
  return {
    draft,
    errors,
    isUnsaved,
    isSaving: save.isPending,
    /** Nothing is there to be shown: it is still loading, or it could not be read. */
    failure: draft === null ? preferences.error : null,
    reload: () => void preferences.refetch(),
    edit: (change: Partial<TradingForm>) => {
      if (tradingState.draft === null) return;
      Object.assign(tradingState.draft, change);
      setErrors({});
    },
    discard: () => {
      if (tradingState.saved !== null) tradingState.draft = { ...tradingState.saved };
      setErrors({});
    },
    submit: () => {
      if (tradingState.draft === null || tradingState.saved === null) return;
      const found = validate(tradingState.draft);
      setErrors(found);
      if (Object.keys(found).length > 0) return;
      save.mutate(changeOf(cleaned(tradingState.draft), tradingState.saved));
    },
  };
}
