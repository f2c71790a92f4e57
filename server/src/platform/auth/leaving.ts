import { sql } from 'kysely';
import type { SystemTx, UserTx } from '../db/scope.ts';

const keyOf = (userId: string) => sql`hashtextextended(${`leaving ${userId}`}, 0)`;

/**
 * Whether the account is being deleted: nothing is opened, sent or spent for it. Call it in the transaction that does so, before that
 * locks rows: a deletion request waits for the end of this transaction, and then ends what it started.
 */
export async function isLeaving(tx: SystemTx | UserTx, userId: string): Promise<boolean> {
  // A statement of its own: the next one sees a request that was stored while this one waited.
  await sql`select pg_advisory_xact_lock_shared(${keyOf(userId)})`.execute(tx);
  const row = await tx
    .selectFrom('deletion_requests')
    .select('user_id')
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Waits for transactions that have called `isLeaving`; later ones wait for the end of this one. */
export async function lockLeaving(tx: SystemTx, userId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(${keyOf(userId)})`.execute(tx);
}
