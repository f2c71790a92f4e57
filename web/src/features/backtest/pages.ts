/** Inner pages of the tab; the left column shows the first three, the right one the result. */
export const inputPages = [
  { id: 'setup', label: 'Backtest Setup' },
  { id: 'search', label: 'Optimization' },
  { id: 'params', label: 'Strategy Parameters' },
] as const;
export const outputPages = [{ id: 'results', label: 'Results & Analytics' }] as const;
export const allPages = [...inputPages, ...outputPages] as const;

export type PageId = (typeof allPages)[number]['id'];
export type InputPageId = (typeof inputPages)[number]['id'];

export function pageOf(saved: string | undefined): PageId {
  return allPages.find((page) => page.id === saved)?.id ?? 'setup';
}
