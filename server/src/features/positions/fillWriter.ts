import { sql } from 'kysely';
import type { FillMarket } from '@sextant/workers/src/positions/marketFill.ts';
import type { BookTarget } from '@sextant/workers/src/positions/partialClose.ts';
import type { SystemTx } from '../../platform/db/scope.ts';
import { type CloseWrite, type FillRole, marketColumns, targetsColumn } from './eventWriter.ts';
import type { PositionRow } from './positionRow.ts';

/** Writes fills that change an open position: additions and partial closes. Money is rounded to eight decimals as everywhere. */

const money = (value: number): string => value.toFixed(8);

/** A partial close. `quantity` is less than what is open. */
export interface Reduce {
  id: string;
  atMs: number;
  price: number;
  quantity: number;
  exitFee: number;
  reason: CloseWrite['reason'];
  by: CloseWrite['by'];
  /** Price before the costs of the fill; absent or null of a limit order. */
  market?: FillMarket | null;
  role?: FillRole;
  orderId?: string | null;
  /** Targets still ahead, where a target was reached; absent: they are unchanged. */
  targets?: readonly BookTarget[];
}

/** An entry on top of an open position. */
export interface Addition {
  id: string;
  atMs: number;
  price: number;
  quantity: number;
  entryFee: number;
  market: FillMarket | null;
  role: FillRole;
  orderId: string | null;
  /** Average price of the position after it. */
  averagePrice: number;
  liquidationPrice: number | null;
}

/** A position from before fills were stored gets its entry as the first of them. */
async function insertFirst(tx: SystemTx, id: string): Promise<void> {
  await sql`
    insert into position_fills (user_id, position_id, kind, role, price, quantity, fee, at)
    select p.user_id, p.id, 'open', 'taker', p.entry_price, p.qty, coalesce((
      select sum((e.data ->> 'amount')::numeric) from position_events e
      where e.position_id = p.id and e.kind = 'fee' and e.data ->> 'what' = 'entry'), 0), p.opened_at
    from positions p where p.id = ${id} and p.fill_count = 0`.execute(tx);
}

/** Null: it is closed, or less is open. The row after it. */
export async function writeReduce(tx: SystemTx, reduce: Reduce): Promise<PositionRow | null> {
  const { id, exitFee, reason, by, role = 'taker', orderId = null, targets } = reduce;
  const { market_price: marketPrice, half_spread: halfSpread } = marketColumns(reduce.market);
  await tx.selectFrom('positions').select('id').where('id', '=', id).forUpdate().execute();
  await insertFirst(tx, id);
  const [price, quantity] = [String(reduce.price), String(reduce.quantity)];
  const [next] = targets ?? [];
  const { rows } = await sql<PositionRow>`
    update positions p set qty = trim_scale(p.qty - ${quantity}::numeric), entered = coalesce(p.entered, p.entry_price * p.qty),
      entered_qty = coalesce(p.entered_qty, p.qty), exited = coalesce(p.exited, 0) + ${price}::numeric * ${quantity}::numeric,
      realised = p.realised
        + round((${price}::numeric - p.entry_price) * case p.side when 'LONG' then 1 else -1 end * ${quantity}::numeric, 8),
      fees = p.fees + ${money(exitFee)}::numeric, fill_count = greatest(p.fill_count, 1) + 1,
      last_fill_at = greatest(${new Date(reduce.atMs)}::timestamptz, p.last_fill_at, p.opened_at),
      targets = case when ${targets === undefined} then p.targets else ${targetsColumn(targets)}::jsonb end,
      take_profit = coalesce(${next === undefined ? null : String(next.price)}::numeric, p.take_profit),
      -- Targets that the owner changed before are part of those still ahead.
      changes_pending = case when ${targets === undefined} or p.changes_pending is null then p.changes_pending else (
        select coalesce(jsonb_agg(case when (c ->> 'at')::timestamptz <= ${new Date(reduce.atMs)}::timestamptz
          then c - 'take_profit' - 'take_profits' else c end order by place), '[]'::jsonb)
        from jsonb_array_elements(p.changes_pending) with ordinality as each (c, place)) end
    where p.id = ${id} and p.closed_at is null and p.qty > ${quantity}::numeric
    returning *`.execute(tx);
  const [row] = rows;
  if (row === undefined) return null;
  await sql`
    with f as (
      insert into position_fills (user_id, position_id, kind, role, price, quantity, fee, pnl, reason, order_id, market_price, half_spread, at)
      select user_id, id, 'partial_close', ${role}, ${price}::numeric, ${quantity}::numeric, ${money(exitFee)}::numeric,
        round((${price}::numeric - entry_price) * case side when 'LONG' then 1 else -1 end * ${quantity}::numeric, 8), ${reason},
        ${orderId}::uuid, ${marketPrice}::numeric, ${halfSpread}::numeric, last_fill_at
      from positions where id = ${id}
      returning *)
    insert into position_events (user_id, position_id, kind, at, data)
    select user_id, id, kind, at, data from (
      select f.user_id, f.position_id as id, f.at, 1 as place, 'fee' as kind, jsonb_build_object('amount', f.fee, 'what', 'exit') as data from f
      union all
      select f.user_id, f.position_id, f.at, 2, 'reduced', jsonb_build_object('price', f.price, 'quantity', f.quantity, 'pnl', f.pnl,
        'qty', ${row.qty}::numeric, 'reason', f.reason, 'by', ${by}::text)
        || case when ${targets === undefined} then '{}'::jsonb else jsonb_build_object('take_profit', ${row.take_profit}::numeric) end
      from f) e order by place`.execute(tx);
  return row;
}

