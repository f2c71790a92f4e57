import { createHmac, randomUUID } from 'node:crypto';

export const fakeMoonPay = {
  apiKey: 'pk_test_practice',
  secretKey: 'sk_test_practice',
  webhookKey: 'practice-webhook-key',
  walletAddress: '0x00000000000000000000000000000000practice',
  currencyCode: 'bnb_bsc',
};

export interface FakeTransaction {
  id: string;
  status: string;
  externalTransactionId: string;
  baseCurrencyAmount: number;
  baseCurrency: { code: string };
  currency: { code: string };
  walletAddress: string;
  cryptoTransactionId: string | null;
  createdAt: string;
}

/** Header of a webhook: stamp in Unix seconds and HMAC-SHA256 of `stamp.body`. */
export function signWebhook(
  body: string,
  stampS = Math.floor(Date.now() / 1000),
  key = fakeMoonPay.webhookKey,
): string {
  const signature = createHmac('sha256', key).update(`${stampS}.${body}`).digest('hex');
  return `t=${stampS},s=${signature}`;
}

/** Whether a widget address carries the signature of all that stands before it. */
export function isWidgetSigned(search: string): boolean {
  const [signed = '', signature = ''] = search.split('&signature=');
  const wanted = createHmac('sha256', fakeMoonPay.secretKey).update(signed).digest('base64');
  return decodeURIComponent(signature) === wanted;
}

export interface MoonPayBook {
  transactions: Map<string, FakeTransaction>;
  /** A buyer completes the widget: pending, then completed. */
  buy: (order: {
    orderId: string;
    amount: number;
    walletAddress: string;
    currencyCode?: string;
  }) => Promise<FakeTransaction>;
  /** Sends one webhook; returns the status of the response, or 0 when there was none. */
  notify: (transaction: FakeTransaction, type?: string) => Promise<number>;
}

/** The transactions of the practice card provider. */
export function createCardBook(notifyUrl: () => string): MoonPayBook {
  const transactions = new Map<string, FakeTransaction>();
  async function notify(transaction: FakeTransaction, type = 'transaction_updated'): Promise<number> {
    const body = JSON.stringify({ type, data: transaction });
    const headers = { 'content-type': 'application/json', 'moonpay-signature-v2': signWebhook(body) };
    const response = await fetch(notifyUrl(), {
      method: 'POST',
      headers,
      body,
      signal: AbortSignal.timeout(5000),
    }).catch(() => undefined);
    await response?.arrayBuffer();
    return response?.status ?? 0;
  }
  return {
    transactions,
    notify,
    async buy({ orderId, amount, walletAddress, currencyCode = fakeMoonPay.currencyCode }) {
      const transaction: FakeTransaction = {
        id: randomUUID(),
        status: 'pending',
        externalTransactionId: orderId,
        baseCurrencyAmount: amount,
        baseCurrency: { code: 'usd' },
        currency: { code: currencyCode },
        walletAddress,
        cryptoTransactionId: null,
        createdAt: new Date().toISOString(),
      };
      transactions.set(transaction.id, transaction);
      await notify(transaction, 'transaction_created');
      Object.assign(transaction, { status: 'completed', cryptoTransactionId: `practice${transaction.id}` });
      await notify(transaction);
      return transaction;
    },
  };
}
