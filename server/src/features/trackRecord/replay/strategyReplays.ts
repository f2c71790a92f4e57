import type { Strategy } from '@sextant/engine-as/abi/strategy.ts';
import type { ReplayedColumns, ReplayedSeries, ReplayReport } from '@sextant/workers/src/protocol/replaySignals.ts';
import { sql } from 'kysely';
import type { MarketMode } from '../../../config.ts';
import type { SystemTx, UserTx } from '../../../platform/db/scope.ts';
import { packSignals, unpackSignals } from './replayRepository.ts';

/** Requests to replay a saved strategy, and what was replayed of them so far. */

export interface StrategyReplay {
  strategyId: string;
  version: string;
  state: 'queued' | 'running' | 'done' | 'failed';
  requestedAt: Date;
  /** Null before its first turn. */
  symbolsWanted: number | null;
  symbolsDone: number;
  symbolsFailed: number;
  report: ReplayReport | null;
  error: string | null;
  finishedAt: Date | null;
}

/** Null when it was never requested, or the user has no such strategy. */
export async function readStrategyReplay(
  tx: UserTx,
  strategyId: string,
  market: MarketMode,
): Promise<StrategyReplay | null> {
  const row = await tx
    .selectFrom('strategy_replays')
    .selectAll()
    .where('strategy_id', '=', strategyId)
    .where('market', '=', market)
    .executeTakeFirst();
  if (row === undefined) return null;
  return {
    strategyId: row.strategy_id,
    version: row.version,
    state: row.state as StrategyReplay['state'],
    requestedAt: row.requested_at,
    symbolsWanted: row.symbols_wanted,
    symbolsDone: row.symbols_done,
    symbolsFailed: row.symbols_failed,
    report: row.report as ReplayReport | null,
    error: row.error,
    finishedAt: row.finished_at,
  };
}

/** Name of the strategy whose replay is queued or running; null: none. */
export async function readActiveReplay(tx: UserTx): Promise<string | null> {
  const row = await tx
    .selectFrom('strategy_replays as r')
    .innerJoin('strategies as s', 's.id', 'r.strategy_id')
    .select('s.name')
    .where('r.state', 'in', ['queued', 'running'])
    .executeTakeFirst();
  return row?.name ?? null;
}

/** Null: the user has no such strategy. */
export async function readStrategyToReplay(tx: UserTx, id: string) {
  const row = await tx
    .selectFrom('strategies')
    .select(['id', 'name', 'version', 'value'])
    .where('id', '=', id)
    .executeTakeFirst();
  return row === undefined ? null : { ...row, value: row.value as Strategy };
}

