import { useQuery } from '@tanstack/react-query';
import { ApiFailure } from './failure.ts';
import { api, dataOf } from './client.ts';
import { queryKeys } from './queryKeys.ts';
import type { Preferences, PreferencesChange } from './types.ts';

/** Null without a session: a read turns "signed out" into nothing, only saving throws. */
export async function fetchPreferences(): Promise<Preferences | null> {
  try {
    return await dataOf(api.GET('/api/preferences'));
  } catch (failure) {
    if (failure instanceof ApiFailure && failure.code === 'not_authenticated') return null;
    throw failure;
  }
}

/** Outlives the page that sends it: the last change is often made just before a tab is closed. @throws ApiFailure, `not_authenticated` without a session */
export function savePreferences(change: PreferencesChange): Promise<Preferences> {
  return dataOf(api.PUT('/api/preferences', { body: change, keepalive: true }));
}

/** Asked once; every change comes back with its answer or by the event stream. */
export const usePreferences = () =>
  useQuery({ queryKey: queryKeys.preferences, queryFn: fetchPreferences, staleTime: Infinity });
