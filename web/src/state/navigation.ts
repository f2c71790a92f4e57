import { proxy } from 'valtio';
import type { TabId } from '../api/types.ts';
import { onUserReset } from './userReset.ts';

/** The tab on screen and, for each tab, its open inner page (X55). The server keeps both in the preferences. */
export const navigation = proxy<{ activeTab: TabId; pages: Record<string, string> }>({
  activeTab: 'dashboard',
  pages: {},
});

export function openTab(tab: TabId, page?: string): void {
  navigation.activeTab = tab;
  if (page !== undefined) navigation.pages[tab] = page;
  window.scrollTo(0, 0);
}

export function openPage(tab: TabId, page: string): void {
  navigation.pages[tab] = page;
}

onUserReset(() => {
  navigation.activeTab = 'dashboard';
  navigation.pages = {};
});
