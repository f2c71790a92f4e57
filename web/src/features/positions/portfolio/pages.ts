export const portfolioPages = [
  { id: 'overview', label: 'Overview' },
  { id: 'positions', label: 'Positions' },
  { id: 'history', label: 'History' },
  { id: 'analytics', label: 'Analytics' },
] as const;

export type PortfolioPageId = (typeof portfolioPages)[number]['id'];

export const pageOf = (saved: string | undefined): PortfolioPageId =>
  portfolioPages.find(({ id }) => id === saved)?.id ?? 'overview';
