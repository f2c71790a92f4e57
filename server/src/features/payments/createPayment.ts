import { setTimeout as pause } from 'node:timers/promises';
import { failWith, ok, type Result } from '@sextant/workers/src/core/result.ts';
import { sql } from 'kysely';
import { databaseNowMs } from '../../platform/db/databaseNow.ts';
import { type Db, type SystemTx, withSystem } from '../../platform/db/scope.ts';
import { apiErrors, type Rejection } from '../../platform/errors.ts';
import { RejectionError } from '../../platform/http/rejectionError.ts';
import { coins } from './coins.ts';
import { INVOICE_EXPIRES_S } from './contract.ts';
import type { CoinProvider, CreatedInvoice, ProviderFailure, TransferReport } from './port.ts';
import { applyInvoice, endOrder, insertOrder, isConfirming, lockById, lockByOrder, type PaymentRow } from './record.ts';
import { type PaymentMethod, type ProviderName, termsOf } from './states.ts';

/** Orders of one account that were opened within an hour and not paid: each address costs the provider. */
export const ABANDONED_MAX = 10;
/** Longer than the call to the provider may take: a missing address is not expected after that. */
const UNDER_WAY_S = 20;
/** How long a second call waits for the address of the first, and its polling interval. */
const waitMs = 6000;
const pollMs = 200;

export interface CreateDeps {
  db: Db;
  coins: CoinProvider;
  /** Where the provider sends its notifications. */
  notifyUrl: string;
}

export interface CoinOrder {
  userId: string;
  amount: number;
  method: Exclude<PaymentMethod, 'card'>;
}

/** An error, with the provider's message if the provider rejected the order. */
interface OrderFailure {
  rejection: Rejection;
  providerDetail?: string;
}
export type CreateOutcome = Result<{ id: string; isExisting: boolean }, OrderFailure>;

interface Opened {
  payment: PaymentRow;
  isExisting: boolean;
  /** Whether the call that created it can still be running. */
  isRecent: boolean;
}

/**
 * Returns the open order of an account with this provider, or stores a new one. Serialised per account.
 * @throws `rate_limited`
 */
export async function openOrder(
  tx: SystemTx,
  order: { userId: string; amount: number; method: PaymentMethod; provider: ProviderName; expiresInS: number },
): Promise<Opened> {
  const { userId, provider, amount, method, expiresInS } = order;
  await sql`select pg_advisory_xact_lock(hashtextextended(${`payments ${userId}`}, 0))`.execute(tx);
  const open = await tx
    .selectFrom('payments')
    .selectAll()
    .select([
      sql<boolean>`expires_at <= now()`.as('isOver'),
      sql<boolean>`created_at > now() - make_interval(secs => ${UNDER_WAY_S})`.as('isRecent'),
    ])
    .where('user_id', '=', userId)
    .where('provider', '=', provider)
    .where('status', '=', 'PENDING')
    .forUpdate()
    .executeTakeFirst();
  if (open !== undefined) {
    const { isOver, isRecent, ...payment } = open;
    if (!isOver || isConfirming(payment)) return { payment, isExisting: true, isRecent };
    await endOrder(tx, payment, { kind: 'expired' });
  }
  await rejectTooMany(tx, userId);
  const payCurrency = method === 'card' ? null : coins[method].payCurrency;
  const made = { user_id: userId, tokens: amount, method, provider, pay_currency: payCurrency, expiresInS };
  const payment = await insertOrder(tx, made);
  return { payment, isExisting: false, isRecent: true };
}

async function rejectTooMany(tx: SystemTx, userId: string): Promise<void> {
  const { rows } = await sql<{ count: number; retryAfterS: number }>`
    select count(*)::int as count, ceil(extract(epoch from min(created_at) + interval '1 hour' - now()))::int as "retryAfterS"
    from payments where user_id = ${userId} and credits = 0 and created_at > now() - interval '1 hour'`.execute(tx);
  const [{ count, retryAfterS } = { count: 0, retryAfterS: 0 }] = rows;
  if (count < ABANDONED_MAX) return;
  const message = `At most ${ABANDONED_MAX} unpaid invoices an hour. Pay one or wait.`;
  throw new RejectionError({ code: 'rate_limited', message, retryAfterS: Math.max(1, retryAfterS) });
}

/** Creates an invoice, or returns the open one. The order is stored before the provider is called, which happens once per order. */
export async function createPayment(deps: CreateDeps, order: CoinOrder): Promise<CreateOutcome> {
  const request = { ...order, provider: deps.coins.name, expiresInS: INVOICE_EXPIRES_S };
  const opened = await withSystem(deps.db, (tx) => openOrder(tx, request));
  if (!opened.isExisting) return probeProvider(deps, order, opened.payment);
  const { id } = opened.payment;
  if (opened.payment.pay_address !== null) return ok({ id, isExisting: true });
  if (opened.isRecent) return waitForAddress(deps, id);
  const match = await findAtProvider(deps, opened.payment);
  if (match === 'found') return ok({ id, isExisting: true });
  if (match === 'unknown') return rejectWith('payment_unconfirmed', 30);
  // The provider has no such payment: close the order and create a new one.
  await fail(deps.db, id, 'The provider did not receive the order.');
  const again = await withSystem(deps.db, (tx) => openOrder(tx, request));
  return again.isExisting ? waitForAddress(deps, again.payment.id) : probeProvider(deps, order, again.payment);
}

