import type { Order, OrderPreview } from '../../../api/types.ts';
import { useRestingOrders } from '../../../data/orders.ts';
import { useOpenPositions } from '../../../data/positions.ts';
import { useAppInfo } from '../../../api/useSession.ts';

type Market = Pick<Order, 'market'>;

/** @param served the market that the server serves: what is on another one is no part of the figure. Undefined while unknown */
export function equityOf(
  free: number,
  {
    positions,
    orders,
  }: {
    positions: readonly (Market & { margin: number })[];
    orders: readonly (Market & { reserved: number })[];
  },
  served: Order['market'] | undefined,
): number {
  const isServed = ({ market }: Market): boolean => served === undefined || market === served;
  const margins = positions.filter(isServed).reduce((sum, { margin }) => sum + margin, free);
  return orders.filter(isServed).reduce((sum, { reserved }) => sum + reserved, margins);
}

/** Equity of the account, USDT: what is free, the margin of open positions and what resting orders set aside. Null while unknown. */
export function useEquity(preview: OrderPreview | undefined): number | null {
  const positions = useOpenPositions().data;
  const orders = useRestingOrders().data;
  const served = useAppInfo().data?.market;
  if (preview === undefined || positions === undefined || orders === undefined) return null;
  return equityOf(preview.equity_free, { positions, orders }, served);
}
