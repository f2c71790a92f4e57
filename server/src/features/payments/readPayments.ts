import { sql } from 'kysely';
import { isUuid, type UserTx } from '../../platform/db/scope.ts';
import { parseDecimal, formatDecimal, divideDecimals } from '@sextant/workers/src/core/decimal.ts';
import type { InvoiceWire, PaymentWire } from './contract.ts';
import { coins } from './coins.ts';
import { type EventKind, nextStatuses, type PaymentMethod, type PaymentStatus, type ProviderName } from './states.ts';

const readRows = (tx: UserTx) => tx.selectFrom('payments').selectAll();
type Row = Awaited<ReturnType<ReturnType<typeof readRows>['executeTakeFirstOrThrow']>>;

const plain = (amount: string | null): string | null => (amount === null ? null : formatDecimal(parseDecimal(amount)));
const coinOf = (method: string) => (method === 'card' ? undefined : coins[method as Exclude<PaymentMethod, 'card'>]);
const transactionUrl = (method: string, hash: string | null): string | null =>
  hash === null ? null : (coinOf(method)?.transactionUrl(hash) ?? null);

function rateOf({ tokens, pay_amount: payAmount }: Row): string | null {
  if (payAmount === null) return null;
  return formatDecimal(parseDecimal(divideDecimals(parseDecimal(String(tokens)), parseDecimal(payAmount), 8)));
}

function uriOf({ method, pay_address: address, pay_amount: amount }: Row): string | null {
  if (address === null || amount === null) return null;
  return coinOf(method)?.paymentUri(address, formatDecimal(parseDecimal(amount))) ?? null;
}

export function toWire(row: Row): PaymentWire {
  const status = row.status as PaymentStatus;
  return {
    id: row.id,
    order_id: row.provider_order_id,
    payment_id: row.provider_payment_id,
    provider: row.provider as ProviderName,
    method: row.method as PaymentMethod,
    network: coinOf(row.method)?.network ?? null,
    tokens: row.tokens,
    amount_cents: row.amount_cents,
    status,
    provider_status: row.provider_status,
    next: [...nextStatuses[status]],
    credits: row.credits,
    credits_refunded: row.credits_refunded,
    note: row.note,
    pay_address: row.pay_address,
    pay_amount: plain(row.pay_amount),
    pay_currency: row.pay_currency,
    pay_memo: row.pay_memo,
    payment_uri: uriOf(row),
    payment_url: row.payment_url,
    rate_usd: rateOf(row),
    paid_amount: plain(row.paid_amount),
    transaction_hash: row.transaction_hash,
    transaction_url: transactionUrl(row.method, row.transaction_hash),
    expires_at: row.expires_at.toISOString(),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    credited_at: row.credited_at?.toISOString() ?? null,
  };
}

export function toInvoice(payment: PaymentWire, isExisting: boolean): InvoiceWire {
  return {
    payment_id: payment.payment_id,
    order_id: payment.order_id,
    pay_address: payment.pay_address,
    pay_amount: payment.pay_amount,
    pay_currency: payment.pay_currency,
    status: payment.status,
    expiresAt: payment.expires_at,
    is_existing: isExisting,
    payment,
  };
}

export async function readPayment(tx: UserTx, id: string): Promise<PaymentWire | null> {
  const row = await readRows(tx).where('id', '=', id).executeTakeFirst();
  return row === undefined ? null : toWire(row);
}

/** Finds a payment by the provider's id, or by our own. */
export async function findPayment(tx: UserTx, paymentId: string): Promise<PaymentWire | null> {
  const row = await readRows(tx)
    .where((is) =>
      is.or([is('provider_payment_id', '=', paymentId), ...(isUuid(paymentId) ? [is('id', '=', paymentId)] : [])]),
    )
    .orderBy('created_at', 'desc')
    .executeTakeFirst();
  return row === undefined ? null : toWire(row);
}

export async function readPayments(tx: UserTx, limit: number): Promise<PaymentWire[]> {
  const rows = await readRows(tx).orderBy('created_at', 'desc').orderBy('id').limit(limit).execute();
  return rows.map(toWire);
}

/** The newest payment; with `pendingHours` the newest pending one of at most that age. */
export async function readLatest(tx: UserTx, pendingHours: number | undefined): Promise<PaymentWire | null> {
  const newest = readRows(tx).orderBy('created_at', 'desc').orderBy('id').limit(1);
  const wanted =
    pendingHours === undefined
      ? newest
      : newest
          .where('status', '=', 'PENDING')
          .where('created_at', '>', sql<Date>`now() - make_interval(hours => ${pendingHours})`);
  const row = await wanted.executeTakeFirst();
  return row === undefined ? null : toWire(row);
}

export async function readEvents(tx: UserTx, { id, method }: Pick<PaymentWire, 'id' | 'method'>) {
  const rows = await tx.selectFrom('payment_events').selectAll().where('payment_id', '=', id).orderBy('seq').execute();
  return rows.map((event) => ({
    id: event.id,
    at: event.created_at.toISOString(),
    kind: event.kind as EventKind,
    status: event.status as PaymentStatus,
    provider_status: event.provider_status,
    payment_id: event.provider_payment_id,
    credits: event.credits,
    paid_amount: plain(event.paid_amount),
    pay_currency: event.pay_currency,
    transaction_hash: event.transaction_hash,
    transaction_url: transactionUrl(method, event.transaction_hash),
    note: event.note,
  }));
}

/** Time of the last use of each method. */
export async function readLastUses(tx: UserTx): Promise<ReadonlyMap<string, string>> {
  const rows = await tx
    .selectFrom('payments')
    .select(['method', (is) => is.fn.max('created_at').as('at')])
    .groupBy('method')
    .execute();
  return new Map(rows.map(({ method, at }) => [method, at.toISOString()]));
}
