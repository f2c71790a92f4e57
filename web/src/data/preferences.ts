import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { DraftForm } from '../state/draftForm.ts';
import { api, dataOf, readOrEmpty } from '../api/client.ts';
import { queryKeys } from '../api/queryKeys.ts';
import type { Preferences, PreferencesChange } from '../api/types.ts';
import { storeResponse } from '../api/storeResponse.ts';

/** Null without a session: a read turns "signed out" into nothing, only saving throws. */
export const fetchPreferences = (): Promise<Preferences | null> => readOrEmpty(api.GET('/api/preferences'), null);

/** Outlives the page that sends it: the last change is often made just before a tab is closed. @throws ApiFailure, `not_authenticated` without a session */
export function savePreferences(change: PreferencesChange): Promise<Preferences> {
  return dataOf(api.PUT('/api/preferences', { body: change, keepalive: true }));
}

/** Fetched once; every change arrives with its response or by the event stream. */
export const usePreferences = () =>
  useQuery({ queryKey: queryKeys.preferences, queryFn: fetchPreferences, staleTime: Infinity });

interface PreferencesFormOptions<Form extends object> {
  form: DraftForm<Form>;
  /** The part of the preferences that the form is about. */
  readForm: (preferences: Preferences) => Form;
  onSaved: (sent: PreferencesChange) => void;
  onFailed: (failure: Error) => void;
}

/** A settings form over the preferences: reads them, stores edits in `form`, and saves them. */
export function usePreferencesForm<Form extends object>(options: PreferencesFormOptions<Form>) {
  const { form, readForm, onSaved, onFailed } = options;
  const client = useQueryClient();
  const preferences = usePreferences();
  const { saved, draft, isUnsaved } = form.useDraft();
  useEffect(() => {
    if (preferences.data != null) form.takeSaved(readForm(preferences.data));
  }, [preferences.data, form, readForm]);
  const save = useMutation({
    mutationFn: ({ change }: { change: PreferencesChange; typed: Partial<Form> }) => savePreferences(change),
    onSuccess: async (response, { change, typed }) => {
      form.takeResponse(readForm(response), typed);
      await storeResponse(client, queryKeys.preferences, response);
      onSaved(change);
    },
    onError: onFailed,
  });
  return {
    preferences: preferences.data ?? null,
    saved,
    draft,
    isUnsaved,
    isSaving: save.isPending,
    /** Error text when there is nothing to show; null while it loads. */
    failure: draft === null ? preferences.error : null,
    reload: () => void preferences.refetch(),
    edit: form.edit,
    discard: form.discard,
    /** @param typed the fields of the draft that `change` saves, by the names of the form; `change` itself by default */
    save: (change: PreferencesChange, typed = change as Partial<Form>) => save.mutate({ change, typed }),
  };
}
