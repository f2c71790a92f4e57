import { setImmediate as nextTurn } from 'node:timers/promises';
import { failWith, ok, type Result } from '@sextant/workers/src/core/result.ts';
import { isSymbol } from '@sextant/workers/src/core/symbolPattern.ts';
import type { FuturesSymbol, LeftOut } from '../../features/market/port.ts';
import type { CcxtMarket, CcxtClient } from './ccxtClient.ts';
import type { RestDialect } from './restDialect.ts';
import { translateCcxtErrors, type VenueOptions } from './context.ts';
import { UpstreamError } from './upstreamError.ts';

/** One symbol with the data its requests need. */
export interface Listed {
  listing: FuturesSymbol;
  ccxtSymbol: string;
  /** The exchange's own id. */
  id: string;
  /** Coins (as listed) per unit of its order sizes. */
  contractSize: number;
}

/** `BTCUSDT` stays, `BTC-USDT-SWAP` becomes `BTCUSDT`. */
const symbolOf = (id: string): string => id.replace(/-SWAP$/, '').replaceAll('-', '');

const positive = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : null;

/** Binance states the minimum notional in a filter that ccxt leaves in `info`. */
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

function maxQuantityOf(dialect: RestDialect, info: Record<string, unknown>, contractSize: number): number | null {
  const most = positive(Number(dialect.maxOrderOf(info)));
  return most === null ? null : inCoins(most, contractSize);
}

/** Removes floating-point error of the product; no exchange uses more than twelve digits. */
const inCoins = (quantity: number, contractSize: number): number => Number((quantity * contractSize).toPrecision(12));

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

export type Universe = { listed: Map<string, Listed>; leftOut: LeftOut; atMs: number };

/**
 * The USDT perpetuals of coins among ccxt's markets, and the count of all others by reason; a failure when the list is unusable.
 * A step in contracts is multiplied by the contract size.
 */
export function universeOf(
  dialect: RestDialect,
  markets: readonly CcxtMarket[],
  nowMs: number,
): Result<Omit<Universe, 'atMs'>, string> {
  const listed = new Map<string, Listed>();
  const leftOut = noneLeftOut();
  let duplicateCount = 0;
  for (const market of markets) {
    const entry = listedOf(dialect, market, nowMs);
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
    return failWith(`a symbol list without a valid symbol (${detail})`);
  }
  if (duplicateCount > 0) return failWith(`a symbol list that names ${duplicateCount} symbols twice`);
  return ok({ listed, leftOut });
}

const isInUsdt = ({ linear, quote, settle }: CcxtMarket): boolean =>
  linear === true && quote === 'USDT' && settle === 'USDT';

function listedOf(dialect: RestDialect, market: CcxtMarket, nowMs: number): Listed | keyof LeftOut {
  const { id, symbol: ccxtSymbol, base, info = {} } = market;
  if (id === undefined || ccxtSymbol === undefined || base === undefined) return 'malformed';
  // Only derivatives are requested: a contract that is not a perpetual has an end date.
  if (market.swap !== true) return 'datedFuture';
  if (!isInUsdt(market)) return 'otherQuote';
  const asset = dialect.assetOf(info);
  if (asset !== 'coin') return asset;
  const symbol = symbolOf(id);
  if (!isSymbol(symbol)) return 'malformed';
  const result = stepsOf(dialect, market);
  if (result === undefined) return 'malformed';
  const { contractSize, ...steps } = result;
  const listing: FuturesSymbol = {
    symbol,
    base,
    ...steps,
    minNotional: minNotionalOf(market),
    maxQuantity: maxQuantityOf(dialect, info, contractSize),
    maxLeverage: positive(market.limits?.leverage?.max),
    listedAtMs: positive(market.created),
    status: market.active === true ? 'trading' : 'halted',
    fundingHours: dialect.fundingHoursOf(info),
    ...(dialect.hasEnded(info, nowMs) ? { hasEnded: true } : {}),
  };
  return { listing, ccxtSymbol, id, contractSize };
}

function stepsOf(
  { quantityUnit }: RestDialect,
  market: CcxtMarket,
): { tickSize: number; stepSize: number; contractSize: number } | undefined {
  const tickSize = positive(market.precision?.price);
  const lot = positive(market.precision?.amount);
  const contractSize = quantityUnit === 'contracts' ? positive(market.contractSize) : 1;
  if (tickSize === null || lot === null || contractSize === null) return undefined;
  return { tickSize, stepSize: inCoins(lot, contractSize), contractSize };
}

/** Keeps listings at most two minutes old: beyond the first age a list is renewed in the background, beyond the second before use. */
const renewAfterMs = 45_000;
const universeLifeMs = 90_000;

/** Hours between fundings from a separate list, where the exchange has one. Undefined when the request failed. */
async function fundingHoursIn(dialect: RestDialect, transport: VenueOptions['transport']) {
  const result = await dialect.fundingHours?.(transport).catch((error: unknown) => {
    if (error instanceof UpstreamError) return undefined;
    throw error;
  });
  // An empty list would give every contract the usual interval.
  if (result === undefined || result.byId.size === 0) return undefined;
  return result;
}

/** Adds the hours to symbols that state none. @param before previous list, whose hours are used when `hours` is undefined */
function stateFundingHours(
  { listed }: Pick<Universe, 'listed'>,
  hours: Awaited<ReturnType<typeof fundingHoursIn>>,
  before: Universe | undefined,
): void {
  for (const { id, listing } of listed.values()) {
    if (listing.fundingHours !== null) continue;
    const stated = hours?.byId.get(id);
    const known = hours === undefined ? before?.listed.get(listing.symbol)?.listing : undefined;
    const isUsual = hours === undefined ? known?.isFundingUsual === true : stated === undefined;
    listing.fundingHours = stated ?? hours?.usual ?? known?.fundingHours ?? null;
    if (isUsual) listing.isFundingUsual = true;
  }
}

/** The cached symbol list: concurrent callers share one load, and an old list outlives a failed renewal. */
export function cachedUniverse(
  { rules, dialect, transport, clock }: VenueOptions,
  client: () => Promise<CcxtClient>,
): (maxAgeMs?: number) => Promise<Universe> {
  let stored: Universe | undefined;
  let loading: Promise<Universe> | undefined;

  async function load(): Promise<Universe> {
    const ccxt = await client();
    const markets = await translateCcxtErrors(rules, () => ccxt.loadMarkets(true));
    const hours = await fundingHoursIn(dialect, transport);
    const nowMs = clock.now();
    const universe = universeOf(dialect, Object.values(markets), nowMs);
    if (!universe.ok) {
      // ccxt caches what it loaded; a bad list must not serve the next request.
      ccxt.markets = undefined;
      throw new UpstreamError('unavailable', `${rules.name} sent ${universe.error}.`);
    }
    stateFundingHours(universe.value, hours, stored);
    stored = { ...universe.value, atMs: nowMs };
    return stored;
  }

  return async (maxAgeMs = universeLifeMs): Promise<Universe> => {
    const old = stored;
    const ageMs = old === undefined ? Infinity : clock.now() - old.atMs;
    if (old !== undefined && ageMs < Math.min(renewAfterMs, maxAgeMs)) return old;
    // A background renewal starts after the current request: a broken exchange lets only one probe through.
    const isBeside = old !== undefined && ageMs < maxAgeMs;
    loading ??= (isBeside ? nextTurn().then(load) : load()).finally(() => (loading = undefined));
    if (old === undefined) return loading;
    const renewed = loading.catch(() => old);
    return ageMs < maxAgeMs ? old : renewed;
  };
}
