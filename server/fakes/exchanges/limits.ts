import type { VenueId } from './market/venues.ts';

/** Response of a venue to a client over its rate limit. */
export interface Overuse {
  status: number;
  body: unknown;
  headers: Record<string, string>;
}

export interface Limits {
  /** Counts one request; `overuse` is set when it must be rejected. */
  count(
    venue: VenueId,
    path: string,
    weight: number,
    nowMs: number,
  ): { headers: Record<string, string>; overuse?: Overuse };
  /** Resets the counts. */
  clear(): void;
}

export const BINANCE_WEIGHT_PER_MINUTE = 2400;
/** Requests under /futures/data in 5 minutes. */
const BINANCE_STATISTICS = 1000;
const BYBIT_PER_5_S = 600;
/** Requests per 2 s and path. */
const okxPer2S: Record<string, number> = {
  '/api/v5/market/candles': 40,
  '/api/v5/market/history-candles': 20,
  '/api/v5/market/mark-price-candles': 20,
  '/api/v5/market/history-mark-price-candles': 20,
  '/api/v5/market/books': 40,
  '/api/v5/market/tickers': 20,
  '/api/v5/market/ticker': 20,
  '/api/v5/public/instruments': 20,
  '/api/v5/public/mark-price': 10,
  '/api/v5/public/funding-rate': 20,
  '/api/v5/public/funding-rate-history': 10,
  '/api/v5/public/position-tiers': 10,
  '/api/v5/public/open-interest': 20,
  '/api/v5/rubik/stat/contracts/open-interest-history': 10,
  '/api/v5/rubik/stat/contracts/long-short-account-ratio-contract': 5,
};

/**
 * The venues' published limits, counted per process as the venues count per address.
 * @param weightPerMinute of Binance, which states it in its list of symbols
 */
export function createLimits(weightPerMinute: number): Limits {
  const windows = new Map<string, { start: number; used: number }>();

  /** Fixed windows, as all three venues use. */
  function use(key: string, spanMs: number, weight: number, nowMs: number): number {
    const start = Math.floor(nowMs / spanMs) * spanMs;
    const window = windows.get(key);
    if (window?.start !== start) {
      windows.set(key, { start, used: weight });
      return weight;
    }
    window.used += weight;
    return window.used;
  }

  function binance(weight: number, nowMs: number): ReturnType<Limits['count']> {
    const used = use('binance', 60_000, weight, nowMs);
    const headers = { 'x-mbx-used-weight-1m': String(used) };
    if (used <= weightPerMinute) return { headers };
    const retryAfter = String(Math.ceil((60_000 - (nowMs % 60_000)) / 1000));
    // Exceeding the limit by 20 % returns a ban.
    const isBan = used > weightPerMinute * 1.2;
    const msg = isBan
      ? `Way too many requests; IP banned until ${nowMs + 120_000}. Please use the websocket for live updates to avoid bans.`
      : `Too many requests; current limit of IP is ${weightPerMinute} requests per minute. Please use the websocket for live updates to avoid polling the API.`;
    return {
      headers,
      overuse: {
        status: isBan ? 418 : 429,
        body: { code: -1003, msg },
        headers: { ...headers, 'retry-after': isBan ? '120' : retryAfter },
      },
    };
  }

  function binanceStatistics(nowMs: number): ReturnType<Limits['count']> {
    const used = use('binance statistics', 300_000, 1, nowMs);
    if (used <= BINANCE_STATISTICS) return { headers: {} };
    const retryAfter = String(Math.ceil((300_000 - (nowMs % 300_000)) / 1000));
    const msg = 'Too many requests; current limit is 1000 requests per 5 minutes.';
    return {
      headers: {},
      overuse: { status: 429, body: { code: -1003, msg }, headers: { 'retry-after': retryAfter } },
    };
  }

  function bybit(nowMs: number): ReturnType<Limits['count']> {
    const used = use('bybit', 5000, 1, nowMs);
    const resetAt = (Math.floor(nowMs / 5000) + 1) * 5000;
    const headers = {
      'x-bapi-limit': String(BYBIT_PER_5_S),
      'x-bapi-limit-status': String(Math.max(0, BYBIT_PER_5_S - used)),
      'x-bapi-limit-reset-timestamp': String(resetAt),
    };
    if (used <= BYBIT_PER_5_S) return { headers };
    return { headers, overuse: { status: 403, body: 'access too frequent', headers } };
  }

  function okx(path: string, nowMs: number): ReturnType<Limits['count']> {
    const used = use(path, 2000, 1, nowMs);
    if (used <= (okxPer2S[path] ?? 20)) return { headers: {} };
    return {
      headers: {},
      overuse: { status: 429, body: { code: '50011', msg: 'Too Many Requests', data: [] }, headers: {} },
    };
  }

  return {
    clear: () => {
      windows.clear();
    },
    count(venue, path, weight, nowMs) {
      if (path.startsWith('/futures/data/')) return binanceStatistics(nowMs);
      if (venue === 'binance') return binance(weight, nowMs);
      return venue === 'bybit' ? bybit(nowMs) : okx(path, nowMs);
    },
  };
}
