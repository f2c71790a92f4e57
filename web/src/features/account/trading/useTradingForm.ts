import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useSnapshot } from 'valtio';
import { messageOf } from '../../../api/failure.ts';
import { fetchPreferences, savePreferences } from '../../../api/preferences.ts';
import { queryKeys } from '../../../api/queryKeys.ts';
import type { Preferences } from '../../../api/types.ts';
import { toast } from '../../../state/toasts.ts';
import { changeOf, formOf, isDirty, type TradingForm } from './tradingForm.ts';
import { tradingState } from './tradingState.ts';

/** Takes over what the server has; a draft of the user's stays. */
function takeSaved(preferences: Preferences): void {
  const saved = formOf(preferences);
  const { draft, saved: before } = tradingState;
  const isTouched = draft !== null && before !== null && isDirty(draft, before);
  tradingState.saved = saved;
  if (!isTouched) tradingState.draft = { ...saved };
}

export function useTradingForm() {
  const queryClient = useQueryClient();
  const { draft, saved } = useSnapshot(tradingState);
  const preferences = useQuery({ queryKey: queryKeys.preferences, queryFn: fetchPreferences, staleTime: Infinity });
  useEffect(() => {
    if (preferences.data != null) takeSaved(preferences.data);
  }, [preferences.data]);
  const isUnsaved = draft !== null && saved !== null && isDirty(draft, saved);

  const save = useMutation({
    mutationFn: savePreferences,
    onSuccess: (answer) => {
      tradingState.saved = formOf(answer);
      tradingState.draft = formOf(answer);
      queryClient.setQueryData(queryKeys.preferences, answer);
      toast('Trading preferences saved!', 'success');
    },
    onError: (failure) => {
      const text = 'Failed to save preferences';
      const why = messageOf(failure, text);
      toast(why === text ? text : `${text}: ${why}`, 'error');
    },
  });
  return {
    draft,
    isUnsaved,
    isSaving: save.isPending,
    /** Nothing is there to be shown: it is still loading, or it could not be read. */
    failure: draft === null ? preferences.error : null,
    reload: () => void preferences.refetch(),
    edit: (change: Partial<TradingForm>) => {
      if (tradingState.draft === null) return;
      Object.assign(tradingState.draft, change);
    },
    discard: () => {
      if (tradingState.saved !== null) tradingState.draft = { ...tradingState.saved };
    },
    submit: () => {
      if (tradingState.draft === null || tradingState.saved === null) return;
      save.mutate(changeOf(tradingState.draft, tradingState.saved));
    },
  };
}
