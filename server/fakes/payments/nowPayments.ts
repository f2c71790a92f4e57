import { createHmac } from 'node:crypto';

/** Keys of the practice provider; they open nothing else. */
export const fakeNowPayments = {
  apiKey: 'practice-api-key',
  ipnSecret: 'practice-ipn-secret',
  login: { email: 'practice@sextant.local', password: 'practice-password' },
};

/**
 * Response to the next creations. `belowMinimum` to `serverError`: the status with the vendor's JSON. `html`: a page of a gateway. `hang`:
 * never responds. `lost`: creates the payment and never responds. `halfJson`: creates the payment and breaks off. `notifyFirst`: the
 * notification comes before the response. `slow`: responds after a second.
 */
export type CreateScenario =
  | 'belowMinimum'
  | 'unauthorized'
  | 'forbidden'
  | 'rateLimited'
  | 'serverError'
  | 'html'
  | 'hang'
  | 'lost'
  | 'halfJson'
  | 'notifyFirst'
  | 'slow';

/** A payment made from the practice wallet. */
export const payWays = ['full', 'half', 'twice', 'over', 'late', 'wrong', 'refund', 'expire'] as const;
export type PayWay = (typeof payWays)[number];

export interface FakePayment {
  payment_id: number;
  parent_payment_id?: number;
  payment_status: string;
  order_id: string;
  price_amount: number;
  price_currency: 'usd';
  pay_amount: number;
  pay_currency: string;
  pay_address: string;
  actually_paid: number;
  actually_paid_at_fiat?: number;
  payin_hash?: string;
  payment_extra_ids?: number[] | null;
  ipn_callback_url: string;
  created_at: string;
  expiration_estimate_date: string;
}

/** US dollars for one coin. */
const rates: Readonly<Record<string, number>> = { usdttrc20: 1, bnbbsc: 600 };
export const rateOf = (coin: string): number => rates[coin] ?? 1;
/** The vendor freezes a rate for 20 minutes; the practice invoice expires after 15, the product's default when no expiry is given. */
const invoiceMs = 15 * 60_000;

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
const entries = (value: object) => Object.entries(value as Record<string, Json>).sort(([a], [b]) => (a < b ? -1 : 1));
/** `sdk`: keys sorted, arrays unchanged. `sample`: arrays written as objects. The vendor uses both. */
export type SignatureForm = 'sdk' | 'sample';
function canonical(value: Json, form: SignatureForm): Json {
  if (Array.isArray(value) && form === 'sdk') return value.map((part) => canonical(part, form));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(entries(value).map(([key, part]) => [key, canonical(part, form)]));
}

/** Signature of a notification, as the vendor makes it. */
export const signNotice = (body: object, form: SignatureForm = 'sdk', secret = fakeNowPayments.ipnSecret): string =>
  createHmac('sha512', secret)
    .update(JSON.stringify(canonical(body as Json, form)))
    .digest('hex');

/** The body of a payment notification: numbers, where the response to its creation had text. */
export function noticeOf(payment: FakePayment): object {
  const { pay_currency: coin, payment_id: id } = payment;
  const notOfNotices = new Set(['ipn_callback_url', 'created_at', 'expiration_estimate_date']);
  return {
    parent_payment_id: null,
    invoice_id: null,
    purchase_id: String(id),
    outcome_amount: payment.actually_paid,
    outcome_currency: coin,
    payment_extra_ids: null,
    fee: { currency: coin, depositFee: 0.1, withdrawalFee: 0, serviceFee: 0 },
    updated_at: 1_763_000_000_000,
    order_description: `${payment.price_amount} credits`,
    ...Object.fromEntries(Object.entries(payment).filter(([name]) => !notOfNotices.has(name))),
  };
}

export interface NowPaymentsBook {
  payments: Map<number, FakePayment>;
  create: (body: Record<string, unknown>) => FakePayment;
  /** Sends one notification; returns the status of the response, or 0 when there was none. */
  notify: (payment: FakePayment, form?: SignatureForm) => Promise<number>;
  pay: (id: number, way: PayWay) => Promise<void>;
}

