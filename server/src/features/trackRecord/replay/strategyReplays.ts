import type { Strategy } from '@sextant/engine-as/abi/strategy.ts';
import type { ReplayReport } from '@sextant/workers/src/protocol/replaySignals.ts';
import { sql } from 'kysely';
import type { MarketMode } from '../../../config.ts';
import type { SystemTx, UserTx } from '../../../platform/db/scope.ts';
import { shortenPause, startPause } from './replayPauses.ts';

/** Requests to replay a saved strategy, and what was replayed of them so far. */

export interface StrategyReplay {
  strategyId: string;
  version: string;
  state: 'queued' | 'running' | 'done' | 'failed' | 'cancelled';
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
export async function readActiveReplay(tx: UserTx, market: MarketMode): Promise<string | null> {
  const row = await tx
    .selectFrom('strategy_replays as r')
    .innerJoin('strategies as s', 's.id', 'r.strategy_id')
    .select('s.name')
    .where('r.state', 'in', ['queued', 'running'])
    .where('r.market', '=', market)
    .executeTakeFirst();
  return row?.name ?? null;
}

/** Null: the user has no such strategy. */
export async function readStrategyToReplay(tx: UserTx, id: string) {
  return toReplay(await strategyOf(tx, id).executeTakeFirst());
}

/** The strategy stays until the transaction ends: one whose deletion was first is not found. */
export async function lockStrategyToReplay(tx: UserTx, id: string) {
  return toReplay(await strategyOf(tx, id).forKeyShare().executeTakeFirst());
}

const strategyOf = (tx: UserTx, id: string) =>
  tx.selectFrom('strategies').select(['id', 'name', 'version', 'value']).where('id', '=', id);

const toReplay = <Row extends { value: unknown }>(row: Row | undefined) =>
  row === undefined ? null : { ...row, value: row.value as Strategy };

/** Serialises the requests of one user, so that one replay at a time is active. */
export async function lockReplays(tx: UserTx, userId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`replays ${userId}`}, 0))`.execute(tx);
}

/** Replaces the last replay of the strategy. The pause of the account starts. */
export async function queueReplay(
  tx: UserTx,
  userId: string,
  { id, version, value }: { id: string; version: string; value: Strategy },
  market: MarketMode,
): Promise<void> {
  await tx.deleteFrom('strategy_replays').where('strategy_id', '=', id).execute();
  const { requested_at: start } = await tx
    .insertInto('strategy_replays')
    .values({ strategy_id: id, user_id: userId, version, value: JSON.stringify(value), market })
    .returning('requested_at')
    .executeTakeFirstOrThrow();
  await startPause(tx, userId, market, start);
}

/** One request to replay a strategy: a later one of the same strategy has another `requestedAt`. */
export interface ActiveReplay {
  strategyId: string;
  requestedAt: Date;
  version: string;
  value: Strategy;
  /** Turns that stopped since the last good one. */
  attempts: number;
}

/** Takes the turn of the request that has waited longest, a new one since its start; null: none is due. */
export async function takeTurn(tx: SystemTx, market: MarketMode): Promise<ActiveReplay | null> {
  const { rows } = await sql<{
    strategy_id: string;
    requested_at: Date;
    version: string;
    value: Strategy;
    attempts: number;
  }>`
    update strategy_replays set state = 'running', turn_at = clock_timestamp(), retry_at = null
    where strategy_id = (
      select strategy_id from strategy_replays where state in ('queued', 'running') and market = ${market}
        and (retry_at is null or retry_at <= clock_timestamp())
      order by coalesce(turn_at, requested_at), requested_at limit 1)
    returning strategy_id, requested_at, version, value, attempts`.execute(tx);
  const [row] = rows;
  if (row === undefined) return null;
  const { version, value, attempts } = row;
  return { strategyId: row.strategy_id, requestedAt: row.requested_at, version, value, attempts };
}

/** Matches the active request only: one that was replaced, cancelled or deleted meanwhile stays unchanged. */
export const sameRequest = ({ strategyId, requestedAt }: ActiveReplay) =>
  sql<boolean>`strategy_id = ${strategyId} and requested_at = ${requestedAt} and state = 'running'`;

/** The moment after a time, by the database's clock. */
export const momentIn = (ms: number) => sql<Date>`clock_timestamp() + make_interval(secs => ${ms / 1000})`;

/** The next turn of the request is after a time. @param isCounted whether the turn that stopped was an attempt */
export async function postponeTurn(
  tx: SystemTx,
  replay: ActiveReplay,
  { afterMs, isCounted }: { afterMs: number; isCounted: boolean },
): Promise<void> {
  await tx
    .updateTable('strategy_replays')
    .set({
      attempts: replay.attempts + (isCounted ? 1 : 0),
      retry_at: momentIn(afterMs),
    })
    .where(sameRequest(replay))
    .execute();
}

/** Ends a request with its figures, or with what to do about its failure. Its signals are no longer needed. */
export async function endReplay(
  tx: SystemTx,
  replay: ActiveReplay,
  end: { report: ReplayReport } | { error: string },
): Promise<void> {
  const set =
    'report' in end
      ? { state: 'done', report: JSON.stringify(end.report) }
      : { state: 'failed', error: end.error.slice(0, 300) };
  const { numUpdatedRows } = await tx
    .updateTable('strategy_replays')
    .set({ ...set, finished_at: sql`clock_timestamp()`, retry_at: null })
    .where(sameRequest(replay))
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return;
  await tx.deleteFrom('strategy_replayed_series').where('strategy_id', '=', replay.strategyId).execute();
}

/** Columns of an ended replay that set its pause. */
interface EndedRow {
  market: string;
  requested_at: Date;
  turn_at: Date | null;
  symbols_wanted: number | null;
  symbols_done: number;
}
const endedColumns = sql.raw('market, requested_at, turn_at, symbols_wanted, symbols_done');

async function shortenPauses(tx: UserTx | SystemTx, userId: string, rows: readonly EndedRow[]): Promise<void> {
  for (const { market, requested_at: start, turn_at, symbols_wanted: symbolsWanted, symbols_done: symbolsDone } of rows)
    await shortenPause(tx, { userId, market, start, hasHadTurn: turn_at !== null, symbolsWanted, symbolsDone });
}

/** Cancels the active replays of an account, or that of one strategy. Does nothing without one. */
export async function cancelReplays(tx: SystemTx, userId: string, strategyId?: string): Promise<void> {
  const { rows } = await sql<EndedRow & { strategy_id: string }>`
    update strategy_replays set state = 'cancelled', finished_at = clock_timestamp(), retry_at = null
    where user_id = ${userId} and state in ('queued', 'running')
      and (${strategyId ?? null}::uuid is null or strategy_id = ${strategyId ?? null})
    returning strategy_id, ${endedColumns}`.execute(tx);
  if (rows.length === 0) return;
  await shortenPauses(tx, userId, rows);
  const ids = rows.map((row) => row.strategy_id);
  await tx.deleteFrom('strategy_replayed_series').where('strategy_id', 'in', ids).execute();
}

/** Deletes an active replay with its strategy: as a cancelled one it takes its share of the pause. One that ended goes with the strategy. */
export async function deleteActiveReplay(tx: UserTx, userId: string, strategyId: string): Promise<void> {
  // Before the strategy's row, as a start does: the two wait for each other in one order.
  await lockReplays(tx, userId);
  const { rows } = await sql<EndedRow>`
    delete from strategy_replays where strategy_id = ${strategyId} and state in ('queued', 'running')
    returning ${endedColumns}`.execute(tx);
  await shortenPauses(tx, userId, rows);
}
