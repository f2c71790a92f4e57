import { createHmac, timingSafeEqual } from 'node:crypto';
import { Agent } from 'undici';
import { z } from 'zod';
import type { CardProvider, NotificationResult, ProviderResult, TransferReport } from '../../features/payments/port.ts';
import { callProvider } from './callProvider.ts';

export interface MoonPayOptions {
  /** Publishable: part of the widget's address. `pk_test_...` is the sandbox. */
  apiKey: string;
  /** Signs widget addresses and opens the list of transactions. */
  secretKey: string;
  /** Signs webhooks; of the developers page, not the secret key. */
  webhookKey: string;
  /** `https://buy.moonpay.com`, its sandbox, or a stand-in. */
  widgetUrl: string;
  apiUrl: string;
  /** The wallet of the operator: what buyers pay for is sent there. */
  walletAddress: string;
  /** Coin that is bought, in the provider's name. */
  currencyCode: string;
  timeoutMs?: number;
}

/** A webhook older than this is a replay. */
const stampMaxS = 300;
const listPageSize = 50;
const listPagesMax = 20;

const Amount = z.union([z.number().min(0), z.string().regex(/^\d{1,20}(\.\d{1,20})?$/)]).transform(String);
const ShortText = z.string().min(1).max(200).nullish().catch(null);
const Transaction = z.object({
  id: z.string().min(1).max(64),
  status: z.string().min(1).max(40),
  externalTransactionId: z.string().max(100).nullish(),
  baseCurrencyAmount: Amount.nullish(),
  baseCurrency: z.object({ code: z.string() }).nullish().catch(null),
  walletAddress: ShortText,
  cryptoTransactionId: ShortText,
});
const Webhook = z.object({ type: z.string(), data: Transaction });

/** @param nowS Unix seconds */
export function isSignedWebhook(webhookKey: string, body: Buffer, header: string, nowS: number): boolean {
  const parts = new Map(header.split(',').map((part) => part.trim().split('=', 2) as [string, string | undefined]));
  const [stamp, signature] = [parts.get('t') ?? '', parts.get('s') ?? ''];
  if (!/^\d{1,12}$/.test(stamp) || !/^[0-9a-f]{64}$/.test(signature)) return false;
  if (Math.abs(nowS - Number(stamp)) > stampMaxS) return false;
  const wanted = createHmac('sha256', webhookKey).update(`${stamp}.`).update(body).digest();
  return timingSafeEqual(Buffer.from(signature, 'hex'), wanted);
}

/** Signature of a widget address: base64 of HMAC-SHA256 over its query, with the question mark. */
export const signQuery = (secretKey: string, search: string): string =>
  createHmac('sha256', secretKey).update(search).digest('base64');

/** @param walletAddress where the money has to go */
function toReport(transaction: z.output<typeof Transaction>, walletAddress: string): TransferReport {
  const { walletAddress: wallet, baseCurrency, baseCurrencyAmount } = transaction;
  const isOurs = wallet == null || wallet.toLowerCase() === walletAddress.toLowerCase();
  const isUsd = (baseCurrency?.code ?? 'usd').toLowerCase() === 'usd';
  return {
    provider: 'moonpay',
    transferId: transaction.id,
    parentId: null,
    orderId: transaction.externalTransactionId ?? null,
    word: transaction.status,
    coversInvoice: false,
    payAddress: null,
    payAmount: null,
    payCurrency: null,
    payMemo: null,
    paidAmount: null,
    // Money that went to another wallet, or in another currency, is worth nothing known to us.
    paidUsd: isOurs && isUsd ? (baseCurrencyAmount ?? null) : null,
    transactionHash: transaction.cryptoTransactionId ?? null,
  };
}

function readNotification(
  { webhookKey, walletAddress }: MoonPayOptions,
  body: Buffer,
  header: string | string[] | undefined,
): NotificationResult {
  const nowS = Math.floor(Date.now() / 1000);
  if (typeof header !== 'string' || !isSignedWebhook(webhookKey, body, header, nowS)) {
    return { ok: false, reason: 'forged', message: 'The signature is missing, wrong or too old.' };
  }
  const read = Webhook.safeParse(parseJson(body.toString('utf8')));
  if (!read.success) return { ok: false, reason: 'malformed', message: 'The body does not describe a transaction.' };
  return { ok: true, value: toReport(read.data.data, walletAddress) };
}

type Call = (path: string, headers?: Record<string, string>) => Promise<ProviderResult<unknown>>;

/** MoonPay's card widget and its webhooks. */
export function createMoonPay(options: MoonPayOptions): CardProvider {
  const { apiKey, apiUrl, walletAddress, timeoutMs = 10_000 } = options;
  const dispatcher = new Agent({ connect: { timeout: 5000 }, keepAliveTimeout: 10_000, connections: 4 });
  const call: Call = (path, headers = {}) =>
    callProvider({ url: new URL(path, apiUrl), method: 'GET', headers, dispatcher, timeoutMs });
  return {
    name: 'moonpay',
    isSandbox: apiKey.startsWith('pk_test_'),
    readNotification: ({ body, headers }) => readNotification(options, body, headers['moonpay-signature-v2']),
    readStatus: async (transferId) => {
      const path = `/v1/transactions/${encodeURIComponent(transferId)}?apiKey=${encodeURIComponent(apiKey)}`;
      const one = z.union([Transaction.transform((found) => [found]), z.array(Transaction).length(1)]);
      const read = readTransactions(one, await call(path));
      if (!read.ok) return read;
      const [found] = read.value;
      return found === undefined ? unreadable : { ok: true, value: toReport(found, walletAddress) };
    },
    list: (since) => listTransactions(call, options, since),
    widgetUrl: (order) => widgetUrlOf(options, order),
    close: () => dispatcher.destroy(),
  };
}

async function listTransactions(
  call: Call,
  { secretKey, walletAddress }: MoonPayOptions,
  since: Date,
): Promise<ProviderResult<TransferReport[]>> {
  const found: TransferReport[] = [];
  for (let page = 0; page < listPagesMax; page++) {
    const query = new URLSearchParams({
      startDate: since.toISOString(),
      limit: String(listPageSize),
      offset: String(page * listPageSize),
    });
    const answer = await call(`/v1/transactions?${query}`, { authorization: `Api-Key ${secretKey}` });
    const read = readTransactions(z.array(Transaction), answer);
    if (!read.ok) return read;
    found.push(...read.value.map((each) => toReport(each, walletAddress)));
    if (read.value.length < listPageSize) return { ok: true, value: found };
  }
  return { ok: false, failure: { kind: 'unclear', message: 'The list of transactions is longer than expected.' } };
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

const unreadable = {
  ok: false,
  failure: { kind: 'unclear', message: 'The answer does not have the expected form.' },
} as const;

function readTransactions(
  schema: z.ZodType<z.output<typeof Transaction>[]>,
  answer: ProviderResult<unknown>,
): ProviderResult<z.output<typeof Transaction>[]> {
  if (!answer.ok) return answer;
  const read = schema.safeParse(answer.value);
  return read.success ? { ok: true, value: read.data } : unreadable;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
