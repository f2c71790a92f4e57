import type { Order, OrderPreview } from '../../../api/types.ts';
import { useRestingOrders } from '../../../data/orders.ts';
import { useOpenPositions } from '../../../data/positions.ts';
import { useServed } from '../../positions/useMarked.ts';

type Market = Pick<Order, 'market'>;

/** @param isServed whether something belongs to the market that the server serves: the rest holds nothing of its account */
export function equityOf(
  free: number,
  {
    positions,
    orders,
  }: {
    positions: readonly (Market & { margin: number })[];
    orders: readonly (Market & { reserved: number })[];
  },
  isServed: (each: Market) => boolean,
): number {
  const margins = positions.filter(isServed).reduce((sum, { margin }) => sum + margin, free);
  return orders.filter(isServed).reduce((sum, { reserved }) => sum + reserved, margins);
}

/** Equity of the account, USDT: what is free, the margin of open positions and what resting orders set aside. Null while unknown. */
export function useEquity(preview: OrderPreview | undefined): number | null {
  const positions = useOpenPositions().data;
  const orders = useRestingOrders().data;
  const { isServed } = useServed();
  if (preview === undefined || positions === undefined || orders === undefined) return null;
  return equityOf(preview.equity_free, { positions, orders }, isServed);
}
