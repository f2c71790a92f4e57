import { fakeMoonPay } from '../../../../fakes/payments/moonPay.ts';
import {
  fakeNowPayments,
  noticeOf,
  type FakePayment,
  type SignatureForm,
  signNotice,
} from '../../../../fakes/payments/nowPayments.ts';
import { type PaymentsFake, startPayments } from '../../../../fakes/payments/server.ts';
import { createTestApp, type TestApp, type TestUser } from '../../../support/createTestApp.ts';

export interface PaymentsApp extends TestApp {
  fake: PaymentsFake;
  /** Creates an invoice and returns what the provider stores of it. */
  buy: (user: TestUser, amount?: number, currency?: 'usdt' | 'bnb') => Promise<FakePayment>;
  /** Delivers the current report of the provider about a payment. */
  deliver: (payment: FakePayment, change?: Partial<FakePayment>, form?: SignatureForm) => Promise<number>;
  balanceOf: (userId: string) => Promise<{ credits: number; owed: number }>;
}

/** Environment of a server that uses the practice providers. */
export const paymentsEnv = (url: string): Record<string, string> => ({
  NOWPAYMENTS_API_KEY: fakeNowPayments.apiKey,
  NOWPAYMENTS_IPN_SECRET: fakeNowPayments.ipnSecret,
  NOWPAYMENTS_URL: `${url}/v1`,
  NOWPAYMENTS_EMAIL: fakeNowPayments.login.email,
  NOWPAYMENTS_PASSWORD: fakeNowPayments.login.password,
  MOONPAY_API_KEY: fakeMoonPay.apiKey,
  MOONPAY_SECRET_KEY: fakeMoonPay.secretKey,
  MOONPAY_WEBHOOK_KEY: fakeMoonPay.webhookKey,
  MOONPAY_WALLET_ADDRESS: fakeMoonPay.walletAddress,
  MOONPAY_WIDGET_URL: `${url}/widget`,
  MOONPAY_API_URL: url,
});

/** The whole app with both practice providers; it listens, so that they can notify it. */
export async function createPaymentsApp(): Promise<PaymentsApp> {
  let address = '';
  const cardUrl = {
    get cardNotifyUrl() {
      return `${address}/api/billing/moonpay/webhook`;
    },
  };
  const fake = await startPayments(cardUrl);
  const test = await createTestApp({ env: paymentsEnv(fake.url) });
  address = await test.app.listen({ port: 0, host: '127.0.0.1' });
  Object.assign(test.deps.payments, { baseUrl: address });
  const deliver: PaymentsApp['deliver'] = async (payment, change = {}, form = 'sdk') => {
    const notice = noticeOf({ ...payment, ...change });
    const headers = { 'content-type': 'application/json', 'x-nowpayments-sig': signNotice(notice, form) };
    const response = await test.app.inject({
      method: 'POST',
      url: '/api/billing/now/ipn',
      headers,
      payload: JSON.stringify(notice),
    });
    return response.statusCode;
  };
  return {
    ...test,
    fake,
    deliver,
    buy: async (user, amount = 20, currency = 'usdt') => {
      const created = await test.app.inject({
        method: 'POST',
        url: '/api/billing/now/create-payment',
        headers: user.bearer,
        payload: { amount, currency },
      });
      const { payment_id: id } = created.json<{ payment_id: string }>();
      const payment = fake.coins.payments.get(Number(id));
      if (payment === undefined) throw new Error(`no invoice: ${created.body}`);
      return payment;
    },
    balanceOf: async (userId) => {
      const [row] = await test.database.asOwner<{ credits: number; owed: number }>(
        'select credits, owed_credits as owed from balances where user_id = $1',
        [userId],
      );
      if (row === undefined) throw new Error('no balance');
      return row;
    },
    close: async () => {
      await fake.close();
      await test.close();
    },
  };
}
