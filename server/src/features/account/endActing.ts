import { type SqlBool, sql } from 'kysely';
import { type Db, type SystemTx, withSystem } from '../../platform/db/scope.ts';
import { revokeAllKeys } from '../apiKeys/keys.ts';
import { stopSearch } from '../backtest/search/startSearch.ts';
import { stopScan } from '../scan/startScan.ts';

/**
 * Ends everything that acts for an account without its owner present, in the transaction of the deletion request: API keys, and with
 * them streams and MCP; running scans and searches; queued messages; an open invitation of the Telegram bot. Call it after storing the
 * request: later starts check for the request and do nothing.
 */
export async function endActing(tx: SystemTx, userId: string): Promise<void> {
  // Locks holds before scans, the order of all features (docs/operations.md), and both before rows that no other transaction waits for.
  for (const id of await openIds(tx, 'scans', userId))
    await stopScan(tx, id, { status: 'cancelled', failure: null, note: 'account deletion', userId });
  for (const id of await openIds(tx, 'backtest_searches', userId))
    await stopSearch(tx, id, { status: 'cancelled', userId });
  await revokeAllKeys(tx, userId);
  await sql`delete from notifications where user_id = ${userId} and dispatched_at is null`.execute(tx);
  await sql`update notification_deliveries set state = 'failed', finished_at = now(), failure = 'The account is to be deleted.'
    where user_id = ${userId} and state = 'waiting'`.execute(tx);
  await sql`delete from telegram_links where user_id = ${userId}`.execute(tx);
}

async function openIds(tx: SystemTx, table: 'scans' | 'backtest_searches', userId: string): Promise<string[]> {
  const rows = await tx
    .selectFrom(table)
    .select('id')
    .where('user_id', '=', userId)
    .where(sql<SqlBool>`status in ('queued', 'running')`)
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** Whether the account is being deleted: nothing is opened, sent or spent for it in the owner's absence. */
export const isLeaving = (db: Db, userId: string): Promise<boolean> =>
  withSystem(db, async (tx) => {
    const found = await tx
      .selectFrom('deletion_requests')
      .select('user_id')
      .where('user_id', '=', userId)
      .executeTakeFirst();
    return found !== undefined;
  });
