import type { OrdersTable } from '@sextant/db/src/schema.gen.ts';
import type { RestingOrder } from '@sextant/workers/src/orders/restingOrders.ts';
import type { BookTarget } from '@sextant/workers/src/positions/partialClose.ts';
import type { Selectable } from 'kysely';
import type { FuturesSymbol } from '../market/port.ts';
import type { TrailingChange } from '../positions/contract.ts';
import type { OrderBody, OrderWire } from './contract.ts';
import { numberOrNull } from '../../platform/db/numberOrNull.ts';

export type OrderRow = Selectable<OrdersTable>;

export const targetsOfOrder = (row: OrderRow): BookTarget[] | null => row.take_profits as BookTarget[] | null;
export const trailingOfOrder = (row: OrderRow): TrailingChange | null => row.trail as TrailingChange | null;

export function orderToWire(row: OrderRow): OrderWire {
  const { fill_price: price, fill_quantity: quantity, ended_at: endedAt } = row;
  return {
    id: row.id,
    symbol: row.symbol,
    exchange: row.exchange as OrderWire['exchange'],
    market: row.market as OrderWire['market'],
    interval: row.interval as OrderWire['interval'],
    side: row.side as OrderWire['side'],
    type: row.type as OrderWire['type'],
    status: row.status as OrderWire['status'],
    reduce_only: row.reduce_only,
    quantity: Number(row.quantity),
    price: numberOrNull(row.price),
    leverage: row.leverage,
    stop_loss: numberOrNull(row.stop_loss),
    take_profits: targetsOfOrder(row),
    trailing: trailingOfOrder(row),
    expires_at: row.expires_at?.toISOString() ?? null,
    reserved: Number(row.reserved),
    created_at: row.created_at.toISOString(),
    revision: row.revision,
    ended_at: endedAt?.toISOString() ?? null,
    cancel_reason: row.cancel_reason as OrderWire['cancel_reason'],
    message: row.message,
    fill:
      price === null || quantity === null || endedAt === null
        ? null
        : {
            price: Number(price),
            quantity: Number(quantity),
            fee: Number(row.fill_fee),
            role: row.fill_role as 'maker' | 'taker',
            at: endedAt.toISOString(),
          },
    position_id: row.position_id,
  };
}

/** An order that rests, as the watch judges it. */
export const orderToWatch = (row: OrderRow): RestingOrder => ({
  id: row.id,
  side: row.side as RestingOrder['side'],
  type: row.type as RestingOrder['type'],
  price: Number(row.price),
  tickSize: Number(row.tick_size),
  activeFromMs: row.active_from.getTime(),
  expiresAtMs: row.expires_at?.getTime() ?? null,
  revision: row.revision,
});

/** The request that a stored order stands for, to check a change of it. @param isAdding levels and leverage are those of its position */
export function bodyOfOrder(row: OrderRow, isAdding: boolean): OrderBody {
  const body: OrderBody = {
    symbol: row.symbol,
    side: row.side as OrderBody['side'],
    type: row.type as OrderBody['type'],
    quantity: Number(row.quantity),
    price: numberOrNull(row.price) ?? undefined,
    interval: row.interval as OrderBody['interval'],
    reduce_only: row.reduce_only,
    expires_at: row.expires_at?.toISOString() ?? null,
  };
  if (isAdding || row.reduce_only) return body;
  return {
    ...body,
    leverage: row.leverage,
    stop_loss: numberOrNull(row.stop_loss) ?? undefined,
    take_profits: targetsOfOrder(row) ?? undefined,
    trailing: trailingOfOrder(row) ?? undefined,
  };
}

/** The contract as it was when the order was placed: a fill needs no request to the exchange. */
export const symbolOfOrder = (row: OrderRow): FuturesSymbol => ({
  symbol: row.symbol,
  base: row.symbol,
  tickSize: Number(row.tick_size),
  stepSize: Number(row.step_size),
  minNotional: Number(row.min_notional),
  // Capped when it was placed.
  maxLeverage: null,
  maxQuantity: null,
  listedAtMs: null,
  status: 'trading',
  fundingHours: null,
});
