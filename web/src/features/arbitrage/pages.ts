export const arbitragePages = [
  { id: 'scanner', label: 'Scanner' },
  { id: 'results', label: 'Results' },
  { id: 'analytics', label: 'Analytics' },
] as const;

export type ArbitragePageId = (typeof arbitragePages)[number]['id'];

export const pageOf = (saved: string | undefined): ArbitragePageId =>
  arbitragePages.find(({ id }) => id === saved)?.id ?? 'scanner';
