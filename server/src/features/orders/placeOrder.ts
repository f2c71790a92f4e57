import { failWith, ok, type Result } from '@sextant/workers/src/core/result.ts';
import { halfSpreadOf } from '@sextant/workers/src/positions/marketFill.ts';
import { databaseNowMs } from '../../platform/db/databaseNow.ts';
import { type SystemTx, type UserTx, withSystem, withUser } from '../../platform/db/scope.ts';
import { createRejection, type Outcome, type Rejection, reject } from '../../platform/errors.ts';
import { notifyUser } from '../../platform/events/notify.ts';
import { isLeaving } from '../../platform/auth/leaving.ts';
import { findResponse, hashKey, settleOncePerKey } from '../credits/idempotency.ts';
import { preferencesFor } from '../preferences/preferencesOf.ts';
import { afterClose, type ClosedPosition, type CloseListener } from '../positions/closeHooks.ts';
import {
  type MarketFacts,
  type OpenDeps,
  openingsInTurn,
  POSITION_EXCHANGE as exchange,
  readMarketFacts,
} from '../positions/openPosition.ts';
import { lockLevels } from '../positions/ownerChanges.ts';
import { positionToWire } from '../positions/positionRow.ts';
import { readOpenCosts } from '../positions/readOpenCosts.ts';
import { readOpenOn } from '../positions/readPositions.ts';
import { readFunds } from '../sizing/accountSizing.ts';
import {
  type OrderBody,
  type OrderChange,
  type OrderPreviewWire,
  type OrderWire,
  TOLERANCE_DEFAULT,
} from './contract.ts';
import { draftOrder, type OrderDraft, type OrderFacts } from './draftOrder.ts';
import { endOrder, fillOrder, filledNow } from './fillOrder.ts';
import { type Origin, readOrigin } from './orderOrigin.ts';
import { bodyOfOrder, type OrderRow, orderToWire } from './orderRow.ts';

export interface OrderDeps extends OpenDeps {
  closeListeners: readonly CloseListener[];
  warn: (error: unknown) => void;
}

/** A rejection with the figures it was made on, the fix of a rule, or the order as it is now. */
export type OrderProblem = Rejection & { preview?: OrderPreviewWire; fix?: string; order?: OrderWire };
type Placed<T> = Result<T, OrderProblem>;

/** What the exchange says now: fetched before any transaction. Tiers and funding are not needed to place an order. */
interface Market extends Pick<OrderFacts, 'contract' | 'funding'> {
  facts: MarketFacts;
}

/** Deadline of each request for what an order can do without, ms. */
const EXTRA_MS = 2000;

async function readMarket(deps: OpenDeps, userId: string, symbol: string): Promise<Outcome<Market>> {
  const signal = AbortSignal.timeout(EXTRA_MS);
  const extra = { exchange, symbol, userId, signal } as const;
  const [facts, contract, funding] = await Promise.all([
    readMarketFacts(deps, exchange, symbol),
    deps.market.contract(extra),
    deps.market.funding(extra),
  ]);
  if (!facts.ok) return facts;
  return ok({
    facts: facts.value,
    contract: contract.ok ? contract.value.value : null,
    funding: funding.ok ? funding.value.value : null,
  });
}

/** Everything a draft needs, in one snapshot. @param own an order whose reservation is given back: it is the one that changes */
async function readFacts(
  tx: SystemTx,
  deps: OpenDeps,
  { userId, market, own }: { userId: string; market: Market; own?: OrderRow },
): Promise<OrderFacts & { symbol: string }> {
  const { market: mode } = deps.config;
  const { facts, contract, funding } = market;
  const symbol = facts.quote.symbol;
  const open = await readOpenOn(tx, userId, mode);
  const resting = await tx
    .selectFrom('orders')
    .select('id')
    .where('user_id', '=', userId)
    .where('status', '=', 'resting')
    .execute();
  const funds = await readFunds(tx, userId, mode);
  const ofSymbol = open.filter((row) => row.symbol === symbol);
  return {
    symbol,
    exchange,
    preferences: await preferencesFor(tx, userId),
    market: facts.market,
    quote: facts.quote,
    openCount: open.length,
    funds: { ...funds, marginUsdt: funds.marginUsdt - Number(own?.reserved ?? 0) },
    positions: ofSymbol.map(positionToWire),
    openCosts: await readOpenCosts(tx, ofSymbol),
    contract,
    funding,
    restingCount: resting.filter(({ id }) => id !== own?.id).length,
    nowMs: await databaseNowMs(tx),
  };
}

