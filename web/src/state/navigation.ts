import { proxy } from 'valtio';
import type { TabId } from '../api/types.ts';
import { promisedPlace } from './promisedPlace.ts';
import { onUserReset } from './userReset.ts';

interface Navigation {
  activeTab: TabId;
  /** The open inner page of each tab. */
  pages: Partial<Record<TabId, string>>;
  /** Number of navigations by the user. Above 0 a saved place is not restored any more. */
  moveCount: number;
  /** A call to action promised a backtest: the first one runs when the tab opens. */
  isRunPromised: boolean;
}

/** The tab on screen and the inner page of each. The server keeps both in the preferences. */
export const navigation = proxy<Navigation>({ activeTab: 'dashboard', pages: {}, moveCount: 0, isRunPromised: false });

export function openTab(tab: TabId, page?: string): void {
  navigation.activeTab = tab;
  if (page !== undefined) navigation.pages[tab] = page;
  navigation.moveCount++;
  window.scrollTo(0, 0);
}

export function openPage(tab: TabId, page: string): void {
  navigation.pages[tab] = page;
  navigation.moveCount++;
}

/** Opens the place that a call to action named in the address, once. */
export function openPromised(): void {
  const params = new URLSearchParams(promisedPlace.search);
  promisedPlace.search = '';
  if (params.get('to') !== 'backtest') return;
  openTab('backtest', 'setup');
  navigation.isRunPromised = true;
}

/** Restores the place of the last visit, unless the user has already navigated. */
export function restorePlace(tab: TabId, page: string | null): void {
  if (navigation.moveCount > 0) return;
  navigation.activeTab = tab;
  if (page !== null) navigation.pages[tab] = page;
}

onUserReset(() => {
  navigation.activeTab = 'dashboard';
  navigation.pages = {};
  navigation.moveCount = 0;
  navigation.isRunPromised = false;
});
