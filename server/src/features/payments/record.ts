import type { Insertable, Selectable } from 'kysely';
import { sql } from 'kysely';
import type { DB } from '@sextant/db/src/schema.gen.ts';
import { isUuid, type SystemTx } from '../../platform/db/scope.ts';
import { notifyUser } from '../../platform/events/notify.ts';
import { addOwed, grant, settleOwed } from '../credits/ledger.ts';
import { queueForWebhooks } from '../notifications/queueNotification.ts';
import { decide, isInvoice, type NewEvent, wordToKeep } from './decideTransfer.ts';
import type { CreatedInvoice, TransferReport } from './port.ts';
import { canChange, type EventKind, type PaymentStatus, phaseOf } from './states.ts';

/**
 * The only code that changes payments. All code locks in the order transfer, payment, ledger entry, balance (docs/operations.md).
 */

export type PaymentRow = Selectable<DB['payments']>;

type FindPayment = (tx: SystemTx, where: ReturnType<typeof sql<boolean>>) => Promise<PaymentRow | undefined>;
const readPayment = (tx: SystemTx, where: ReturnType<typeof sql<boolean>>) =>
  tx.selectFrom('payments').selectAll().where(where).executeTakeFirst();
const lockPayment: FindPayment = (tx, where) =>
  tx.selectFrom('payments').selectAll().where(where).forUpdate().executeTakeFirst();

export const lockByOrder = (tx: SystemTx, orderId: string, userId: string): Promise<PaymentRow | undefined> =>
  lockPayment(tx, sql<boolean>`provider_order_id = ${orderId} and user_id = ${userId}`);
export const lockById = (tx: SystemTx, id: string): Promise<PaymentRow | undefined> =>
  lockPayment(tx, sql<boolean>`id = ${id}`);

/**
 * The payment of a report. A transfer stays with the order of its first report, whatever order a later report names, so that money is
 * never credited twice. Otherwise the payment is found by our order id, then by the payment that the transfer or its parent belongs to.
 */
export async function findReported(
  tx: SystemTx,
  { provider, orderId, parentId, transferId }: TransferReport,
  find: FindPayment = readPayment,
): Promise<PaymentRow | undefined> {
  const first = await tx
    .selectFrom('payment_events')
    .select('payment_id')
    .where('provider', '=', provider)
    .where('provider_payment_id', '=', transferId)
    .orderBy('seq')
    .limit(1)
    .executeTakeFirst();
  if (first !== undefined) return find(tx, sql<boolean>`id = ${first.payment_id}`);
  const byOrder =
    orderId !== null && isUuid(orderId)
      ? await find(tx, sql<boolean>`provider = ${provider} and provider_order_id = ${orderId}`)
      : undefined;
  if (byOrder !== undefined) return byOrder;
  for (const id of [parentId, transferId]) {
    if (id === null) continue;
    const result = await find(tx, sql<boolean>`provider = ${provider} and provider_payment_id = ${id}`);
    if (result !== undefined) return result;
  }
  return undefined;
}

type EventRow = Omit<Insertable<DB['payment_events']>, 'payment_id' | 'user_id' | 'provider' | 'kind'> & {
  kind: EventKind;
};

/** False when the same event is already stored. */
async function appendEvent(
  tx: SystemTx,
  payment: Pick<PaymentRow, 'id' | 'user_id' | 'provider'>,
  event: EventRow,
): Promise<boolean> {
  const row = { ...event, payment_id: payment.id, user_id: payment.user_id, provider: payment.provider };
  const stored = await tx
    .insertInto('payment_events')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return stored !== undefined;
}

/** Notifies every open page of the owner when the transaction commits. */
const notifyOwner = (
  tx: SystemTx,
  { id, user_id: userId }: Pick<PaymentRow, 'id' | 'user_id'>,
  status: PaymentStatus,
): Promise<void> => notifyUser(tx, userId, 'payments', { payment_id: id, status });