/** Serialises the requests of one user, so that one replay at a time is active. */
export async function lockReplays(tx: UserTx, userId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`replays ${userId}`}, 0))`.execute(tx);
}

/** Replaces the last replay of the strategy. */
export async function queueReplay(
  tx: UserTx,
  userId: string,
  { id, version, value }: { id: string; version: string; value: Strategy },
  market: MarketMode,
): Promise<void> {
  await tx.deleteFrom('strategy_replays').where('strategy_id', '=', id).execute();
  await tx
    .insertInto('strategy_replays')
    .values({ strategy_id: id, user_id: userId, version, value: JSON.stringify(value), market })
    .execute();
}

/** One request to replay a strategy: a later one of the same strategy has another `requestedAt`. */
export interface ActiveReplay {
  strategyId: string;
  requestedAt: Date;
  version: string;
  value: Strategy;
}

/** Takes the turn of the request that has waited longest; null: none is active. */
export async function takeTurn(tx: SystemTx, market: MarketMode): Promise<ActiveReplay | null> {
  const { rows } = await sql<{ strategy_id: string; requested_at: Date; version: string; value: Strategy }>`
    update strategy_replays set state = 'running', turn_at = clock_timestamp()
    where strategy_id = (
      select strategy_id from strategy_replays where state in ('queued', 'running') and market = ${market}
      order by turn_at nulls first, requested_at limit 1)
    returning strategy_id, requested_at, version, value`.execute(tx);
  const [row] = rows;
  if (row === undefined) return null;
  return { strategyId: row.strategy_id, requestedAt: row.requested_at, version: row.version, value: row.value };
}

const sameRequest = ({ strategyId, requestedAt }: ActiveReplay) =>
  sql<boolean>`strategy_id = ${strategyId} and requested_at = ${requestedAt} and state = 'running'`;

/** What is replayed of a request by this engine; series of another engine are deleted. */
export async function continueReplay(
  tx: SystemTx,
  replay: ActiveReplay,
  { engineHash, symbolsWanted }: { engineHash: string; symbolsWanted: number },
): Promise<Set<string>> {
  const before = await tx
    .selectFrom('strategy_replays')
    .select('engine_hash')
    .where(sameRequest(replay))
    .executeTakeFirst();
  if (before?.engine_hash !== engineHash)
    await tx.deleteFrom('strategy_replayed_series').where('strategy_id', '=', replay.strategyId).execute();
  const done = await tx
    .selectFrom('strategy_replayed_series')
    .select(['symbol', 'is_failed'])
    .where('strategy_id', '=', replay.strategyId)
    .execute();
  await tx
    .updateTable('strategy_replays')
    .set({
      engine_hash: engineHash,
      symbols_wanted: symbolsWanted,
      symbols_done: done.length,
      symbols_failed: done.filter((each) => each.is_failed).length,
    })
    .where(sameRequest(replay))
    .execute();
  return new Set(done.map(({ symbol }) => symbol));
}

export interface StrategySeries {
  symbol: string;
  signals: ReplayedColumns;
  openCount: number;
  hasEnded: boolean;
  isFailed: boolean;
}

/** Nothing when the request was replaced or its strategy deleted meanwhile. */
export async function storeStrategySeries(tx: SystemTx, replay: ActiveReplay, series: StrategySeries): Promise<void> {
  const packed = packSignals(series.signals);
  const { numUpdatedRows } = await tx
    .updateTable('strategy_replays')
    .set({
      symbols_done: sql`symbols_done + 1`,
      symbols_failed: sql`symbols_failed + ${series.isFailed ? 1 : 0}`,
    })
    .where(sameRequest(replay))
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return;
  await tx
    .insertInto('strategy_replayed_series')
    .values({
      strategy_id: replay.strategyId,
      symbol: series.symbol,
      signal_count: series.signals.closeAtMs.length,
      open_count: series.openCount,
      has_ended: series.hasEnded,
      is_failed: series.isFailed,
      signals: packed,
    })
    .execute();
}

export async function readStrategySeries(
  tx: SystemTx,
  { strategyId }: ActiveReplay,
  interval: string,
): Promise<{ series: ReplayedSeries[]; openCount: number; endedSymbols: string[]; failedCount: number }> {
  const rows = await tx
    .selectFrom('strategy_replayed_series')
    .selectAll()
    .where('strategy_id', '=', strategyId)
    .orderBy('symbol')
    .execute();
  return {
    series: rows.map(({ symbol, signals }) => ({ symbol, interval, signals: unpackSignals(signals) })),
    openCount: rows.reduce((sum, { open_count: count }) => sum + count, 0),
    endedSymbols: rows.filter((row) => row.has_ended).map(({ symbol }) => symbol),
    failedCount: rows.filter((row) => row.is_failed).length,
  };
}

/** Ends a request with its figures, or with what to do about its failure. Its signals are no longer needed. */
export async function endReplay(
  tx: SystemTx,
  replay: ActiveReplay,
  end: { report: ReplayReport } | { error: string },
): Promise<void> {
  const set =
    'report' in end ? { state: 'done', report: JSON.stringify(end.report) } : { state: 'failed', error: end.error };
  await tx
    .updateTable('strategy_replays')
    .set({ ...set, finished_at: sql`clock_timestamp()` })
    .where(sameRequest(replay))
    .execute();
  await tx.deleteFrom('strategy_replayed_series').where('strategy_id', '=', replay.strategyId).execute();
}
