import type { OrderPreview } from '../../../api/types.ts';
import { useRestingOrders } from '../../../data/orders.ts';
import { useOpenPositions } from '../../../data/positions.ts';

/** Equity of the account, USDT: what is free, the margin of open positions and what resting orders set aside. Null while unknown. */
export function useEquity(preview: OrderPreview | undefined): number | null {
  const positions = useOpenPositions().data;
  const orders = useRestingOrders().data;
  if (preview === undefined || positions === undefined || orders === undefined) return null;
  const margins = positions.reduce((sum, { margin }) => sum + margin, 0);
  return orders.reduce((sum, { reserved }) => sum + reserved, preview.equity_free + margins);
}
