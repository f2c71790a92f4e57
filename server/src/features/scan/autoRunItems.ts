import type { SkipDetail, SkipReason } from '@sextant/workers/src/signals/skipReasons.ts';
import type { SystemTx, UserTx } from '../../platform/db/scope.ts';

/** Outcome of one signal of a scan in an automatic opening. */
export interface AutoItem {
  symbol: string;
  interval: string;
  side: 'LONG' | 'SHORT' | null;
  confidence: number | null;
  outcome: 'OPENED' | 'FAILED' | SkipReason;
  detail: SkipDetail | null;
  message: string;
  position_id: string | null;
}

/** Best confidence first. */
export async function readItems(tx: UserTx | SystemTx, runId: string): Promise<AutoItem[]> {
  const rows = await tx
    .selectFrom('auto_run_items')
    .select(['symbol', 'interval', 'side', 'confidence', 'outcome', 'detail', 'message', 'position_id'])
    .where('run_id', '=', runId)
    .orderBy('confidence', (order) => order.desc().nullsLast())
    .orderBy('symbol')
    .orderBy('interval')
    .execute();
  return rows as AutoItem[];
}
