import type { ExchangeId, FuturesSymbol } from '../../features/market/port.ts';
import type { CcxtMarket } from './ccxtClient.ts';

/** One symbol with what the adapter needs to ask about it. */
export interface Listed {
  listing: FuturesSymbol;
  ccxtSymbol: string;
  /** The exchange's own id. */
  id: string;
}

const symbolPattern = /^[A-Z0-9]{2,24}USDT$/;

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

/**
 * The USDT perpetuals among ccxt's markets, or why the list cannot be used. Quantities are in contracts on OKX, so its step is
 * multiplied by the contract's size.
 */
export function universeOf(
  exchange: ExchangeId,
  markets: readonly CcxtMarket[],
): { ok: true; listed: Map<string, Listed> } | { ok: false; reason: string } {
  const listed = new Map<string, Listed>();
  let duplicateCount = 0;
  for (const market of markets) {
    const entry = listedOf(exchange, market);
    if (entry === undefined) continue;
    if (listed.has(entry.listing.symbol)) duplicateCount++;
    listed.set(entry.listing.symbol, entry);
  }
  if (listed.size === 0) return { ok: false, reason: 'a symbol list without a usable symbol' };
  if (duplicateCount > 0) return { ok: false, reason: `a symbol list that names ${duplicateCount} symbols twice` };
  return { ok: true, listed };
}

const isUsdtPerpetual = ({ swap, linear, quote, settle }: CcxtMarket): boolean =>
  swap === true && linear === true && quote === 'USDT' && settle === 'USDT';

function listedOf(exchange: ExchangeId, market: CcxtMarket): Listed | undefined {
  const { id, symbol: ccxtSymbol, base } = market;
  if (!isUsdtPerpetual(market) || id === undefined || ccxtSymbol === undefined || base === undefined) return undefined;
  const symbol = symbolOf(id);
  const steps = stepsOf(exchange, market);
  if (steps === undefined || !symbolPattern.test(symbol)) return undefined;
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