/** Null: it is closed. The row after it. */
export async function writeAddition(tx: SystemTx, addition: Addition): Promise<PositionRow | null> {
  const { id, entryFee, role, orderId } = addition;
  const { market_price: marketPrice, half_spread: halfSpread } = marketColumns(addition.market);
  await tx.selectFrom('positions').select('id').where('id', '=', id).forUpdate().execute();
  await insertFirst(tx, id);
  const [price, quantity] = [String(addition.price), String(addition.quantity)];
  const { liquidationPrice: liquidation } = addition;
  const { rows } = await sql<PositionRow>`
    update positions p set qty = trim_scale(p.qty + ${quantity}::numeric), entry_price = ${String(addition.averagePrice)}::numeric,
      liquidation_approx = ${liquidation === null ? null : String(liquidation)}::numeric,
      entered = coalesce(p.entered, p.entry_price * p.qty) + ${price}::numeric * ${quantity}::numeric,
      entered_qty = trim_scale(coalesce(p.entered_qty, p.qty) + ${quantity}::numeric), exited = coalesce(p.exited, 0),
      fees = p.fees + ${money(entryFee)}::numeric, fill_count = greatest(p.fill_count, 1) + 1,
      last_fill_at = greatest(${new Date(addition.atMs)}::timestamptz, p.last_fill_at, p.opened_at)
    where p.id = ${id} and p.closed_at is null
    returning *`.execute(tx);
  const [row] = rows;
  if (row === undefined) return null;
  await sql`
    with f as (
      insert into position_fills (user_id, position_id, kind, role, price, quantity, fee, order_id, market_price, half_spread, at)
      select user_id, id, 'add', ${role}, ${price}::numeric, ${quantity}::numeric, ${money(entryFee)}::numeric, ${orderId}::uuid,
        ${marketPrice}::numeric, ${halfSpread}::numeric, last_fill_at
      from positions where id = ${id}
      returning *)
    insert into position_events (user_id, position_id, kind, at, data)
    select user_id, id, kind, at, data from (
      select f.user_id, f.position_id as id, f.at, 1 as place, 'fee' as kind, jsonb_build_object('amount', f.fee, 'what', 'entry') as data from f
      union all
      select f.user_id, f.position_id, f.at, 2, 'added', jsonb_build_object('price', f.price, 'quantity', f.quantity,
        'entry_price', ${row.entry_price}::numeric, 'qty', ${row.qty}::numeric, 'margin', ${row.margin}::numeric,
        'liquidation_approx', ${row.liquidation_approx}::numeric)
      from f) e order by place`.execute(tx);
  return row;
}