/** Fields of a new order. */
export type NewOrder = Pick<
  Insertable<DB['payments']>,
  'user_id' | 'tokens' | 'method' | 'provider' | 'pay_currency'
> & {
  expiresInS: number;
};

/** Stores an order before the provider is called. */
export async function insertOrder(tx: SystemTx, { expiresInS, ...order }: NewOrder): Promise<PaymentRow> {
  const payment = await tx
    .insertInto('payments')
    .values({
      ...order,
      amount_cents: order.tokens * 100,
      expires_at: sql<Date>`now() + make_interval(secs => ${expiresInS})`,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await appendEvent(tx, payment, { kind: 'created', status: 'PENDING', idempotency_key: 'created' });
  await notifyOwner(tx, payment, 'PENDING');
  return payment;
}

/** Longer than a provider keeps an invoice open: a later expiry is an error. */
const INVOICE_EXPIRES_MAX_S = 24 * 3600;
const isBelievable = (end: Date): boolean => {
  const leftMs = end.getTime() - Date.now();
  return leftMs > 0 && leftMs <= INVOICE_EXPIRES_MAX_S * 1000;
};

/** Stores the provider's invoice of an order. Preserves the effects of a notification that came earlier. */
export async function applyInvoice(
  tx: SystemTx,
  id: string,
  { report, expiresAt, paymentUrl }: CreatedInvoice,
): Promise<void> {
  const payment = await lockById(tx, id);
  if (payment === undefined) return;
  const isNew = await appendEvent(tx, payment, {
    kind: 'invoiced',
    status: payment.status,
    provider_payment_id: report.transferId,
    provider_status: report.word,
    pay_currency: report.payCurrency,
    idempotency_key: 'invoiced',
  });
  if (!isNew) return;
  await tx
    .updateTable('payments')
    .set({
      provider_payment_id: payment.provider_payment_id ?? report.transferId,
      provider_status: wordToKeep(toStored(payment), report),
      pay_address: payment.pay_address ?? report.payAddress,
      pay_amount: payment.pay_amount ?? report.payAmount,
      pay_currency: payment.pay_currency ?? report.payCurrency,
      pay_memo: payment.pay_memo ?? report.payMemo,
      payment_url: paymentUrl,
      // The provider's expiry takes precedence over our default.
      expires_at: expiresAt !== null && isBelievable(expiresAt) ? expiresAt : payment.expires_at,
      updated_at: sql<Date>`now()`,
    })
    .where('id', '=', id)
    .execute();
  await notifyOwner(tx, payment, payment.status as PaymentStatus);
}

const toStored = (payment: PaymentRow) => ({ ...payment, status: payment.status as PaymentStatus });

export type Applied = 'new' | 'known' | 'unknown_order';

/**
 * Applies a provider's report to a payment: event, row and credits in one transaction. Idempotent.
 */
export async function applyReport(tx: SystemTx, report: TransferReport): Promise<Applied> {
  // Serialises two first reports of one transfer that name different orders.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`transfer ${report.provider} ${report.transferId}`}, 0))`.execute(
    tx,
  );
  const payment = await findReported(tx, report, lockPayment);
  if (payment === undefined) return 'unknown_order';
  const stored = await tx
    .selectFrom('payment_events')
    .select(['kind', 'provider_payment_id', 'credits'])
    .where('payment_id', '=', payment.id)
    .execute();
  const events = stored.map((event) => ({ ...event, kind: event.kind as EventKind }));
  const event = decide(toStored(payment), events, report);
  if (event === undefined) return 'known';
  const isNew = await appendEvent(tx, payment, {
    kind: event.kind,
    status: event.status,
    credits: event.credits,
    note: event.note,
    idempotency_key: event.key,
    provider_payment_id: report.transferId,
    provider_status: report.word.slice(0, 40),
    paid_amount: report.paidAmount,
    pay_currency: report.payCurrency,
    transaction_hash: report.transactionHash,
  });
  if (!isNew) return 'known';
  await project(tx, payment, report, event);
  await moveCredits(tx, payment, report, event);
  await notifyOwner(tx, payment, event.status);
  await notifyWebhooks(tx, payment, event);
  return 'new';
}

/** Credits that arrived, for the webhooks of the owner. */
async function notifyWebhooks(tx: SystemTx, payment: PaymentRow, { credits }: NewEvent): Promise<void> {
  if (credits <= 0) return;
  const { id, user_id: userId, method } = payment;
  const message = { payment_id: id, credits, credits_total: payment.credits + credits, method };
  await queueForWebhooks(tx, userId, 'payment_completed', [message]);
}

/** Updates the row from its newest event. */
async function project(tx: SystemTx, payment: PaymentRow, report: TransferReport, event: NewEvent): Promise<void> {
  if (!canChange(payment.status as PaymentStatus, event.status))
    throw new Error(`a payment does not change from ${payment.status} to ${event.status}`);
  const isOwn = isInvoice(toStored(payment), report);
  const invoice = isOwn
    ? {
        provider_payment_id: report.transferId,
        provider_status: wordToKeep(toStored(payment), report)?.slice(0, 40) ?? null,
        pay_address: payment.pay_address ?? report.payAddress,
        pay_amount: payment.pay_amount ?? report.payAmount,
        pay_currency: payment.pay_currency ?? report.payCurrency,
        paid_amount: report.paidAmount ?? payment.paid_amount,
      }
    : {};
  await tx
    .updateTable('payments')
    .set({
      ...invoice,
      status: event.status,
      credits: payment.credits + Math.max(0, event.credits),
      credits_refunded: payment.credits_refunded + Math.max(0, -event.credits),
      credited_at: event.credits > 0 ? sql<Date>`coalesce(credited_at, now())` : payment.credited_at,
      transaction_hash: report.transactionHash ?? payment.transaction_hash,
      // Crediting clears earlier warnings unless the report has a new one.
      note: event.credits > 0 ? event.note : (event.note ?? payment.note),
      updated_at: sql<Date>`now()`,
    })
    .where('id', '=', payment.id)
    .execute();
}

async function moveCredits(tx: SystemTx, payment: PaymentRow, report: TransferReport, event: NewEvent): Promise<void> {
  const { user_id: userId, id: ref } = payment;
  const { credits, note } = event;
  if (credits === 0 && event.kind !== 'refunded') return;
  if (credits < 0) await addOwed(tx, userId, -credits);
  if (credits > 0) {
    const key = `payment:${report.provider}:${event.key}`;
    const noted = note === null ? {} : { note: note.slice(0, 200) };
    const isGranted = await grant(tx, { userId, credits, reason: 'purchase', key, ref, ...noted });
    // A new event with an existing ledger entry: the ledger is inconsistent and must not be adjusted here.
    if (!isGranted) throw new Error(`payment ${ref}: ${event.key} is in the ledger without its event`);
  }
  await settleOwed(tx, userId, ref);
}

/**
 * Ends a pending order on our side. Money that arrives later is still credited.
 * @returns whether it was pending
 */
export async function endOrder(
  tx: SystemTx,
  payment: PaymentRow,
  end: { kind: 'cancelled' | 'expired' | 'failed'; note?: string },
): Promise<boolean> {
  const statuses = { cancelled: 'CANCELLED', expired: 'EXPIRED', failed: 'FAILED' } as const;
  const status = statuses[end.kind];
  if (payment.status !== 'PENDING') return false;
  const note = end.note?.slice(0, 300) ?? null;
  await appendEvent(tx, payment, { kind: end.kind, status, note, idempotency_key: `end:${end.kind}` });
  await tx
    .updateTable('payments')
    .set({ status, note: note ?? payment.note, updated_at: sql<Date>`now()` })
    .where('id', '=', payment.id)
    .execute();
  await notifyOwner(tx, payment, status);
  return true;
}

/** Whether money was seen on the network: such an order does not expire. */
export const isConfirming = ({ provider, provider_status: word }: PaymentRow): boolean =>
  word !== null && phaseOf(provider as TransferReport['provider'], word) === 'confirming';
