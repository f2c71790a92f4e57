import { isIP } from 'node:net';
import { join } from 'node:path';
import { type VenueId, venueIds } from '@sextant/engine-as/abi/costs.ts';
import { z } from 'zod';
import { type HistoryMonths, historyMonthsDefault } from '@sextant/workers/src/core/historyMonths.ts';
import type { ExchangeHosts } from './adapters/exchanges/createVenues.ts';
import type { ModelAnalystOptions } from './adapters/llm/createModelAnalyst.ts';
import { unprintableSign } from './platform/printable.ts';
import { readSecretFiles } from './secretFiles.ts';
import { type RetentionDays, retentionOfText } from './retentionDays.ts';
import type { MoonPayOptions } from './adapters/payments/moonPay.ts';
import type { NowPaymentsOptions } from './adapters/payments/nowPayments.ts';
import type { XSearchOptions } from './adapters/social/createXSearch.ts';
import type { TelegramOptions } from './adapters/telegram/createTelegramBot.ts';
import { type Feed, liveFeeds, MAX_FEEDS } from './newsFeeds.ts';
import type { S3Options } from './adapters/storage/createFileStore.ts';

// Long because all environment variables are read here.

/** Source of candles and prices. `simulated` and `replay` are served by our fakes on loopback, `live` by the real exchanges. */
export type MarketMode = 'simulated' | 'replay' | 'live';

const flag = z.enum(['on', 'off']);
const httpUrl = (name: string) => z.url({ protocol: /^https?$/, error: `${name} must be an http or https URL` });

const postgresUrl = (example: string) =>
  z.url({ protocol: /^postgres(ql)?$/, error: `must look like ${example}` }).optional();

const wsUrl = z.url({ protocol: /^wss?$/, error: 'must be a ws or wss URL' });
const isNatsUrl = (text: string): boolean => URL.canParse(text) && ['nats:', 'tls:'].includes(new URL(text).protocol);
const natsUrls = z
  .string()
  .refine((text) => text.split(',').every(isNatsUrl), 'must be nats or tls URLs, separated by commas');

const dollars = z.coerce
  .number('must be a number')
  .min(0.0001, 'must be 0.0001 to 2000')
  .max(2000, 'must be 0.0001 to 2000');

const namedNetworks = new Set(['loopback', 'linklocal', 'uniquelocal']);

/** Trusted proxies: never all (`true`) and never a hop count, which a client can forge. */
function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  if (namedNetworks.has(text)) return true;
  const bitsMax = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  if (rest.length > 0 || bitsMax < 0) return false;
  // /0 is every address.
  return bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= bitsMax);
}

function isDecodable(url: string): boolean {
  if (!URL.canParse(url)) return true; // The previous rule reports it.
  const { username, password } = new URL(url);
  try {
    decodeURIComponent(username + password);
    return true;
  } catch {
    return false;
  }
}

const historyIntervals = Object.keys(historyMonthsDefault) as (keyof HistoryMonths)[];

/** `1m=3,15m=12`: months by interval; those that are not named have the default. */
function monthsOfText(text: string, context: z.RefinementCtx): HistoryMonths {
  const months = { ...historyMonthsDefault };
  for (const part of text.split(',').filter((each) => each.trim() !== '')) {
    const [, name, count] = /^\s*(\w+)\s*=\s*(\d{1,3})\s*$/.exec(part) ?? [];
    const interval = historyIntervals.find((each) => each === name);
    if (interval === undefined)
      context.addIssue(`must look like 1m=3,15m=12, with intervals ${historyIntervals.join(' ')}`);
    else months[interval] = Number(count);
  }
  return months;
}

function exchangesOfText(text: string, context: z.RefinementCtx): VenueId[] {
  const names = text.split(',').map((each) => each.trim());
  const matches = venueIds.filter((id) => names.includes(id));
  if (matches.length !== new Set(names).size)
    context.addIssue(`must name ${venueIds.join(', ')}, with commas between them`);
  return matches;
}

/** `name=value,name=value` with percent-encoded values, as OpenTelemetry defines it. */
function headersOfText(text: string, context: z.RefinementCtx): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const part of text.split(',').filter((each) => each.trim() !== '')) {
    const [, name, value] = /^\s*([\w-]+)\s*=\s*([\w%.~+/=-]+)\s*$/.exec(part) ?? [];
    if (name === undefined || value === undefined || /%(?![\da-f]{2})/i.test(value))
      context.addIssue('must look like name=value,name=value, with values percent-encoded');
    else headers[name] = decodeURIComponent(value);
  }
  return headers;
}

