import type { ExchangeId } from '../../features/market/port.ts';
import type { BudgetLimit } from './budget.ts';

/** Classification of a response before its data are parsed. */
export type Verdict =
  | { kind: 'good' }
  | { kind: 'rateLimited' }
  | { kind: 'symbolUnknown' }
  | { kind: 'refused'; detail: string }
  | { kind: 'broken'; detail: string };

/** Wire differences between the exchanges, apart from the data. Figures: their public API documentation. */
export interface VenueRules {
  exchange: ExchangeId;
  /** As a person writes it. */
  name: string;
  budgets: Record<string, BudgetLimit>;
  /** The budget a request is paid from, and what it costs there. */
  cost(path: string, query: URLSearchParams): { budget: string; cost: number };
  /** Judges a parsed body; the HTTP status has been dealt with unless it is the exchange's way to say something. */
  judge(status: number, body: unknown, path: string, query: URLSearchParams): Verdict;
  /** Cost spent in the running minute as the exchange counts it, from its answer's headers. */
  usedThisMinute?(headers: Headers): number | undefined;
  /** How long to stay away when it says no without saying how long. */
  quietMs(status: number): number;
}

/** Part of each limit we allow ourselves: others may share our address, and clocks differ. */
const share = (limit: number): number => Math.floor(limit * 0.8);

const MINUTE = 60_000;
const field = (body: unknown, name: string): unknown =>
  typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[name] : undefined;
const text = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value).slice(0, 200) : 'no explanation';
const isList = (value: unknown): boolean => Array.isArray(value);

const binanceCosts: Record<string, (query: URLSearchParams) => number> = {
  '/fapi/v1/klines': (query) => {
    const limit = Number(query.get('limit') ?? 500);
    if (limit < 100) return 1;
    if (limit < 500) return 2;
    return limit <= 1000 ? 5 : 10;
  },
  '/fapi/v2/ticker/price': (query) => (query.has('symbol') ? 1 : 2),
  '/fapi/v1/ticker/bookTicker': (query) => (query.has('symbol') ? 2 : 5),
  '/fapi/v1/ticker/24hr': (query) => (query.has('symbol') ? 1 : 40),
  '/fapi/v1/premiumIndex': (query) => (query.has('symbol') ? 1 : 10),
};

export const binanceRules: VenueRules = {
  exchange: 'binance',
  name: 'Binance',
  // Funding routes have a limit of their own beside the weight; 500 in 5 minutes is recalled, not documented.
  budgets: {
    weight: { capacity: share(2400), windowMs: MINUTE },
    funding: { capacity: share(500), windowMs: 5 * MINUTE },
  },
  cost(path, query) {
    if (path.startsWith('/fapi/v1/funding')) return { budget: 'funding', cost: 1 };
    return { budget: 'weight', cost: binanceCosts[path]?.(query) ?? 1 };
  },
  judge(status, body) {
    if (status === 200 && typeof body === 'object' && body !== null) return { kind: 'good' };
    const code = field(body, 'code');
    if (code === -1121) return { kind: 'symbolUnknown' };
    if (code === -1003) return { kind: 'rateLimited' };
    if (status >= 400 && status < 500) return { kind: 'refused', detail: text(field(body, 'msg')) };
    return { kind: 'broken', detail: `HTTP ${status}` };
  },
  usedThisMinute(headers) {
    const used = Number(headers.get('x-mbx-used-weight-1m') ?? NaN);
    return Number.isFinite(used) ? used : undefined;
  },
  quietMs: (status) => (status === 418 ? 2 * MINUTE : status === 403 ? 5 * MINUTE : MINUTE),
};

export const bybitRules: VenueRules = {
  exchange: 'bybit',
  name: 'Bybit',
  budgets: { requests: { capacity: share(600), windowMs: 5000 } },
  cost: () => ({ budget: 'requests', cost: 1 }),
  judge(status, body, path, query) {
    const code = field(body, 'retCode');
    if (code === 10006 || code === 10018) return { kind: 'rateLimited' };
    if (status === 200 && code === 0 && isList(field(field(body, 'result'), 'list'))) {
      const symbol = field(field(body, 'result'), 'symbol');
      const isOther = path === '/v5/market/kline' && symbol !== query.get('symbol');
      return isOther ? { kind: 'broken', detail: `an answer about ${text(symbol)}` } : { kind: 'good' };
    }
    if (code === 10001 && /symbol/i.test(text(field(body, 'retMsg')))) return { kind: 'symbolUnknown' };
    if (typeof code === 'number' && code !== 0) return { kind: 'refused', detail: text(field(body, 'retMsg')) };
    return { kind: 'broken', detail: `HTTP ${status}` };
  },
  // Their documentation asks for ten minutes after 403 "access too frequent".
  quietMs: (status) => (status === 403 ? 10 * MINUTE : status === 418 ? 2 * MINUTE : 5000),
};

/** Requests per 2 s and address. */
const okxPer2S: Record<string, number> = {
  '/api/v5/market/candles': 40,
  '/api/v5/market/history-candles': 20,
  '/api/v5/market/tickers': 20,
  '/api/v5/public/instruments': 20,
  '/api/v5/public/mark-price': 10,
  '/api/v5/public/funding-rate': 20,
  '/api/v5/public/funding-rate-history': 10,
};

export const okxRules: VenueRules = {
  exchange: 'okx',
  name: 'OKX',
  budgets: Object.fromEntries(
    Object.entries({ ...okxPer2S, other: 10 }).map(([path, limit]) => [
      path,
      // Half of it where the limit is small: requests that were held up on the way may arrive together with those of the next window.
      { capacity: limit <= 10 ? Math.floor(limit / 2) : share(limit), windowMs: 2000 },
    ]),
  ),
  cost: (path) => ({ budget: path in okxPer2S ? path : 'other', cost: 1 }),
  judge(status, body) {
    const code = field(body, 'code');
    if (code === '50011' || code === '50061') return { kind: 'rateLimited' };
    if (status === 200 && code === '0' && isList(field(body, 'data'))) return { kind: 'good' };
    if (code === '51001') return { kind: 'symbolUnknown' };
    if (typeof code === 'string' && /^5[0-9]{4}$/.test(code) && !/^5000[01]$/.test(code)) {
      return { kind: 'refused', detail: text(field(body, 'msg')) };
    }
    return { kind: 'broken', detail: `HTTP ${status}` };
  },
  quietMs: (status) => (status === 403 ? 5 * MINUTE : status === 418 ? 2 * MINUTE : 2000),
};

export const rulesOf: Record<ExchangeId, VenueRules> = { binance: binanceRules, bybit: bybitRules, okx: okxRules };
