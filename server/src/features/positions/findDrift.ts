import { isDeepStrictEqual } from 'node:util';
import { type Db, withSystem } from '../../platform/db/scope.ts';
import { decimal, fromDecimal } from '../../platform/decimal.ts';
import type { PositionRow } from './positionRow.ts';
import { rebuildPosition, type Rebuilt, type StoredEvent } from './rebuildPosition.ts';

const instant = (at: Date | null): string | null => at?.toISOString() ?? null;
/** A numeric without a scale keeps the zeros it was written with. */
const plain = (text: string): string => fromDecimal(decimal(text));
const plainOrNull = (text: string | null): string | null => (text === null ? null : plain(text));

/** The part of a row that is history. */
export const historyOf = (row: PositionRow): Rebuilt => ({
  symbol: row.symbol,
  side: row.side,
  leverage: row.leverage,
  confidence: row.confidence,
  entry_price: plain(row.entry_price),
  qty: plain(row.qty),
  stop_loss: plain(row.stop_loss),
  take_profit: plain(row.take_profit),
  liquidation_approx: plainOrNull(row.liquidation_approx),
  opened_at: row.opened_at.toISOString(),
  armed_at: instant(row.armed_at),
  closed_at: instant(row.closed_at),
  close_price: plainOrNull(row.close_price),
  close_reason: row.close_reason,
  fees: row.fees,
  funding: row.funding,
  margin: row.margin ?? '',
  pnl: row.pnl,
  roi_pct: row.roi_pct,
  net_pnl: row.net_pnl,
  return_on_margin_pct: row.return_on_margin_pct,
});

const AT_ONCE = 1000;

/** Ids of positions closed since a time whose row is not what their events add up to. There must be none. */
export async function findDrift(db: Db, since: Date): Promise<string[]> {
  return withSystem(db, async (tx) => {
    const rows = await tx
      .selectFrom('positions')
      .selectAll()
      .where('closed_at', '>=', since)
      .orderBy('closed_at', 'desc')
      .limit(AT_ONCE)
      .execute();
    if (rows.length === 0) return [];
    const events = await tx
      .selectFrom('position_events')
      .select(['position_id', 'kind', 'at', 'data'])
      .where(
        'position_id',
        'in',
        rows.map(({ id }) => id),
      )
      .orderBy('seq')
      .execute();
    const byPosition = Map.groupBy(events, ({ position_id: id }) => id);
    return rows.flatMap((row) => {
      const own = (byPosition.get(row.id) ?? []) as StoredEvent[];
      return isDeepStrictEqual(rebuildPosition(own), historyOf(row)) ? [] : [row.id];
    });
  });
}
