import type { RestDialect } from './restDialect.ts';

/** The fields of a ccxt market that this adapter reads. Any of them may be missing in a malformed response. */
export interface CcxtMarket {
  id?: string;
  symbol?: string;
  base?: string;
  quote?: string;
  settle?: string;
  swap?: boolean;
  linear?: boolean;
  active?: boolean;
  contractSize?: number;
  created?: number;
  precision?: { price?: number; amount?: number };
  limits?: { leverage?: { max?: number }; cost?: { min?: number } };
  info?: Record<string, unknown>;
}

export interface CcxtFunding {
  symbol?: string;
  fundingRate?: number;
  fundingTimestamp?: number;
  nextFundingTimestamp?: number;
  interval?: string;
  timestamp?: number;
  /** The row as the exchange sent it. */
  info?: Record<string, unknown>;
}

/** The subset of ccxt this adapter uses. ccxt's own types are incomplete. */
export interface CcxtClient {
  markets: Record<string, CcxtMarket> | undefined;
  has: Record<string, unknown>;
  fetchImplementation: (url: string) => Promise<Response>;
  loadMarkets(reload: boolean): Promise<Record<string, CcxtMarket>>;
  fetchFundingRate(symbol: string): Promise<CcxtFunding>;
  fetchFundingRateHistory(
    symbol: string,
    since: number | undefined,
    limit: number,
    params: Record<string, unknown>,
  ): Promise<CcxtFunding[]>;
}

type CcxtClass = new (config: object) => CcxtClient;

/** The file has no types; CcxtClient declares what is used, and every response is validated later. */
export async function loadClass(className: string): Promise<CcxtClass> {
  const file = new URL(`./src/${className}.js`, import.meta.resolve('ccxt'));
  return ((await import(file.href)) as { default: CcxtClass }).default;
}

/**
 * Imports the file of one ccxt class: the package entry loads over a hundred exchanges. ccxt's own limiter, timeout and fetch
 * are off; `fetch` is our transport, which does all three for every request.
 */
export async function createCcxtClient(
  { className, options }: RestDialect['ccxt'],
  fetch: CcxtClient['fetchImplementation'],
): Promise<CcxtClient> {
  const Exchange = await loadClass(className);
  const client = new Exchange({ enableRateLimit: false, timeout: 120_000, options });
  client.has['fetchCurrencies'] = false;
  client.fetchImplementation = fetch;
  return client;
}