/** The payments of the practice provider, and what happens to them. @param stepMs pause between two notifications */
export function createBook({ stepMs = 0 }: { stepMs?: number } = {}): NowPaymentsBook {
  const payments = new Map<number, FakePayment>();
  let lastId = 5_000_000_000 + (Date.now() % 1_000_000_000);

  function create(body: Record<string, unknown>): FakePayment {
    const coin = String(body['pay_currency']);
    const price = Number(body['price_amount']);
    const id = ++lastId;
    const nowMs = Date.now();
    const payment: FakePayment = {
      payment_id: id,
      payment_status: 'waiting',
      order_id: String(body['order_id']),
      price_amount: price,
      price_currency: 'usd',
      pay_amount: Number((price / rateOf(coin)).toFixed(8)),
      pay_currency: coin,
      pay_address:
        coin === 'bnbbsc' ? `0x${id.toString(16).padStart(40, '0')}` : `TPractice${String(id).padStart(25, '0')}`,
      actually_paid: 0,
      ipn_callback_url: String(body['ipn_callback_url']),
      created_at: new Date(nowMs).toISOString(),
      expiration_estimate_date: new Date(nowMs + invoiceMs).toISOString(),
    };
    payments.set(id, payment);
    return payment;
  }

  async function notify(payment: FakePayment, form: SignatureForm = 'sdk'): Promise<number> {
    const notice = noticeOf(payment);
    const body = JSON.stringify(notice);
    const headers = { 'content-type': 'application/json', 'x-nowpayments-sig': signNotice(notice, form) };
    const response = await fetch(payment.ipn_callback_url, {
      method: 'POST',
      headers,
      body,
      signal: AbortSignal.timeout(5000),
    }).catch(() => undefined);
    await response?.arrayBuffer();
    return response?.status ?? 0;
  }

  async function step(payment: FakePayment, status: string, change: Partial<FakePayment> = {}): Promise<void> {
    Object.assign(payment, change, { payment_status: status });
    await notify(payment);
    if (stepMs > 0) await new Promise((resolve) => setTimeout(resolve, stepMs));
  }

  const hash = (payment: FakePayment): string => `practice${payment.payment_id.toString(16).padStart(56, '0')}`;
  const arrived = (payment: FakePayment, amount: number) => ({ actually_paid: amount, payin_hash: hash(payment) });
  async function confirm(payment: FakePayment, amount: number): Promise<void> {
    for (const status of ['confirming', 'confirmed', 'sending']) await step(payment, status, arrived(payment, amount));
  }
  function childOf(parent: FakePayment, change: Partial<FakePayment>): FakePayment {
    const child: FakePayment = { ...parent, payment_id: ++lastId, parent_payment_id: parent.payment_id, ...change };
    payments.set(child.payment_id, child);
    parent.payment_extra_ids = [...(parent.payment_extra_ids ?? []), child.payment_id];
    return child;
  }

  async function payFull(payment: FakePayment, amount: number): Promise<void> {
    await confirm(payment, amount);
    await step(payment, 'finished');
  }
  const ways: Record<PayWay, (payment: FakePayment) => Promise<void>> = {
    full: (payment) => payFull(payment, payment.pay_amount),
    over: (payment) => payFull(payment, payment.pay_amount * 1.5),
    async half(payment) {
      await confirm(payment, payment.pay_amount / 2);
      await step(payment, 'partially_paid');
    },
    async twice(payment) {
      await payFull(payment, payment.pay_amount);
      const child = childOf(payment, { actually_paid: payment.pay_amount, payment_status: 'waiting' });
      await step(child, 'finished', { payin_hash: hash(child) });
    },
    async late(payment) {
      await step(payment, 'expired');
      await payFull(payment, payment.pay_amount);
    },
    async wrong(payment) {
      const pay_currency = payment.pay_currency === 'bnbbsc' ? 'usdttrc20' : 'bnbbsc';
      const amount = payment.price_amount / rateOf(pay_currency);
      const child = childOf(payment, {
        pay_currency,
        actually_paid: amount,
        actually_paid_at_fiat: payment.price_amount - 1,
      });
      await step(child, 'finished', { payin_hash: hash(child) });
    },
    refund: (payment) => step(payment, 'refunded'),
    // Nothing arrives: the provider ends the invoice.
    expire: (payment) => step(payment, 'expired'),
  };

  return {
    payments,
    create,
    notify,
    pay: async (id, way) => {
      const payment = payments.get(id);
      if (payment !== undefined) await ways[way](payment);
    },
  };
}
