import { roundStop, roundTarget } from '@sextant/workers/src/positions/changedLevels.ts';
import { roundDown, roundUp } from '@sextant/workers/src/positions/sizing.ts';
import type { ChangeOrderBody, Order } from '../../../api/types.ts';
import type { ChartLevel } from '../../../charts/chartModel.ts';
import { formatPrice, formatQuantity } from '../../../format/number.ts';
import { createStore } from '../../../state/store.ts';
import { onUserReset } from '../../../state/userReset.ts';

/** A line of an order: its price, the stop or a target of the position it opens, by the place of the target. */
export type OrderPart = 'price' | 'stop' | number;

export interface MovedOrder {
  id: string;
  part: OrderPart;
  price: number;
}

/** The order of which a line was dragged, and where to. */
export const movedOrder = createStore<{ moved: MovedOrder | null }>({ moved: null });

export const forgetMove = (): void => movedOrder.set({ moved: null });
onUserReset(forgetMove);

/** `buy limit 0.0100`. */
export const orderLabel = ({ side, type, quantity }: Pick<Order, 'side' | 'type' | 'quantity'>): string =>
  `${side === 'LONG' ? 'buy' : 'sell'} ${type} ${formatQuantity(quantity)}`;

/** `stop`, `target`, `target 2`; empty for the price. */
export function partName(part: OrderPart, { take_profits: targets }: Pick<Order, 'take_profits'>): string {
  if (typeof part === 'string') return part === 'price' ? '' : 'stop';
  return (targets?.length ?? 0) > 1 ? `target ${part + 1}` : 'target';
}

/** Entries of the menu of a chart: one per order of its market, the highest price first. */
export function cancelEntries(
  orders: readonly Order[],
  { exchange, symbol }: { exchange: string; symbol: string },
  decimals: number | undefined,
) {
  const own = orders.filter((order) => order.exchange === exchange && order.symbol === symbol);
  const sorted = own.toSorted((a, b) => (b.price ?? 0) - (a.price ?? 0));
  return sorted.map((order) => ({
    order,
    id: `cancel-${order.id}`,
    label: () => `Cancel ${orderLabel(order)} at ${formatPrice(order.price, decimals)}`,
  }));
}

const levelId = (id: string, part: OrderPart): string => (part === 'price' ? id : `${id}:${part}`);

/** The order and the part of it that a line stands for. */
export function partOfLevel(level: string): { id: string; part: OrderPart } {
  const [id = '', part] = level.split(':');
  if (part === undefined) return { id, part: 'price' };
  return { id, part: part === 'stop' ? 'stop' : Number(part) };
}

/** Stored price of a part; null: the order has none. */
export function partPrice({ price, stop_loss: stop, take_profits: targets }: Order, part: OrderPart): number | null {
  if (typeof part === 'number') return targets?.[part]?.price ?? null;
  return part === 'price' ? price : stop;
}

/** Resting orders as lines of the charts of their symbols, with stop and targets. The dragged one is at its new price. */
export function orderLevels(orders: readonly Order[], moved: MovedOrder | null): Record<string, ChartLevel[]> {
  const bySymbol: Record<string, ChartLevel[]> = {};
  for (const order of orders) {
    const parts: OrderPart[] = ['price', 'stop', ...(order.take_profits ?? []).keys()];
    for (const part of parts) {
      const stored = partPrice(order, part);
      if (stored === null) continue;
      const isMoved = moved?.id === order.id && moved.part === part;
      const name = partName(part, order);
      const level: ChartLevel = {
        id: levelId(order.id, part),
        price: isMoved ? moved.price : stored,
        label: `${isMoved ? 'new ' : ''}${orderLabel(order)}${name === '' ? '' : `, ${name}`}`,
        colour: part === 'price' ? 'accent' : part === 'stop' ? 'down' : 'up',
      };
      (bySymbol[order.symbol] ??= []).push(level);
    }
  }
  return bySymbol;
}

/** A dragged price on the tick, rounded so that the order is no worse for its owner: a buy down, a sell up; levels towards the entry. */
export function onTick(
  { side }: Pick<Order, 'side'>,
  { part, price }: Pick<MovedOrder, 'part' | 'price'>,
  tickSize: number,
): number {
  if (part === 'stop') return roundStop(side, price, tickSize);
  if (part !== 'price') return roundTarget(side, price, tickSize);
  return side === 'LONG' ? roundDown(price, tickSize) : roundUp(price, tickSize);
}

/** The change of a dragged line as the call takes it. */
export function movedBody(order: Order, { part, price }: MovedOrder): ChangeOrderBody {
  const expected_revision = order.revision;
  if (part === 'price') return { expected_revision, price };
  if (part === 'stop') return { expected_revision, stop_loss: price };
  const sign = order.side === 'LONG' ? 1 : -1;
  const targets = (order.take_profits ?? []).map((target, at) => (at === part ? { ...target, price } : target));
  return { expected_revision, take_profits: targets.sort((a, b) => sign * (a.price - b.price)) };
}
