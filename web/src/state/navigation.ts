import { proxy } from 'valtio';
import type { TabId } from '../api/types.ts';
import { promisedPlace } from './promisedPlace.ts';
import { onUserReset } from './userReset.ts';

/** What a page can have open, by the names of the query string. */
export const openedKinds = ['symbol', 'signal', 'position', 'closed', 'run', 'ticket'] as const;
export type OpenedKind = (typeof openedKinds)[number];
export type Opened = Record<OpenedKind, string | null>;

interface Navigation {
  activeTab: TabId;
  /** The open inner page of each tab. */
  pages: Partial<Record<TabId, string | undefined>>;
  /** Symbol of the chart; ids of the signal, the open position, the closed position and the saved run; market of the order ticket. */
  opened: Opened;
  /** Number of navigations by the user. Above 0 a saved place is not restored any more. */
  moveCount: number;
  /** A call to action promised a backtest: the first one runs when the tab opens. */
  isRunPromised: boolean;
}

const first = (): Navigation => ({
  activeTab: 'dashboard',
  pages: {},
  opened: { symbol: null, signal: null, position: null, closed: null, run: null, ticket: null },
  moveCount: 0,
  isRunPromised: false,
});

/**
 * The tab on screen, the inner page of each, and what is open. The address has all of it (`app/shell/useAddress.ts`), the preferences have
 * tab and page.
 */
export const navigation = proxy<Navigation>(first());

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

/** @param id null closes what is open */
export function setOpened(kind: OpenedKind, id: string | null): void {
  navigation.opened[kind] = id;
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

onUserReset(() => Object.assign(navigation, first()));
