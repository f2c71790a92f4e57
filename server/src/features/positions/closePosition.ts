import { exitFee } from '@sextant/workers/src/positions/plan.ts';
import { ok } from '@sextant/workers/src/core/result.ts';
import type { MarketMode } from '../../config.ts';
import { databaseNowMs } from '../../platform/db/databaseNow.ts';
import { type Db, type SystemTx, withSystem, withUser } from '../../platform/db/scope.ts';
import { type Outcome, reject } from '../../platform/errors.ts';
import { notifyUser } from '../../platform/events/notify.ts';
import type { Market, PriceQuote } from '../market/port.ts';
import { queueNotification } from '../notifications/queueNotification.ts';
import { afterClose, type CloseListener, type ClosedPosition } from './closeHooks.ts';
import type { PositionWire } from './contract.ts';
import { closePositions, type CloseWrite } from './eventWriter.ts';
import { freshPrices, priceKey } from './live.ts';
import { positionToWire } from './positionRow.ts';
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
): Pick<CloseWrite, 'price' | 'reason' | 'exitFee'> {
  const side = name === 'LONG' ? 1 : -1;
  const bankruptcy = entry - (side * margin) / qty;
  const isLiquidated = liquidation !== null && side * (mark ?? last) <= side * liquidation;
  if (isLiquidated || side * last < side * bankruptcy) return { price: bankruptcy, reason: 'LIQ', exitFee: 0 };
  return { price: last, reason: otherwise, exitFee: exitFee(qty, last, takerFee) };
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

/** Manual close at the server's current price, never at a price sent by the caller. */
export async function closeByOwner(deps: CloseDeps, userId: string, id: string): Promise<Outcome<PositionWire>> {
  const { db, market } = deps;
  const row = await withUser(db, userId, (tx) => readPosition(tx, id));
  if (row === undefined) return reject('not_found', 'Position not found.');
  if (row.closed_at !== null) return reject('conflict', 'The position is already closed.');
  const position = positionToWire(row);
  const { exchange, symbol } = position;
  const { market: served } = deps.config;
  if (position.market !== served) return reject('conflict', otherMarket(position.market, served));
  const quote = (await freshPrices(market, [{ exchange, symbol }], Date.now())).get(priceKey(exchange, symbol));
  if (quote === undefined) return noPrice(market, { exchange, symbol });
  const close = {
    id,
    by: 'owner',
    isAmbiguous: false,
    ...fillFor(position, quote, 'MANUAL'),
  } as const;
  const closed = await withSystem(db, async (tx) => {
    // A change of levels that has the row ends before this close: the time is read after it.
    await tx.selectFrom('positions').select('id').where('id', '=', id).forUpdate().execute();
    // Uses the database clock: a node clock that is ahead would charge fundings that came after the close.
    const atMs = Math.max(await databaseNowMs(tx), row.opened_at.getTime());
    return writeCloses(tx, [{ ...close, atMs }]);
  });
  // The watch closed it first.
  if (closed.length === 0) return reject('conflict', 'The position is already closed.');
  await afterClose(deps, closed);
  const after = await withUser(db, userId, (tx) => readPosition(tx, id));
  return after === undefined ? reject('not_found', 'Position not found.') : ok(positionToWire(after));
}
