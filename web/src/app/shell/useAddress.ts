import { useEffect } from 'react';
import { subscribe } from 'valtio';
import type { TabId } from '../../api/types.ts';
import { takeCardReturn } from '../../features/funds/fundsState.ts';
import { placeSearch, readPlace, showPlace } from '../../state/address.ts';
import { navigation } from '../../state/navigation.ts';
import { takeLinkedPlace } from '../../state/promisedPlace.ts';
import { isForAll, landingPaths } from '../paths.ts';
import { shellTabs } from './tabs.ts';

const isTab = (text: string): text is TabId => shellTabs.some(({ id }) => id === text);

/** Paths with a page of their own; the shell has every other path. */
const isElsewhere = (path: string): boolean => isForAll(path) || landingPaths.includes(path);

/** The market of the ticket; its side is not part of the place. */
const ticketMarket = (): string | null => navigation.opened.ticket?.replace(/^\w+-/, '') ?? null;

/** The ticket of the present entry of the history. */
let lastTicket: string | null = null;

/** What the user changes. A restored tab is not a move, nor is a ticket that closes: Back would open it again. */
function movesText(): string {
  const { moveCount, opened } = navigation;
  return JSON.stringify([moveCount, { ...opened, ticket: ticketMarket() ?? lastTicket }]);
}

function write(isMove: boolean): void {
  const search = placeSearch(location.search);
  if (location.pathname === '/' && search === location.search) return;
  if (isMove) history.pushState(null, '', `/${search}`);
  else history.replaceState(null, '', `/${search}`);
}

/** The place of the address, or of a link that was opened before the sign-in; once. */
function openPlaceOfAddress(): void {
  const linked = takeLinkedPlace();
  const place = readPlace(location.search, isTab) ?? readPlace(linked, isTab);
  if (place === null) return;
  showPlace(place);
  if (place.tab === 'funds') takeCardReturn(new URLSearchParams(location.search));
}

/** Back and Forward. An address without a tab, from before the sign-in, becomes that of the tab on screen. */
function followHistory(): void {
  if (isElsewhere(location.pathname)) return;
  const place = location.pathname === '/' ? readPlace(location.search, isTab) : null;
  if (place === null) write(false);
  else showPlace(place);
}

/**
 * Tab, page and what is open stand in the query string. Each move is an entry of the browser's history; Back and Forward show its place.
 * Use after the last place is restored, which gives way to a place in the address.
 * @param isRestored false: the place on screen is not final, and is not written
 */
export function useAddress(isRestored: boolean): void {
  useEffect(() => {
    openPlaceOfAddress();
    window.addEventListener('popstate', followHistory);
    return () => window.removeEventListener('popstate', followHistory);
  }, []);
  useEffect(() => {
    if (!isRestored) return undefined;
    write(false);
    lastTicket = ticketMarket();
    let moves = movesText();
    return subscribe(navigation, () => {
      const isMove = movesText() !== moves;
      lastTicket = ticketMarket();
      moves = movesText();
      if (!isElsewhere(location.pathname)) write(isMove);
    });
  }, [isRestored]);
}
