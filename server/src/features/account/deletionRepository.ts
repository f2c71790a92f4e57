import { sql } from 'kysely';
import type { SystemTx, UserTx } from '../../platform/db/scope.ts';
import { endActing } from './endActing.ts';
import { lockLeaving } from '../../platform/auth/leaving.ts';

export interface StoredDeletion {
  requestedAt: Date;
  eraseAfter: Date;
  isErasing: boolean;
}

interface Row {
  requested_at: Date;
  erase_after: Date;
  erasing_at: Date | null;
}
const columns = ['requested_at', 'erase_after', 'erasing_at'] as const;
const toDeletion = ({ requested_at: requestedAt, erase_after: eraseAfter, erasing_at }: Row): StoredDeletion => ({
  requestedAt,
  eraseAfter,
  isErasing: erasing_at !== null,
});

export async function readDeletion(tx: UserTx): Promise<StoredDeletion | null> {
  const row = await tx.selectFrom('deletion_requests').select(columns).executeTakeFirst();
  return row === undefined ? null : toDeletion(row);
}

/** Stores the request and ends sessions and automation of the account. Idempotent: `isNew` is false for a second request. Database time. */
export async function requestDeletion(
  tx: SystemTx,
  userId: string,
  graceDays: number,
): Promise<{ stored: StoredDeletion; isNew: boolean }> {
  await lockLeaving(tx, userId);
  const made = await sql`
    insert into deletion_requests (user_id, erase_after)
    values (${userId}, now() + make_interval(secs => ${graceDays * 24 * 3600}))
    on conflict (user_id) do nothing`.execute(tx);
  await endActing(tx, userId);
  await tx.deleteFrom('sessions').where('user_id', '=', userId).execute();
  const row = await tx
    .selectFrom('deletion_requests')
    .select(columns)
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return { stored: toDeletion(row), isNew: (made.numAffectedRows ?? 0n) > 0n };
}

/** @returns true when no deletion is pending; false once the erasure has started */
export async function cancelDeletion(tx: SystemTx, userId: string): Promise<boolean> {
  await tx.deleteFrom('deletion_requests').where('user_id', '=', userId).where('erasing_at', 'is', null).execute();
  const rest = await tx
    .selectFrom('deletion_requests')
    .select('user_id')
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return rest === undefined;
}

/**
 * Accounts whose grace period is over, no longer cancellable from now on, including those an earlier run did not finish. Never
 * tried accounts first, then by oldest attempt.
 */
export async function startErasing(tx: SystemTx, countMax: number): Promise<string[]> {
  const { rows } = await sql<{ user_id: string }>`
    update deletion_requests set erasing_at = coalesce(erasing_at, now()), tried_at = now()
    where user_id in (
      select user_id from deletion_requests where erase_after <= now()
      order by tried_at nulls first, erase_after limit ${countMax})
    returning user_id`.execute(tx);
  return rows.map(({ user_id: userId }) => userId);
}

/** Deletes the account with all its rows: each table of user rows references it with a cascading delete. */
export async function eraseAccount(tx: SystemTx, userId: string): Promise<void> {
  const user = await tx.selectFrom('users').select('email').where('id', '=', userId).executeTakeFirst();
  if (user === undefined) return;
  // Keyed by address because they are created before an account exists.
  await tx
    .deleteFrom('verifications')
    .where((where) => where.or([where('identifier', '=', user.email), where('value', '=', userId)]))
    .execute();
  // Attempt counters contain the account in their key.
  await sql`delete from rate_limits where strpos(key, ${userId}) > 0`.execute(tx);
  await tx.deleteFrom('users').where('id', '=', userId).execute();
}
