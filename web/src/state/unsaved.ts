import { readSaved, save } from './storage.ts';
import { onUserReset } from './userReset.ts';

export interface Unsaved<T> {
  /** Stores a value in this browser. @returns call it when the server has the value: deletes it, unless a newer one was stored */
  note: (value: T) => () => void;
  /** The newest value that was noted and not forgotten. */
  read: () => T | null;
  forget: () => void;
}

/**
 * Changes the server has not confirmed yet. A page can be closed while a save is queued, and the next page can fetch before the server has
 * applied it.
 */
export function createUnsaved<T>(key: string): Unsaved<T> {
  const forget = (): void => save(key, null);
  onUserReset(forget);
  return {
    note(value) {
      const text = JSON.stringify(value);
      save(key, text);
      return () => {
        if (readSaved(key) === text) forget();
      };
    },
    read() {
      try {
        return JSON.parse(readSaved(key) ?? 'null') as T | null;
      } catch {
        return null;
      }
    },
    forget,
  };
}
