import { ownValue } from '@sextant/workers/src/core/ownValue.ts';

/** Canonical statuses of a payment. The provider's terms are stored separately. */
export const paymentStatuses = ['PENDING', 'COMPLETED', 'FAILED', 'CANCELLED', 'EXPIRED', 'REFUNDED'] as const;
export type PaymentStatus = (typeof paymentStatuses)[number];

/**
 * The allowed transitions. The database has the same table in `payment_transitions`, which its trigger checks; a test compares the
 * two. The web reads it through `next` of each payment. A local cancellation or expiry never discards money that arrives later.
 */
export const nextStatuses: Readonly<Record<PaymentStatus, readonly PaymentStatus[]>> = {
  PENDING: ['COMPLETED', 'FAILED', 'CANCELLED', 'EXPIRED', 'REFUNDED'],
  COMPLETED: ['REFUNDED'],
  FAILED: ['COMPLETED', 'REFUNDED'],
  CANCELLED: ['COMPLETED', 'REFUNDED'],
  EXPIRED: ['COMPLETED', 'REFUNDED'],
  // A further transfer to the same address is a separate purchase.
  REFUNDED: ['COMPLETED'],
};

export const canChange = (from: PaymentStatus, to: PaymentStatus): boolean =>
  from === to || nextStatuses[from].includes(to);

export const methods = ['usdt', 'bnb', 'card'] as const;
export type PaymentMethod = (typeof methods)[number];
export const providers = ['nowpayments', 'moonpay'] as const;
export type ProviderName = (typeof providers)[number];

/** Every kind of event with its effect. A payment is the sum of its events. */
export const events = {
  created: 'Order stored; the provider is not yet called.',
  invoiced: 'Address received, or card widget opened.',
  seen: 'The provider waits for the money.',
  confirming: 'Money seen on the network; confirming.',
  credited: 'Full amount received; credits added.',
  late: 'Full amount received after the order was cancelled or expired; credits added.',
  partial: 'Partial amount received; its whole credits added.',
  child: 'Further transfer received; its whole credits added.',
  unmatched: 'Money received with unknown value or below one credit; nothing added.',
  refunded: 'Refunded by the provider; available credits taken back.',
  failed: 'The provider failed or rejected the payment.',
  cancelled: 'The order was cancelled.',
  expired: 'The invoice ran out.',
} as const;
export type EventKind = keyof typeof events;
export const eventKinds = Object.keys(events) as [EventKind, ...EventKind[]];

/** Events that add credits. */
export const creditingKinds = ['credited', 'late', 'partial', 'child'] as const satisfies readonly EventKind[];

/** State of a transfer, in one vocabulary for all providers. */
export type Phase = 'waiting' | 'confirming' | 'partial' | 'finished' | 'expired' | 'failed' | 'refunded' | 'unknown';

/** Terms of the providers. An unknown term is stored and changes nothing. */
const phases: Readonly<Record<ProviderName, Readonly<Record<string, Phase>>>> = {
  nowpayments: {
    waiting: 'waiting',
    confirming: 'confirming',
    confirmed: 'confirming',
    sending: 'confirming',
    partially_paid: 'partial',
    finished: 'finished',
    expired: 'expired',
    cancelled: 'expired',
    canceled: 'expired',
    failed: 'failed',
    refunded: 'refunded',
  },
  moonpay: {
    waitingPayment: 'waiting',
    waitingAuthorization: 'waiting',
    pending: 'confirming',
    completed: 'finished',
    failed: 'failed',
  },
};
export const phaseOf = (provider: ProviderName, word: string): Phase => ownValue(phases[provider], word) ?? 'unknown';

/** Terms of a phase, each behind its provider: `moonpay pending`. */
export const termsOf = (phase: Phase): string[] =>
  providers.flatMap((provider) =>
    Object.entries(phases[provider]).flatMap(([word, own]) => (own === phase ? [`${provider} ${word}`] : [])),
  );

const order: readonly Phase[] = [
  'unknown',
  'waiting',
  'confirming',
  'expired',
  'failed',
  'partial',
  'finished',
  'refunded',
];
/** Notifications come in any order: a term is replaced only by one of the same or a later phase. */
export const isLater = (before: Phase, now: Phase): boolean => order.indexOf(now) >= order.indexOf(before);
