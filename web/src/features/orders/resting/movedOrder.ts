import { roundDown, roundUp } from '@sextant/workers/src/positions/sizing.ts';
import type { Order } from '../../../api/types.ts';
import type { ChartLevel } from '../../../charts/chartModel.ts';
import { formatQuantity } from '../../../format/number.ts';
import { createStore } from '../../../state/store.ts';
import { onUserReset } from '../../../state/userReset.ts';

/** The order whose line was dragged, and where to. */
export const movedOrder = createStore<{ moved: { id: string; price: number } | null }>({ moved: null });

export const forgetMove = (): void => movedOrder.set({ moved: null });
onUserReset(forgetMove);

/** `buy limit 0.0100`. */
export const orderLabel = ({ side, type, quantity }: Pick<Order, 'side' | 'type' | 'quantity'>): string =>
  `${side === 'LONG' ? 'buy' : 'sell'} ${type} ${formatQuantity(quantity)}`;

/** Resting orders as lines of the charts of their symbols. The dragged one is at its new price. */
export function orderLevels(
  orders: readonly Order[],
  moved: { id: string; price: number } | null,
): Record<string, ChartLevel[]> {
  const bySymbol: Record<string, ChartLevel[]> = {};
  for (const order of orders) {
    if (order.price === null) continue;
    const isMoved = moved?.id === order.id;
    const level: ChartLevel = {
      id: order.id,
      price: isMoved ? moved.price : order.price,
      label: `${isMoved ? 'new ' : ''}${orderLabel(order)}`,
      colour: 'accent',
    };
    (bySymbol[order.symbol] ??= []).push(level);
  }
  return bySymbol;
}

/** A dragged price on the tick, rounded so that the order is no worse for its owner: a buy down, a sell up. */
export const onTick = ({ side }: Pick<Order, 'side'>, price: number, tickSize: number): number =>
  side === 'LONG' ? roundDown(price, tickSize) : roundUp(price, tickSize);
