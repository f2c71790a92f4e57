import type { TestApp, TestUser } from '../../../support/createTestApp.ts';

/** A payment as its owner reads it. */
export interface PaymentWire {
  id: string;
  payment_id: string | null;
  order_id: string;
  status: string;
  provider_status: string | null;
  credits: number;
  note: string | null;
}

/** Credits of a new account. */
export const welcome = 10;

/** Calls of the billing API by the user of the test, or by the given user. */
export function paymentCalls(now: () => { app: TestApp['app']; user: TestUser }) {
  const get = async <T>(url: string, { bearer } = now().user) =>
    (await now().app.inject({ url, headers: bearer })).json<T>();
  const listed = async (user = now().user) =>
    (await get<{ payments: PaymentWire[] }>('/api/billing/payments', user)).payments;
  return {
    get,
    listed,
    newest: async (user = now().user) => (await listed(user))[0]!,
    create: (payload: object, { bearer } = now().user) =>
      now().app.inject({ method: 'POST', url: '/api/billing/now/create-payment', headers: bearer, payload }),
    cancel: async (orderId: string, reason = 'cancelled', { bearer } = now().user) =>
      (
        await now().app.inject({
          method: 'POST',
          url: '/api/billing/now/cancel',
          headers: bearer,
          payload: { order_id: orderId, reason },
        })
      ).json<{ cancelled: boolean; payment: PaymentWire | null }>(),
  };
}