/** Every variable the product reads. A test keeps this list equal to .env.example. */
const Variables = z.object({
  HOST: z.string().min(1).default('127.0.0.1'),
  PORT: z.coerce
    .number('must be a number')
    .int()
    .min(1, 'must be 1 to 65535')
    .max(65535, 'must be 1 to 65535')
    .default(3000),
  PUBLIC_URL: httpUrl('PUBLIC_URL').optional(),
  TRUST_PROXY: z
    .string()
    .refine(
      (text) => text.split(',').every((part) => isNetwork(part.trim())),
      'must be loopback, linklocal, uniquelocal, addresses or networks such as 10.0.0.0/8, with commas between them',
    )
    .optional(),
  DATA_DIR: z.string().min(1).default('.data'),
  DATABASE_URL: postgresUrl('postgres://host:5432/database'),
  DATABASE_SESSION_URL: postgresUrl('postgres://host:5432/database'),
  DATABASE_OWNER_URL: postgresUrl('postgres://owner:password@host:5432/database'),
  AUTH_SECRET: z.string().min(32, 'must have at least 32 characters').optional(),
  AUTH_SECRET_CHANGED: flag.default('off'),
  DEMO_ACCOUNT: flag.optional(),
  SIGN_UP_CONFIRMATION: flag.default('off'),
  SMTP_URL: z
    .url({ protocol: /^smtps?$/, error: 'must look like smtps://user:password@mail.example:465' })
    .refine(isDecodable, 'has a bare % in its user or password; write %25')
    .optional(),
  MAIL_FROM: z
    .string()
    .regex(/^[^\r\n]*[^\s@<]+@[^\s@>]+>?$/, 'must look like Sextant <no-reply@sextant.example>')
    .default('Sextant <no-reply@sextant.local>'),
  OUTBOX_URL: httpUrl('OUTBOX_URL').optional(),
  MARKET: z.enum(['simulated', 'live'], 'must be simulated or live').default('simulated'),
  MARKET_REPLAY: z.string().min(1).optional(),
  MARKET_REPLAY_QUOTE_VOLUME: z.string().optional(),
  MARKET_REPLAY_WORLD: z.string().max(100).optional(),
  EXCHANGES_SEED: z.coerce.number('must be a number').int('must be a whole number').optional(),
  EXCHANGES_START: z.iso.date('must look like 2026-03-02').optional(),
  EXCHANGES_WEIGHT: z.coerce.number('must be a number').int('must be a whole number').min(1).optional(),
  EXCHANGES_FUNDING: z.coerce.number('must be a number').int('must be a whole number').min(1).optional(),
  EXCHANGES_PORT: z.coerce.number('must be a number').int().min(1024).max(65_535).optional(),
  EXCHANGES_URL: httpUrl('EXCHANGES_URL').optional(),
  BINANCE_API_KEY: z.string().min(8, 'must have at least 8 characters').optional(),
  BINANCE_API_SECRET: z.string().min(8, 'must have at least 8 characters').optional(),
  MARKET_STREAMS: flag.default('on'),
  HISTORY_BACKFILL: flag.default('on'),
  HISTORY_EXCHANGES: z.string().default('binance').transform(exchangesOfText),
  HISTORY_SYMBOLS: z.coerce
    .number('must be a number')
    .int()
    .min(1, 'must be 1 to 1000')
    .max(1000, 'must be 1 to 1000')
    .default(400),
  HISTORY_MONTHS: z.string().default('').transform(monthsOfText),
  RETENTION_DAYS: z.string().default('').transform(retentionOfText),
  S3_BUCKET: z.string().min(3).max(63).optional(),
  S3_REGION: z.string().min(1).default('us-east-1'),
  S3_ENDPOINT: httpUrl('S3_ENDPOINT').optional(),
  S3_ACCESS_KEY_ID: z.string().min(1).optional(),
  S3_SECRET_ACCESS_KEY: z.string().min(1).optional(),
  OPENAI_API_KEY: z.string().min(1).optional(),
  OPENAI_BASE_URL: httpUrl('OPENAI_BASE_URL').optional(),
  OPENAI_MODEL: z.string().min(1).max(100).optional(),
  AI_CHECK_USD: dollars.default(0.01),
  AI_DAILY_USD: dollars.default(1),
  AI_FAKE: flag.default('off'),
  TELEGRAM_BOT_TOKEN: z
    .string()
    .regex(/^\d{5,20}:[\w-]{20,100}$/, 'must look like 123456789:AA...')
    .optional(),
  TELEGRAM_API_URL: httpUrl('TELEGRAM_API_URL').default('https://api.telegram.org'),
  TELEGRAM_LINK_URL: httpUrl('TELEGRAM_LINK_URL').default('https://t.me'),
  WEBHOOK_RECEIVER_URL: httpUrl('WEBHOOK_RECEIVER_URL').optional(),
  NEWS_FEEDS: z.string().max(10_000).optional(),
  X_BEARER_TOKEN: z.string().min(20, 'must have at least 20 characters').max(500).optional(),
  X_API_URL: httpUrl('X_API_URL').default('https://api.x.com'),
  X_QUERY: z.string().min(1).max(512).default('(bitcoin OR ethereum OR crypto) lang:en -is:retweet'),
  ACCOUNT_DELETION_GRACE_DAYS: z.coerce
    .number('must be a number')
    .min(0, 'must be 0 to 30')
    .max(30, 'must be 0 to 30')
    .default(7),
  NOWPAYMENTS_API_KEY: z.string().min(8, 'must have at least 8 characters').optional(),
  NOWPAYMENTS_IPN_SECRET: z.string().min(8, 'must have at least 8 characters').optional(),
  NOWPAYMENTS_URL: httpUrl('NOWPAYMENTS_URL').default('https://api.nowpayments.io/v1'),
  NOWPAYMENTS_EMAIL: z.email('must be an email address').optional(),
  NOWPAYMENTS_PASSWORD: z.string().min(1).optional(),
  MOONPAY_API_KEY: z
    .string()
    .regex(/^pk_(test|live)_\w{4,}$/, 'must look like pk_live_...')
    .optional(),
  MOONPAY_SECRET_KEY: z
    .string()
    .regex(/^sk_(test|live)_\w{4,}$/, 'must look like sk_live_...')
    .optional(),
  MOONPAY_WEBHOOK_KEY: z.string().min(8, 'must have at least 8 characters').optional(),
  MOONPAY_WALLET_ADDRESS: z.string().min(8).max(200).optional(),
  MOONPAY_CURRENCY: z.string().min(2).max(30).default('bnb_bsc'),
  MOONPAY_WIDGET_URL: httpUrl('MOONPAY_WIDGET_URL').optional(),
  MOONPAY_API_URL: httpUrl('MOONPAY_API_URL').default('https://api.moonpay.com'),
  RECEIPT_SELLER_NAME: z.string().min(1).max(200).optional(),
  RECEIPT_SELLER_ADDRESS: z.string().min(1).max(500).optional(),
  RECEIPT_SELLER_TAX_ID: z.string().min(1).max(50).optional(),
  CONTACT_EMAIL: z.email('must be an email address').nullable().default(null),
  CONTACT_PHONE: z
    .string()
    .regex(/^\+?[\d ()/-]{5,30}$/, 'must be a phone number')
    .nullable()
    .default(null),
  BINANCE_URL: httpUrl('BINANCE_URL').optional(),
  BINANCE_STREAM_URL: wsUrl.optional(),
  BYBIT_URL: httpUrl('BYBIT_URL').optional(),
  BYBIT_STREAM_URL: wsUrl.optional(),
  OKX_URL: httpUrl('OKX_URL').optional(),
  OKX_STREAM_URL: wsUrl.optional(),
  PROBE_HOST: z.string().min(1).default('127.0.0.1'),
  PROBE_PORT: z.coerce
    .number('must be a number')
    .int()
    .min(0, 'must be 0 to 65535')
    .max(65535, 'must be 0 to 65535')
    .optional(),
  DRAIN_S: z.coerce.number('must be a number').min(0, 'must be 0 to 300').max(300, 'must be 0 to 300').optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl('OTEL_EXPORTER_OTLP_ENDPOINT').optional(),
  OTEL_EXPORTER_OTLP_HEADERS: z.string().max(4000).default('').transform(headersOfText),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number('must be a number')
    .min(0, 'must be 0 to 1')
    .max(1, 'must be 0 to 1')
    .default(1),
  ROLE: z.enum(['all', 'web', 'worker', 'market'], 'must be all, web, worker or market').default('all'),
  MARKET_GATEWAY: z.enum(['on', 'off'], 'must be on or off').optional(),
  NATS_URL: natsUrls.optional(),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent']).default('warn'),
});

