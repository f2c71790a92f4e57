import { DAY_MS } from '@sextant/engine-as/abi/intervals.ts';
import type { ReplayedColumns, ReplayedSeries } from '@sextant/workers/src/protocol/replaySignals.ts';
import { sql } from 'kysely';
import type { SystemTx } from '../../../platform/db/scope.ts';
import { packSignals, unpackSignals } from './replayRepository.ts';
import { type ActiveReplay, momentIn, sameRequest } from './strategyReplays.ts';

/** The symbols of a running replay: its plan, so that every node continues the same one, and what was replayed of it. */

export interface PlannedSymbol {
  symbol: string;
  /** Starts of UTC days in the universe, epoch ms. */
  universeDays: Float64Array;
  hasEnded: boolean;
}

export async function storePlan(tx: SystemTx, replay: ActiveReplay, plan: readonly PlannedSymbol[]): Promise<void> {
  const request = await tx
    .updateTable('strategy_replays')
    .set({ symbols_wanted: plan.length, attempts: 0 })
    .where(sameRequest(replay))
    .returning('user_id')
    .executeTakeFirst();
  if (request === undefined) return;
  await tx
    .insertInto('strategy_replayed_series')
    .values(
      plan.map(({ symbol, universeDays, hasEnded }, position) => ({
        strategy_id: replay.strategyId,
        user_id: request.user_id,
        symbol,
        position,
        days: Array.from(universeDays, (dayMs) => dayMs / DAY_MS),
        has_ended: hasEnded,
      })),
    )
    .execute();
}

export interface NextSymbol extends PlannedSymbol {
  kind: 'symbol';
  /** Reads that failed before. */
  attempts: number;
}

/** Work of a turn. `gone`: the request ended meanwhile; `later`: every symbol left waits for its retry. */
export type TurnWork = NextSymbol | { kind: 'gone' | 'unplanned' | 'complete' | 'later' };

/** Starts the symbols over when another engine replayed the earlier ones. */
export async function nextWork(tx: SystemTx, replay: ActiveReplay, engineHash: string): Promise<TurnWork> {
  const request = await tx
    .selectFrom('strategy_replays')
    .select(['engine_hash', 'symbols_wanted'])
    .where(sameRequest(replay))
    .forUpdate()
    .executeTakeFirst();
  if (request === undefined) return { kind: 'gone' };
  if (request.symbols_wanted === null) return { kind: 'unplanned' };
  if (request.engine_hash !== engineHash) await startOver(tx, replay, engineHash);
  const { rows } = await sql<{
    symbol: string;
    days: number[];
    has_ended: boolean;
    attempts: number;
    retry_at: Date | null;
    is_later: boolean;
  }>`select symbol, days, has_ended, attempts, retry_at, coalesce(retry_at > clock_timestamp(), false) as is_later
    from strategy_replayed_series where strategy_id = ${replay.strategyId} and state = 'waiting'
    order by retry_at nulls first, position limit 1`.execute(tx);
  const [row] = rows;
  if (row === undefined) return { kind: 'complete' };
  if (row.is_later) {
    await tx.updateTable('strategy_replays').set({ retry_at: row.retry_at }).where(sameRequest(replay)).execute();
    return { kind: 'later' };
  }
  const universeDays = Float64Array.from(row.days, (day) => day * DAY_MS);
  return { kind: 'symbol', symbol: row.symbol, universeDays, hasEnded: row.has_ended, attempts: row.attempts };
}

async function startOver(tx: SystemTx, replay: ActiveReplay, engineHash: string): Promise<void> {
  await tx
    .updateTable('strategy_replays')
    .set({ engine_hash: engineHash, symbols_done: 0, symbols_failed: 0 })
    .where(sameRequest(replay))
    .execute();
  await tx
    .updateTable('strategy_replayed_series')
    .set({
      state: 'waiting',
      attempts: 0,
      retry_at: null,
      failure: null,
      signal_count: 0,
      open_count: 0,
      signals: Buffer.alloc(0),
    })
    .where('strategy_id', '=', replay.strategyId)
    .where('state', '!=', 'waiting')
    .execute();
}

export type SymbolEnd = { signals: ReplayedColumns; openCount: number } | { failure: string };

/** Nothing when the request ended meanwhile. */
export async function endSymbol(tx: SystemTx, replay: ActiveReplay, symbol: string, end: SymbolEnd): Promise<void> {
  const isFailed = 'failure' in end;
  const { numUpdatedRows } = await tx
    .updateTable('strategy_replays')
    .set({
      attempts: 0,
      symbols_done: sql`symbols_done + 1`,
      symbols_failed: sql`symbols_failed + ${isFailed ? 1 : 0}`,
    })
    .where(sameRequest(replay))
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return;
  await tx
    .updateTable('strategy_replayed_series')
    .set(
      isFailed
        ? { state: 'failed', failure: end.failure.slice(0, 300) }
        : {
            state: 'done',
            signal_count: end.signals.closeAtMs.length,
            open_count: end.openCount,
            signals: packSignals(end.signals),
          },
    )
    .where('strategy_id', '=', replay.strategyId)
    .where('symbol', '=', symbol)
    .execute();
}

/** The symbol is read again after the others. @param isCounted whether the failed read was an attempt */
export async function postponeSymbol(
  tx: SystemTx,
  replay: ActiveReplay,
  symbol: string,
  { afterMs, isCounted }: { afterMs: number; isCounted: boolean },
): Promise<void> {
  await tx
    .updateTable('strategy_replayed_series')
    .set({
      attempts: sql`attempts + ${isCounted ? 1 : 0}`,
      retry_at: momentIn(afterMs),
    })
    .where('strategy_id', '=', replay.strategyId)
    .where('symbol', '=', symbol)
    .execute();
}

export interface StoredSeries {
  series: ReplayedSeries[];
  openCount: number;
  endedSymbols: string[];
  failedCount: number;
  /** Failure of the first symbol that failed. */
  failure: string | null;
}

export async function readStrategySeries(
  tx: SystemTx,
  { strategyId }: ActiveReplay,
  interval: string,
): Promise<StoredSeries> {
  const rows = await tx
    .selectFrom('strategy_replayed_series')
    .selectAll()
    .where('strategy_id', '=', strategyId)
    .orderBy('symbol')
    .execute();
  const failed = rows.filter(({ state }) => state === 'failed');
  return {
    series: rows.map(({ symbol, signals }) => ({ symbol, interval, signals: unpackSignals(signals) })),
    openCount: rows.reduce((sum, { open_count: count }) => sum + count, 0),
    endedSymbols: rows.filter((row) => row.has_ended).map(({ symbol }) => symbol),
    failedCount: failed.length,
    failure: failed[0]?.failure ?? null,
  };
}
