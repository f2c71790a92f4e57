import type { TabId } from '../api/types.ts';
import { navigation, type Opened, type OpenedKind, openedKinds } from './navigation.ts';
import { tabPages } from './tabPages.ts';

/** A place in the product as the query string names it. */
export interface Place {
  tab: TabId;
  /** Null: the first page of the tab. */
  page: string | null;
  opened: Partial<Opened>;
}

/** What each page can have open. */
const openedOn: Partial<Record<TabId, Record<string, readonly OpenedKind[]>>> = {
  dashboard: { overview: ['symbol'], positions: ['position'], history: ['closed'] },
  auto: { active: ['position'] },
  signals: { results: ['signal'] },
  backtest: { setup: ['run'], search: ['run'], params: ['run'], results: ['run'] },
};

const firstPages: Partial<Record<TabId, readonly { id: string }[]>> = tabPages;

function kindsOn(tab: TabId, page: string | null): readonly OpenedKind[] {
  // The order ticket opens over any page.
  return [...(openedOn[tab]?.[page ?? firstPages[tab]?.[0]?.id ?? ''] ?? []), 'ticket'];
}

const TEXT_MAX = 64;
/** Ids, symbols, and pages of help articles. Anything else is not a place. */
const readable = /^[\p{L}\p{N}_:.,/-]+$/u;

function readText(params: URLSearchParams, name: string): string | null {
  const text = params.get(name);
  return text !== null && text.length <= TEXT_MAX && readable.test(text) ? text : null;
}

/** The place in a query string; null when it names no tab. @param isTab whether a text is the id of a tab */
export function readPlace(search: string, isTab: (text: string) => text is TabId): Place | null {
  const params = new URLSearchParams(search);
  const tab = params.get('tab');
  if (tab === null || !isTab(tab)) return null;
  const page = readText(params, 'page');
  const opened: Partial<Opened> = {};
  for (const kind of kindsOn(tab, page)) {
    const id = readText(params, kind);
    if (id !== null) opened[kind] = id;
  }
  return { tab, page, opened };
}

/** Names that lead into the product once and are not part of a place. */
const readOnce = ['to', 'mode', 'back', 'transactionId', 'transactionStatus'];

/** The query string of what is on screen. Parameters of others are left as they are. @param search the present query string */
export function placeSearch(search: string): string {
  const params = new URLSearchParams(search);
  for (const name of [...readOnce, 'tab', 'page', ...openedKinds]) params.delete(name);
  const { activeTab: tab, pages, opened } = navigation;
  const page = pages[tab] ?? null;
  params.set('tab', tab);
  if (page !== null) params.set('page', page);
  for (const kind of kindsOn(tab, page)) {
    const id = opened[kind];
    if (id !== null) params.set(kind, id);
  }
  return `?${params.toString()}`;
}

/** Shows a place. What other pages have open stays as it is. */
export function showPlace({ tab, page, opened }: Place): void {
  navigation.activeTab = tab;
  navigation.pages[tab] = page ?? undefined;
  for (const kind of kindsOn(tab, page)) navigation.opened[kind] = opened[kind] ?? null;
  navigation.moveCount++;
}