export const variableNames = Object.keys(Variables.shape);

/** Details of the seller on every receipt. */
export interface Seller {
  name: string;
  address: string;
  taxId: string | null;
}

export interface Config {
  host: string;
  port: number;
  /** Origin of the product for users, without a trailing slash; undefined when it is simply host and port. */
  publicUrl: string | undefined;
  /** Fastify's trustProxy: false unless the proxies are named, because any client can send X-Forwarded-For. */
  trustProxy: boolean | string;
  dataDir: string;
  /** For requests: may lead through a pooler in transaction mode. Names no user, or the login of nodes. */
  databaseUrl: string | undefined;
  /** For what needs one session (notices, leases, the queue), without a pooler; `databaseUrl` when undefined. */
  databaseSessionUrl: string | undefined;
  /** A role that may create roles and tables, for `npm run migrate` only. */
  databaseOwnerUrl: string | undefined;
  authSecret: string | undefined;
  /** The operator states that AUTH_SECRET was changed: the database is updated to the new one. */
  isAuthSecretNew: boolean;
  isDemoAccountOffered: boolean;
  /** A new account opens only after its email address is confirmed. */
  isSignUpConfirmed: boolean;
  /** The SMTP server; undefined disables email. */
  smtpUrl: string | undefined;
  mailFrom: string;
  /** Inbox where the user of a demo reads its emails; undefined everywhere else. */
  outboxUrl: string | undefined;
  market: MarketMode;
  marketReplayDir: string | undefined;
  /** Base URL of one server with all exchanges' formats; undefined means the real hosts. */
  exchangesUrl: string | undefined;
  /** Hosts that replace an exchange's own, for a live market. */
  exchangeHosts: ExchangeHosts;
  /** Key for the leverage tiers of Binance, which requires one; undefined: the tiers are unknown. */
  fundingLimit: number | undefined;
  /** Reads the leverage tiers of Binance, which no request without a key gets; undefined: they are not known. */
  binanceKey: { key: string; secret: string } | undefined;
  /** Whether candles and prices are streamed and cached; otherwise they are fetched on request. */
  isMarketStreamed: boolean;
  /** Candle store: what is filled backwards, and for how long it is stored. */
  history: HistoryConfig;
  retention: RetentionDays;
  /** Bucket for user files; undefined means a folder in `dataDir`. */
  s3: S3Options | undefined;
  /** The language model behind AI checks; undefined means the built-in rules decide. */
  openai: ModelAnalystOptions | undefined;
  /** Daily (UTC) cost limit of all AI requests, in millionths of a dollar. */
  aiDailyMicrousdMax: number;
  /** The launcher starts a stand-in for the provider and uses it as the model. */
  isAiFaked: boolean;
  /** The bot that messages users; undefined disables it. */
  telegram: TelegramOptions | undefined;
  /** Origin of a local webhook receiver: the only non-public address that webhooks may call. Demo only. */
  webhookReceiverOrigin: string | undefined;
  /** Sources of news. */
  news: NewsConfig;
  /** Payments in coins; undefined disables them. */
  nowPayments: NowPaymentsOptions | undefined;
  /** Card payments; undefined shows the sandbox, which gives no credits. */
  moonPay: MoonPayOptions | undefined;
  /** Seller named on receipts; without it none are issued. */
  receiptSeller: Seller | undefined;
  deletionGraceDays: number;
  /** Contact of the operator; the legal pages state when there is none. */
  contact: { email: string | null; phone: string | null };
  /** Port of probes and metrics; undefined: none. One that was not chosen may be in use: then there is none. */
  probes: { host: string; port: number; isChosen: boolean } | undefined;
  /** How long a stopping node reports that it is not ready, and still serves, before it closes its port. */
  drainMs: number;
  /** Collector of traces; undefined: none are made. */
  tracing: { endpoint: string; headers: Record<string, string>; sampleFraction: number } | undefined;
  /** Whether the exchanges are read through the node with `ROLE=market`, which alone requests them. */
  isGatewayUsed: boolean;
  /** Servers of NATS, separated by commas; undefined: messages between nodes go through PostgreSQL. */
  natsUrl: string | undefined;
  /** `web` serves requests, `worker` runs the background jobs, `all` both; `market` requests the exchanges for the others. */
  role: z.infer<typeof Variables>['ROLE'];
  logLevel: z.infer<typeof Variables>['LOG_LEVEL'];
}