async function probeProvider(
  deps: CreateDeps,
  { amount, method }: CoinOrder,
  payment: PaymentRow,
): Promise<CreateOutcome> {
  const { id, provider_order_id: orderId } = payment;
  const created = await deps.coins.create({ orderId, amountUsd: amount, method, notifyUrl: deps.notifyUrl });
  if (created.ok) {
    if (!isPayable(payment, created.value.report)) {
      await fail(deps.db, id, 'The provider returned no address for this coin.');
      return rejectWith('payment_provider_unavailable', 30);
    }
    await withSystem(deps.db, (tx) => applyInvoice(tx, id, created.value));
    return ok({ id, isExisting: false });
  }
  const failure = created.error;
  if (failure.kind !== 'unclear') {
    await fail(deps.db, id, failure.message);
    return failWith(failureOf(failure));
  }
  // The call may have created an address: check the provider's list first.
  const match = await findAtProvider(deps, payment);
  return match === 'found' ? ok({ id, isExisting: false }) : rejectWith('payment_unconfirmed', 15);
}

/** True when the order can be paid: an address and an amount in exactly the coin and network shown to the user. */
const isPayable = (payment: PaymentRow, { payAddress, payAmount, payCurrency }: TransferReport): boolean =>
  payAddress !== null && payAmount !== null && payCurrency === payment.pay_currency;

const fail = (db: Db, id: string, note: string): Promise<void> =>
  withSystem(db, async (tx) => {
    const payment = await lockById(tx, id);
    if (payment !== undefined) await endOrder(tx, payment, { kind: 'failed', note });
  });

/** Converts a failure of the provider to an API error, with the provider's message if it rejected the order. */
export function failureOf(failure: ProviderFailure): OrderFailure {
  if (failure.kind !== 'refused') {
    const retryAfterS = failure.kind === 'busy' ? failure.retryAfterS : 10;
    return { rejection: waitRejection('payment_provider_unavailable', retryAfterS) };
  }
  const { message } = failure;
  const field = failure.isBelowMinimum ? { field: 'amount' } : {};
  return { rejection: { code: 'payment_refused', message, ...field }, providerDetail: message };
}
const waitRejection = (code: Rejection['code'], retryAfterS: number): Rejection => ({
  code,
  message: apiErrors[code].title,
  retryAfterS,
});
const rejectWith = (code: Rejection['code'], retryAfterS: number): CreateOutcome =>
  failWith({ rejection: waitRejection(code, retryAfterS) });

/** Searches the provider's list for an order. `unknown`: the list cannot be read. */
export async function findAtProvider(
  deps: Pick<CreateDeps, 'db' | 'coins'>,
  payment: PaymentRow,
): Promise<'found' | 'missing' | 'unknown'> {
  const since = new Date(payment.created_at.getTime() - 60_000);
  const listed = await deps.coins.list(since);
  if (listed?.ok !== true) return 'unknown';
  const report = listed.value.find(
    ({ orderId, parentId }) => orderId === payment.provider_order_id && parentId === null,
  );
  if (report === undefined || !isPayable(payment, report)) return 'missing';
  const invoice: CreatedInvoice = { report, expiresAt: null, paymentUrl: null };
  await withSystem(deps.db, (tx) => applyInvoice(tx, payment.id, invoice));
  return 'found';
}

/** Another call of this account is creating the order: waits for its result and returns it. */
async function waitForAddress({ db }: CreateDeps, id: string): Promise<CreateOutcome> {
  for (let waitedMs = 0; waitedMs < waitMs; waitedMs += pollMs) {
    const row = await withSystem(db, (tx) =>
      tx.selectFrom('payments').select(['status', 'pay_address']).where('id', '=', id).executeTakeFirst(),
    );
    if (row?.pay_address != null) return ok({ id, isExisting: true });
    if (row?.status !== 'PENDING') return rejectWith('payment_provider_unavailable', 5);
    await pause(pollMs);
  }
  return rejectWith('payment_unconfirmed', 15);
}

/** Cancels or expires a pending order. Null when there was none; money that arrives later is still credited. */
export function cancelPayment(
  db: Db,
  { userId, orderId, reason }: { userId: string; orderId: string; reason: 'cancelled' | 'expired' },
): Promise<{ id: string; isDone: boolean } | null> {
  return withSystem(db, async (tx) => {
    const payment = await lockByOrder(tx, orderId, userId);
    if (payment === undefined) return null;
    if (
      reason === 'expired' &&
      payment.status === 'PENDING' &&
      payment.expires_at.getTime() > (await databaseNowMs(tx))
    ) {
      const message = `This invoice is open until ${payment.expires_at.toISOString()}. To close it now, send reason \`cancelled\`.`;
      throw new RejectionError({ code: 'conflict', message, field: 'reason' });
    }
    // Money is on its way: only the owner, not the countdown, may end such an order.
    if (reason === 'expired' && isConfirming(payment)) return { id: payment.id, isDone: false };
    return { id: payment.id, isDone: await endOrder(tx, payment, { kind: reason }) };
  });
}

const expiredPerSweep = 200;

/** Expires orders without an open page. Those with money on its way are passed over, however many there are. */
export async function expireOrders(db: Db, countMax = expiredPerSweep): Promise<void> {
  const due = await withSystem(db, (tx) =>
    tx
      .selectFrom('payments')
      .select('id')
      .where('status', '=', 'PENDING')
      .where('expires_at', '<=', sql<Date>`now()`)
      .where(sql<boolean>`coalesce(provider || ' ' || provider_status, '') <> all (${termsOf('confirming')})`)
      .orderBy('expires_at')
      .limit(countMax)
      .execute(),
  );
  for (const { id } of due) {
    await withSystem(db, async (tx) => {
      const payment = await lockById(tx, id);
      if (payment !== undefined && !isConfirming(payment)) await endOrder(tx, payment, { kind: 'expired' });
    });
  }
}
