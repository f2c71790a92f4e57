import { setOwner } from './ownerId.ts';
import { clearSaved, readSaved, save } from './storage.ts';

const OWNER = 'owner';
/** What belongs to the browser and not to a user: its look, its clock, and how charts are laid out. */
const ofBrowser = /^(?:owner|signedIn|theme|palette|timeZone|chart\..*)$/;

/**
 * Takes what this browser remembers for this user. What it remembers of another one, who may have been signed in before the cookie was
 * exchanged, is deleted.
 * @returns whether something of another user was there
 */
export function claimLocalData(userId: string): boolean {
  const before = readSaved(OWNER);
  const isOther = before !== null && before !== userId;
  if (isOther) clearSaved((key) => !ofBrowser.test(key));
  setOwner(userId);
  if (before === userId) return false;
  save(OWNER, userId);
  // Imported lazily: public pages do not need the store.
  void import('./localDatabase.ts').then(({ clearForeignRecords }) => clearForeignRecords()).catch(() => undefined);
  return isOther;
}

/** No user is signed in: records are those of a visitor. */
export function leaveLocalData(): void {
  setOwner('');
}
