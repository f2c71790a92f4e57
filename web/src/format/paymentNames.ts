import type { Payment } from '../api/types.ts';

type StatusTone = 'success' | 'warning' | 'error' | 'neutral';

/** All payment states, ours and those of providers, in lower case. */
const tones: Readonly<Record<string, StatusTone>> = {
  completed: 'success',
  confirmed: 'success',
  finished: 'success',
  paid: 'success',
  success: 'success',
  pending: 'warning',
  waiting: 'warning',
  confirming: 'warning',
  sending: 'warning',
  partially_paid: 'warning',
  failed: 'error',
  expired: 'error',
  cancelled: 'neutral',
  canceled: 'neutral',
  refunded: 'neutral',
};

/** Colour of a status word in any case; an unknown word is neutral. */
export const statusTone = (word: string): StatusTone => tones[word.toLowerCase()] ?? 'neutral';

const paid: ReadonlySet<string> = new Set(['finished', 'confirmed', 'completed', 'paid', 'success']);

/** Whether a status word means that the money has arrived. */
export const isPaid = (word: string): boolean => paid.has(word.toLowerCase());

export const statusToneClass: Readonly<Record<StatusTone, string>> = {
  success: 'text-up',
  warning: 'text-warn',
  error: 'text-down',
  neutral: 'text-muted',
};

/** `USDT on TRON (TRC-20)`: a coin is never named without its network. */
export const methodText = ({ method, network }: Pick<Payment, 'method' | 'network'>): string =>
  method === 'card' ? 'Card' : network === null ? method.toUpperCase() : `${method.toUpperCase()} on ${network}`;

/** `20 USDT` of the amount to send. Coins keep every digit: a rounded amount would be a partial payment. */
export const coinText = ({ method, pay_amount: amount }: Pick<Payment, 'method' | 'pay_amount'>): string =>
  amount === null ? method.toUpperCase() : `${amount} ${method.toUpperCase()}`;
