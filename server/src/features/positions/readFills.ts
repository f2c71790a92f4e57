import { sql } from 'kysely';
import { numberOrNull } from '../../platform/db/numberOrNull.ts';
import type { SystemTx, UserTx } from '../../platform/db/scope.ts';
import type { PositionFillWire } from './contract.ts';
import type { PositionRow } from './positionRow.ts';

/** The fills of a position, oldest first. One from before fills were stored has an entry, and an exit when it is closed, from its row. */
export async function readFills(tx: UserTx | SystemTx, row: PositionRow): Promise<PositionFillWire[]> {
  const rows = await tx
    .selectFrom('position_fills')
    .select(['id', 'at', 'kind', 'role', 'price', 'quantity', 'fee', 'pnl', 'reason', 'order_id'])
    .select(['market_price', 'half_spread'])
    .select(sql<string | null>`abs(price - market_price) - coalesce(half_spread, 0)`.as('slippage'))
    .where('position_id', '=', row.id)
    .orderBy('seq')
    .execute();
  if (rows.length === 0) return fillsOfRow(tx, row);
  return rows.map(({ price, quantity, fee, pnl, at, market_price, half_spread, slippage, ...rest }) => ({
    ...(rest as Pick<PositionFillWire, 'id' | 'kind' | 'role' | 'reason' | 'order_id'>),
    at: at.toISOString(),
    price: Number(price),
    quantity: Number(quantity),
    fee: Number(fee),
    pnl: Number(pnl),
    market_price: numberOrNull(market_price),
    half_spread: numberOrNull(half_spread),
    slippage: numberOrNull(slippage),
  }));
}

async function fillsOfRow(tx: UserTx | SystemTx, row: PositionRow): Promise<PositionFillWire[]> {
  const events = await tx
    .selectFrom('position_events')
    .select(['id', 'data'])
    .where('position_id', '=', row.id)
    .where('kind', '=', 'fee')
    .orderBy('seq')
    .execute();
  const feeOf = (what: 'entry' | 'exit') => {
    const event = events.find(({ data }) => (data as { what: string }).what === what);
    return { id: event?.id ?? row.id, fee: (event?.data as { amount: number } | undefined)?.amount ?? 0 };
  };
  const unknown = { market_price: null, half_spread: null, slippage: null };
  const base = { role: 'taker' as const, quantity: Number(row.qty), order_id: null, ...unknown };
  const entry = {
    ...feeOf('entry'),
    ...base,
    kind: 'open' as const,
    price: Number(row.entry_price),
    pnl: 0,
    reason: null,
  };
  const fills: PositionFillWire[] = [{ ...entry, at: row.opened_at.toISOString() }];
  if (row.closed_at === null) return fills;
  const reason = row.close_reason as PositionFillWire['reason'];
  const exit = {
    ...feeOf('exit'),
    ...base,
    kind: 'close' as const,
    price: Number(row.close_price),
    pnl: Number(row.pnl),
    reason,
  };
  return [...fills, { ...exit, at: row.closed_at.toISOString() }];
}
