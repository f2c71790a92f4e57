import type { DB } from '@sextant/db/src/schema.gen.ts';
import { failWith, ok } from '@sextant/workers/src/core/result.ts';
import { type InsertObject, sql } from 'kysely';
import { randomUUID } from 'node:crypto';
import { type Db, type SystemTx, withSystem } from '../../platform/db/scope.ts';
import type { Outcome } from '../../platform/errors.ts';
import { notifyUser } from '../../platform/events/notify.ts';
import { RejectionError, rejectionError } from '../../platform/http/rejectionError.ts';
import { isLeaving } from '../../platform/auth/leaving.ts';
import { queueNotification } from '../notifications/queueNotification.ts';

/**
 * The only code that writes credits. Each change inserts a row into the ledger and updates the balance in the same transaction. The row
 * comes first: a repeated key finds the first row and takes no lock on the balance. A caller that settles a hold does so before it
 * updates the row of the paid work: all code locks in the order entry, balance, work (docs/operations.md).
 */

/** Reasons of spending. */
export type PaidReason = 'scan' | 'arbitrage' | 'vision' | 'plan';
/** Reason of entries that take back the credits of a refunded payment. */
export const REFUND_REASON = 'payment_refund';
export type GrantReason = 'welcome' | 'demo' | 'purchase' | 'refund';

export interface HoldRequest {
  userId: string;
  /** Whole credits, at least 1. */
  credits: number;
  reason: PaidReason;
  /** Id of the paid work, e.g. of the scan. */
  ref: string;
  /** Idempotency key: repeated calls return the same hold. */
  key: string;
  /** An unsettled hold is released after this time. */
  expiresInS: number;
  /** The API key that spends; its monthly cap applies. */
  apiKeyId?: string | undefined;
}

export interface Hold {
  id: string;
  /** The key was used before: this is the earlier hold, and no credits were taken. */
  isReplay: boolean;
}

export interface GrantRequest {
  userId: string;
  credits: number;
  reason: GrantReason;
  key: string;
  ref?: string;
  note?: string;
}

export interface Settlement {
  /** State of the hold after the call, set by this call or an earlier one; `unknown` when the hold does not exist. */
  state: 'captured' | 'released' | 'unknown';
  /** True when this call changed the state. */
  isNew: boolean;
}

/**
 * Runs work that writes credits. An error of the ledger rolls the transaction back and is returned as a value, so that rows written
 * before it are not stored.
 */
export async function inLedger<T>(db: Db, work: (tx: SystemTx) => Promise<T>): Promise<Outcome<T>> {
  try {
    return ok(await withSystem(db, work));
  } catch (error) {
    if (error instanceof RejectionError && ledgerCodes.has(error.rejection.code)) {
      return failWith(error.rejection);
    }
    throw error;
  }
}
const ledgerCodes = new Set(['insufficient_credits', 'credits_owed', 'key_cap_reached', 'conflict', 'rate_limited']);

/**
 * Takes credits out of the balance until they are captured or released. Throws `insufficient_credits`, `credits_owed`,
 * `key_cap_reached`, or `conflict` for an account that is being deleted: use inside inLedger.
 */
export async function hold(tx: SystemTx, request: HoldRequest): Promise<Hold> {
  const { userId, credits, reason, ref, key, expiresInS, apiKeyId } = request;
  if (await isLeaving(tx, userId)) throw rejectionError('conflict', LEAVING_MESSAGE);
  const id = await append(tx, {
    user_id: userId,
    kind: 'hold',
    reason,
    ref,
    delta_credits: -wholeCredits(credits),
    idempotency_key: key,
    expires_at: sql<Date>`now() + make_interval(secs => ${expiresInS})`,
    api_key_id: apiKeyId ?? null,
  });
  if (id === undefined) return { id: await heldBefore(tx, request), isReplay: true };
  const left = await move(tx, userId, -credits);
  if (left === undefined)
    throw rejectionError((await readOwed(tx, userId)) > 0 ? 'credits_owed' : 'insufficient_credits');
  // Locks the balance, so that concurrent calls see each other's spending.
  if (apiKeyId !== undefined) await rejectOverCap(tx, apiKeyId);
  if (isLowNow(left + credits, left))
    await queueNotification(tx, userId, 'credits_low', { credits: left, ledger_id: id });
  return { id, isReplay: false };
}

