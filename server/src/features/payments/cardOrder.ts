import { createHash } from 'node:crypto';
import { type Db, withSystem } from '../../platform/db/scope.ts';
import { openOrder } from './createPayment.ts';
import { endOrder } from './record.ts';

/** A card purchase may require identity papers and a bank transfer: it stays open for a day. */
const CARD_EXPIRES_S = 24 * 3600;

/** The open card order of an account, or a new one. A different amount closes the open order, and the widget reopens with the new one. */
export async function openCardOrder(
  db: Db,
  userId: string,
  amount: number,
): Promise<{ orderId: string; paymentId: string; amount: number; customerId: string }> {
  const request = { userId, amount, method: 'card', provider: 'moonpay', expiresInS: CARD_EXPIRES_S } as const;
  const payment = await withSystem(db, async (tx) => {
    const opened = await openOrder(tx, request);
    if (opened.payment.tokens === amount || opened.payment.provider_payment_id !== null) return opened.payment;
    await endOrder(tx, opened.payment, { kind: 'cancelled' });
    return (await openOrder(tx, request)).payment;
  });
  // The provider gets an opaque customer id.
  const customerId = createHash('sha256').update(`moonpay ${userId}`).digest('hex').slice(0, 32);
  return { orderId: payment.provider_order_id, paymentId: payment.id, amount: payment.tokens, customerId };
}
