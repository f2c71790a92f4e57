export const scannerPages = [
  { id: 'scanner', label: 'Signal Scanner' },
  { id: 'trading', label: 'Trading Settings' },
  { id: 'filters', label: 'Symbol Filters' },
  { id: 'results', label: 'Scan Results' },
] as const;

export type ScannerPageId = (typeof scannerPages)[number]['id'];

export const pageOf = (saved: string | undefined): ScannerPageId =>
  scannerPages.find(({ id }) => id === saved)?.id ?? 'scanner';
