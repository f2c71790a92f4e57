import { failWith } from '@sextant/workers/src/core/result.ts';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { CardProvider, NotificationResult, ProviderResult, TransferReport } from '../../features/payments/port.ts';
import { findBadText } from '../../platform/findBadText.ts';
import { createProviderClient, parseJson, type ProviderClient, readResponse } from './providerClient.ts';

export interface MoonPayOptions {
  /** Publishable key: part of the widget URL. `pk_test_...` is the sandbox. */
  apiKey: string;
  /** Signs widget URLs and authorizes the transaction list. */
  secretKey: string;
  /** Signs webhooks; from the developers page, not the secret key. */
  webhookKey: string;
  /** `https://buy.moonpay.com`, its sandbox, or a stand-in. */
  widgetUrl: string;
  apiUrl: string;
  /** The operator's wallet, which receives the purchased coins. */
  walletAddress: string;
  /** Code of the purchased coin, in the provider's notation. */
  currencyCode: string;
  timeoutMs?: number;
}

/** A webhook older than this is rejected as a replay. */
const stampMaxS = 300;
const listPageSize = 50;
const listPagesMax = 20;

const Amount = z.union([z.number().min(0), z.string().regex(/^\d{1,20}(\.\d{1,20})?$/)]).transform(String);
const ShortText = z.string().min(1).max(200).nullish().catch(null);
const Currency = z.object({ code: z.string() }).nullish().catch(null);
const Transaction = z.object({
  id: z.string().min(1).max(64),
  status: z.string().min(1).max(40),
  externalTransactionId: z.string().max(100).nullish(),
  baseCurrencyAmount: Amount.nullish(),
  /** Currency of the payment. */
  baseCurrency: Currency,
  /** The purchased currency. */
  currency: Currency,
  walletAddress: ShortText,
  cryptoTransactionId: ShortText,
});
/** The provider returns the transaction, or a list with only it. */
const OneTransaction = z.union([Transaction, z.tuple([Transaction]).transform(([result]) => result)]);
/** Only purchases: webhooks of sales to MoonPay and of its customers are signed with the same key. */
const Webhook = z.object({ type: z.string().regex(/^transaction_[a-z_]{1,40}$/), data: Transaction });

/** @param nowS Unix seconds */
export function isSignedWebhook(webhookKey: string, body: Buffer, header: string, nowS: number): boolean {
  const parts = new Map(header.split(',').map((part) => part.trim().split('=', 2) as [string, string | undefined]));
  const [stamp, signature] = [parts.get('t') ?? '', parts.get('s') ?? ''];
  if (!/^\d{1,12}$/.test(stamp) || !/^[0-9a-f]{64}$/.test(signature)) return false;
  if (Math.abs(nowS - Number(stamp)) > stampMaxS) return false;
  const wanted = createHmac('sha256', webhookKey).update(`${stamp}.`).update(body).digest();
  return timingSafeEqual(Buffer.from(signature, 'hex'), wanted);
}

/** Signature of a widget URL: base64 of HMAC-SHA256 over its query, including the question mark. */
export const signQuery = (secretKey: string, search: string): string =>
  createHmac('sha256', secretKey).update(search).digest('base64');

/** Hexadecimal addresses are case-insensitive; all others are case-sensitive. */
const isHex = (address: string): boolean => /^0x[0-9a-f]+$/i.test(address);
const isSameWallet = (given: string | null | undefined, ours: string): boolean =>
  given === ours || (given != null && isHex(ours) && given.toLowerCase() === ours.toLowerCase());
const isCurrency = (reported: { code: string } | null | undefined, code: string): boolean =>
  reported?.code.toLowerCase() === code.toLowerCase();

/** The coin to buy and the wallet that receives it. */
type Destination = Pick<MoonPayOptions, 'walletAddress' | 'currencyCode'>;

