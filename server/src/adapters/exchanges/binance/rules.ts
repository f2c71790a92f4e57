import { exchangeNames } from '@sextant/workers/src/core/exchangeNames.ts';
import { MINUTE_MS } from '@sextant/engine-as/abi/intervals.ts';
import { objectsIn } from '../restDialect.ts';
import { ownShare, readField, readText, type VenueRules } from '../rules.ts';

function candleCost(query: URLSearchParams): number {
  const limit = Number(query.get('limit') ?? 500);
  if (limit < 100) return 1;
  if (limit < 500) return 2;
  return limit <= 1000 ? 5 : 10;
}

const binanceCosts: Record<string, (query: URLSearchParams) => number> = {
  '/fapi/v1/klines': candleCost,
  '/fapi/v1/markPriceKlines': candleCost,
  '/fapi/v2/ticker/price': (query) => (query.has('symbol') ? 1 : 2),
  '/fapi/v1/ticker/bookTicker': (query) => (query.has('symbol') ? 2 : 5),
  '/fapi/v1/depth': (query) => {
    const limit = Number(query.get('limit') ?? 500);
    if (limit <= 50) return 2;
    if (limit <= 100) return 5;
    return limit <= 500 ? 10 : 20;
  },
  '/fapi/v1/ticker/24hr': (query) => (query.has('symbol') ? 1 : 40),
  '/fapi/v1/premiumIndex': (query) => (query.has('symbol') ? 1 : 10),
};

/** Binance states its weight in the list of symbols, and this limit in its documents only: requests in 5 minutes. */
const FUNDING_LIMIT = 500;
/** Requests of statistics under /futures/data in 5 minutes and IP address; they cost no weight. */
const STATISTICS_LIMIT = 1000;
const fundingBudget = (limit: number) => ({ capacity: ownShare(limit), windowMs: 5 * MINUTE_MS });

export const binanceRules: VenueRules = {
  exchange: 'binance',
  name: exchangeNames.binance,
  // fundingInfo and fundingRate share a separate limit of 500 requests per 5 minutes and IP address
  // (developers.binance.com, USDS-M futures, Get Funding Rate Info).
  budgets: {
    weight: { capacity: ownShare(2400), windowMs: MINUTE_MS },
    funding: fundingBudget(FUNDING_LIMIT),
    statistics: { capacity: ownShare(STATISTICS_LIMIT), windowMs: 5 * MINUTE_MS },
  },
  cost(path, query) {
    if (path.startsWith('/fapi/v1/funding')) return { budget: 'funding', cost: 1 };
    if (path.startsWith('/futures/data/')) return { budget: 'statistics', cost: 1 };
    return { budget: 'weight', cost: binanceCosts[path]?.(query) ?? 1 };
  },
  judge(status, body) {
    if (status === 200 && typeof body === 'object' && body !== null) return { kind: 'good' };
    const code = readField(body, 'code');
    if (code === -1121) return { kind: 'symbolUnknown' };
    if (code === -1003) return { kind: 'rateLimited' };
    if (status >= 400 && status < 500) return { kind: 'refused', detail: readText(readField(body, 'msg')) };
    return { kind: 'broken', detail: `HTTP ${status}` };
  },
  // A response that arrives just after a minute has the count of the minute before: taken for the new one, it would count everything twice.
  usage({ headers }, _path, { fromMs, toMs, oursMs }) {
    const used = Number(headers.get('x-mbx-used-weight-1m') ?? NaN);
    const minute = Math.floor(fromMs / MINUTE_MS);
    const isKnown = Number.isFinite(used) && minute === Math.floor(toMs / MINUTE_MS);
    return isKnown ? { budget: 'weight', used, sinceMs: minute * MINUTE_MS + oursMs } : undefined;
  },
  statedLimits(path, body) {
    if (path !== '/fapi/v1/exchangeInfo') return {};
    const limit = objectsIn(readField(body, 'rateLimits')).find(
      ({ rateLimitType, interval, intervalNum }) =>
        rateLimitType === 'REQUEST_WEIGHT' && interval === 'MINUTE' && intervalNum === 1,
    )?.limit;
    return typeof limit === 'number' && Number.isSafeInteger(limit) && limit > 0 ? { weight: ownShare(limit) } : {};
  },
  quietMs: (status) => (status === 418 ? 2 * MINUTE_MS : status === 403 ? 5 * MINUTE_MS : MINUTE_MS),
};

/** The rules of a simulated Binance that takes another number of requests of fundings in 5 minutes. */
export const binanceRulesWith = (fundingLimit: number): VenueRules => ({
  ...binanceRules,
  budgets: { ...binanceRules.budgets, funding: fundingBudget(fundingLimit) },
});
