import { exchangeNames } from '@sextant/workers/src/core/exchangeNames.ts';
import { MINUTE_MS } from '@sextant/engine-as/abi/intervals.ts';
import { ARRIVAL_SPREAD_MS, ownShare, readField, readText, type VenueRules, type Verdict } from '../rules.ts';

export const BYBIT_CANDLES = '/v5/market/kline';
export const BYBIT_MARK_CANDLES = '/v5/market/mark-price-kline';
/** The only endpoint whose result is not a list. */
export const BYBIT_BOOK = '/v5/market/orderbook';

/** Checks the result's shape: an object for an order book, a list otherwise. Undefined for neither. */
function judgeResult(result: unknown, path: string, query: URLSearchParams): Verdict | undefined {
  const isBook = path === BYBIT_BOOK;
  if (!Array.isArray(readField(result, isBook ? 'b' : 'list'))) return undefined;
  const symbol = readField(result, isBook ? 's' : 'symbol');
  const isNamed = isBook || path === BYBIT_CANDLES || path === BYBIT_MARK_CANDLES;
  return isNamed && symbol !== query.get('symbol')
    ? { kind: 'broken', detail: `a response about ${readText(symbol)}` }
    : { kind: 'good' };
}

/** Requests in 5 s and IP address, as documented. */
const REQUESTS_MAX = 600;
const WINDOW_MS = 5000;

const numberIn = (headers: Headers, name: string): number => {
  const text = headers.get(name) ?? '';
  return text.trim() === '' ? Number.NaN : Number(text);
};

export const bybitRules: VenueRules = {
  exchange: 'bybit',
  name: exchangeNames.bybit,
  budgets: { requests: { capacity: ownShare(REQUESTS_MAX), windowMs: WINDOW_MS + ARRIVAL_SPREAD_MS } },
  cost: () => ({ budget: 'requests', cost: 1 }),
  judge(status, body, path, query) {
    const code = readField(body, 'retCode');
    if (code === 10006 || code === 10018) return { kind: 'rateLimited' };
    if (status === 200 && code === 0) {
      const verdict = judgeResult(readField(body, 'result'), path, query);
      if (verdict !== undefined) return verdict;
    }
    if (code === 10001 && /symbol/i.test(readText(readField(body, 'retMsg')))) return { kind: 'symbolUnknown' };
    if (typeof code === 'number' && code !== 0) return { kind: 'refused', detail: readText(readField(body, 'retMsg')) };
    return { kind: 'broken', detail: `HTTP ${status}` };
  },
  // The headers state the remaining requests of a limit, which may be another one than the limit per address: its used share counts.
  usage({ headers }, _path, { nowMs, oursMs }) {
    const limit = numberIn(headers, 'x-bapi-limit');
    const left = numberIn(headers, 'x-bapi-limit-status');
    if (!(limit > 0) || !(left >= 0)) return undefined;
    const resetMs = numberIn(headers, 'x-bapi-limit-reset-timestamp');
    const startMs = Number.isFinite(resetMs) ? resetMs + oursMs - WINDOW_MS : 0;
    const used = Math.max(0, Math.ceil((REQUESTS_MAX * (limit - left)) / limit));
    return { budget: 'requests', used, sinceMs: Math.min(nowMs, Math.max(nowMs - WINDOW_MS, startMs)) };
  },
  // Bybit's documentation requires ten minutes after 403 "access too frequent".
  quietMs: (status) => (status === 403 ? 10 * MINUTE_MS : status === 418 ? 2 * MINUTE_MS : 5000),
};
