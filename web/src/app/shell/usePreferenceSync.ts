import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { subscribeKey } from 'valtio/utils';
import { isUnreachable } from '../../api/failure.ts';
import { fetchPreferences, savePreferences } from '../../data/preferences.ts';
import { queryKeys } from '../../api/queryKeys.ts';
import type { Preferences, PreferencesChange } from '../../api/types.ts';
import { navigation, restorePlace } from '../../state/navigation.ts';
import { save } from '../../state/storage.ts';
import { type Palette, setPalette, setTheme, type Theme, themeState } from '../../state/theme.ts';
import { setTimeZone, type TimeZone, timeZoneState } from '../../state/timeZone.ts';
import { toast } from '../../state/toasts.ts';
import { createUnsaved } from '../../state/unsaved.ts';
import { tabFor } from './tabs.ts';
import { storeResponse } from '../../api/storeResponse.ts';

/** How the product is shown, by the names of the preferences. */
export interface Display {
  theme: Theme;
  palette: Palette;
  time_zone: TimeZone;
}
type Saved = Pick<Preferences, keyof Display>;

/** Display settings to show: the account's choice where there is one, else this browser's. */
export const shownOf = (saved: Saved, browser: Display): Display => ({
  theme: saved.theme ?? browser.theme,
  palette: saved.palette ?? browser.palette,
  time_zone: saved.time_zone ?? browser.time_zone,
});

/** Changes to save: values the user just changed and the account lacks. Defaults are not saved as choices. */
export function displayChange(saved: Saved, before: Display, shown: Display): PreferencesChange {
  const isNew = (key: keyof Display) => shown[key] !== before[key] && shown[key] !== saved[key];
  return {
    ...(isNew('theme') ? { theme: shown.theme } : {}),
    ...(isNew('palette') ? { palette: shown.palette } : {}),
    ...(isNew('time_zone') ? { time_zone: shown.time_zone } : {}),
  };
}

const current = (): Display => ({ ...themeState.current, time_zone: timeZoneState.current.zone });

function show({ theme, palette, time_zone: zone }: Display): void {
  const shown = current();
  if (theme !== shown.theme) setTheme(theme);
  if (palette !== shown.palette) setPalette(palette);
  if (zone !== shown.time_zone) setTimeZone(zone);
}

/**
 * Theme, colours and time zone follow the account: a choice here is saved and applied on every other page of the user, and vice versa.
 * Before sign-in, and until the user chooses, the browser uses its own.
 */
export function useDisplaySync(): void {
  const client = useQueryClient();
  const { data: saved } = useQuery({
    queryKey: queryKeys.preferences,
    queryFn: fetchPreferences,
    staleTime: Infinity,
  });
  /** Saves in flight. An older response must not undo a newer choice. */
  const savingCount = useRef(0);

  useEffect(() => {
    if (saved != null && savingCount.current === 0) show(shownOf(saved, current()));
  }, [saved]);
  useEffect(() => {
    let before = current();
    const store = () => {
      const shown = current();
      const known = client.getQueryData<Preferences | null>(queryKeys.preferences);
      const change = known == null ? {} : displayChange(known, before, shown);
      before = shown;
      if (Object.keys(change).length === 0) return;
      savingCount.current += 1;
      savePreferences(change)
        .then((stored) => {
          savingCount.current -= 1;
          void storeResponse(client, queryKeys.preferences, stored);
        })
        .catch(() => {
          savingCount.current -= 1;
          toast('Failed to save preferences', 'error');
        });
    };
    const stops = [themeState.subscribe(store), timeZoneState.subscribe(store)];
    return () => stops.forEach((stop) => stop());
  }, [client]);
}

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
    if (saved.data !== null) restore(saved.data);
    setReady(true);
  }, [saved.data]);
  useEffect(() => startSavingMoves((saved) => void storeResponse(client, queryKeys.preferences, saved)), [client]);

  return isReady || saved.isError;
}

type Place = Pick<Preferences, 'active_tab' | 'current_page'>;
const unsavedPlace = createUnsaved<Place>('unsavedPlace');

function openPlace(): Place {
  const { activeTab, pages } = navigation;
  return { active_tab: activeTab, current_page: pages[activeTab] ?? null };
}

/** Opens the place that was not saved yet, once; its save is in flight. Otherwise the place of the account. */
function restore(saved: Place): void {
  const { active_tab: tab, current_page: page } = unsavedPlace.read() ?? saved;
  unsavedPlace.forget();
  restorePlace(tabFor(tab).id, page);
}

/** @returns ends it */
function startSavingMoves(onSaved: (preferences: Preferences) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  // Losing the open tab is not worth a message: it is saved when the network is back.
  const failed = (failure: unknown) => {
    if (isUnreachable(failure)) window.addEventListener('online', store, { once: true });
    else toast('Failed to save preferences', 'error');
  };
  const store = () => {
    clearTimeout(timer);
    timer = undefined;
    const place = openPlace();
    save('tab', place.active_tab);
    const confirm = unsavedPlace.note(place);
    savePreferences(place).then((saved) => {
      confirm();
      onSaved(saved);
    }, failed);
  };
  const storeBeforeLeaving = () => {
    if (timer !== undefined) store();
  };
  // Restoring is not a move and is not saved again.
  const stop = subscribeKey(navigation, 'moveCount', (moveCount) => {
    clearTimeout(timer);
    timer = moveCount > 0 ? setTimeout(store, SAVE_DELAY_MS) : undefined;
    if (moveCount > 0) unsavedPlace.note(openPlace());
  });
  window.addEventListener('pagehide', storeBeforeLeaving);
  return () => {
    window.removeEventListener('pagehide', storeBeforeLeaving);
    window.removeEventListener('online', store);
    clearTimeout(timer);
    stop();
  };
}
