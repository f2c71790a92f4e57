/** The product is in English: every number and date is formatted in this locale, not in the browser's. */
export const LOCALE = 'en-US';

/** Whether a tag can be passed to Intl: a BCP 47 language tag. `en-US@posix`, as Chromium reports under LANG=C, is none. */
export function isLocale(tag: unknown): tag is string {
  if (typeof tag !== 'string') return false;
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}

/** The tags Intl accepts, in order; LOCALE when none is left. */
export function checkedLocales(tags: unknown): [string, ...string[]] {
  const [first = LOCALE, ...rest] = Array.isArray(tags) ? tags.filter(isLocale) : [];
  return [first, ...rest];
}

/**
 * Replaces invalid `navigator.language` and `languages`. Libraries pass them to Intl unchecked, uPlot as soon as it loads: call this before
 * importing any of them.
 */
export function repairLanguage(browser: Pick<Navigator, 'language' | 'languages'>): void {
  // Extensions and scripts can put any value there.
  const tags: unknown[] = [browser.language, ...((browser.languages as readonly string[] | undefined) ?? [])];
  const isSound = tags.every(isLocale);
  if (isSound) return;
  const languages = Object.freeze(checkedLocales(tags));
  Object.defineProperty(browser, 'language', { configurable: true, get: () => languages[0] });
  Object.defineProperty(browser, 'languages', { configurable: true, get: () => languages });
}