export interface HistoryConfig {
  isBackfilled: boolean;
  exchanges: readonly VenueId[];
  /** Symbols of each exchange, by turnover. */
  symbolsMax: number;
  retention: HistoryMonths;
  /** Seed and start of a simulated market: another one has other candles. */
  seed: number | undefined;
  start: string | undefined;
  /** Name of a replayed world: equal names have equal candles. Undefined: unknown. */
  replayWorld: string | undefined;
}

export interface NewsConfig {
  feeds: readonly Feed[];
  /** Origin of local feeds of a demo: the only non-public address that feeds may have. */
  localOrigin: string | undefined;
  /** Source of posts; undefined means that none is connected. */
  social: (XSearchOptions & { isSimulated: boolean }) | undefined;
}

/** Folder of user pictures without a bucket. */
export const pictureFolderOf = ({ dataDir }: Pick<Config, 'dataDir'>): string => join(dataDir, 'files');

/** Base URL of the product for users, without a trailing slash. */
export const baseUrlOf = ({ publicUrl, port }: Pick<Config, 'publicUrl' | 'port'>): string =>
  publicUrl ?? `http://localhost:${port}`;

/** A variable with an invalid value. The message is one line and names the variable. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

function s3Of(values: z.infer<typeof Variables>): S3Options | undefined {
  if (values.S3_BUCKET === undefined) return undefined;
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = values;
  if (accessKeyId === undefined || secretAccessKey === undefined) {
    throw new ConfigError('S3_BUCKET: also needs S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY');
  }
  const { S3_BUCKET: bucket, S3_REGION: region, S3_ENDPOINT: endpoint } = values;
  return { bucket, region, endpoint, accessKeyId, secretAccessKey };
}

function binanceKeyOf(values: z.infer<typeof Variables>): Config['binanceKey'] {
  const { BINANCE_API_KEY: key, BINANCE_API_SECRET: secret } = values;
  if (key === undefined && secret === undefined) return undefined;
  if (key === undefined || secret === undefined) {
    throw new ConfigError('BINANCE_API_KEY: set both BINANCE_API_KEY and BINANCE_API_SECRET');
  }
  return { key, secret };
}

/** Nodes of one role share the gateway unless that is off; a node that does everything requests the exchanges itself. */
function isGatewayUsedBy({ ROLE: role, MARKET_GATEWAY: gateway }: z.infer<typeof Variables>): boolean {
  if (role === 'all' && gateway === 'on') throw new ConfigError('MARKET_GATEWAY: needs ROLE=web or ROLE=worker');
  if (role === 'market' && gateway === 'off') throw new ConfigError('MARKET_GATEWAY: ROLE=market is the gateway');
  return role !== 'all' && gateway !== 'off';
}

