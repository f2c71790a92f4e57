import {
  parseDecimal,
  formatDecimal,
  type Decimal,
  multiplyDecimals,
  divideWhole,
} from '@sextant/workers/src/core/decimal.ts';
import { coinNameOf } from './coins.ts';
import type { TransferReport } from './port.ts';
import { creditingKinds, type EventKind, isLater, type PaymentStatus, phaseOf } from './states.ts';

/** Fields of a stored payment that a decision needs. */
export interface StoredPayment {
  tokens: number;
  status: PaymentStatus;
  /** Id of the invoice at the provider; null until it is known. */
  provider_payment_id: string | null;
  provider_status: string | null;
  pay_amount: string | null;
  pay_currency: string | null;
}
export interface StoredEvent {
  kind: EventKind;
  provider_payment_id: string | null;
  credits: number;
}

/** An event to store. `key` identifies the fact: events with the same key are duplicates. */
export interface NewEvent {
  kind: EventKind;
  status: PaymentStatus;
  credits: number;
  key: string;
  note: string | null;
}

/** Larger than any purchase: a higher figure is an error of the provider and requires manual review. */
const CREDITS_MAX = 1_000_000;
const zero = parseDecimal('0');
const isPositive = ({ digits }: Decimal): boolean => digits > 0n;

const bounded = (credits: bigint): number => (credits > BigInt(CREDITS_MAX) ? 0 : Number(credits));

/** Whether the transfer is in the coin of the order. False for a report without a coin. */
const isInCoinOf = (payment: StoredPayment, report: TransferReport): boolean =>
  report.payCurrency !== null && payment.pay_currency === report.payCurrency;

/** Value by the rate of the order, for transfers in its coin. */
function valueByOrder(payment: StoredPayment, report: TransferReport): number | undefined {
  const due = parseDecimal(payment.pay_amount ?? report.payAmount ?? '0');
  const paid = parseDecimal(report.paidAmount ?? '0');
  if (!isInCoinOf(payment, report) || !isPositive(due) || !isPositive(paid)) return undefined;
  return bounded(divideWhole(multiplyDecimals(parseDecimal(String(payment.tokens)), paid), due));
}

/** Value stated by the provider. */
function valueByProvider({ paidUsd }: TransferReport): number | undefined {
  const usd = paidUsd === null ? zero : parseDecimal(paidUsd);
  return isPositive(usd) ? bounded(divideWhole(usd, parseDecimal('1'))) : undefined;
}

/**
 * Value of a transfer. The rate of the order is guaranteed for its invoice only. A further transfer may come days later, when the coin
 * is worth less: there the provider's value takes precedence.
 */
function valueOf(payment: StoredPayment, report: TransferReport): number | undefined {
  return isInvoice(payment, report)
    ? (valueByOrder(payment, report) ?? valueByProvider(report))
    : (valueByProvider(report) ?? valueByOrder(payment, report));
}

/** Whole credits a transfer is worth now. */
export function creditsOf(payment: StoredPayment, report: TransferReport): number {
  const phase = phaseOf(report.provider, report.word);
  if (phase !== 'finished' && phase !== 'partial') return 0;
  const value = valueOf(payment, report);
  const isPriced =
    report.invoiceUsd !== null &&
    divideWhole(parseDecimal(report.invoiceUsd), parseDecimal('1')) >= BigInt(payment.tokens);
  const isWhole = phase === 'finished' && isPriced && isInvoice(payment, report) && isInCoinOf(payment, report);
  // Only the provider decides when its invoice is paid, e.g. within its tolerance; an overpayment is credited too.
  return isWhole ? Math.max(payment.tokens, value ?? 0) : (value ?? 0);
}

/** Whether the report is about the invoice, not about a further transfer to its address. */
export const isInvoice = (payment: StoredPayment, { transferId, parentId }: TransferReport): boolean =>
  parentId === null && (payment.provider_payment_id ?? transferId) === transferId;

const crediting: ReadonlySet<EventKind> = new Set(creditingKinds);
const sum = (events: readonly { credits: number }[]): number =>
  events.reduce((total, { credits }) => total + credits, 0);

/** Kind of the event that adds credits. */
function creditKind(payment: StoredPayment, report: TransferReport, target: number): EventKind {
  if (!isInvoice(payment, report)) return 'child';
  if (target < payment.tokens) return 'partial';
  return payment.status === 'PENDING' || payment.status === 'COMPLETED' ? 'credited' : 'late';
}

/** Decimals shown to users, as in wallets. */
const SHOWN_DECIMALS = 8;
const shortened = (amount: string): string =>
  formatDecimal(parseDecimal(amount)).replace(new RegExp(`(\\.\\d{${SHOWN_DECIMALS}})\\d+$`), '$1');

