import { venueFees, type VenueId } from '@sextant/engine-as/abi/costs.ts';
import { closingSide, type FillMarket, type FillQuote, pricedFill } from '@sextant/workers/src/positions/marketFill.ts';
import { type Part, partOf } from '@sextant/workers/src/positions/partialClose.ts';
import { exitFee } from '@sextant/workers/src/positions/plan.ts';
import { QUANTITY_STEP_MIN } from '@sextant/workers/src/positions/sizing.ts';
import { ok } from '@sextant/workers/src/core/result.ts';
import type { z } from 'zod';
import type { MarketMode } from '../../config.ts';
import { databaseNowMs } from '../../platform/db/databaseNow.ts';
import { type Db, type SystemTx, withSystem, withUser } from '../../platform/db/scope.ts';
import { type Outcome, reject } from '../../platform/errors.ts';
import { notifyUser } from '../../platform/events/notify.ts';
import type { Market, PriceQuote } from '../market/port.ts';
import { queueNotification } from '../notifications/queueNotification.ts';
import { afterClose, type CloseListener, type ClosedPosition } from './closeHooks.ts';
import { findResponse, hashKey, settleOncePerKey } from '../credits/idempotency.ts';
import type { CloseBody, ClosedResponse, PositionWire } from './contract.ts';
import { closePositions, type CloseWrite, type FillRole } from './eventWriter.ts';
import { type Reduce, writeReduce } from './fillWriter.ts';
import { lockLevels } from './ownerChanges.ts';
import { readFills } from './readFills.ts';
import { freshPrices, priceKey } from './live.ts';
import { type PositionRow, positionToWire } from './positionRow.ts';
import { readPosition } from './readPositions.ts';

export interface CloseDeps {
  db: Db;
  config: { market: MarketMode };
  market: Pick<Market, 'readQuote' | 'prices'>;
  closeListeners: readonly CloseListener[];
  warn: (error: unknown) => void;
}

const words = {
  SL: 'stop_loss',
  TP: 'take_profit',
  LIQ: 'liquidation',
  MANUAL: 'manual',
  TIME: 'holding_time',
  SIGNAL: 'opposite_signal',
  DELISTED: 'delisted',
} as const;

/** Writes closes with everything that belongs into their transaction. Returns the positions closed by this call, for the follow-ups. */
export async function writeCloses(tx: SystemTx, closes: readonly CloseWrite[]): Promise<ClosedPosition[]> {
  const done = await closePositions(tx, closes);
  if (done.length === 0) return [];
  const rows = await tx
    .selectFrom('positions')
    .select(['id', 'user_id', 'symbol', 'side', 'entry_price', 'close_price', 'close_reason', 'net_pnl'])
    .where(
      'id',
      'in',
      done.map(({ id }) => id),
    )
    .execute();
  for (const row of rows) {
    await notifyUser(tx, row.user_id, 'positions', { change: 'closed', position_id: row.id });
    await queueNotification(tx, row.user_id, 'position_closed', {
      position_id: row.id,
      symbol: row.symbol,
      side: row.side as 'LONG' | 'SHORT',
      entry_price: Number(row.entry_price),
      exit_price: Number(row.close_price),
      reason: words[row.close_reason as keyof typeof words],
      net_pnl_usdt: Number(row.net_pnl),
    });
  }
  return rows.map(({ user_id: userId, symbol, side }) => ({ userId, symbol, side: side as 'LONG' | 'SHORT' }));
}

/**
 * The isolated margin bounds a position's loss besides its costs. A manual close, or a settlement, is a liquidation at the bankruptcy
 * price when the mark price is beyond the liquidation price, or when the last price would lose more than the margin. The watch does the
 * same for stops; the owner can also close in the first minute, when the watch does not (docs/adr/0006).
 * @param fill of the closing order; absent: at the last price
 */
