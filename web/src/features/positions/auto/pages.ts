export const autoPages = [
  { id: 'overview', label: 'Overview' },
  { id: 'trailing', label: 'Trailing Settings' },
  { id: 'active', label: 'Active Positions' },
  { id: 'performance', label: 'Performance' },
] as const;

export type AutoPageId = (typeof autoPages)[number]['id'];

export const pageOf = (saved: string | undefined): AutoPageId =>
  autoPages.find(({ id }) => id === saved)?.id ?? 'overview';
