import { setOwner } from '../api/ownerId.ts';
import { clearSaved, readSaved, save } from './storage.ts';

const OWNER = 'owner';
/** Keys that belong to the browser and not to a user: appearance, time zone, and chart layouts. */
const ofBrowser = /^(?:owner|signedIn|theme|palette|timeZone|chart\..*)$/;

/**
 * Assigns the data stored in this browser to this user. Data of another user, who may have been signed in before the cookie was exchanged,
 * is deleted.
 * @returns whether there was data of another user
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

/** After a sign-out: deletes what this browser stores of the user. */
export function forgetLocalData(): void {
  clearSaved((key) => key === OWNER || !ofBrowser.test(key));
  void import('./localDatabase.ts').then(({ clearRecords }) => clearRecords()).catch(() => undefined);
}
