import type { ExchangeId } from '../../features/market/port.ts';

/** The part of a ccxt market this adapter reads; anything may be missing in an answer that is odd. */
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
}

/** The part of ccxt this adapter uses. Its own types say less than what happens. */
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

const classNames: Record<ExchangeId, string> = { binance: 'binanceusdm', bybit: 'bybit', okx: 'okx' };

/** Only the market type that is traded here: the defaults ask five to ten questions at start. */
const options: Record<ExchangeId, object> = {
  binance: { fetchMarkets: { types: ['linear'] } },
  bybit: { fetchMarkets: { types: ['linear'] }, defaultType: 'swap', defaultSubType: 'linear' },
  okx: { fetchMarkets: { types: ['swap'] }, defaultType: 'swap' },
};

/**
 * Loads the one class that is needed by its file: the package's entry loads over a hundred exchanges. ccxt's own limiter, timeout
 * and fetch are off; `fetch` is our transport, which does all three for every request.
 */
export async function createCcxtClient(
  exchange: ExchangeId,
  fetch: CcxtClient['fetchImplementation'],
): Promise<CcxtClient> {
  const file = new URL(`./src/${classNames[exchange]}.js`, import.meta.resolve('ccxt'));
  // The file has no types of its own; CcxtClient states what is used, and every answer is validated after it.
  const { default: Exchange } = (await import(file.href)) as { default: new (config: object) => CcxtClient };
  const client = new Exchange({ enableRateLimit: false, timeout: 120_000, options: options[exchange] });
  client.has['fetchCurrencies'] = false;
  client.fetchImplementation = fetch;
  return client;
}