const LEAVING_MESSAGE = 'Your account is being deleted. Cancel the deletion to spend credits.';

/** Converts the hold into spending. Store the paid work in the same transaction. */
export async function capture(tx: SystemTx, holdId: string): Promise<Settlement> {
  const { rows } = await sql<{ user_id: string }>`
    insert into credit_ledger (user_id, kind, reason, ref, delta_credits, idempotency_key, hold_id)
    select user_id, 'capture', reason, ref, 0, 'capture:' || id, id from credit_ledger where id = ${holdId} and kind = 'hold'
    on conflict do nothing returning user_id`.execute(tx);
  const [entry] = rows;
  if (entry === undefined) return settlementOf(tx, holdId);
  await notifyUser(tx, entry.user_id, 'credits');
  return { state: 'captured', isNew: true };
}

/** Returns the hold to the balance, with the reason shown to users. */
export async function release(tx: SystemTx, holdId: string, note: string): Promise<Settlement> {
  const { rows } = await sql<{ user_id: string; delta_credits: number }>`
    insert into credit_ledger (user_id, kind, reason, ref, delta_credits, idempotency_key, hold_id, note)
    select user_id, 'release', reason, ref, -delta_credits, 'release:' || id, id, ${note}
    from credit_ledger where id = ${holdId} and kind = 'hold'
    on conflict do nothing returning user_id, delta_credits`.execute(tx);
  const [entry] = rows;
  if (entry === undefined) return settlementOf(tx, holdId);
  await add(tx, entry.user_id, entry.delta_credits);
  return { state: 'released', isNew: true };
}

/** Returns all open holds of a user to the balance: the entries first and the balance once, the order of all code. */
export async function releaseAll(tx: SystemTx, userId: string, note: string): Promise<void> {
  const { rows } = await sql<{ delta_credits: number }>`
    insert into credit_ledger (user_id, kind, reason, ref, delta_credits, idempotency_key, hold_id, note)
    select user_id, 'release', reason, ref, -delta_credits, 'release:' || id, id, ${note}
    from credit_ledger h where user_id = ${userId} and kind = 'hold'
      and not exists (select from credit_ledger s where s.hold_id = h.id)
    order by id on conflict do nothing returning delta_credits`.execute(tx);
  const credits = rows.reduce((sum, { delta_credits: delta }) => sum + delta, 0);
  if (credits > 0) await add(tx, userId, credits);
}

/**
 * Adds credits of a refunded payment to the debt of an account. `settleOwed` takes them from the balance, and from the next credits that
 * arrive; `hold` fails until then. The caller must call it once per refund.
 */
export async function addOwed(tx: SystemTx, userId: string, credits: number): Promise<void> {
  await sql`update balances set owed_credits = owed_credits + ${wholeCredits(credits)} where user_id = ${userId}`.execute(
    tx,
  );
}

/** Pays the debt of an account from its balance, as far as possible. */
export async function settleOwed(tx: SystemTx, userId: string, ref: string): Promise<void> {
  const { rows } = await sql<{ credits: number }>`
    with due as (
      select least(credits, owed_credits) as credits from balances where user_id = ${userId} and owed_credits > 0 for update)
    update balances b set credits = b.credits - due.credits, owed_credits = b.owed_credits - due.credits, updated_at = now()
    from due where b.user_id = ${userId} and due.credits > 0 returning due.credits`.execute(tx);
  const credits = rows[0]?.credits ?? 0;
  if (credits === 0) return;
  const id = await append(tx, {
    user_id: userId,
    kind: 'hold',
    reason: REFUND_REASON,
    ref,
    delta_credits: -credits,
    idempotency_key: `${REFUND_REASON}:${randomUUID()}`,
    expires_at: sql<Date>`now() + interval '1 minute'`,
  });
  if (id === undefined) throw new Error('the entry of a refund was not written');
  await capture(tx, id);
}

