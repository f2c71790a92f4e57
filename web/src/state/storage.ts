/**
 * What one browser remembers: between visits, or in this browser tab over a reload. Storage can be refused, on access already, or full:
 * then nothing is remembered, and nothing breaks.
 */
export function readSaved(key: string): string | null {
  try {
    return localStorage.getItem(`sextant.${key}`);
  } catch {
    return null;
  }
}

export function save(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(`sextant.${key}`);
    else localStorage.setItem(`sextant.${key}`, value);
  } catch {
    // See above: a choice that cannot be remembered still holds for this visit.
  }
}

export function readSavedInTab(key: string): string | null {
  try {
    return sessionStorage.getItem(`sextant.${key}`);
  } catch {
    return null;
  }
}

export function saveInTab(key: string, value: string): void {
  try {
    sessionStorage.setItem(`sextant.${key}`, value);
  } catch {
    // As above: the value then lasts until the next reload.
  }
}