const coinsOf = ({ paidAmount, payCurrency }: TransferReport): string =>
  paidAmount === null ? 'A transfer' : `${shortened(paidAmount)} ${coinNameOf(payCurrency ?? '')}`.trim();

const closedWords: Partial<Record<PaymentStatus, string>> = {
  CANCELLED: 'The money arrived after the payment was cancelled.',
  EXPIRED: 'The money arrived after the invoice expired.',
  FAILED: 'The money arrived after the payment failed.',
};

function noteOf(kind: EventKind, payment: StoredPayment, report: TransferReport, added: number): string | null {
  const late = closedWords[payment.status];
  const parts = {
    child: `${coinsOf(report)} arrived as a further transfer: ${added} credits added.`,
    partial: `${coinsOf(report)} arrived, less than invoiced: ${added} of ${payment.tokens} credits added.`,
    late: null,
    credited: added > payment.tokens ? `More than invoiced arrived: ${added} credits added.` : null,
    unmatched: `${coinsOf(report)} arrived, with an unknown value or below one credit. Contact support with the order id.`,
  } as Partial<Record<EventKind, string | null>>;
  const text = [parts[kind], kind === 'unmatched' ? undefined : late]
    .filter((part) => typeof part === 'string')
    .join(' ');
  return text === '' ? null : text;
}

/** Status without credits: refunded, failed or expired, for the invoice only. */
function statusWithoutCredits(payment: StoredPayment, report: TransferReport, isRefunded: boolean): PaymentStatus {
  if (isRefunded) return 'REFUNDED';
  if (payment.status !== 'PENDING' || !isInvoice(payment, report)) return payment.status;
  const phase = phaseOf(report.provider, report.word);
  if (phase === 'failed') return 'FAILED';
  return phase === 'expired' ? 'EXPIRED' : 'PENDING';
}

const plainKinds = {
  waiting: 'seen',
  unknown: 'seen',
  confirming: 'confirming',
  failed: 'failed',
  expired: 'expired',
} as const;

/**
 * The change of a payment by a report. Reports may come in any order and repeatedly; the credits do not depend on the order. Undefined
 * when nothing changes; the caller drops events whose key is already stored.
 */
export function decide(
  payment: StoredPayment,
  events: readonly StoredEvent[],
  report: TransferReport,
): NewEvent | undefined {
  const phase = phaseOf(report.provider, report.word);
  const own = events.filter((event) => event.provider_payment_id === report.transferId);
  const credited = sum(own.filter(({ kind }) => crediting.has(kind)));
  const isRefunded = own.some(({ kind }) => kind === 'refunded');
  const net = sum(events);
  const hasRefund = events.some(({ kind }) => kind === 'refunded');
  const status = net > 0 ? 'COMPLETED' : statusWithoutCredits(payment, report, hasRefund);
  const key = `word:${report.transferId}:${report.word}`;
  if (phase === 'refunded') return isRefunded ? undefined : refundOf(report, credited, net);
  if (phase !== 'finished' && phase !== 'partial')
    return { kind: plainKinds[phase], status, credits: 0, key, note: null };
  if (isRefunded) return undefined;
  const target = creditsOf(payment, report);
  if (target > credited) return creditOf(payment, report, { target, credited });
  if (credited > 0) return undefined;
  return { kind: 'unmatched', status, credits: 0, key, note: noteOf('unmatched', payment, report, 0) };
}

function creditOf(
  payment: StoredPayment,
  report: TransferReport,
  { target, credited }: { target: number; credited: number },
): NewEvent {
  const kind = creditKind(payment, report, target);
  const added = target - credited;
  const note = noteOf(kind, payment, report, added);
  return { kind, status: 'COMPLETED', credits: added, key: `credit:${report.transferId}:${target}`, note };
}

function refundOf({ transferId }: TransferReport, credited: number, net: number): NewEvent {
  const status = net - credited > 0 ? 'COMPLETED' : 'REFUNDED';
  const what = 'The provider returned the payment';
  const note = credited > 0 ? `${what}: ${credited} credits taken back.` : `${what}.`;
  return { kind: 'refunded', status, credits: credited > 0 ? -credited : 0, key: `refund:${transferId}`, note };
}

/** The provider status to store: that of the latest phase of its invoice. */
export function wordToKeep(payment: StoredPayment, report: TransferReport): string | null {
  if (!isInvoice(payment, report)) return payment.provider_status;
  const before = payment.provider_status;
  if (before === null) return report.word;
  return isLater(phaseOf(report.provider, before), phaseOf(report.provider, report.word)) ? report.word : before;
}