export function fillFor(
  {
    side: name,
    liquidation_approx: liquidation,
    entry_price: entry,
    taker_fee_fraction: takerFee,
    margin,
    qty,
  }: PositionWire,
  { last, mark }: Pick<PriceQuote, 'last' | 'mark'>,
  otherwise: 'MANUAL' | 'DELISTED',
  { price, market }: { price: number; market: FillMarket | null } = { price: last, market: null },
): Pick<CloseWrite, 'price' | 'reason' | 'exitFee' | 'market'> {
  const side = name === 'LONG' ? 1 : -1;
  const bankruptcy = entry - (side * margin) / qty;
  const isLiquidated = liquidation !== null && side * (mark ?? last) <= side * liquidation;
  if (isLiquidated || side * price < side * bankruptcy)
    return { price: bankruptcy, reason: 'LIQ', exitFee: 0, market: null };
  return { price, reason: otherwise, exitFee: exitFee(qty, price, takerFee), market };
}

export const otherMarket = (opened: string, served: string, what: 'close' | 'change' = 'close'): string =>
  `The position uses ${opened} prices; this service now runs on ${served} ones. It can ${what} once ${opened} prices return.`;

/** Why there is no closing price, according to the exchange. */
export async function noPrice(
  market: CloseDeps['market'],
  { exchange, symbol }: Pick<PositionWire, 'exchange' | 'symbol'>,
): Promise<Outcome<never>> {
  const response = await market.prices({ exchange, symbols: [symbol] });
  const why = response.ok ? response.value.missing[0]?.why : undefined;
  if (why === 'not_traded') {
    const settled = 'Within a minute the position is settled at its last mark price.';
    return reject('conflict', `${symbol} is no longer traded on ${exchange}. ${settled}`);
  }
  const what = why === 'halted' ? `${exchange} has halted ${symbol}` : `No fresh price of ${symbol}`;
  return reject('price_stale', `${what}. The position stays open.`);
}

type ClosedWire = z.input<typeof ClosedResponse>;

/** Message of a size that was changed. */
const notesOf = ({ note }: Part, { min_notional: least, step_size: step }: PositionRow): string[] => {
  if (note === 'rest_too_small')
    return [`The rest would be below the least order of ${least} USDT: all of it was closed.`];
  return note === 'rounded' ? [`Rounded down to the step of ${step}, and to what is open.`] : [];
};

/** The part that a request means. */
function partOfRequest(row: PositionRow, { fraction, quantity }: CloseBody, price: number): Outcome<Part> {
  const open = Number(row.qty);
  const wanted = quantity ?? (fraction === undefined ? open : open * fraction);
  const rules = { stepSize: Number(row.step_size), minNotional: Number(row.min_notional) };
  const part = partOf({ open, wanted, price, ...rules });
  if (part !== null) return ok(part);
  const least = Math.max(rules.stepSize, QUANTITY_STEP_MIN);
  const message = `${wanted} is less than the step of ${least}. Close at least ${least}.`;
  return reject('validation_failed', message, { field: quantity === undefined ? 'fraction' : 'quantity' });
}

/**
 * Manual close of all or a part by a market order at the server's current price, never at a price sent by the caller.
 * @param key the same key closes once and returns the first response
 */
export async function closeByOwner(
  deps: CloseDeps,
  userId: string,
  id: string,
  { body = {}, key }: { body?: CloseBody; key?: string | undefined } = {},
): Promise<Outcome<ClosedWire>> {
  const { db, market } = deps;
  const row = await withUser(db, userId, (tx) => readPosition(tx, id));
  if (row === undefined) return reject('not_found', 'Position not found.');
  if (key !== undefined) {
    const call = { userId, route: `POST /api/positions/${id}/close`, key: hashKey(key), body };
    const before = await withSystem(db, (tx) => findResponse<ClosedWire>(tx, call));
    if (before !== null) return ok(before);
  }
  if (row.closed_at !== null) return reject('conflict', 'The position is already closed.');
  const { exchange, symbol, market: opened } = positionToWire(row);
  const { market: served } = deps.config;
  if (opened !== served) return reject('conflict', otherMarket(opened, served));
  const quote = (await freshPrices(market, [{ exchange, symbol }], Date.now())).get(priceKey(exchange, symbol));
  if (quote === undefined) return noPrice(market, { exchange, symbol });
  const call = { userId, route: `POST /api/positions/${id}/close`, key: key === undefined ? key : hashKey(key), body };
  const closed: ClosedPosition[] = [];
  const done = await settleOncePerKey(db, call, async (tx) => {
    const result = await closePart(tx, { userId, id, body, quote });
    if (!result.ok) return result;
    closed.push(...result.value.closed);
    return ok(result.value.wire);
  });
  await afterClose(deps, closed);
  return done;
}