/** Addresses of the exchanges: a live market has none of the fakes, and a simulated one no hosts of its own. */
function exchangesOf(
  values: z.infer<typeof Variables>,
): Pick<Config, 'exchangesUrl' | 'fundingLimit' | 'exchangeHosts'> {
  const { MARKET, EXCHANGES_URL: exchangesUrl, EXCHANGES_FUNDING: fundingLimit } = values;
  if (MARKET !== 'live') return { exchangesUrl, fundingLimit, exchangeHosts: {} };
  return { exchangesUrl: undefined, fundingLimit: undefined, exchangeHosts: hostsOf(values) };
}

/** Origins only: the paths of an exchange are part of its adapter. */
function hostsOf(values: z.infer<typeof Variables>): ExchangeHosts {
  const { BINANCE_URL, BINANCE_STREAM_URL, BYBIT_URL, BYBIT_STREAM_URL, OKX_URL, OKX_STREAM_URL } = values;
  const wsOriginOf = (url: string | undefined) => url && `${new URL(url).protocol}//${new URL(url).host}`;
  return {
    binance: { rest: originOf(BINANCE_URL), stream: wsOriginOf(BINANCE_STREAM_URL) },
    bybit: { rest: originOf(BYBIT_URL), stream: wsOriginOf(BYBIT_STREAM_URL) },
    okx: { rest: originOf(OKX_URL), stream: wsOriginOf(OKX_STREAM_URL) },
  };
}

/** Beside the exporters of Prometheus. */
const PROBE_PORT_DEFAULT = 9464;
const DRAIN_DEFAULT_S = 5;

/** A balancer needs time to notice; a demo on one machine has none. */
const drainMsOf = ({ DRAIN_S: seconds, DATABASE_URL: url }: z.infer<typeof Variables>): number =>
  1000 * (seconds ?? (url === undefined ? 0 : DRAIN_DEFAULT_S));

function probesOf({ PROBE_HOST: host, PROBE_PORT: port }: z.infer<typeof Variables>): Config['probes'] {
  if (port === 0) return undefined;
  return { host, port: port ?? PROBE_PORT_DEFAULT, isChosen: port !== undefined };
}

function tracingOf(values: z.infer<typeof Variables>): Config['tracing'] {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: headers } = values;
  return endpoint === undefined ? undefined : { endpoint, headers, sampleFraction: values.OTEL_TRACES_SAMPLER_ARG };
}

