import type { MarketMode } from '../../config.ts';
import type { UserTx } from '../../platform/db/scope.ts';
import { type AutoItem, readItems } from './autoRunItems.ts';

/** Results of automatic opening for a scan, and the open positions. */
export async function readScanOpenings(
  tx: UserTx,
  scanId: string,
  market: MarketMode,
): Promise<{ items: AutoItem[]; isRunOver: boolean; open: { symbol: string; side: string }[] }> {
  const run = await tx
    .selectFrom('auto_runs')
    .select(['id', 'finished_at'])
    .where('scan_id', '=', scanId)
    .executeTakeFirst();
  const open = await tx
    .selectFrom('positions')
    .select(['symbol', 'side'])
    .where('market', '=', market)
    .where('closed_at', 'is', null)
    .execute();
  const items = run === undefined ? [] : await readItems(tx, run.id);
  return { items, isRunOver: run !== undefined && run.finished_at !== null, open };
}
