export const fundsPages = [
  { id: 'purchase', label: 'Purchase Credits' },
  { id: 'details', label: 'Payment Details' },
  { id: 'moonpay', label: 'MoonPay' },
] as const;

export type FundsPageId = (typeof fundsPages)[number]['id'];

export const pageOf = (saved: string | undefined): FundsPageId =>
  fundsPages.find(({ id }) => id === saved)?.id ?? 'purchase';
