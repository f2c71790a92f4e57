import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signWebhook } from '../../../fakes/payments/moonPay.ts';
import { fakeNowPayments } from '../../../fakes/payments/nowPayments.ts';
import { createPaymentsApp, type PaymentsApp } from './support/paymentsApp.ts';

let test: PaymentsApp;
beforeAll(async () => {
  test = await createPaymentsApp();
});
afterAll(() => test.close());

const signed = (text: string): string => createHmac('sha512', fakeNowPayments.ipnSecret).update(text).digest('hex');
const sendCoins = (payload: string, signature = signed(payload)) =>
  test.app.inject({
    method: 'POST',
    url: '/api/billing/now/ipn',
    headers: { 'content-type': 'application/json', 'x-nowpayments-sig': signature },
    payload,
  });
const sendCards = (payload: string, signature = signWebhook(payload)) =>
  test.app.inject({
    method: 'POST',
    url: '/api/billing/moonpay/webhook',
    headers: { 'content-type': 'application/json', 'moonpay-signature-v2': signature },
    payload,
  });

/** Each is one that `JSON.stringify(JSON.parse(text))` changes. */
const rawForms = {
  'a number with a zero at its end': '{"actually_paid":1.0,"order_id":"x","payment_id":5,"payment_status":"waiting"}',
  'a small number in full': '{"actually_paid":0.0000001,"order_id":"x","payment_id":5,"payment_status":"waiting"}',
  'a number with an exponent': '{"actually_paid":15e-1,"order_id":"x","payment_id":5,"payment_status":"waiting"}',
  'spaces and lines': '{ "payment_id": 5,\n  "order_id": "x",\n  "payment_status": "waiting" }',
  'an escaped slash and letter': '{"payment_id":5,"order_id":"\\u0078\\/","payment_status":"waiting"}',
  'names in the order of the sender': '{"payment_status":"waiting","payment_id":5,"order_id":"x"}',
};

describe('a notification that is signed over the bytes that were sent', () => {
  it.each(Object.entries(rawForms))('is accepted: %s', async (_what, text) => {
    const response = await sendCoins(text);
    // Accepted, but for an unknown order.
    expect(response.statusCode, response.body).toBe(404);
    expect((await sendCoins(text.replace('waiting', 'finished'), signed(text))).statusCode).toBe(401);
  });

  it('is accepted in the sorted form, too', async () => {
    const text = '{"payment_status":"waiting","payment_id":5,"order_id":"x","actually_paid":1.0}';
    const sortedForm = '{"actually_paid":1,"order_id":"x","payment_id":5,"payment_status":"waiting"}';
    expect((await sendCoins(text, signed(sortedForm))).statusCode).toBe(404);
  });
});

describe('a signed notification with a text that cannot be stored', () => {
  const fields = { payment_id: 'p', order_id: 'x', payment_status: 'waiting', pay_address: 'a', payin_hash: 'h' };
  it.each(Object.keys(fields).flatMap((name) => ['\0', '\ud800'].map((bad) => [name, bad])))(
    'is rejected with status 400: %s',
    async (name, bad) => {
      const response = await sendCoins(JSON.stringify({ ...fields, [name]: `x${bad}` }));
      expect(response.statusCode, response.body).toBe(400);
    },
  );

  it.each(['id', 'status', 'externalTransactionId', 'cryptoTransactionId'])(
    'of the card provider: %s',
    async (name) => {
      const data = {
        id: 't',
        status: 'completed',
        externalTransactionId: 'x',
        cryptoTransactionId: 'h',
        [name]: 'x\0',
      };
      const response = await sendCards(JSON.stringify({ type: 'transaction_updated', data }));
      expect(response.statusCode, response.body).toBe(400);
    },
  );
});

describe('a forged notification', () => {
  const kib = 1024;
  const bodies = {
    'of 50 KB of objects': `[${'{"a":1},'.repeat(6 * kib)}0]`,
    'of 50 KB of lists': '['.repeat(25 * kib) + ']'.repeat(25 * kib),
    'of 50 KB of names': `{${Array.from({ length: 5 * kib }, (_, i) => `"${i}":0`).join(',')}}`,
    'of 50 KB that is no JSON': '"'.repeat(50 * kib),
  };
  it.each(Object.entries(bodies))('%s is rejected for its signature, unparsed', async (_what, text) => {
    expect(text.length).toBeLessThan(64 * kib);
    const coins = await sendCoins(text, 'a'.repeat(128));
    // The response says nothing about the content, which only a parser would know.
    expect(coins.json()).toMatchObject({ code: 'signature_invalid' });
    const cards = await sendCards(text, `t=${Math.floor(Date.now() / 1000)},s=${'a'.repeat(64)}`);
    expect(cards.json()).toMatchObject({ code: 'signature_invalid' });
  });
});
