import type { TuningWeights } from '@sextant/workers/src/signals/signalRules.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api, dataOf } from '../../api/client.ts';
import { messageOf } from '../../api/failure.ts';
import { savePreferences, usePreferences } from '../../data/preferences.ts';
import { queryKeys } from '../../api/queryKeys.ts';
import type { Tuning } from '../../api/types.ts';
import { createDraftForm } from '../../state/draftForm.ts';
import { toast, toastRejection } from '../../state/toasts.ts';
import { storeResponse } from '../../api/storeResponse.ts';

const SAVED = 'Signal tuning saved successfully';
const FAILED = 'Failed to save signal tuning';

interface SaveRequest {
  draft: TuningDraft;
  /** Keeps the weights under this name too. */
  saveAs?: string | undefined;
}

export function useTuning() {
  const client = useQueryClient();
  const tuning = useQuery({
    queryKey: queryKeys.tuning,
    queryFn: ({ signal }) => dataOf(api.GET('/api/tuning', { signal })),
    staleTime: 60_000,
  });
  const preferences = usePreferences();
  const { draft, isUnsaved } = tuningForm.useDraft();
  const weights = tuning.data?.weights;
  const floor = preferences.data?.tuning_conf_floor;
  useEffect(() => {
    if (weights !== undefined && floor !== undefined) tuningForm.takeSaved({ weights: tuningView(weights), floor });
  }, [weights, floor]);

  const takeResponse = async (response: Tuning, sent: TuningDraft) => {
    await storeResponse(client, queryKeys.tuning, response);
    tuningForm.takeResponse({ weights: tuningView(response.weights), floor: sent.floor }, sent);
  };
  const save = useMutation({
    mutationFn: async ({ draft: sent, saveAs }: SaveRequest) => {
      const named = saveAs === undefined ? {} : { save_as: saveAs };
      const response = await dataOf(api.PUT('/api/tuning', { body: { weights: tuningWire(sent.weights), ...named } }));
      if (sent.floor !== tuningForm.read()?.saved.floor)
        await storeResponse(client, queryKeys.preferences, await savePreferences({ tuning_conf_floor: sent.floor }));
      await takeResponse(response, sent);
    },
    onSuccess: () => toast(SAVED, 'success'),
    onError: (failure) => {
      // Part of it may have been saved: refetches the server's state.
      void client.invalidateQueries({ queryKey: queryKeys.tuning });
      const why = messageOf(failure, '');
      toast(why === '' ? FAILED : `${FAILED}: ${why}`, 'error');
    },
  });
  const forget = useMutation({
    mutationFn: (id: string) => dataOf(api.DELETE('/api/tuning/versions/{id}', { params: { path: { id } } })),
    onSuccess: (response) => storeResponse(client, queryKeys.tuning, response),
    onError: (failure) => toastRejection(messageOf(failure, 'The version was not deleted'), failure),
  });
  const submit = (saveAs?: string) => {
    const typed = tuningForm.read();
    if (typed !== null) save.mutate({ draft: typed.draft, saveAs });
  };
  return {
    draft,
    presets: tuning.data?.presets,
    versions: tuning.data?.versions ?? [],
    failure: draft === null ? (tuning.error ?? preferences.error) : null,
    reload: () => void Promise.all([tuning.refetch(), preferences.refetch()]),
    isUnsaved,
    isSaving: save.isPending,
    submit: () => submit(),
    saveAs: submit,
    forget: forget.mutate,
    discard: tuningForm.discard,
  };
}

export interface TuningDraft {
  weights: TuningView;
  /** 0.1 to 1; null is off. */
  floor: number | null;
}

export const tuningForm = createDraftForm<TuningDraft>();

export function setWeights(weights: Partial<TuningView>): void {
  const typed = tuningForm.read();
  if (typed !== null) tuningForm.edit({ weights: { ...typed.draft.weights, ...weights } });
}

/** Client names of the tuning fields, and their wire names. */
export const tuningNames = {
  adx: 'adx',
  supertrend: 'supertrend',
  emaCross: 'ema_cross',
  smaCross: 'sma_cross',
  pivot: 'pivot',
  vwap: 'vwap',
  mfi: 'mfi',
  donchian: 'donchian',
  ichAlign: 'ich_align',
  ichCloud: 'ich_cloud',
  news: 'news',
} as const satisfies Record<string, keyof TuningWeights>;

type TuningName = keyof typeof tuningNames;
/** A factor on the weight of each vote, within `tuningBounds`. */
type TuningView = Record<TuningName, number>;

export const tuningKeys = Object.keys(tuningNames) as TuningName[];

const view = (of: (name: TuningName) => number): TuningView =>
  Object.fromEntries(tuningKeys.map((name) => [name, of(name)])) as TuningView;

export const tuningView = (weights: Readonly<TuningWeights>): TuningView => view((name) => weights[tuningNames[name]]);

/** The same factor for every vote. */
export const uniformTuning = (value: number): TuningView => view(() => value);

export const tuningWire = (shown: Readonly<TuningView>): TuningWeights =>
  Object.fromEntries(tuningKeys.map((name) => [tuningNames[name], shown[name]])) as TuningWeights;
