export const apiDocsPages = [
  { id: 'overview', label: 'Overview' },
  { id: 'authentication', label: 'Authentication' },
  { id: 'signals', label: 'Trading Signals' },
  { id: 'market', label: 'Market Data' },
  { id: 'analysis', label: 'Analysis' },
  { id: 'webhooks', label: 'Webhooks' },
  { id: 'usage', label: 'Usage & Logs' },
] as const;

export type ApiDocsPageId = (typeof apiDocsPages)[number]['id'];

export const pageOf = (saved: string | undefined): ApiDocsPageId =>
  apiDocsPages.find(({ id }) => id === saved)?.id ?? 'overview';
