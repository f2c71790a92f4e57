import { describe, expect, it } from 'vitest';
import { checkedLocales, isLocale, LOCALE, repairLanguage } from '../../src/format/locale.ts';

/** How a library uses the locale of a browser. */
const formatWith = (tags: unknown): unknown => Reflect.construct(Intl.NumberFormat, [tags]);

const hostile = [
  'en-US@posix',
  'C',
  'POSIX',
  'en_US.UTF-8',
  'en_US',
  '',
  ' ',
  'en-US ',
  'de-',
  'x'.repeat(10_000),
  'en-US\u0000',
  'ﾃ',
  '*',
  'null',
  undefined,
  null,
  7,
  {},
  ['en-US'],
] as const;

describe('a locale', () => {
  it.each(['en-US', 'de', 'zh-Hant-TW', 'de-CH-u-nu-latn', 'tlh', 'en-x-posix'])(
    '%s is one, and Intl takes it',
    (tag) => {
      expect(isLocale(tag)).toBe(true);
      expect(() => formatWith(tag)).not.toThrow();
    },
  );

  it.each(hostile.map((tag) => [tag] as const))('%j never reaches Intl', (tag) => {
    const retained = checkedLocales([tag]);
    expect(() => formatWith(retained)).not.toThrow();
    if (isLocale(tag)) expect(() => formatWith(tag)).not.toThrow();
    else expect(retained).toEqual([LOCALE]);
  });

  it('keeps the order of the ones that are left', () =>
    expect(checkedLocales(['en-US@posix', 'de-CH', 'C', 'fr'])).toEqual(['de-CH', 'fr']));

  it.each([undefined, null, 'en', 3])('of no list at all (%s) is ours', (tags) =>
    expect(checkedLocales(tags)).toEqual([LOCALE]),
  );
});

describe('what a browser reports', () => {
  const browserOf = (language: unknown, languages: unknown) =>
    ({ language, languages }) as Pick<Navigator, 'language' | 'languages'>;

  it('is left alone when it is sound', () => {
    const browser = browserOf('de-CH', ['de-CH', 'fr']);
    repairLanguage(browser);
    expect(Object.getOwnPropertyDescriptor(browser, 'language')).toHaveProperty('value', 'de-CH');
  });

  it('is repaired where Intl would throw', () => {
    const browser = browserOf('en-US@posix', ['en-US@posix', 'de']);
    repairLanguage(browser);
    expect([browser.language, browser.languages]).toEqual(['de', ['de']]);
  });

  it('is repaired when getters of a prototype report it, as in a browser', () => {
    class FakeNavigator {
      get language(): string {
        return 'en-US@posix';
      }
      get languages(): readonly string[] {
        return ['en-US@posix'];
      }
    }
    const browser = new FakeNavigator();
    repairLanguage(browser);
    expect([browser.language, browser.languages]).toEqual([LOCALE, [LOCALE]]);
  });
});
