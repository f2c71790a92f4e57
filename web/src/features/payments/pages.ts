export const paymentsPages = [
  { id: 'history', label: 'History' },
  { id: 'analytics', label: 'Analytics' },
  { id: 'methods', label: 'Methods' },
  { id: 'receipts', label: 'Receipts' },
] as const;

export type PaymentsPageId = (typeof paymentsPages)[number]['id'];

export const pageOf = (saved: string | undefined): PaymentsPageId =>
  paymentsPages.find(({ id }) => id === saved)?.id ?? 'history';
