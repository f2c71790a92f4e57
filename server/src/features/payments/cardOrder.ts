import { createHash } from 'node:crypto';
import { type Db, withSystem } from '../../platform/db/scope.ts';
import { openOrder } from './createPayment.ts';
import { endOrder } from './record.ts';

/** A card purchase asks for identity papers and a bank: it stays open for a day. */
const CARD_EXPIRES_S = 24 * 3600;

/** The open card order of an account, or a new one. Another amount closes the open one: the widget is opened anew with it. */
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
  // The provider gets a name for the customer that tells it nothing.
  const customerId = createHash('sha256').update(`moonpay ${userId}`).digest('hex').slice(0, 32);
  return { orderId: payment.provider_order_id, paymentId: payment.id, amount: payment.tokens, customerId };
}