function toReport(
  transaction: z.output<typeof Transaction>,
  { walletAddress, currencyCode }: Destination,
): TransferReport {
  const { walletAddress: wallet, baseCurrency, baseCurrencyAmount, currency } = transaction;
  const isOurs = isSameWallet(wallet, walletAddress) && isCurrency(currency, currencyCode);
  const isUsd = isCurrency(baseCurrency, 'usd');
  return {
    provider: 'moonpay',
    transferId: transaction.id,
    parentId: null,
    orderId: transaction.externalTransactionId ?? null,
    word: transaction.status,
    invoiceUsd: null,
    payAddress: null,
    payAmount: null,
    payCurrency: null,
    payMemo: null,
    paidAmount: null,
    // A payment in another currency, for another coin or to another wallet has no known USD value; nor has one whose response omits
    // these fields.
    paidUsd: isOurs && isUsd ? (baseCurrencyAmount ?? null) : null,
    transactionHash: transaction.cryptoTransactionId ?? null,
  };
}

function readNotification(
  { webhookKey, walletAddress, currencyCode }: MoonPayOptions,
  body: Buffer,
  header: string | string[] | undefined,
): NotificationResult {
  const nowS = Math.floor(Date.now() / 1000);
  if (typeof header !== 'string' || !isSignedWebhook(webhookKey, body, header, nowS)) {
    return failWith({ reason: 'forged', message: 'The signature is missing, wrong or expired.' });
  }
  const content = parseJson(body.toString('utf8'));
  const read = Webhook.safeParse(content);
  if (!read.success || findBadText(content) !== undefined)
    return failWith({ reason: 'malformed', message: 'The body does not describe a transaction.' });
  return { ok: true, value: toReport(read.data.data, { walletAddress, currencyCode }) };
}

/** MoonPay's card widget and its webhooks. */
export function createMoonPay(options: MoonPayOptions): CardProvider {
  const { apiKey, apiUrl, timeoutMs = 10_000 } = options;
  const { call, close } = createProviderClient({ service: 'moonpay', baseUrl: apiUrl, timeoutMs, connections: 4 });
  return {
    name: 'moonpay',
    isSandbox: apiKey.startsWith('pk_test_'),
    readNotification: ({ body, headers }) => readNotification(options, body, headers['moonpay-signature-v2']),
    readStatus: async (transferId) => {
      const path = `/v1/transactions/${encodeURIComponent(transferId)}?apiKey=${encodeURIComponent(apiKey)}`;
      const read = readResponse(OneTransaction, await call({ path }));
      return read.ok ? { ok: true, value: toReport(read.value, options) } : read;
    },
    list: (since) => listTransactions(call, options, since),
    widgetUrl: (order) => widgetUrlOf(options, order),
    close,
  };
}

async function listTransactions(
  call: ProviderClient['call'],
  options: MoonPayOptions,
  since: Date,
): Promise<ProviderResult<TransferReport[]>> {
  const matches: TransferReport[] = [];
  for (let page = 0; page < listPagesMax; page++) {
    const query = new URLSearchParams({
      startDate: since.toISOString(),
      limit: String(listPageSize),
      offset: String(page * listPageSize),
    });
    const response = await call({
      path: `/v1/transactions?${query}`,
      headers: { authorization: `Api-Key ${options.secretKey}` },
    });
    const read = readResponse(z.array(Transaction), response);
    if (!read.ok) return read;
    matches.push(...read.value.map((each) => toReport(each, options)));
    if (read.value.length < listPageSize) return { ok: true, value: matches };
  }
  return failWith({ kind: 'unclear', message: 'The list of transactions is longer than expected.' });
}

function widgetUrlOf(
  { apiKey, secretKey, widgetUrl, walletAddress, currencyCode }: MoonPayOptions,
  { orderId, amountUsd, returnUrl, customerId }: Parameters<CardProvider['widgetUrl']>[0],
): string {
  const url = new URL(widgetUrl);
  const parameters = {
    apiKey,
    currencyCode,
    baseCurrencyCode: 'usd',
    baseCurrencyAmount: String(amountUsd),
    lockAmount: 'true',
    walletAddress,
    externalTransactionId: orderId,
    externalCustomerId: customerId,
    redirectURL: returnUrl,
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  url.searchParams.append('signature', signQuery(secretKey, url.search));
  return url.href;
}
