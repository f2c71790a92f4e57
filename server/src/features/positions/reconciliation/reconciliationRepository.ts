import type { Reconciliation } from '@sextant/workers/src/positions/reconcile.ts';
import { sql } from 'kysely';
import type { MarketMode } from '../../../config.ts';
import { numberOrNull } from '../../../platform/db/numberOrNull.ts';
import type { SystemTx } from '../../../platform/db/scope.ts';
import type { PositionRow } from '../positionRow.ts';

export const notComparableReasons = [
  'changed_by_owner',
  'filled_in_parts',
  'too_long',
  'no_candles',
  'not_opened',
  'not_computable',
] as const;
export type NotComparable = (typeof notComparableReasons)[number];

/** Opened by a scan's automatic opening, or as the other half of such a position; not by hand, an order or a chart analysis. */
export const isAutomatic = ({ opening_ref: ref }: Pick<PositionRow, 'opening_ref'>): boolean =>
  /^(scan|reverse):/.test(ref);

/**
 * Closed automatic positions that were not compared since their result last changed, oldest close first.
 * @param closedBy only closes until then: their last minute is stored by that time
 */
export async function readDue(
  tx: SystemTx,
  { market, closedBy, limit }: { market: MarketMode; closedBy: Date; limit: number },
): Promise<PositionRow[]> {
  return tx
    .selectFrom('positions')
    .selectAll()
    .where('market', '=', market)
    .where('closed_at', '<=', closedBy)
    .where(sql<boolean>`opening_ref ~ '^(scan|reverse):'`)
    .where(
      sql<boolean>`not exists (select from position_reconciliations r where r.position_id = positions.id and r.live_net = positions.net_pnl)`,
    )
    .orderBy('closed_at')
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** Price of the market at the opening of a position, before the costs of the fill; null: not recorded. */
export async function readEntryMarket(tx: SystemTx, positionId: string): Promise<number | null> {
  const fill = await tx
    .selectFrom('position_fills')
    .select('market_price')
    .where('position_id', '=', positionId)
    .where('kind', '=', 'open')
    .executeTakeFirst();
  return numberOrNull(fill?.market_price ?? null);
}

/**
 * Close of the candle that decided an opening: that of its signal, or for the other half of a reversed position the close that was due to
 * reverse it. The opening follows within minutes, and may come after the next close. Null: not recorded.
 */
export async function readDecidedAt(
  tx: SystemTx,
  { signal_id: signalId, opening_ref: ref }: Pick<PositionRow, 'signal_id' | 'opening_ref'>,
): Promise<number | null> {
  if (signalId !== null) {
    const signal = await tx
      .selectFrom('signals')
      .select('candle_close_at')
      .where('id', '=', signalId)
      .executeTakeFirst();
    return signal?.candle_close_at.getTime() ?? null;
  }
  const [, reversedId] = /^reverse:(.+)$/.exec(ref) ?? [];
  if (reversedId === undefined) return null;
  const reversed = await tx
    .selectFrom('positions')
    .select('exit_due_at')
    .where('id', '=', reversedId)
    .executeTakeFirst();
  return reversed?.exit_due_at?.getTime() ?? null;
}

/** Stores the result of a comparison in place of an earlier one. */
export async function storeReconciliation(
  tx: SystemTx,
  { id, user_id, net_pnl: net }: Pick<PositionRow, 'id' | 'user_id' | 'net_pnl'>,
  result: Reconciliation | NotComparable,
): Promise<void> {
  if (net === null) throw new Error('an open position has no result to compare');
  const isCompared = typeof result !== 'string';
  const none = {
    lab_net: null,
    revision: null,
    entry: null,
    slippage: null,
    mark: null,
    exit: null,
    size: null,
    fees: null,
    funding: null,
    rest: null,
    lab: null,
  };
  const values = isCompared
    ? { lab_net: result.labNet, ...result.parts, rest: result.rest, lab: JSON.stringify(result.lab) }
    : none;
  const row = { ...values, live_net: net, not_comparable: isCompared ? null : result, created_at: sql<Date>`now()` };
  await tx
    .insertInto('position_reconciliations')
    .values({ ...row, position_id: id, user_id })
    .onConflict((conflict) => conflict.column('position_id').doUpdateSet(row))
    .execute();
}

/** Whether a comparison left a part of a difference without a cause. */
export async function hasUnexplained(tx: SystemTx): Promise<boolean> {
  const row = await tx
    .selectFrom('position_reconciliations')
    .select('position_id')
    .where('rest', '<>', '0')
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
