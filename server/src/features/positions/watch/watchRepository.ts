import { sql } from 'kysely';
import type { Strategy } from '@sextant/engine-as/abi/strategy.ts';
import type { BookPosition, ExitDue } from '@sextant/workers/src/positions/bookTypes.ts';
import { stopSpanOf, strategyTrailing } from '@sextant/workers/src/positions/strategyExits.ts';
import type { MarketMode } from '../../../config.ts';
import type { SystemTx } from '../../../platform/db/scope.ts';
import { priceKey } from '../live.ts';
import { bookChanges, bookTrailing, storedTrailing } from '../ownerChanges.ts';
import { type PositionRow, strategyOf, targetsOf } from '../positionRow.ts';

/** A position in the form the watch needs. */
export interface Watched {
  exchange: string;
  symbol: string;
  position: BookPosition;
  /** For exits that candles alone do not decide. */
  strategy: Strategy | null;
  version: string | null;
  /** Counts the changes by its owner and the fills: another number means another row. */
  revision: number;
}

/** Every open position of a market, oldest first. Positions of another market wait until that is served again. */
export async function readWatched(tx: SystemTx, market: MarketMode): Promise<Watched[]> {
  const rows = await tx
    .selectFrom('positions')
    .selectAll()
    .select(addedAt)
    .where('closed_at', 'is', null)
    .where('market', '=', market)
    .orderBy('opened_at')
    .execute();
  return rows.map(toWatched);
}

/** Open positions by id, with the revisions of their rows: much smaller than the rows. */
export async function readOpenIds(tx: SystemTx, market: MarketMode): Promise<Map<string, number>> {
  const all = tx.selectFrom('positions').select(['id', revision]);
  const rows = await all.where('closed_at', 'is', null).where('market', '=', market).execute();
  return new Map(rows.map(({ id, revision }) => [id, revision]));
}

/** Time of the last addition. */
const addedAt = sql<Date | null>`case when fill_count > 1 then (
  select max(f.at) from position_fills f where f.position_id = positions.id and f.kind = 'add') end`.as('added_at');

const revision = sql<number>`changes + fill_count`.as('revision');

/** The revisions of these positions, as far as they are open. */
export async function readRevisions(tx: SystemTx, ids: readonly string[]): Promise<Map<string, number>> {
  const all = tx.selectFrom('positions').select(['id', revision]);
  const rows = await all.where('id', 'in', ids).where('closed_at', 'is', null).execute();
  return new Map(rows.map(({ id, revision }) => [id, revision]));
}

/** Whose positions they are, each once. */
export async function readOwners(
  tx: SystemTx,
  positions: readonly { id: string }[],
): Promise<{ id: string; user_id: string }[]> {
  if (positions.length === 0) return [];
  const ids = positions.map(({ id }) => id);
  return tx.selectFrom('positions').select(['id', 'user_id']).where('id', 'in', ids).execute();
}

export async function readByIds(tx: SystemTx, ids: readonly string[]): Promise<Watched[]> {
  if (ids.length === 0) return [];
  const rows = await tx
    .selectFrom('positions')
    .selectAll()
    .select(addedAt)
    .where('id', 'in', ids)
    .where('closed_at', 'is', null)
    .execute();
  return rows.map(toWatched);
}

type WatchedRow = PositionRow & { added_at: Date | null };

function toWatched(row: WatchedRow): Watched {
  return {
    exchange: row.exchange,
    symbol: row.symbol,
    strategy: strategyOf(row)?.value ?? null,
    version: row.strategy_version,
    revision: row.changes + row.fill_count,
    position: bookPositionOf(row),
  };
}

/** The position as the watch steps it. */
export function bookPositionOf(row: WatchedRow): BookPosition {
  const strategy = strategyOf(row)?.value ?? null;
  // What the owner set replaces trailing and break-even of the strategy.
  const moving = row.trailing_by_owner ? null : strategy;
  const trailing = moving === null ? bookTrailing(storedTrailing(row)) : strategyTrailing(moving);
  return {
    id: row.id,
    side: row.side as BookPosition['side'],
    entryTimeMs: row.opened_at.getTime(),
    entryPrice: Number(row.entry_price),
    quantity: Number(row.qty),
    leverage: row.leverage,
    stopPrice: Number(row.stop_loss),
    targetPrice: Number(row.take_profit),
    liquidationPrice: row.liquidation_approx === null ? null : Number(row.liquidation_approx),
    bestPrice: Number(row.trail_peak),
    isArmed: row.armed_at !== null,
    addedAtMs: row.added_at?.getTime() ?? null,
    ...(row.armed_at === null ? {} : { armedAtMs: row.armed_at.getTime() }),
    tickSize: Number(row.tick_size),
    takerFeeFraction: Number(row.taker_fee_fraction),
    trailing,
    targets: targetsOf(row),
    stepSize: Number(row.step_size),
    minNotional: Number(row.min_notional),
    initialStopPrice: Number(row.initial_stop_loss),
    breakEvenR: moving?.breakEvenR ?? 0,
    stopSpanMs: moving === null ? null : stopSpanOf(moving),
    changes: bookChanges(row),
    exitDue:
      row.exit_due_at === null
        ? null
        : { atMs: row.exit_due_at.getTime(), reason: row.exit_due_reason as ExitDue['reason'] },
    atr: trailing.mode === 'atr' ? { interval: row.interval, period: row.trail_atr_period ?? 1 } : null,
  };
}

/** Open of the next candle to judge, for each series watched before; epoch ms. */
export async function readWatermarks(tx: SystemTx, market: MarketMode): Promise<Map<string, number>> {
  const rows = await tx.selectFrom('position_watch').selectAll().where('market', '=', market).execute();
  return new Map(
    rows.map(({ exchange, symbol, next_candle_at: next }) => [priceKey(exchange, symbol), next.getTime()]),
  );
}

export async function writeWatermarks(
  tx: SystemTx,
  market: MarketMode,
  next: ReadonlyMap<string, number>,
): Promise<void> {
  if (next.size === 0) return;
  const rows = [...next].map(([key, ms]) => {
    const [exchange, symbol] = key.split(' ');
    return { exchange, symbol, next_candle_at: new Date(ms).toISOString() };
  });
  await sql`
    insert into position_watch (market, exchange, symbol, next_candle_at)
    select ${market}, exchange, symbol, next_candle_at from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as w (exchange text, symbol text, next_candle_at timestamptz)
    on conflict (market, exchange, symbol) do update set next_candle_at = excluded.next_candle_at`.execute(tx);
}
