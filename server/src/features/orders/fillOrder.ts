import { venueFees, type VenueId } from '@sextant/engine-as/abi/costs.ts';
import { ok } from '@sextant/workers/src/core/result.ts';
import { sql } from 'kysely';
import { databaseNowMs } from '../../platform/db/databaseNow.ts';
import type { SystemTx } from '../../platform/db/scope.ts';
import { type Outcome, reject } from '../../platform/errors.ts';
import { notifyUser } from '../../platform/events/notify.ts';
import { isLeaving } from '../../platform/auth/leaving.ts';
import { preferencesFor } from '../preferences/preferencesOf.ts';
import { addToPosition, planAddition } from '../positions/addToPosition.ts';
import type { ClosedPosition } from '../positions/closeHooks.ts';
import { closePart } from '../positions/closePosition.ts';
import { openInTurn, type OpeningDeps, openingsInTurn, type OrderFill } from '../positions/openPosition.ts';
import { type PositionRow, positionToWire } from '../positions/positionRow.ts';
import { readFunds, sizingAccount } from '../sizing/accountSizing.ts';
import type { ExchangeId, PriceQuote } from '../market/port.ts';
import type { CancelReason } from './contract.ts';
import type { z } from 'zod';
import { type OrderRow, symbolOfOrder, targetsOfOrder, trailingOfOrder } from './orderRow.ts';

type Reason = z.output<typeof CancelReason>;

/** How an order ends that cannot be filled: the reason is stored with it. */
interface Unfilled {
  cancel: Reason;
  message: string;
}

interface Filled {
  positionId: string;
  quantity: number;
  fee: number;
  closed: ClosedPosition[];
}

type Filling = Filled | Unfilled;

const sentence = (what: string): string => what.slice(0, 500);

