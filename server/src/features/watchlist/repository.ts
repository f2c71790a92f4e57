import { sql } from 'kysely';
import type { UserTx } from '../../platform/db/scope.ts';
import { notifyUser } from '../../platform/events/notify.ts';
import { type Watchlist, WATCHLIST_MAX } from './contract.ts';

export async function readWatchlist(tx: UserTx): Promise<Watchlist> {
  const rows = await tx
    .selectFrom('watchlist')
    .select(['symbol', 'created_at'])
    .orderBy('created_at')
    .orderBy('symbol')
    .execute();
  return { entries: rows.map((row) => ({ symbol: row.symbol, created_at: row.created_at.toISOString() })) };
}

/** Adds a symbol; one that is there stays as it is. False when the list is full. */
export async function addToWatchlist(tx: UserTx, userId: string, symbol: string): Promise<boolean> {
  // Two additions at once would both count 199 otherwise.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`watchlist ${userId}`}, 0))`.execute(tx);
  const before = await tx.selectFrom('watchlist').select('symbol').execute();
  if (before.some((row) => row.symbol === symbol)) return true;
  if (before.length >= WATCHLIST_MAX) return false;
  await tx.insertInto('watchlist').values({ user_id: userId, symbol }).execute();
  await notifyUser(tx, userId, 'watchlist');
  return true;
}

/** Removes a symbol; one that is not there is removed already. */
export async function removeFromWatchlist(tx: UserTx, userId: string, symbol: string): Promise<void> {
  const { numDeletedRows } = await tx.deleteFrom('watchlist').where('symbol', '=', symbol).executeTakeFirst();
  if (numDeletedRows > 0n) await notifyUser(tx, userId, 'watchlist');
}
