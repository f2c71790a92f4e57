import { sql } from 'kysely';
import type { MarketMode } from '../../config.ts';
import type { SystemTx, UserTx } from '../../platform/db/scope.ts';
import { notifyUser } from '../../platform/events/notify.ts';
import type { ExchangeId } from '../market/port.ts';
import { WATCHES_MAX, type WatchWire } from './contract.ts';

export interface NewWatch {
  market: MarketMode;
  symbol: string;
  buy: ExchangeId;
  sell: ExchangeId;
  netPct: number;
  holdHours: number;
  takerFees: { buy: number; sell: number };
}

/** Null when the list is full. */
export async function insertWatch(tx: UserTx, userId: string, watch: NewWatch): Promise<WatchWire | null> {
  // Locked: two concurrent additions would otherwise both pass the limit check.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`arbitrage watches ${userId}`}, 0))`.execute(tx);
  const { count } = await tx
    .selectFrom('arbitrage_watches')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow();
  if (Number(count) >= WATCHES_MAX) return null;
  const { netPct, holdHours, takerFees, ...pair } = watch;
  const row = await tx
    .insertInto('arbitrage_watches')
    .values({
      user_id: userId,
      ...pair,
      net_pct: netPct,
      hold_hours: holdHours,
      buy_fee: takerFees.buy,
      sell_fee: takerFees.sell,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await notifyUser(tx, userId, 'arbitrage', { change: 'watches' });
  return watchOf(row);
}

export async function readWatches(tx: UserTx, market: MarketMode): Promise<WatchWire[]> {
  const rows = await tx
    .selectFrom('arbitrage_watches')
    .selectAll()
    .where('market', '=', market)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();
  return rows.map(watchOf);
}

/** False when the user has no such watch. */
export async function deleteWatch(tx: UserTx, userId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await tx.deleteFrom('arbitrage_watches').where('id', '=', id).executeTakeFirst();
  if (numDeletedRows > 0n) await notifyUser(tx, userId, 'arbitrage', { change: 'watches' });
  return numDeletedRows > 0n;
}

/** Targets that are notified of spreads. */
export async function countTargets(tx: UserTx): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from notification_targets where is_on and 'arbitrage_spread' = any (kinds)`.execute(
    tx,
  );
  return rows[0]?.count ?? 0;
}

interface WatchRow {
  id: string;
  symbol: string;
  buy: string;
  sell: string;
  net_pct: number;
  hold_hours: number;
  buy_fee: number;
  sell_fee: number;
  created_at: Date;
  is_above: boolean;
  crossings: number;
  last_crossed_at: Date | null;
}

const watchOf = (row: WatchRow): WatchWire => ({
  id: row.id,
  symbol: row.symbol,
  buy: row.buy as ExchangeId,
  sell: row.sell as ExchangeId,
  netPct: row.net_pct,
  holdHours: row.hold_hours,
  takerFees: { buy: row.buy_fee, sell: row.sell_fee },
  createdAt: row.created_at.toISOString(),
  isAbove: row.is_above,
  crossings: row.crossings,
  lastCrossedAt: row.last_crossed_at?.toISOString() ?? null,
});

/** A watched pair with the fields the sampler needs. */
export interface Watched extends Pick<
  WatchWire,
  'id' | 'symbol' | 'buy' | 'sell' | 'netPct' | 'holdHours' | 'takerFees' | 'isAbove'
> {
  userId: string;
}

export async function readAllWatches(tx: SystemTx, market: MarketMode): Promise<Watched[]> {
  const rows = await tx.selectFrom('arbitrage_watches').selectAll().where('market', '=', market).execute();
  return rows.map((row) => ({ ...watchOf(row), userId: row.user_id }));
}
