import { type SqlBool, sql } from 'kysely';
import type { SystemTx } from '../../platform/db/scope.ts';
import { revokeAllKeys } from '../apiKeys/keys.ts';
import { stopArbitrage } from '../arbitrage/runScan.ts';
import { stopSearch } from '../backtest/search/startSearch.ts';
import { releaseAll } from '../credits/ledger.ts';
import { stopScan } from '../scan/startScan.ts';
import { cancelReplays } from '../trackRecord/replay/strategyReplays.ts';
import { stopAnalysis } from '../vision/runAnalysis.ts';

/**
 * Ends everything that acts for an account without its owner present, in the transaction of the deletion request: API keys, and with
 * them streams and MCP; orders that rest; running scans, chart analyses, arbitrage scans and searches, whose credits return; replays of strategies;
 * queued messages; an open invitation of the Telegram bot. Call it after storing the request: later starts check for it (`isLeaving`) and do nothing.
 */
export async function endActing(tx: SystemTx, userId: string): Promise<void> {
  // Locks holds before scans, the order of all features (docs/operations.md), and both before rows that no other transaction waits for.
  // All holds at once: work that ends meanwhile waits for no balance that this transaction has locked for another hold.
  await releaseAll(tx, userId, note);
  for (const id of await openIds(tx, 'scans', userId))
    await stopScan(tx, id, { status: 'cancelled', failure: null, note, userId });
  for (const id of await openIds(tx, 'arbitrage_scans', userId)) await stopArbitrage(tx, id);
  for (const id of await openIds(tx, 'vision_analyses', userId)) await stopAnalysis(tx, id);
  for (const id of await openIds(tx, 'backtest_searches', userId))
    await stopSearch(tx, id, { status: 'cancelled', userId });
  await cancelReplays(tx, userId);
  await revokeAllKeys(tx, userId);
  await sql`update orders set status = 'cancelled', cancel_reason = 'deleted', message = 'The account is being deleted.', reserved = 0,
    ended_at = now() where user_id = ${userId} and status = 'resting'`.execute(tx);
  await sql`delete from notifications where user_id = ${userId} and dispatched_at is null`.execute(tx);
  await sql`update notification_deliveries set state = 'failed', finished_at = now(), failure = 'The account is being deleted.'
    where user_id = ${userId} and state = 'waiting'`.execute(tx);
  await sql`delete from telegram_links where user_id = ${userId}`.execute(tx);
}

/** Note of the released holds, as their owner sees it. */
const note = 'account deletion';

type Work = 'scans' | 'arbitrage_scans' | 'vision_analyses' | 'backtest_searches';

async function openIds(tx: SystemTx, table: Work, userId: string): Promise<string[]> {
  const rows = await tx
    .selectFrom(table)
    .select('id')
    .where('user_id', '=', userId)
    .where(sql<SqlBool>`status in ('queued', 'running')`)
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
}
