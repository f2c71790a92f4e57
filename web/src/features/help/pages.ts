export const helpPages = [
  { id: 'browse', label: 'Browse' },
  { id: 'search', label: 'Search' },
  { id: 'chat', label: 'Chat' },
  { id: 'categories', label: 'Categories' },
] as const;

export type HelpPageId = (typeof helpPages)[number]['id'];

export const pageOf = (saved: string | undefined): HelpPageId =>
  helpPages.find(({ id }) => id === saved)?.id ?? 'browse';
