import { MovedOrderBar } from './resting/MovedOrderBar.tsx';
import { OrderTicket } from './ticket/OrderTicket.tsx';

/** What orders show on any tab: the ticket, and the bar of a dragged line. */
export function OrdersHost() {
  return (
    <>
      <OrderTicket />
      <MovedOrderBar />
    </>
  );
}