const loopbackNames = new Set(['127.0.0.1', 'localhost', '::1', '[::1]']);
const isLoopbackUrl = (url: string | undefined): boolean =>
  url === undefined || loopbackNames.has(new URL(url).hostname);

/**
 * Whether the demo mailbox may be served: only when listening on loopback, with loopback PUBLIC_URL and DATABASE_URL and a market
 * that is not live, because every client of the server can read its emails. The caller checks that DATABASE_URL is the
 * embedded database.
 */
export const isOutboxAllowed = ({ host, publicUrl, databaseUrl, market }: Config): boolean =>
  loopbackNames.has(host) && isLoopbackUrl(publicUrl) && isLoopbackUrl(databaseUrl) && market !== 'live';

function checked(config: Config): Config {
  const { outboxUrl, webhookReceiverOrigin: receiver } = config;
  const isDemo = isOutboxAllowed(config);
  if (config.news.localOrigin !== undefined && !isDemo) {
    throw new ConfigError('NEWS_FEEDS: local feeds need a demo on loopback with a simulated market');
  }
  if (outboxUrl !== undefined && !(isDemo && isLoopbackUrl(outboxUrl))) {
    throw new ConfigError(
      'OUTBOX_URL: shows every email to all visitors; use it in a demo on loopback with a simulated market',
    );
  }
  if (receiver !== undefined && !(isDemo && isLoopbackUrl(receiver))) {
    throw new ConfigError(
      'WEBHOOK_RECEIVER_URL: lets users call this machine; use it in a demo on loopback with a simulated market',
    );
  }
  return config;
}

const databaseUrlsOf = (
  values: z.infer<typeof Variables>,
): Pick<Config, 'databaseUrl' | 'databaseSessionUrl' | 'databaseOwnerUrl'> => ({
  databaseUrl: values.DATABASE_URL,
  databaseSessionUrl: values.DATABASE_SESSION_URL,
  databaseOwnerUrl: values.DATABASE_OWNER_URL,
});

const microusdOf = (dollarCount: number): number => Math.round(dollarCount * 1e6);

function openaiOf(values: z.infer<typeof Variables>): ModelAnalystOptions | undefined {
  const { OPENAI_API_KEY: apiKey, OPENAI_MODEL: model, OPENAI_BASE_URL: baseUrl } = values;
  if (apiKey === undefined) return undefined;
  if (values.AI_FAKE === 'on') throw new ConfigError('AI_FAKE: cannot be combined with OPENAI_API_KEY');
  // Models change and differ in price, so the operator must name one.
  if (model === undefined) throw new ConfigError('OPENAI_MODEL: set it with OPENAI_API_KEY');
  return { apiKey, model, baseUrl, reservedMicrousd: microusdOf(values.AI_CHECK_USD) };
}

const originOf = (url: string | undefined): string | undefined => (url === undefined ? undefined : new URL(url).origin);

function telegramOf(values: z.infer<typeof Variables>): TelegramOptions | undefined {
  const { TELEGRAM_BOT_TOKEN: token, TELEGRAM_API_URL: apiUrl, TELEGRAM_LINK_URL: linkUrl } = values;
  if (token === undefined) return undefined;
  return { token, apiUrl: new URL(apiUrl).origin, linkUrl: new URL(linkUrl).origin };
}

/** Parses `Name=https://...` or a URL alone, separated by commas or lines. The feeds of a live market when absent. */
function newsOf(values: z.infer<typeof Variables>): NewsConfig {
  const { NEWS_FEEDS: text, X_BEARER_TOKEN: token, X_API_URL: apiUrl, X_QUERY: query } = values;
  const feeds = text === undefined ? (values.MARKET === 'live' ? liveFeeds : []) : feedsOf(text);
  const local = feeds.filter(({ isSimulated }) => isSimulated).map(({ url }) => new URL(url).origin);
  if (new Set(local).size > 1) throw new ConfigError('NEWS_FEEDS: local feeds must share one origin');
  const social =
    token === undefined
      ? undefined
      : { token, apiUrl: new URL(apiUrl).origin, query, isSimulated: isLoopbackUrl(apiUrl) };
  return { feeds, localOrigin: local[0], social };
}

