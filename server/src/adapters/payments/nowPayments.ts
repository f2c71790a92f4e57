import { failWith } from '@sextant/workers/src/core/result.ts';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type {
  CoinProvider,
  CreatedInvoice,
  NotificationResult,
  OrderRequest,
  ProviderResult,
  TransferReport,
} from '../../features/payments/port.ts';
import { findBadText } from '../../platform/findBadText.ts';
import { createSharedResponse } from '../../platform/sharedResponse.ts';
import { createProviderClient, type ProviderClient, readResponse } from './providerClient.ts';
import { parseStrictJson } from './strictJson.ts';

export interface NowPaymentsOptions {
  apiKey: string;
  /** Signs notifications. */
  ipnSecret: string;
  /** `https://api.nowpayments.io/v1`, its sandbox, or a stand-in. */
  apiUrl: string;
  /** Authorizes the payment list; without it a payment whose creation got no response cannot be found. */
  login: { email: string; password: string } | undefined;
  timeoutMs?: number;
}

/** Host of the vendor's live API; all others move no real money. */
const liveHost = 'api.nowpayments.io';
/** List tokens expire after five minutes; we renew earlier. */
const tokenMs = 4 * 60_000;
const listPageSize = 500;
const listPagesMax = 20;
const minimumFreshMs = 60_000;

/** Numbers and texts both occur; normalized to decimal text. */
const Decimal = z
  .union([z.number(), z.string().regex(/^\d{1,30}(\.\d{1,30})?(e-?\d{1,2})?$/i)])
  .transform(String)
  .refine((text) => /^\d/.test(text), 'must be a number of zero or more');
const MaybeDecimal = Decimal.nullish().catch(null);
/** Zero means that no amount is stated. */
const MaybeAmount = Decimal.refine((text) => /[1-9]/.test(text.split(/e/i, 1)[0] ?? ''))
  .nullish()
  .catch(null);
const Id = z.union([z.string().min(1).max(64), z.int()]).transform(String);
const ShortText = z.string().min(1).max(200).nullish().catch(null);

/** A payment as returned by create, status, list and notification. */
const PaymentBody = z.object({
  payment_id: Id,
  parent_payment_id: Id.nullish(),
  order_id: z.string().max(100).nullish(),
  payment_status: z.string().min(1).max(40),
  price_amount: MaybeDecimal,
  price_currency: ShortText,
  pay_address: ShortText,
  pay_amount: MaybeAmount,
  pay_currency: ShortText,
  payin_extra_id: ShortText,
  payin_hash: ShortText,
  actually_paid: MaybeDecimal,
  actually_paid_at_fiat: MaybeDecimal,
});
const CreatedBody = PaymentBody.extend({
  expiration_estimate_date: z.string().nullish(),
  invoice_url: z
    .url({ protocol: /^https?$/ })
    .nullish()
    .catch(null),
});

function toReport(body: z.output<typeof PaymentBody>): TransferReport {
  // Amounts are in the price currency: if that is not USD or is missing, the USD value is unknown.
  const isUsd = body.price_currency?.toLowerCase() === 'usd';
  return {
    provider: 'nowpayments',
    transferId: body.payment_id,
    parentId: body.parent_payment_id ?? null,
    orderId: body.order_id ?? null,
    word: body.payment_status,
    invoiceUsd: isUsd ? (body.price_amount ?? null) : null,
    payAddress: body.pay_address ?? null,
    payAmount: body.pay_amount ?? null,
    payCurrency: body.pay_currency?.toLowerCase().slice(0, 20) ?? null,
    payMemo: body.payin_extra_id ?? null,
    paidAmount: body.actually_paid ?? null,
    paidUsd: isUsd ? (body.actually_paid_at_fiat ?? null) : null,
    transactionHash: body.payin_hash ?? null,
  };
}

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
const sortedEntries = (value: object): [string, Json][] =>
  Object.entries(value as Record<string, Json>).sort(([a], [b]) => (a < b ? -1 : 1));