/** Preview of an order at this moment. Nothing is written. */
export async function previewOrder(
  deps: OpenDeps,
  userId: string,
  body: OrderBody,
): Promise<Outcome<OrderPreviewWire>> {
  const market = await readMarket(deps, userId, body.symbol);
  if (!market.ok) return market;
  return withSystem(deps.db, async (tx) => {
    const facts = await readFacts(tx, deps, { userId, market: market.value });
    return ok(draftOrder(deps.kernel(), body, facts).preview);
  });
}

/** Why an order is not placed on this draft; null when it is. */
function rejectDraft(body: OrderBody, { preview }: OrderDraft): OrderProblem | null {
  const { expected_price: expected, tolerance_fraction: tolerance = TOLERANCE_DEFAULT } = body;
  const { last_price: last, rejected } = preview;
  if (expected !== undefined && Math.abs(last / expected - 1) > tolerance) {
    const message = `The price moved from ${expected} to ${last}. Check the new figures and send the order again.`;
    return { ...createRejection('conflict', message, { field: 'expected_price' }), preview };
  }
  if (rejected === null) return null;
  const { field, message, fix } = rejected;
  return { ...createRejection('order_refused', `${message} ${fix}`, { field }), preview, fix };
}

const ROUTE = 'POST /api/orders';

/** Places an order: a market order is filled at once, the others rest. @param key the same key places once */
export async function placeOrder(
  deps: OrderDeps,
  userId: string,
  body: OrderBody,
  key?: string,
): Promise<Placed<OrderWire>> {
  const call = { userId, route: ROUTE, key: key === undefined ? key : hashKey(key), body };
  const before = await withSystem(deps.db, (tx) => findResponse<OrderWire>(tx, call));
  if (before !== null) return ok(before);
  const market = await readMarket(deps, userId, body.symbol);
  if (!market.ok) return market;
  const origin = await readOrigin(deps, userId, body);
  if (!origin.ok) return origin;
  const closed: ClosedPosition[] = [];
  const placed = await settleOncePerKey<OrderWire, OrderProblem>(deps.db, call, async (tx) => {
    await lockLevels(tx, 'owner');
    await openingsInTurn(tx, userId);
    if (await isLeaving(tx, userId))
      return reject('conflict', 'Your account is being deleted. Cancel the deletion to place an order.');
    const facts = await readFacts(tx, deps, { userId, market: market.value });
    const draft = draftOrder(deps.kernel(), body, facts);
    const why = rejectDraft(body, draft);
    if (why !== null) return failWith(why);
    const row = await insertOrder(tx, deps, { userId, body, draft, facts, origin: origin.value });
    if (body.type !== 'market') {
      await notifyUser(tx, userId, 'orders', { change: 'placed', order_id: row.id, symbol: row.symbol });
      return ok(orderToWire(row));
    }
    const { entry } = draft.preview;
    const { quote } = facts;
    const price = entry ?? quote.last;
    const fill = { price, market: { price: quote.last, halfSpread: halfSpreadOf(quote) }, role: 'taker' as const };
    const done = filledNow(await fillOrder(deps, tx, row, { ...fill, atMs: null, candleMs: null }));
    if (!done.ok) return done;
    closed.push(...done.value.closed);
    return ok(orderToWire(done.value.row));
  });
  await afterClose(deps, closed);
  return placed;
}

interface NewOrder {
  userId: string;
  body: OrderBody;
  draft: OrderDraft;
  facts: OrderFacts;
  origin: Origin | null;
}