function feedsOf(text: string): Feed[] {
  const lines = text === 'off' ? [] : text.split(/[,\n]/).map((line) => line.trim());
  const feeds = lines.flatMap((line): Feed[] => {
    if (line === '') return [];
    const [, name, url = line] = /^([^=:/?]{1,40})=(.*)$/.exec(line) ?? [];
    if (!URL.canParse(url)) throw new ConfigError(`NEWS_FEEDS: ${line.slice(0, 80)} is not a URL`);
    const { protocol, hostname } = new URL(url);
    const isSimulated = loopbackNames.has(hostname);
    if (protocol !== 'https:' && !isSimulated)
      throw new ConfigError(`NEWS_FEEDS: ${hostname} must start with https://`);
    return [{ name: name?.trim() ?? hostname.replace(/^www\./, ''), url: new URL(url).href, isSimulated }];
  });
  if (feeds.length > MAX_FEEDS) throw new ConfigError(`NEWS_FEEDS: names ${feeds.length} feeds, at most ${MAX_FEEDS}`);
  for (const key of ['name', 'url'] as const)
    if (new Set(feeds.map((feed) => feed[key])).size < feeds.length)
      throw new ConfigError(`NEWS_FEEDS: each feed needs its own ${key}`);
  return feeds;
}

function nowPaymentsOf(values: z.infer<typeof Variables>): NowPaymentsOptions | undefined {
  const { NOWPAYMENTS_API_KEY: apiKey, NOWPAYMENTS_IPN_SECRET: ipnSecret, NOWPAYMENTS_URL: apiUrl } = values;
  const { NOWPAYMENTS_EMAIL: email, NOWPAYMENTS_PASSWORD: password } = values;
  if (apiKey === undefined) {
    if (ipnSecret !== undefined || email !== undefined || password !== undefined)
      throw new ConfigError('NOWPAYMENTS_API_KEY: is missing; other NOWPayments variables are set');
    return undefined;
  }
  if (ipnSecret === undefined) {
    throw new ConfigError('NOWPAYMENTS_IPN_SECRET: set it with NOWPAYMENTS_API_KEY to verify payments');
  }
  if ((email === undefined) !== (password === undefined)) {
    throw new ConfigError('NOWPAYMENTS_EMAIL: set both NOWPAYMENTS_EMAIL and NOWPAYMENTS_PASSWORD');
  }
  if (values.PUBLIC_URL === undefined && !isLoopbackUrl(apiUrl)) {
    throw new ConfigError('PUBLIC_URL: set it with NOWPAYMENTS_API_KEY for payment notifications');
  }
  const login = email === undefined || password === undefined ? undefined : { email, password };
  return { apiKey, ipnSecret, apiUrl, login };
}

/** Shown when cards are not configured: a sandbox that gives no credits. */
export const cardSandboxUrl =
  'https://buy-sandbox.moonpay.com/?currencyCode=bnb_bsc&baseCurrencyCode=usd&baseCurrencyAmount=100';
/** Origin of the card widget, the only page that ours embed. */
export const cardWidgetOriginsOf = ({ moonPay }: Pick<Config, 'moonPay'>): string[] =>
  moonPay === undefined ? [] : [new URL(moonPay.widgetUrl).origin];

const moonPayHosts = { test: 'https://buy-sandbox.moonpay.com', live: 'https://buy.moonpay.com' };

function moonPayOf(values: z.infer<typeof Variables>): MoonPayOptions | undefined {
  const { MOONPAY_API_KEY: apiKey, MOONPAY_SECRET_KEY: secretKey, MOONPAY_WEBHOOK_KEY: webhookKey } = values;
  const { MOONPAY_WALLET_ADDRESS: walletAddress, MOONPAY_CURRENCY: currencyCode, MOONPAY_API_URL: apiUrl } = values;
  if (apiKey === undefined) {
    if (secretKey !== undefined || webhookKey !== undefined || walletAddress !== undefined)
      throw new ConfigError('MOONPAY_API_KEY: is missing; other MoonPay variables are set');
    return undefined;
  }
  if (secretKey === undefined || webhookKey === undefined || walletAddress === undefined) {
    throw new ConfigError(
      'MOONPAY_API_KEY: also needs MOONPAY_SECRET_KEY, MOONPAY_WEBHOOK_KEY and MOONPAY_WALLET_ADDRESS',
    );
  }
  const mode = apiKey.startsWith('pk_test_') ? 'test' : 'live';
  if (!secretKey.startsWith(`sk_${mode}_`))
    throw new ConfigError(`MOONPAY_SECRET_KEY: must be a ${mode} key like MOONPAY_API_KEY`);
  const widgetUrl = values.MOONPAY_WIDGET_URL ?? moonPayHosts[mode];
  return { apiKey, secretKey, webhookKey, walletAddress, currencyCode, apiUrl, widgetUrl };
}

