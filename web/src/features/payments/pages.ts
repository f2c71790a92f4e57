export const paymentsPages = [
  { id: 'history', label: 'History' },
  { id: 'methods', label: 'Methods' },
] as const;

export type PaymentsPageId = (typeof paymentsPages)[number]['id'];

export const pageOf = (saved: string | undefined): PaymentsPageId =>
  paymentsPages.find(({ id }) => id === saved)?.id ?? 'history';