async function insertOrder(
  tx: SystemTx,
  { config }: OpenDeps,
  { userId, body, draft, facts, origin }: NewOrder,
): Promise<OrderRow> {
  const { market } = facts;
  return tx
    .insertInto('orders')
    .values({
      user_id: userId,
      exchange,
      market: config.market,
      symbol: body.symbol,
      interval: body.interval,
      side: body.side,
      type: body.type,
      status: 'resting',
      reduce_only: body.reduce_only,
      scan_id: origin?.scanId ?? null,
      signal_id: origin?.signalId ?? null,
      confidence: origin?.confidence ?? 0,
      leverage: draft.preview.leverage,
      trail: body.trailing === undefined ? null : JSON.stringify(body.trailing),
      tick_size: String(market?.tickSize ?? 0),
      step_size: String(market?.stepSize ?? 0),
      min_notional: String(market?.minNotional ?? 0),
      ...columnsOf(body, draft),
      active_from: new Date(facts.nowMs),
      created_at: new Date(facts.nowMs),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Columns that a change may write too. */
const columnsOf = (
  { type, expires_at: expiresAt }: OrderBody,
  { preview, price, stopLoss, targets, reserved }: OrderDraft,
) => ({
  quantity: String(preview.quantity),
  price: price === null ? null : String(price),
  stop_loss: stopLoss === null ? null : String(stopLoss),
  take_profits: targets === null ? null : JSON.stringify(targets),
  expires_at: expiresAt === undefined || expiresAt === null ? null : new Date(expiresAt),
  reserved: type === 'market' ? '0' : reserved.toFixed(8),
});

const ended: Record<string, string> = { filled: 'was filled', cancelled: 'was cancelled', expired: 'expired' };

/** The order of a user, locked; a rejection says what happened to one that ended. */
async function lockOrder(tx: SystemTx, userId: string, id: string): Promise<Placed<OrderRow>> {
  const own = tx.selectFrom('orders').selectAll().where('id', '=', id).where('user_id', '=', userId);
  const row = await own.forUpdate().executeTakeFirst();
  if (row === undefined) return reject('not_found', 'Order not found.');
  if (row.status === 'resting') return ok(row);
  const price = row.fill_price === null ? '' : ` at ${row.fill_price}`;
  const message = `The order ${ended[row.status] ?? 'ended'}${price}, ${row.ended_at?.toISOString() ?? ''}. Nothing was changed.`;
  return failWith({ ...createRejection('conflict', message), order: orderToWire(row) });
}

const readOrder = (tx: UserTx, id: string): Promise<OrderRow | undefined> =>
  tx.selectFrom('orders').selectAll().where('id', '=', id).executeTakeFirst();

/** Changes a resting order. It may fill by the new terms from then on; a fill that came first is reported. */
export async function changeOrder(
  deps: OpenDeps,
  userId: string,
  id: string,
  change: OrderChange,
): Promise<Placed<OrderWire>> {
  const known = await withUser(deps.db, userId, (tx) => readOrder(tx, id));
  if (known === undefined) return reject('not_found', 'Order not found.');
  const { market: served } = deps.config;
  if (known.market !== served)
    return reject('conflict', `The order uses ${known.market} prices; this service now runs on ${served} ones.`);
  const market = await readMarket(deps, userId, known.symbol);
  if (!market.ok) return market;
  return withSystem(deps.db, async (tx) => {
    await lockLevels(tx, 'owner');
    await openingsInTurn(tx, userId);
    const locked = await lockOrder(tx, userId, id);
    if (!locked.ok) return locked;
    const row = locked.value;
    const { expected_revision: expected, ...fields } = change;
    if (expected !== undefined && expected !== row.revision) {
      const message = 'The order was changed meanwhile. Check it and save again.';
      return failWith({
        ...createRejection('conflict', message, { field: 'expected_revision' }),
        order: orderToWire(row),
      });
    }
    const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
    const facts = await readFacts(tx, deps, { userId, market: market.value, own: row });
    // Its own levels are stored until it opens: its side may close before.
    const isAdding = !row.reduce_only && facts.positions.some(({ side }) => side === row.side);
    const body: OrderBody = { ...bodyOfOrder(row, isAdding), ...given };
    const draft = draftOrder(deps.kernel(), body, facts);
    const why = rejectDraft(body, draft);
    if (why !== null) return failWith(why);
    const { stop_loss, take_profits, ...columns } = columnsOf(body, draft);
    const trail = body.trailing === undefined ? null : JSON.stringify(body.trailing);
    const levels = isAdding ? {} : { stop_loss, take_profits, trail };
    const after = await tx
      .updateTable('orders')
      .set({
        ...columns,
        ...levels,
        revision: row.revision + 1,
        active_from: new Date(Math.max(facts.nowMs, row.active_from.getTime())),
      })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
    await notifyUser(tx, userId, 'orders', { change: 'changed', order_id: id, symbol: row.symbol });
    return ok(orderToWire(after));
  });
}

/** Cancels a resting order. */
export async function cancelOrder(deps: Pick<OpenDeps, 'db'>, userId: string, id: string): Promise<Placed<OrderWire>> {
  return withSystem(deps.db, async (tx) => {
    await lockLevels(tx, 'owner');
    const locked = await lockOrder(tx, userId, id);
    if (!locked.ok) return locked;
    const message = 'Cancelled by you.';
    return ok(
      orderToWire(
        await endOrder(tx, id, await databaseNowMs(tx), { status: 'cancelled', cancel_reason: 'owner', message }),
      ),
    );
  });
}

const ENDED_MAX = 200;

/** Orders of a user, newest first. */
export const readOrders = async (
  tx: UserTx,
  state: 'resting' | 'ended',
  symbol: string | undefined,
): Promise<OrderWire[]> => {
  const rows = await tx
    .selectFrom('orders')
    .selectAll()
    .where('status', state === 'resting' ? '=' : '<>', 'resting')
    .$if(symbol !== undefined, (query) => query.where('symbol', '=', symbol ?? ''))
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(ENDED_MAX)
    .execute();
  return rows.map(orderToWire);
};