interface PartRequest {
  userId: string;
  id: string;
  body: CloseBody;
  quote: FillQuote & Pick<PriceQuote, 'mark'>;
  /** Fill of the order that closes; absent: a market order at once, by hand. */
  fill?: { price: number; atMs: number; role: FillRole; orderId: string | null; market: FillMarket | null };
}

/** Closes all or a part of a position of the user, in the transaction of the caller. */
export async function closePart(
  tx: SystemTx,
  { userId, id, body, quote, fill }: PartRequest,
): Promise<Outcome<{ wire: ClosedWire; closed: ClosedPosition[]; part: Part }>> {
  // The watch does not judge meanwhile; it knows the fill before it goes on. A fill of an order comes from the watch itself.
  if (fill === undefined) await lockLevels(tx, 'owner');
  const locked = await lockOpen(tx, userId, id);
  if (!locked.ok) return locked;
  const row = locked.value;
  const position = positionToWire(row);
  const how = fill ?? {
    ...pricedFill(closingSide(position.side), quote, Number(row.tick_size)),
    atMs: await databaseNowMs(tx),
    role: 'taker' as const,
    orderId: null,
  };
  const { price, role, orderId, market } = how;
  const part = partOfRequest(row, body, price);
  if (!part.ok) return part;
  const whole = fillFor(position, quote, 'MANUAL', how);
  // Uses the database clock: a node clock that is ahead would charge fundings that came after the close.
  const atMs = Math.max(how.atMs, row.opened_at.getTime());
  const by = { id, atMs, by: 'owner', role, orderId } as const;
  const feeFraction = role === 'maker' ? makerFee(row) : position.taker_fee_fraction;
  let closed: ClosedPosition[] = [];
  // A liquidation takes all of it.
  if (part.value.isWhole || whole.reason === 'LIQ') {
    const fee = whole.reason === 'LIQ' ? whole.exitFee : exitFee(position.qty, price, feeFraction);
    closed = await writeCloses(tx, [{ isAmbiguous: false, ...whole, ...by, exitFee: fee }]);
    if (closed.length === 0) return reject('conflict', 'The position is already closed.');
  } else if (!(await reduce(tx, userId, { ...by, price, market, quantity: part.value.quantity }, feeFraction))) {
    return reject('conflict', 'The position changed meanwhile. Check it and close again.');
  }
  const after = await tx.selectFrom('positions').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const last = (await readFills(tx, after)).at(-1);
  if (last === undefined) throw new Error('a close has a fill');
  const notes = whole.reason === 'LIQ' ? [] : notesOf(part.value, row);
  return ok({ wire: { position: positionToWire(after), fill: last, notes }, closed, part: part.value });
}

/** Closes a part by hand. False: the position changed meanwhile. */
async function reduce(
  tx: SystemTx,
  userId: string,
  part: Omit<Reduce, 'exitFee' | 'reason'>,
  feeFraction: number,
): Promise<boolean> {
  const exit = exitFee(part.quantity, part.price, feeFraction);
  const row = await writeReduce(tx, { ...part, exitFee: exit, reason: 'MANUAL' });
  if (row !== null) await notifyUser(tx, userId, 'positions', { change: 'reduced', position_id: part.id });
  return row !== null;
}

/** The row that a close may change, locked. */
async function lockOpen(tx: SystemTx, userId: string, id: string): Promise<Outcome<PositionRow>> {
  const own = tx.selectFrom('positions').selectAll().where('id', '=', id).where('user_id', '=', userId);
  const row = await own.forUpdate().executeTakeFirst();
  if (row === undefined) return reject('not_found', 'Position not found.');
  return row.closed_at === null ? ok(row) : reject('conflict', 'The position is already closed.');
}

/** Positions carry the taker fee of their exchange; the maker fee is that of the exchange. */
const makerFee = ({ exchange }: PositionRow): number => venueFees[exchange as VenueId].makerFeeFraction;
