import { readSavedInTab, saveInTab } from './storage.ts';

/** Where a call to action led, until the shell opens it: the address loses it when the user has signed in. */
export const promisedPlace = { search: '' };

const LINKED_KEY = 'linkedPlace';

/** Stores the query string of a link that was opened while signed out; empty: none. It survives the sign-in page. */
export const keepLinkedPlace = (search: string): void => saveInTab(LINKED_KEY, search);

/** The stored link, once. */
export function takeLinkedPlace(): string {
  const search = readSavedInTab(LINKED_KEY) ?? '';
  if (search !== '') keepLinkedPlace('');
  return search;
}