/** Credits spent by API keys since the start of the month (UTC), for a statement over `api_keys k`. Released holds cost nothing. */
export const spentThisMonth = sql<number>`(select coalesce(-sum(h.delta_credits), 0)::int from credit_ledger h
  where h.api_key_id = k.id and h.kind = 'hold' and h.created_at >= date_trunc('month', now(), 'UTC')
    and not exists (select from credit_ledger s where s.hold_id = h.id and s.kind = 'release'))`;

async function rejectOverCap(tx: SystemTx, apiKeyId: string): Promise<void> {
  const { rows } = await sql<{ credit_cap: number | null; spent: number }>`
    select k.credit_cap, ${spentThisMonth} as spent from api_keys k where k.id = ${apiKeyId}`.execute(tx);
  const [row] = rows;
  if (row === undefined || row.credit_cap === null || row.spent <= row.credit_cap) return;
  throw rejectionError(
    'key_cap_reached',
    `Monthly cap of this API key reached (${row.credit_cap} credits). Raise it in the API Manager or wait for the next month.`,
  );
}

async function readOwed(tx: SystemTx, userId: string): Promise<number> {
  const row = await tx.selectFrom('balances').select('owed_credits').where('user_id', '=', userId).executeTakeFirst();
  return row?.owed_credits ?? 0;
}

/** Grants credits. Returns false when this key was granted before. */
export async function grant(tx: SystemTx, { userId, credits, reason, key, ref, note }: GrantRequest): Promise<boolean> {
  const id = await append(tx, {
    user_id: userId,
    kind: 'grant',
    reason,
    ref: ref ?? null,
    note: note ?? null,
    delta_credits: wholeCredits(credits),
    idempotency_key: key,
  });
  if (id === undefined) return false;
  await add(tx, userId, credits);
  return true;
}

async function append(tx: SystemTx, entry: InsertObject<DB, 'credit_ledger'>): Promise<string | undefined> {
  const row = await tx
    .insertInto('credit_ledger')
    .values(entry)
    .onConflict((conflict) => conflict.columns(['user_id', 'idempotency_key']).doNothing())
    .returning('id')
    .executeTakeFirst();
  return row?.id;
}

async function add(tx: SystemTx, userId: string, credits: number): Promise<void> {
  if ((await move(tx, userId, credits)) === undefined) throw new Error(`no balance of ${userId}`);
}

/** Changes the balance and notifies the owner's pages at the commit. Returns the new balance; undefined when it is too small. */
async function move(tx: SystemTx, userId: string, credits: number): Promise<number | undefined> {
  const { rows } = await sql<{ credits: number }>`
    update balances set credits = credits + ${credits}, updated_at = now()
    where user_id = ${userId} and credits >= ${-credits} and (${credits} > 0 or owed_credits = 0) returning credits`.execute(
    tx,
  );
  if (rows[0] === undefined) return undefined;
  await notifyUser(tx, userId, 'credits');
  return rows[0].credits;
}

async function heldBefore(tx: SystemTx, { userId, credits, reason, key }: HoldRequest): Promise<string> {
  const before = await tx
    .selectFrom('credit_ledger')
    .select(['id', 'kind', 'reason', 'delta_credits'])
    .where('user_id', '=', userId)
    .where('idempotency_key', '=', key)
    .executeTakeFirstOrThrow();
  const isSame = before.kind === 'hold' && before.reason === reason && before.delta_credits === -credits;
  if (!isSame) throw rejectionError('conflict', 'This key was used for another request. Use a new key.');
  return before.id;
}

async function settlementOf(tx: SystemTx, holdId: string): Promise<Settlement> {
  const row = await tx.selectFrom('credit_ledger').select('kind').where('hold_id', '=', holdId).executeTakeFirst();
  const state = row === undefined ? 'unknown' : row.kind === 'capture' ? 'captured' : 'released';
  return { state, isNew: false };
}

function wholeCredits(credits: number): number {
  if (!Number.isSafeInteger(credits) || credits < 1) throw new RangeError(`${credits} is not a number of credits`);
  return credits;
}

/** Threshold of the low-credit notification. */
const lowAt = 2;

/** True when spending crosses the threshold or takes the last credit; false for the steps between. */
const isLowNow = (before: number, after: number): boolean =>
  (before > lowAt && after <= lowAt) || (before > 0 && after === 0);