/** Open position of a side of the symbol of an order. */
const readSide = (tx: SystemTx, order: OrderRow, side: 'LONG' | 'SHORT'): Promise<PositionRow | undefined> =>
  tx
    .selectFrom('positions')
    .selectAll()
    .where('user_id', '=', order.user_id)
    .where('market', '=', order.market)
    .where('symbol', '=', order.symbol)
    .where('side', '=', side)
    .where('closed_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();

/**
 * Fills an order in a transaction that has the lock of levels, and stores how it ended. It opens a position, adds to the one of its side,
 * or closes the one of the other side. @returns the row after it, and the positions that it closed
 */
export async function fillOrder(
  deps: OpeningDeps,
  tx: SystemTx,
  order: OrderRow,
  fill: Omit<OrderFill, 'orderId'>,
): Promise<{ row: OrderRow; closed: ClosedPosition[] }> {
  await openingsInTurn(tx, order.user_id);
  // What was set aside for it is free for it.
  await tx.updateTable('orders').set({ reserved: '0' }).where('id', '=', order.id).execute();
  const atMs = fill.atMs ?? (await databaseNowMs(tx));
  const done = await fillOne(deps, tx, order, { ...fill, atMs, orderId: order.id });
  const isFilled = !('cancel' in done);
  const row = await endOrder(tx, order.id, atMs, {
    ...(isFilled
      ? {
          status: 'filled' as const,
          fill_price: String(fill.price),
          fill_quantity: String(done.quantity),
          fill_fee: done.fee.toFixed(8),
          fill_role: fill.role,
          position_id: done.positionId,
        }
      : { status: 'cancelled' as const, cancel_reason: done.cancel, message: sentence(done.message) }),
  });
  return { row, closed: isFilled ? done.closed : [] };
}

interface End {
  status: 'filled' | 'cancelled' | 'expired';
  cancel_reason?: Reason;
  message?: string;
  fill_price?: string;
  fill_quantity?: string;
  fill_fee?: string;
  fill_role?: string;
  position_id?: string;
}

/** Ends an order that rests, and notifies the pages of its owner. */
export async function endOrder(tx: SystemTx, id: string, atMs: number, end: End): Promise<OrderRow> {
  const row = await tx
    .updateTable('orders')
    .set({ ...end, reserved: '0', ended_at: new Date(atMs) })
    .where('id', '=', id)
    .where('status', '=', 'resting')
    .returningAll()
    .executeTakeFirstOrThrow();
  await notifyUser(tx, row.user_id, 'orders', { change: end.status, order_id: id, symbol: row.symbol });
  return row;
}

async function fillOne(
  deps: OpeningDeps,
  tx: SystemTx,
  order: OrderRow,
  fill: OrderFill & { atMs: number },
): Promise<Filling> {
  if (await isLeaving(tx, order.user_id)) return { cancel: 'deleted', message: 'The account is being deleted.' };
  const side = order.side as 'LONG' | 'SHORT';
  if (order.reduce_only) return closeByOrder(tx, order, fill);
  const same = await readSide(tx, order, side);
  return same === undefined ? openByOrder(deps, tx, order, fill) : addByOrder(deps, tx, { order, fill, same });
}

/**
 * What is open of a position, without what was entered after the open of a candle: the candle's price may be older than that.
 * @param candleMs null: a price of this moment
 */
async function openBefore(tx: SystemTx, position: PositionRow, candleMs: number | null): Promise<number> {
  const open = Number(position.qty);
  if (candleMs === null) return open;
  if (position.opened_at.getTime() > candleMs) return 0;
  const { rows } = await sql<{ left: string }>`
    select ${position.qty}::numeric - coalesce(sum(quantity), 0) as left from position_fills
    where position_id = ${position.id} and kind = 'add' and at > ${new Date(candleMs)}`.execute(tx);
  return Math.max(0, Number(rows[0]?.left ?? open));
}

async function closeByOrder(tx: SystemTx, order: OrderRow, fill: OrderFill & { atMs: number }): Promise<Filling> {
  const other = order.side === 'LONG' ? 'SHORT' : 'LONG';
  const position = await readSide(tx, order, other);
  const open = position === undefined ? 0 : await openBefore(tx, position, fill.candleMs);
  if (position === undefined || !(open > 0))
    return { cancel: 'no_position', message: `No ${other} of ${order.symbol} was open when it was due.` };
  const quantity = Math.min(Number(order.quantity), open);
  // A liquidation is judged by the market's price: the costs of this order are not its.
  const quote = { last: fill.market?.price ?? fill.price, bid: null, ask: null, mark: null };
  const part = { userId: order.user_id, id: position.id, body: { quantity }, quote, fill };
  const done = await closePart(tx, part);
  if (!done.ok) return { cancel: 'rejected', message: done.error.message };
  const { wire, closed } = done.value;
  return { positionId: position.id, quantity: wire.fill.quantity, fee: wire.fill.fee, closed };
}

const feeFractionOf = ({ exchange }: OrderRow, { role }: OrderFill): number => {
  const { makerFeeFraction, takerFeeFraction } = venueFees[exchange as VenueId];
  return role === 'maker' ? makerFeeFraction : takerFeeFraction;
};

async function openByOrder(
  deps: OpeningDeps,
  tx: SystemTx,
  order: OrderRow,
  fill: OrderFill & { atMs: number },
): Promise<Filling> {
  const quantity = Number(order.quantity);
  const targets = targetsOfOrder(order);
  const quote: PriceQuote = {
    symbol: order.symbol,
    last: fill.price,
    bid: null,
    ask: null,
    mark: null,
    atMs: fill.atMs,
  };
  const opened = await openInTurn(
    deps,
    tx,
    {
      userId: order.user_id,
      exchange: order.exchange as ExchangeId,
      openingRef: `order:${order.id}`,
      scanId: order.scan_id,
      signalId: order.signal_id,
      runId: null,
      source: 'manual',
      symbol: order.symbol,
      interval: order.interval as '1h',
      direction: order.side as 'LONG' | 'SHORT',
      confidence: order.confidence,
      signalPrice: null,
      levels: {
        stopLoss: order.stop_loss === null ? null : Number(order.stop_loss),
        takeProfit: targets?.[0]?.price ?? null,
      },
      levelsOf: 'owner',
      riskMultiplier: 1,
      sizing: { by: 'quantity', quantity },
      leverage: order.leverage,
      isExact: true,
      entryFeeFraction: feeFractionOf(order, fill),
      trailing: trailingOfOrder(order),
      fill,
      ...(targets === null ? {} : { targets }),
    },
    { market: symbolOfOrder(order), quote },
  );
  if (!opened.ok) return { cancel: 'rejected', message: opened.error.message };
  const { value } = opened;
  if (value.outcome === 'skipped') {
    return { cancel: value.skip.detail === 'margin_full' ? 'margin' : 'rejected', message: value.message };
  }
  const plan = value.decision?.draft.plan;
  return { positionId: value.id, quantity: plan?.quantity ?? quantity, fee: plan?.entryFee ?? 0, closed: [] };
}

async function addByOrder(
  deps: OpeningDeps,
  tx: SystemTx,
  { order, fill, same }: { order: OrderRow; fill: OrderFill & { atMs: number }; same: PositionRow },
): Promise<Filling> {
  const quantity = Number(order.quantity);
  const position = positionToWire(same);
  const { price } = fill;
  const tickSize = Number(order.tick_size);
  const plan = planAddition(deps.kernel(), position, {
    price,
    quantity,
    feeFraction: feeFractionOf(order, fill),
    tickSize,
  });
  const { symbol, user_id: userId } = order;
  const sign = position.side === 'LONG' ? 1 : -1;
  const stop = position.stop_loss;
  if (sign * price <= sign * stop)
    return {
      cancel: 'rejected',
      message: `The entry at ${price} is beyond the stop of the open ${position.side} at ${stop}.`,
    };
  if (!plan.isStopNearer)
    return {
      cancel: 'rejected',
      message: `Adding would move the liquidation of ${symbol} before its stop at ${stop}.`,
    };
  const account = sizingAccount(await preferencesFor(tx, userId), await readFunds(tx, userId, deps.config.market));
  const needed = plan.margin + plan.entryFee;
  if (needed > account.freeUsdt * (1 + 1e-9)) {
    const free = Math.max(0, account.freeUsdt).toFixed(2);
    return { cancel: 'margin', message: `Adding needs ${needed.toFixed(2)} USDT; ${free} USDT is free.` };
  }
  const row = await addToPosition(tx, position, { plan, fill, quantity, atMs: fill.atMs });
  if (row === null) return { cancel: 'rejected', message: 'The position closed meanwhile.' };
  return { positionId: row.id, quantity, fee: plan.entryFee, closed: [] };
}

/** The market order of the request that runs: one that cannot be filled is rejected, and nothing is stored. */
export function filledNow({
  row,
  closed,
}: Awaited<ReturnType<typeof fillOrder>>): Outcome<{ row: OrderRow; closed: ClosedPosition[] }> {
  if (row.status === 'filled') return ok({ row, closed });
  return reject('order_refused', row.message ?? 'The order was not filled.', { field: 'quantity' });
}
