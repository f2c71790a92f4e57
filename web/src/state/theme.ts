import { save } from './storage.ts';
import { createStore } from './store.ts';

export type Theme = 'dark' | 'light';
export type Palette = 'green-red' | 'blue-orange';

// There is no document during prerendering.
const root: { dataset: DOMStringMap } = typeof document === 'undefined' ? { dataset: {} } : document.documentElement;

/** Starts from what public/theme-first.mjs decided before the first paint, so the rule exists once. */
export const themeState = createStore<{ theme: Theme; palette: Palette }>({
  theme: root.dataset.theme === 'light' ? 'light' : 'dark',
  palette: root.dataset.palette === 'blue-orange' ? 'blue-orange' : 'green-red',
});

export function setTheme(theme: Theme): void {
  themeState.set({ theme });
  root.dataset.theme = theme;
  save('theme', theme);
}

export function setPalette(palette: Palette): void {
  themeState.set({ palette });
  root.dataset.palette = palette;
  save('palette', palette);
}

export const toggleTheme = (): void => setTheme(themeState.current.theme === 'dark' ? 'light' : 'dark');

export const togglePalette = (): void =>
  setPalette(themeState.current.palette === 'green-red' ? 'blue-orange' : 'green-red');
