import { expect, it } from 'vitest';
import { createMoonPay, isSignedWebhook, signQuery } from '../../../src/adapters/payments/moonPay.ts';
import { coins as coinFacts } from '../../../src/features/payments/coins.ts';
import { createNowPayments } from '../../../src/adapters/payments/nowPayments.ts';

/**
 * Vectors computed by hand with OpenSSL 3, from the canonical text of each form:
 *   printf '%s' "$TEXT" | openssl dgst -sha512 -hmac 'ipn-secret-of-the-vectors'
 * TEXT of the SDK's form (keys sorted, arrays unchanged):
 *   {"actually_paid":15.5,"fee":{"currency":"usdttrc20","depositFee":0.1},"order_id":"8a1f0c3e-2f37-4a55-9f5e-0b6f5a3f1c11",
 *   "payment_extra_ids":[5513339154,5513339155],"payment_id":5513339153,"payment_status":"partially_paid"}   (in one line)
 * of the sample code's form: the same with "payment_extra_ids":{"0":5513339154,"1":5513339155};
 * of the old document's form, which leaves nested fields unsigned: the SDK's with "fee":{}.
 */
const secret = 'ipn-secret-of-the-vectors';
const sdk =
  '9de3230b23330646e668991a4c3f3a549a590d7024258f665398e0cf15c89f8f9bd397f4516a63e50aa1ebcb87a6b355d4279839b8b7c438a312477f3644b7b6';
const sample =
  '3e71df763123768f6372d5f80825fe9bc2f815f5be8605f5df772ddec6c89e97b729fb0d8f57e49d95094fc055a39e8463247db32c89dae928f3c4f61fe42584';
const old =
  '85e695b6aa7c36820e04376f4891ca03a152aa530f76a4d4cf291f2c3c080b27b88c67614ed2774ffa0c1720c79a2ea76cae6b9aa67082a35b5bb03c05f28c28';
const body =
  '{"payment_id":5513339153,"payment_status":"partially_paid","order_id":"8a1f0c3e-2f37-4a55-9f5e-0b6f5a3f1c11",' +
  '"actually_paid":15.5,"fee":{"depositFee":0.1,"currency":"usdttrc20"},"payment_extra_ids":[5513339154,5513339155]}';

const coins = createNowPayments(
  {
    apiKey: 'key',
    ipnSecret: secret,
    apiUrl: 'http://127.0.0.1:9/v1',
    login: undefined,
  },
  coinFacts,
);
const read = (text: string, signature: string | undefined) =>
  coins.readNotification({ body: Buffer.from(text), headers: { 'x-nowpayments-sig': signature } });
const reasonOf = (text: string, signature: string | undefined) => {
  const result = read(text, signature);
  return result.ok ? 'taken' : result.error.reason;
};

it('FUND-034 accepts both forms of the signature, and not the form that leaves nested fields unsigned', () => {
  expect(reasonOf(body, sdk)).toBe('taken');
  expect(reasonOf(body, sample)).toBe('taken');
  expect(reasonOf(body, sdk.toUpperCase())).toBe('taken');
  expect(reasonOf(body, old)).toBe('forged');
});

it('rejects a body with any one byte changed', () => {
  for (let at = 0; at < body.length; at++) {
    const changed = body.slice(0, at) + String.fromCharCode(body.charCodeAt(at) ^ 1) + body.slice(at + 1);
    expect(reasonOf(changed, sdk), `byte ${at}`).not.toBe('taken');
  }
});

it('rejects a signature that is missing, short, of another secret or not hexadecimal', () => {
  for (const signature of [undefined, '', 'ab', sdk.slice(2), sdk.replace(/^9/, '8'), `${sdk.slice(0, -2)}zz`]) {
    expect(reasonOf(body, signature), signature).toBe('forged');
  }
});

it('rejects duplicate keys and integers beyond 2^53, before it accepts a signature', () => {
  const texts = [
    body.replace('{"payment_id"', '{"payment_id":1,"payment_id"'),
    body.replace('{"payment_id"', '{"payment_\\u0069d":1,"payment_id"'),
    body.replace('"depositFee"', '"currency":"x","depositFee"'),
    body.replace('5513339153', '9007199254740993'),
    body.slice(0, -1),
    `${'['.repeat(40)}${']'.repeat(40)}`,
    '',
  ];
  for (const text of texts) expect(reasonOf(text, sdk), text).toBe('malformed');
});

it('returns ids as text, whether they arrive as a number or as text', () => {
  const result = read(body, sdk);
  expect(result).toMatchObject({
    ok: true,
    value: { transferId: '5513339153', paidAmount: '15.5', word: 'partially_paid' },
  });
});

/** printf '%s' '1763848800.{"type":"transaction_updated","data":{"id":"t1","status":"completed"}}' | openssl dgst -sha256 -hmac 'webhook-key-of-the-vectors' */
const webhook = '{"type":"transaction_updated","data":{"id":"t1","status":"completed"}}';
const webhookSignature = 'a0f7bfe2d4c8a83b6e7eea1c5c5cbd1b163145b79507bee82cc40ea78ea46658';
const isTaken = (text: string, header: string, nowS = 1_763_848_900) =>
  isSignedWebhook('webhook-key-of-the-vectors', Buffer.from(text), header, nowS);

it('accepts a webhook of the card provider signed with OpenSSL, for five minutes', () => {
  const header = `t=1763848800,s=${webhookSignature}`;
  expect(isTaken(webhook, header)).toBe(true);
  expect(isTaken(webhook, header, 1_763_849_100)).toBe(true);
  expect(isTaken(webhook, header, 1_763_849_101)).toBe(false);
  expect(isTaken(webhook, header, 1_763_848_499)).toBe(false);
  expect(isTaken(webhook.replace('t1', 't2'), header)).toBe(false);
  for (const wrong of [
    '',
    't=1763848800',
    `s=${webhookSignature}`,
    `t=1763848801,s=${webhookSignature}`,
    't=x,s=y',
    header.slice(0, -1),
  ]) {
    expect(isTaken(webhook, wrong), wrong).toBe(false);
  }
});

/** printf '%s' '?apiKey=pk_test_123&walletAddress=0xabc' | openssl dgst -sha256 -hmac 'sk_test_456' -binary | base64 */
it('FUND-007 signs the query of the widget as OpenSSL does, and puts the signature last', () => {
  expect(signQuery('sk_test_456', '?apiKey=pk_test_123&walletAddress=0xabc')).toBe(
    'cQJQvbESrd5mVDymMG3Z8hl7HnYjwqdjYzejYz8Qynk=',
  );
  const cards = createMoonPay({
    apiKey: 'pk_test_123',
    secretKey: 'sk_test_456',
    webhookKey: 'webhook-key',
    widgetUrl: 'https://buy-sandbox.moonpay.com',
    apiUrl: 'http://127.0.0.1:9',
    walletAddress: '0xabc',
    currencyCode: 'bnb_bsc',
  });
  const url = new URL(
    cards.widgetUrl({
      orderId: 'o1',
      amountUsd: 100,
      returnUrl: 'https://sextant.example/?tab=funds',
      customerId: 'c1',
    }),
  );
  const [signed, signature] = url.search.split('&signature=');
  expect(decodeURIComponent(signature ?? '')).toBe(signQuery('sk_test_456', signed ?? ''));
  expect(Object.fromEntries(url.searchParams)).toMatchObject({
    baseCurrencyAmount: '100',
    lockAmount: 'true',
    externalTransactionId: 'o1',
    redirectURL: 'https://sextant.example/?tab=funds',
  });
  expect(cards.isSandbox).toBe(true);
});
