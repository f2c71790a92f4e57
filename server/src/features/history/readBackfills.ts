import { sql } from 'kysely';
import type { SystemTx } from '../../platform/db/scope.ts';
import type { ExchangeId } from '../market/port.ts';
import type { StoredProgress } from './backfillRepository.ts';

export interface ExchangeBackfill extends StoredProgress {
  exchange: ExchangeId;
  /** Parts that the exchange did not deliver, each with a time of its next attempt. */
  failedCount: number;
}

/** Progress of every exchange that is filled backwards, with its failed parts. */
export async function readBackfills(tx: SystemTx, source: string): Promise<ExchangeBackfill[]> {
  const { rows } = await sql<ExchangeBackfill>`
    select exchange, state, stored_count as "storedCount", total_count as "totalCount", error_code as "errorCode",
      error_message as "errorMessage", error_at as "errorAt", updated_at as "updatedAt",
      (select count(*)::int from history_failures f where f.source = b.source and f.exchange = b.exchange) as "failedCount"
    from history_backfills b where source = ${source} order by exchange`.execute(tx);
  return rows;
}