/** Form of the vendor's SDK: keys sorted at every depth, arrays unchanged. */
function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(sortedEntries(value).map(([key, part]) => [key, sorted(part)]));
}

/** Form of the vendor's sample code, which turns an array into an object with numeric keys. */
function sortedWithoutArrays(value: Json): Json {
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(sortedEntries(value).map(([key, part]) => [key, sortedWithoutArrays(part)]));
}
const holdsArray = (value: Json): boolean =>
  Array.isArray(value) || (value !== null && typeof value === 'object' && Object.values(value).some(holdsArray));

/** Whether the signature matches the body in one of the vendor's two forms. */
export function isSignedBy(secret: string, body: unknown, signature: string): boolean {
  const forms = holdsArray(body as Json) ? [sorted, sortedWithoutArrays] : [sorted];
  const given = Buffer.from(signature, 'hex');
  return forms.some((form) => {
    const wanted = createHmac('sha512', secret)
      .update(JSON.stringify(form(body as Json)))
      .digest();
    return given.length === wanted.length && timingSafeEqual(given, wanted);
  });
}

const forged: NotificationResult = failWith({ reason: 'forged', message: 'The signature is missing or wrong.' });
const malformed = (message: string): NotificationResult => failWith({ reason: 'malformed', message });

/** Whether the signature matches the raw bytes. */
function areBytesSigned(secret: string, body: Buffer, signature: string): boolean {
  const wanted = createHmac('sha512', secret).update(body).digest();
  const given = Buffer.from(signature, 'hex');
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

/** Limits parsing of unauthenticated bodies, which checking the sorted form requires. Real notifications have one or two KiB. */
const sortedBytesMax = 8 * 1024;

function readNotification(secret: string, body: Buffer, signature: string | string[] | undefined): NotificationResult {
  if (typeof signature !== 'string' || !/^[0-9a-f]{128}$/i.test(signature)) return forged;
  const isSigned = areBytesSigned(secret, body, signature);
  if (!isSigned && body.length > sortedBytesMax) return forged;
  let content: unknown;
  try {
    content = parseStrictJson(body.toString('utf8'));
  } catch {
    return malformed('The body must be JSON without duplicate keys or whole numbers beyond 2^53.');
  }
  if (!isSigned && !isSignedBy(secret, content, signature)) return forged;
  if (findBadText(content) !== undefined) return malformed('The body contains NUL or an unpaired surrogate.');
  const read = PaymentBody.safeParse(content);
  return read.success ? { ok: true, value: toReport(read.data) } : malformed('The body does not describe a payment.');
}

type Call = ProviderClient['call'];

/** Supported coins, with the vendor's code of coin and network. */
type Coins = Readonly<Record<OrderRequest['method'], { payCurrency: string }>>;

/** NOWPayments, API version 1. */
export function createNowPayments(
  { apiKey, ipnSecret, apiUrl, login, timeoutMs = 10_000 }: NowPaymentsOptions,
  coins: Coins,
): CoinProvider {
  const client = createProviderClient({
    service: 'nowpayments',
    baseUrl: apiUrl.endsWith('/') ? apiUrl : `${apiUrl}/`,
    timeoutMs,
    connections: 8,
  });
  const call: Call = ({ headers, ...rest }) => client.call({ ...rest, headers: { ...headers, 'x-api-key': apiKey } });
  const readMinimumOf = (method: OrderRequest['method']) =>
    createSharedResponse(
      minimumFreshMs,
      () => readMinimum(call, coins[method].payCurrency),
      () => performance.now(),
    );
  const minimums = { usdt: readMinimumOf('usdt'), bnb: readMinimumOf('bnb') };
  return {
    name: 'nowpayments',
    isSandbox: new URL(apiUrl).host !== liveHost,
    readNotification: ({ body, headers }) => readNotification(ipnSecret, body, headers['x-nowpayments-sig']),
    create: (order) => createInvoice(call, coins[order.method].payCurrency, order),
    readStatus: async (transferId) => {
      const read = readResponse(PaymentBody, await call({ path: `payment/${encodeURIComponent(transferId)}` }));
      return read.ok ? { ok: true, value: toReport(read.value) } : read;
    },
    list: createList(call, login),
    estimate: async (method, amountUsd) => {
      const amounts = { amount: String(amountUsd), currency_from: 'usd', currency_to: coins[method].payCurrency };
      const response = await call({ path: `estimate?${new URLSearchParams(amounts)}` });
      const read = readResponse(z.object({ estimated_amount: Decimal }), response);
      return read.ok ? { ok: true, value: read.value.estimated_amount } : read;
    },
    minimumUsd: (method) => minimums[method](),
    close: client.close,
  };
}

async function createInvoice(
  call: Call,
  payCurrency: string,
  { orderId, amountUsd, notifyUrl }: OrderRequest,
): Promise<ProviderResult<CreatedInvoice>> {
  const body = {
    price_amount: amountUsd,
    price_currency: 'usd',
    pay_currency: payCurrency,
    order_id: orderId,
    order_description: `${amountUsd} credits`,
    ipn_callback_url: notifyUrl,
    is_fixed_rate: true,
  };
  const response = await call({ path: 'payment', body });
  const read = readResponse(CreatedBody, response);
  if (!read.ok) return read;
  const { expiration_estimate_date: expiry, invoice_url: paymentUrl } = read.value;
  const expiresMs = expiry == null ? NaN : Date.parse(/(?:z|[+-]\d\d:?\d\d)$/i.test(expiry) ? expiry : `${expiry}Z`);
  const expiresAt = Number.isNaN(expiresMs) ? null : new Date(expiresMs);
  return { ok: true, value: { report: toReport(read.value), expiresAt, paymentUrl: paymentUrl ?? null } };
}

async function readMinimum(call: Call, payCurrency: string): Promise<ProviderResult<number>> {
  const query = new URLSearchParams({
    currency_from: payCurrency,
    currency_to: payCurrency,
    fiat_equivalent: 'usd',
    is_fixed_rate: 'true',
    is_fee_paid_by_user: 'false',
  });
  const response = await call({ path: `min-amount?${query}` });
  const read = readResponse(z.object({ fiat_equivalent: z.coerce.number().min(0) }), response);
  return read.ok ? { ok: true, value: read.value.fiat_equivalent } : read;
}

/** The payment list. It requires a token that expires after five minutes. */
function createList(call: Call, login: NowPaymentsOptions['login']): CoinProvider['list'] {
  let token: { text: string; untilMs: number } | undefined;

  async function readToken(): Promise<ProviderResult<string> | undefined> {
    if (login === undefined) return undefined;
    if (token !== undefined && performance.now() < token.untilMs) return { ok: true, value: token.text };
    const response = readResponse(
      z.object({ token: z.string().min(1).max(4000) }),
      await call({ path: 'auth', body: login }),
    );
    if (!response.ok) return response;
    token = { text: response.value.token, untilMs: performance.now() + tokenMs };
    return { ok: true, value: token.text };
  }

  return async (since) => {
    const opened = await readToken();
    if (opened?.ok !== true) return opened;
    const matches: TransferReport[] = [];
    for (let page = 0; page < listPagesMax; page++) {
      const query = new URLSearchParams({
        limit: String(listPageSize),
        page: String(page),
        sortBy: 'created_at',
        orderBy: 'desc',
        dateFrom: since.toISOString(),
      });
      const response = await call({ path: `payment/?${query}`, headers: { authorization: `Bearer ${opened.value}` } });
      const read = readResponse(z.object({ data: z.array(PaymentBody) }), response);
      if (!read.ok) {
        token = undefined;
        return read;
      }
      matches.push(...read.value.data.map(toReport));
      if (read.value.data.length < listPageSize) return { ok: true, value: matches };
    }
    return failWith({ kind: 'unclear', message: 'The list of payments is longer than expected.' });
  };
}
