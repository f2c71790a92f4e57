export const newsPages = [
  { id: 'feed', label: 'Live News Feed' },
  { id: 'analysis', label: 'AI Analysis' },
  { id: 'trends', label: 'Market Trends' },
  { id: 'settings', label: 'News Settings' },
] as const;

export type NewsPageId = (typeof newsPages)[number]['id'];

export const pageOf = (saved: string | undefined): NewsPageId => newsPages.find(({ id }) => id === saved)?.id ?? 'feed';
