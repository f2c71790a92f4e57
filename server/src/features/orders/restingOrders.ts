import {
  firstCandleMs,
  type OrderStep,
  type RestingOrder,
  stepCandle,
  stepTick,
} from '@sextant/workers/src/orders/restingOrders.ts';
import type { MarketMode } from '../../config.ts';
import { isLeaving } from '../../platform/auth/leaving.ts';
import { databaseNowMs } from '../../platform/db/databaseNow.ts';
import type { SystemTx } from '../../platform/db/scope.ts';
import type { ClosedPosition } from '../positions/closeHooks.ts';
import { priceKey } from '../positions/live.ts';
import type { OpeningDeps } from '../positions/openPosition.ts';
import type { OrderedSeries, RestingOrders } from '../positions/watch/restingOrders.ts';
import { endOrder, fillOrder } from './fillOrder.ts';
import { type OrderRow, orderToWatch } from './orderRow.ts';

interface OrderInMemory extends RestingOrder {
  exchange: string;
  symbol: string;
  createdAtMs: number;
}

/** As `restingRows` sorts: the database orders ids as text, too. */
const byPlacing = (a: OrderInMemory, b: OrderInMemory): number =>
  a.createdAtMs - b.createdAtMs || (a.id < b.id ? -1 : 1);

/** Orders that rest on a market, in the order in which they were placed. */
const restingRows = (tx: SystemTx, market: MarketMode) =>
  tx
    .selectFrom('orders')
    .selectAll()
    .where('status', '=', 'resting')
    .where('market', '=', market)
    .orderBy('created_at')
    .orderBy('id');

/** Resting orders for the watch of positions: one term's memory of what is stored. */
export function createRestingOrders(deps: OpeningDeps): RestingOrders {
  const series = new Map<string, OrderInMemory[]>();

  /** What `step` makes of each order of a series; one that is due is no longer here. */
  function stepAll(key: string, step: (order: RestingOrder) => OrderStep | null): OrderStep[] {
    const orders = series.get(key);
    if (orders === undefined) return [];
    const due = orders.flatMap((order) => step(order) ?? []);
    if (due.length === 0) return due;
    const ids = new Set(due.map(({ id }) => id));
    series.set(
      key,
      orders.filter(({ id }) => !ids.has(id)),
    );
    return due;
  }

  /** Series by key, with the first candle that may fill an order of each. */
  function seriesOf(): OrderedSeries[] {
    return [...series.values()].flatMap((orders) => {
      const [first] = orders;
      if (first === undefined) return [];
      const { exchange, symbol } = first;
      return { exchange, symbol, firstMs: Math.min(...orders.map(({ activeFromMs }) => firstCandleMs(activeFromMs))) };
    });
  }

  function add(row: OrderRow): void {
    const { exchange, symbol } = row;
    const order = { ...orderToWatch(row), exchange, symbol, createdAtMs: row.created_at.getTime() };
    const key = priceKey(exchange, symbol);
    const orders = series.get(key);
    if (orders === undefined) series.set(key, [order]);
    else orders.push(order);
  }

  return {
    load: async (tx, market) => {
      const rows = await restingRows(tx, market).execute();
      series.clear();
      for (const row of rows) add(row);
      return seriesOf();
    },
    reload: async (tx, market, ids) => {
      if (ids.length === 0) return seriesOf();
      const rows = await restingRows(tx, market).where('id', 'in', ids).execute();
      const changed = new Set(ids);
      for (const [key, orders] of series) {
        const others = orders.filter(({ id }) => !changed.has(id));
        if (others.length === 0) series.delete(key);
        else series.set(key, others);
      }
      for (const row of rows) add(row);
      for (const { exchange, symbol } of rows) series.get(priceKey(exchange, symbol))?.sort(byPlacing);
      return seriesOf();
    },
    tick: (key, tick) => stepAll(key, (order) => stepTick(order, tick)),
    candle: (key, bar) => stepAll(key, (order) => stepCandle(order, bar)),
    write: async (tx, due) => {
      const closed: ClosedPosition[] = [];
      for (const step of due) closed.push(...(await writeStep(deps, tx, step)));
      return closed;
    },
    cancelEnded,
  };
}

/** An order that ended or changed before this was written stays as it is: it is judged again by its new terms. */
async function writeStep(deps: OpeningDeps, tx: SystemTx, step: OrderStep): Promise<ClosedPosition[]> {
  const one = tx.selectFrom('orders').selectAll().where('id', '=', step.id);
  const known = await one.executeTakeFirst();
  // Before the row is locked: a deletion request that ends the order waits for this transaction, or came first.
  if (known === undefined || (await isLeaving(tx, known.user_id))) return [];
  const row = await one.forUpdate().executeTakeFirst();
  if (row === undefined || row.status !== 'resting' || row.revision !== step.revision) return [];
  if (step.kind === 'expired') {
    await endOrder(tx, row.id, step.atMs, { status: 'expired', message: 'Its time was over before its price came.' });
    return [];
  }
  const { price, role, market, atMs, candleMs } = step;
  return (await fillOrder(deps, tx, row, { price, role, market, atMs, candleMs })).closed;
}

const cancelEnded: RestingOrders['cancelEnded'] = async (tx, market, { exchange, symbol }, message) => {
  const rows = await tx
    .selectFrom('orders')
    .select('id')
    .where('status', '=', 'resting')
    .where('market', '=', market)
    .where('exchange', '=', exchange)
    .where('symbol', '=', symbol)
    .forUpdate()
    .execute();
  const nowMs = await databaseNowMs(tx);
  for (const { id } of rows) await endOrder(tx, id, nowMs, { status: 'cancelled', cancel_reason: 'delisted', message });
};
