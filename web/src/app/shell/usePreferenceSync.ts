import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { subscribe } from 'valtio';
import { fetchPreferences, savePreferences } from '../../api/preferences.ts';
import { queryKeys } from '../../api/queryKeys.ts';
import { navigation } from '../../state/navigation.ts';
import { toast } from '../../state/toasts.ts';
import { tabFor } from './tabs.ts';

const SAVE_DELAY_MS = 800;
/** The shell opens on its default tab when the preferences take longer than this to arrive. */
const RESTORE_WAIT_MS = 1500;

/**
 * Restores the last tab and its inner page once, then saves each change a moment after it (SHELL-003, X55).
 * @returns whether the shell may show a tab: restored, or not worth waiting for any longer
 */
export function usePreferenceSync(): boolean {
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
    // A click made while waiting is newer than what was saved.
    if (!isReady && saved.data !== null) {
      const tab = tabFor(saved.data.active_tab).id;
      navigation.activeTab = tab;
      if (saved.data.current_page) navigation.pages[tab] = saved.data.current_page;
    }
    setReady(true);
  }, [saved.data, isReady]);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const store = () => {
      clearTimeout(timer);
      timer = undefined;
      const { activeTab, pages } = navigation;
      savePreferences({ active_tab: activeTab, current_page: pages[activeTab] ?? null }).catch(() =>
        toast('Failed to save preferences', 'error'),
      );
    };
    const storeBeforeLeaving = () => {
      if (timer !== undefined) store();
    };
    const stop = subscribe(navigation, () => {
      if (!isRestored.current) return;
      clearTimeout(timer);
      timer = setTimeout(store, SAVE_DELAY_MS);
    });
    window.addEventListener('pagehide', storeBeforeLeaving);
    return () => {
      window.removeEventListener('pagehide', storeBeforeLeaving);
      clearTimeout(timer);
      stop();
    };
  }, []);

  return isReady || saved.isError;
}
