export const apiManagerPages = [
  { id: 'current', label: 'Current' },
  { id: 'plans', label: 'Plans' },
  { id: 'usage', label: 'Usage' },
  { id: 'webhooks', label: 'Webhooks' },
] as const;

export type ApiManagerPageId = (typeof apiManagerPages)[number]['id'];

export const pageOf = (saved: string | undefined): ApiManagerPageId =>
  apiManagerPages.find(({ id }) => id === saved)?.id ?? 'current';
