import type { PaymentEvent } from '../../../api/types.ts';

/** What a step of a payment is called on screen. */
export const eventText: Readonly<Record<PaymentEvent['kind'], string>> = {
  created: 'Order stored',
  invoiced: 'Address received from the provider',
  seen: 'Waiting for the transfer',
  confirming: 'Transfer seen, being confirmed',
  credited: 'Paid in full',
  late: 'Paid after the order was closed',
  partial: 'Paid in part',
  child: 'Further transfer received',
  unmatched: 'Transfer received that could not be credited',
  refunded: 'Refunded by the provider',
  failed: 'Given up by the provider',
  cancelled: 'Cancelled',
  expired: 'Time to pay over',
};
