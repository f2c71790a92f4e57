import { sql } from 'kysely';
import type { SystemTx } from '../../platform/db/scope.ts';
import type { Rejection } from '../../platform/errors.ts';
import type { ExchangeId } from '../market/port.ts';

export interface BackfillKey {
  source: string;
  exchange: ExchangeId;
}

export type BackfillState = 'running' | 'waiting' | 'complete' | 'failed';

export interface BackfillProgress {
  state: BackfillState;
  /** Parts of about 1,000 bars: stored ones, and all that the settings name. */
  storedCount: number;
  totalCount: number;
  /** Newest failure of this round. */
  error: Rejection | undefined;
}

export interface StoredProgress {
  state: BackfillState;
  storedCount: number;
  totalCount: number;
  errorCode: string | null;
  errorMessage: string | null;
  errorAt: Date | null;
  updatedAt: Date;
}

export async function writeProgress(
  tx: SystemTx,
  { source, exchange }: BackfillKey,
  { state, storedCount, totalCount, error }: BackfillProgress,
): Promise<void> {
  const message = error?.message.slice(0, 300) ?? null;
  await sql`
    insert into history_backfills (source, exchange, state, stored_count, total_count, error_code, error_message, error_at)
    values (${source}, ${exchange}, ${state}, ${storedCount}, ${totalCount}, ${error?.code ?? null}, ${message},
      case when ${message}::text is null then null else now() end)
    on conflict (source, exchange) do update set state = excluded.state, stored_count = excluded.stored_count,
      total_count = excluded.total_count, error_code = excluded.error_code, error_message = excluded.error_message,
      error_at = excluded.error_at, updated_at = now()`.execute(tx);
}

export async function readProgress(tx: SystemTx, { source, exchange }: BackfillKey): Promise<StoredProgress | null> {
  const { rows } = await sql<StoredProgress>`
    select state, stored_count as "storedCount", total_count as "totalCount", error_code as "errorCode",
      error_message as "errorMessage", error_at as "errorAt", updated_at as "updatedAt"
    from history_backfills where source = ${source} and exchange = ${exchange}`.execute(tx);
  return rows[0] ?? null;
}

/** Longest pause between two attempts of a part. */
const RETRY_HOURS_MAX = 24;

/** Records that an exchange did not deliver a part: each further failure doubles the pause, from one minute. */
export async function writeFailure(
  tx: SystemTx,
  { source, exchange }: BackfillKey,
  { symbol, part, error }: { symbol: string; part: string; error: Rejection },
): Promise<void> {
  await sql`
    insert into history_failures as f (source, exchange, symbol, part, code, message, failure_count, try_at)
    values (${source}, ${exchange}, ${symbol}, ${part}, ${error.code}, ${error.message.slice(0, 300)}, 1, now() + interval '1 minute')
    on conflict (source, exchange, symbol, part) do update set code = excluded.code, message = excluded.message,
      failure_count = f.failure_count + 1, failed_at = now(),
      try_at = now() + least(interval '1 minute' * 2 ^ least(f.failure_count, 12), make_interval(hours => ${RETRY_HOURS_MAX}))`.execute(
    tx,
  );
}

export async function deleteFailure(
  tx: SystemTx,
  { source, exchange }: BackfillKey,
  { symbol, part }: { symbol: string; part: string },
): Promise<void> {
  await sql`delete from history_failures where source = ${source} and exchange = ${exchange} and symbol = ${symbol}
    and part = ${part}`.execute(tx);
}

export const partKey = (symbol: string, part: string): string => `${symbol} ${part}`;

/** Parts that failed, and those among them that wait for their next attempt. */
export async function readFailures(
  tx: SystemTx,
  { source, exchange }: BackfillKey,
): Promise<{ failed: Set<string>; waiting: Set<string> }> {
  const { rows } = await sql<{ symbol: string; part: string; is_waiting: boolean }>`
    select symbol, part, try_at > now() as is_waiting from history_failures
    where source = ${source} and exchange = ${exchange}`.execute(tx);
  const keyOf = ({ symbol, part }: { symbol: string; part: string }): string => partKey(symbol, part);
  return { failed: new Set(rows.map(keyOf)), waiting: new Set(rows.filter((row) => row.is_waiting).map(keyOf)) };
}
