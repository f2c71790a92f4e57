const PREFIX = 'sextant.';

/**
 * Browser storage, between visits or in this browser tab across reloads. Storage can be denied, even on access, or full: then nothing is
 * stored, and nothing breaks.
 */
export function readSaved(key: string): string | null {
  try {
    return localStorage.getItem(PREFIX + key);
  } catch {
    return null;
  }
}

/** Deletes every key of this product that `isForgotten`. */
export function clearSaved(isForgotten: (key: string) => boolean): void {
  try {
    const keys = Array.from({ length: localStorage.length }, (_, at) => localStorage.key(at) ?? '');
    for (const key of keys)
      if (key.startsWith(PREFIX) && isForgotten(key.slice(PREFIX.length))) localStorage.removeItem(key);
  } catch {
    // Storage is denied: there is nothing to delete.
  }
}

export function save(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(PREFIX + key);
    else localStorage.setItem(PREFIX + key, value);
  } catch {
    // See above: a choice that cannot be remembered still holds for this visit.
  }
}

export function readSavedInTab(key: string): string | null {
  try {
    return sessionStorage.getItem(PREFIX + key);
  } catch {
    return null;
  }
}

export function saveInTab(key: string, value: string): void {
  try {
    sessionStorage.setItem(PREFIX + key, value);
  } catch {
    // As above: the value then lasts until the next reload.
  }
}
