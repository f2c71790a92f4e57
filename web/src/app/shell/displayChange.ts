import type { Preferences, PreferencesChange } from '../../api/types.ts';
import type { Palette, Theme } from '../../state/theme.ts';
import type { TimeZone } from '../../state/timeZone.ts';

/** How the product is shown, by the names of the preferences. */
export interface Display {
  theme: Theme;
  palette: Palette;
  time_zone: TimeZone;
}
type Saved = Pick<Preferences, keyof Display>;

/** What to show: the choice of the account where there is one, what this browser has where there is none. */
export const shownOf = (saved: Saved, browser: Display): Display => ({
  theme: saved.theme ?? browser.theme,
  palette: saved.palette ?? browser.palette,
  time_zone: saved.time_zone ?? browser.time_zone,
});

/** What to save: what somebody changed just now and the account does not have already. Nothing else becomes a choice by that. */
export function displayChange(saved: Saved, before: Display, shown: Display): PreferencesChange {
  const isNew = (key: keyof Display) => shown[key] !== before[key] && shown[key] !== saved[key];
  return {
    ...(isNew('theme') ? { theme: shown.theme } : {}),
    ...(isNew('palette') ? { palette: shown.palette } : {}),
    ...(isNew('time_zone') ? { time_zone: shown.time_zone } : {}),
  };
}
