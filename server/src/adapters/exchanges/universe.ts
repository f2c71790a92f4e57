import type { ExchangeId, FuturesSymbol } from '../../features/market/port.ts';
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

/** Why a market is not offered here. */
export type LeftOut = 'otherContract' | 'otherAsset' | 'unclassified' | 'name' | 'steps';

export type Universe = { listed: Map<string, Listed>; leftOut: Record<LeftOut, number> };

/**
 * The perpetuals of coins in USDT among ccxt's markets, how many others there are by reason, or why the list cannot be used. Quantities are
 * in contracts on OKX, so its step is multiplied by the contract's size.
 */
export function universeOf(
  exchange: ExchangeId,
  markets: readonly CcxtMarket[],
): ({ ok: true } & Universe) | { ok: false; reason: string } {
  const listed = new Map<string, Listed>();
  const leftOut: Universe['leftOut'] = { otherContract: 0, otherAsset: 0, unclassified: 0, name: 0, steps: 0 };
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

const isUsdtPerpetual = ({ swap, linear, quote, settle }: CcxtMarket): boolean =>
  swap === true && linear === true && quote === 'USDT' && settle === 'USDT';

/** Bybit's regions of coins; every other one (stock, xstocks, commodity, ...) is something else. */
const bybitCoins = new Set(['', 'innovation', 'adventure']);

/**
 * Whether the contract is on a coin. Exchanges list stocks, metals and indices beside coins, some under the id of a coin elsewhere, and each
 * names the class in a field of its own.
 */
const coinOf: Record<ExchangeId, (info: Record<string, unknown>) => boolean | undefined> = {
  binance: ({ contractType, underlyingType }) => {
    if (contractType === 'TRADIFI_PERPETUAL') return false;
    return typeof underlyingType === 'string' ? underlyingType === 'COIN' : undefined;
  },
  bybit: ({ symbolType }) => (typeof symbolType === 'string' ? bybitCoins.has(symbolType) : undefined),
  okx: ({ instCategory }) => (typeof instCategory === 'string' ? instCategory === '1' : undefined),
};

function listedOf(exchange: ExchangeId, market: CcxtMarket): Listed | LeftOut {
  const { id, symbol: ccxtSymbol, base } = market;
  if (!isUsdtPerpetual(market) || id === undefined || ccxtSymbol === undefined || base === undefined) {
    return 'otherContract';
  }
  const isCoin = coinOf[exchange](market.info ?? {});
  if (isCoin !== true) return isCoin === undefined ? 'unclassified' : 'otherAsset';
  const symbol = symbolOf(id);
  if (!isSymbol(symbol)) return 'name';
  const steps = stepsOf(exchange, market);
  if (steps === undefined) return 'steps';
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
