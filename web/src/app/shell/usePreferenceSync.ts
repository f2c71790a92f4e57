import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { subscribeKey } from 'valtio/utils';
import { isUnreachable } from '../../api/failure.ts';
import { fetchPreferences, savePreferences } from '../../api/preferences.ts';
import { queryKeys } from '../../api/queryKeys.ts';
import type { Preferences } from '../../api/types.ts';
import { navigation, restorePlace } from '../../state/navigation.ts';
import { toast } from '../../state/toasts.ts';
import { tabFor } from './tabs.ts';

const SAVE_DELAY_MS = 800;
/** The shell opens on its default tab when the preferences take longer than this to arrive. */
const RESTORE_WAIT_MS = 1500;

/**
 * Restores the last tab and its inner page once, then saves each move of the user a moment after it.
 * @returns whether the shell may show a tab: restored, or not worth waiting for any longer
 */
export function usePreferenceSync(): boolean {
  const client = useQueryClient();
  const saved = useQuery({ queryKey: queryKeys.preferences, queryFn: fetchPreferences, staleTime: Infinity });
  const [isReady, setReady] = useState(false);
  const isRestored = useRef(false);

  useEffect(() => {
    const timer = setTimeout(() => setReady(true), RESTORE_WAIT_MS);
    return () => clearTimeout(timer);
  }, []);
  useEffect(() => {
    if (saved.data === undefined || isRestored.current) return;
    isRestored.current = true;
    if (saved.data !== null) restorePlace(tabFor(saved.data.active_tab).id, saved.data.current_page);
    setReady(true);
  }, [saved.data]);
  useEffect(() => startSavingMoves((saved) => client.setQueryData(queryKeys.preferences, saved)), [client]);

  return isReady || saved.isError;
}

/** @returns ends it */
function startSavingMoves(onSaved: (preferences: Preferences) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  // Where somebody is matters little enough to wait for the network without a word.
  const failed = (failure: unknown) => {
    if (isUnreachable(failure)) window.addEventListener('online', store, { once: true });
    else toast('Failed to save preferences', 'error');
  };
  const store = () => {
    clearTimeout(timer);
    timer = undefined;
    const { activeTab, pages } = navigation;
    savePreferences({ active_tab: activeTab, current_page: pages[activeTab] ?? null }).then(onSaved, failed);
  };
  const storeBeforeLeaving = () => {
    if (timer !== undefined) store();
  };
  // Restoring is no move: it is not saved again.
  const stop = subscribeKey(navigation, 'moveCount', (moveCount) => {
    clearTimeout(timer);
    timer = moveCount > 0 ? setTimeout(store, SAVE_DELAY_MS) : undefined;
  });
  window.addEventListener('pagehide', storeBeforeLeaving);
  return () => {
    window.removeEventListener('pagehide', storeBeforeLeaving);
    window.removeEventListener('online', store);
    clearTimeout(timer);
    stop();
  };
}