function sellerOf(values: z.infer<typeof Variables>): Seller | undefined {
  const { RECEIPT_SELLER_NAME: name, RECEIPT_SELLER_ADDRESS: address, RECEIPT_SELLER_TAX_ID: taxId = null } = values;
  if (name === undefined && address === undefined && taxId === null) return undefined;
  if (name === undefined || address === undefined) {
    throw new ConfigError('RECEIPT_SELLER_NAME: set both RECEIPT_SELLER_NAME and RECEIPT_SELLER_ADDRESS');
  }
  const texts = { RECEIPT_SELLER_NAME: name, RECEIPT_SELLER_ADDRESS: address, RECEIPT_SELLER_TAX_ID: taxId ?? '' };
  for (const [variable, text] of Object.entries(texts)) {
    const sign = unprintableSign(text);
    if (sign !== undefined)
      throw new ConfigError(`${variable}: PDF receipts cannot show ${JSON.stringify(sign)}; use Latin letters`);
  }
  return { name, address, taxId };
}

/** The variables, secrets from their files. An empty variable counts as absent. */
function readVariables(env: Record<string, string | undefined>): z.infer<typeof Variables> {
  const given = Object.fromEntries(variableNames.map((name) => [name, env[name] === '' ? undefined : env[name]]));
  const secrets = readSecretFiles(env);
  if (!secrets.ok) throw new ConfigError(secrets.error);
  const parsed = Variables.safeParse({ ...given, ...secrets.value });
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new ConfigError(`${issue?.path.join('.') ?? 'configuration'}: ${issue?.message ?? 'is not valid'}`);
  }
  if (parsed.data.DATABASE_SESSION_URL !== undefined && parsed.data.DATABASE_URL === undefined) {
    throw new ConfigError('DATABASE_SESSION_URL: set it with DATABASE_URL');
  }
  return parsed.data;
}

/** Reads the configuration from environment variables. */
export function readConfig(env: Record<string, string | undefined>): Config {
  const values = readVariables(env);
  if (values.MARKET === 'live' && values.MARKET_REPLAY !== undefined) {
    throw new ConfigError('MARKET_REPLAY: cannot be combined with MARKET=live');
  }
  const market = values.MARKET === 'live' ? 'live' : values.MARKET_REPLAY === undefined ? 'simulated' : 'replay';
  const isDemo = values.DATABASE_URL === undefined && market !== 'live';
  return checked({
    host: values.HOST,
    port: values.PORT,
    publicUrl: originOf(values.PUBLIC_URL),
    trustProxy: values.TRUST_PROXY ?? false,
    dataDir: values.DATA_DIR,
    ...databaseUrlsOf(values),
    authSecret: values.AUTH_SECRET,
    isAuthSecretNew: values.AUTH_SECRET_CHANGED === 'on',
    isDemoAccountOffered: values.DEMO_ACCOUNT === undefined ? isDemo : values.DEMO_ACCOUNT === 'on',
    isSignUpConfirmed: values.SIGN_UP_CONFIRMATION === 'on',
    smtpUrl: values.SMTP_URL,
    mailFrom: values.MAIL_FROM,
    outboxUrl: values.OUTBOX_URL,
    market,
    marketReplayDir: values.MARKET_REPLAY,
    ...exchangesOf(values),
    binanceKey: binanceKeyOf(values),
    isMarketStreamed: values.MARKET_STREAMS === 'on',
    history: {
      isBackfilled: values.HISTORY_BACKFILL === 'on',
      exchanges: values.HISTORY_EXCHANGES,
      symbolsMax: values.HISTORY_SYMBOLS,
      retention: values.HISTORY_MONTHS,
      seed: values.EXCHANGES_SEED,
      start: values.EXCHANGES_START,
      replayWorld: values.MARKET_REPLAY_WORLD,
    },
    retention: values.RETENTION_DAYS,
    s3: s3Of(values),
    openai: openaiOf(values),
    aiDailyMicrousdMax: microusdOf(values.AI_DAILY_USD),
    isAiFaked: values.AI_FAKE === 'on',
    telegram: telegramOf(values),
    webhookReceiverOrigin: originOf(values.WEBHOOK_RECEIVER_URL),
    news: newsOf(values),
    nowPayments: nowPaymentsOf(values),
    moonPay: moonPayOf(values),
    receiptSeller: sellerOf(values),
    deletionGraceDays: values.ACCOUNT_DELETION_GRACE_DAYS,
    contact: { email: values.CONTACT_EMAIL, phone: values.CONTACT_PHONE },
    probes: probesOf(values),
    drainMs: drainMsOf(values),
    isGatewayUsed: isGatewayUsedBy(values),
    natsUrl: values.NATS_URL,
    tracing: tracingOf(values),
    role: values.ROLE,
    logLevel: values.LOG_LEVEL,
  });
}
