import { describe, expect, it } from 'vitest';
import { type Display, displayChange, shownOf } from '../../../src/app/shell/usePreferenceSync.ts';

const browser: Display = { theme: 'dark', palette: 'green-red', time_zone: 'local' };
const nothing = { theme: null, palette: null, time_zone: null };

describe('how the product is shown', () => {
  it('follows the account, and the browser where nothing was chosen', () => {
    expect(shownOf({ ...nothing, theme: 'light' }, browser)).toEqual({ ...browser, theme: 'light' });
    expect(shownOf(nothing, browser)).toEqual(browser);
  });

  it('saves what was changed, and makes no choice of what was not', () =>
    expect(displayChange(nothing, browser, { ...browser, time_zone: 'utc' })).toEqual({ time_zone: 'utc' }));

  it('does not send back what came from the account', () => {
    const saved = { ...nothing, theme: 'light' } as const;
    expect(displayChange(saved, browser, shownOf(saved, browser))).toEqual({});
  });
});
