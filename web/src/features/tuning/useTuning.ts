import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useSnapshot } from 'valtio';
import { api, dataOf } from '../../api/client.ts';
import { messageOf } from '../../api/failure.ts';
import { fetchPreferences, savePreferences } from '../../api/preferences.ts';
import { queryKeys } from '../../api/queryKeys.ts';
import { tuningView, tuningWire } from '../../api/tuningView.ts';
import type { Tuning } from '../../api/types.ts';
import { toast } from '../../state/toasts.ts';
import { discard, isDirty, takeSaved, type TuningDraft, tuningState } from './tuningState.ts';

const SAVED = 'Signal tuning saved successfully';
const FAILED = 'Failed to save signal tuning';

interface SaveRequest {
  draft: TuningDraft;
  /** Keeps the weights under this name too. */
  saveAs?: string;
}

export function useTuning() {
  const client = useQueryClient();
  const tuning = useQuery({
    queryKey: queryKeys.tuning,
    queryFn: ({ signal }) => dataOf(api.GET('/api/tuning', { signal })),
    staleTime: 60_000,
  });
  const preferences = useQuery({ queryKey: queryKeys.preferences, queryFn: fetchPreferences, staleTime: Infinity });
  const { draft, saved } = useSnapshot(tuningState);
  const weights = tuning.data?.weights;
  const floor = preferences.data?.tuning_conf_floor;
  useEffect(() => {
    if (weights !== undefined && floor !== undefined) takeSaved({ weights: tuningView(weights), floor });
  }, [weights, floor]);

  const takeAnswer = (answer: Tuning, newFloor: number | null) => {
    client.setQueryData(queryKeys.tuning, answer);
    takeSaved({ weights: tuningView(answer.weights), floor: newFloor }, true);
  };
  const save = useMutation({
    mutationFn: async ({ draft: { weights: typed, floor: typedFloor }, saveAs }: SaveRequest) => {
      const named = saveAs === undefined ? {} : { save_as: saveAs };
      const answer = await dataOf(api.PUT('/api/tuning', { body: { weights: tuningWire(typed), ...named } }));
      if (typedFloor !== tuningState.saved?.floor)
        client.setQueryData(queryKeys.preferences, await savePreferences({ tuning_conf_floor: typedFloor }));
      takeAnswer(answer, typedFloor);
    },
    onSuccess: () => toast(SAVED, 'success'),
    onError: (failure) => {
      // Part of it may have been saved: what the server has is asked for again.
      void client.invalidateQueries({ queryKey: queryKeys.tuning });
      const why = messageOf(failure, '');
      toast(why === '' ? FAILED : `${FAILED}: ${why}`, 'error');
    },
  });
  const forget = useMutation({
    mutationFn: (id: string) => dataOf(api.DELETE('/api/tuning/versions/{id}', { params: { path: { id } } })),
    onSuccess: (answer) => client.setQueryData(queryKeys.tuning, answer),
    onError: (failure) => toast(messageOf(failure, 'The version was not deleted'), 'error'),
  });
  const isReady = draft !== null && saved !== null;
  return {
    draft: draft,
    presets: tuning.data?.presets,
    versions: tuning.data?.versions ?? [],
    failure: isReady ? null : (tuning.error ?? preferences.error),
    reload: () => void Promise.all([tuning.refetch(), preferences.refetch()]),
    isUnsaved: isReady && isDirty(draft, saved),
    isSaving: save.isPending,
    submit: () => {
      if (tuningState.draft !== null) save.mutate({ draft: tuningState.draft });
    },
    saveAs: (name: string) => {
      if (tuningState.draft !== null) save.mutate({ draft: tuningState.draft, saveAs: name });
    },
    forget: forget.mutate,
    discard,
  };
}
