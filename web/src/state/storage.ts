/** What one browser remembers between visits. Storage can be refused or full: then nothing is remembered, and nothing breaks. */
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
