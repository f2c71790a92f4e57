import type { ExchangeId, FuturesSymbol, LeftOut } from '../../features/market/port.ts';
import { isSymbol } from '@sextant/workers/src/symbolPattern.ts';
import type { CcxtMarket } from './ccxtClient.ts';

/** One symbol with what the adapter needs to ask about it. */
export interface Listed {
  listing: FuturesSymbol;
  ccxtSymbol: string;
  /** The exchange's own id. */
  id: string;
}

/** `BTCUSDT` stays, `BTC-USDT-SWAP` becomes `BTCUSDT`. */
const symbolOf = (id: string): string => id.replace(/-SWAP$/, '').replaceAll('-', '');

const positive = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : null;

/** Binance states the least notional in a filter ccxt leaves in `info`. */
function minNotionalOf(market: CcxtMarket): number | null {
  const stated = positive(market.limits?.cost?.min);
  if (stated !== null) return stated;
  const filters = market.info?.['filters'];
  if (!Array.isArray(filters)) return null;
  const filter = (filters as { filterType?: string; notional?: string }[]).find(
    ({ filterType }) => filterType === 'MIN_NOTIONAL',
  );
  return positive(Number(filter?.notional));
}

export const noneLeftOut = (): LeftOut => ({
  stock: 0,
  commodity: 0,
  index: 0,
  otherAsset: 0,
  unclassified: 0,
  otherQuote: 0,
  datedFuture: 0,
  malformed: 0,
});

export type Universe = { listed: Map<string, Listed>; leftOut: LeftOut };

/**
 * The perpetuals of coins in USDT among ccxt's markets, how many others there are by reason, or why the list cannot be used. Quantities are
 * in contracts on OKX, so its step is multiplied by the contract's size.
 */
export function universeOf(
  exchange: ExchangeId,
  markets: readonly CcxtMarket[],
): ({ ok: true } & Universe) | { ok: false; reason: string } {
  const listed = new Map<string, Listed>();
  const leftOut = noneLeftOut();
  let duplicateCount = 0;
  for (const market of markets) {
    const entry = listedOf(exchange, market);
    if (typeof entry === 'string') {
      leftOut[entry]++;
      continue;
    }
    if (listed.has(entry.listing.symbol)) duplicateCount++;
    listed.set(entry.listing.symbol, entry);
  }
  if (listed.size === 0) {
    const counts = Object.entries(leftOut).filter(([, count]) => count > 0);
    const detail = counts.length === 0 ? 'empty' : counts.map(([reason, count]) => `${reason} ${count}`).join(', ');
    return { ok: false, reason: `a symbol list without a usable symbol (${detail})` };
  }
  if (duplicateCount > 0) return { ok: false, reason: `a symbol list that names ${duplicateCount} symbols twice` };
  return { ok: true, listed, leftOut };
}

const isInUsdt = ({ linear, quote, settle }: CcxtMarket): boolean =>
  linear === true && quote === 'USDT' && settle === 'USDT';

type Asset = 'coin' | 'stock' | 'commodity' | 'index' | 'otherAsset' | 'unclassified';

const assetsOfBinance: Record<string, Asset> = { COIN: 'coin', COMMODITY: 'commodity', INDEX: 'index' };
/** Bybit's regions of coins have no name of the asset in them. */
const assetsOfBybit: Record<string, Asset> = {
  '': 'coin',
  innovation: 'coin',
  adventure: 'coin',
  stock: 'stock',
  xstocks: 'stock',
  commodity: 'commodity',
  index: 'index',
};
const assetsOfOkx: Record<string, Asset> = { '1': 'coin', '3': 'stock', '4': 'commodity' };

const assetIn = (assets: Record<string, Asset>, value: unknown): Asset =>
  typeof value === 'string' ? (assets[value] ?? 'otherAsset') : 'unclassified';

/**
 * What the contract is on. Exchanges list stocks, metals and indices beside coins, some under the id of a coin elsewhere, and each names
 * the class in a field of its own.
 */
const assetOf: Record<ExchangeId, (info: Record<string, unknown>) => Asset> = {
  binance({ contractType, underlyingType }) {
    // Shares carry their country: EQUITY, KR_EQUITY, HK_EQUITY.
    if (typeof underlyingType === 'string' && underlyingType.endsWith('EQUITY')) return 'stock';
    const asset = assetIn(assetsOfBinance, underlyingType);
    return asset === 'coin' && contractType === 'TRADIFI_PERPETUAL' ? 'otherAsset' : asset;
  },
  bybit: ({ symbolType }) => assetIn(assetsOfBybit, symbolType),
  okx: ({ instCategory }) => assetIn(assetsOfOkx, instCategory),
};

function listedOf(exchange: ExchangeId, market: CcxtMarket): Listed | keyof LeftOut {
  const { id, symbol: ccxtSymbol, base } = market;
  if (id === undefined || ccxtSymbol === undefined || base === undefined) return 'malformed';
  // Only derivatives are asked for: what is no perpetual has a day on which it ends.
  if (market.swap !== true) return 'datedFuture';
  if (!isInUsdt(market)) return 'otherQuote';
  const asset = assetOf[exchange](market.info ?? {});
  if (asset !== 'coin') return asset;
  const symbol = symbolOf(id);
  if (!isSymbol(symbol)) return 'malformed';
  const steps = stepsOf(exchange, market);
  if (steps === undefined) return 'malformed';
  const listing: FuturesSymbol = {
    symbol,
    base,
    ...steps,
    minNotional: minNotionalOf(market),
    maxLeverage: positive(market.limits?.leverage?.max),
    listedAtMs: positive(market.created),
    status: market.active === true ? 'trading' : 'halted',
  };
  return { listing, ccxtSymbol, id };
}

function stepsOf(exchange: ExchangeId, market: CcxtMarket): { tickSize: number; stepSize: number } | undefined {
  const tickSize = positive(market.precision?.price);
  const lot = positive(market.precision?.amount);
  const contractSize = exchange === 'okx' ? positive(market.contractSize) : 1;
  if (tickSize === null || lot === null || contractSize === null) return undefined;
  // A product of two powers of ten comes out a hair off; twelve digits are more than any exchange has.
  return { tickSize, stepSize: Number((lot * contractSize).toPrecision(12)) };
}
