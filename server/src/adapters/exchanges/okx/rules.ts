import { exchangeNames } from '@sextant/workers/src/core/exchangeNames.ts';
import { MINUTE_MS } from '@sextant/engine-as/abi/intervals.ts';
import { ARRIVAL_SPREAD_MS, ownShare, readField, readText, type VenueRules } from '../rules.ts';

/** Requests per 2 s and IP address. */
const okxPer2S: Record<string, number> = {
  '/api/v5/market/candles': 40,
  '/api/v5/market/history-candles': 20,
  '/api/v5/market/mark-price-candles': 20,
  '/api/v5/market/history-mark-price-candles': 20,
  '/api/v5/market/tickers': 20,
  '/api/v5/market/books': 40,
  '/api/v5/public/instruments': 20,
  '/api/v5/public/mark-price': 10,
  '/api/v5/public/position-tiers': 10,
  '/api/v5/public/funding-rate': 20,
  '/api/v5/public/funding-rate-history': 10,
  '/api/v5/public/open-interest': 20,
  '/api/v5/rubik/stat/contracts/open-interest-history': 10,
  '/api/v5/rubik/stat/contracts/long-short-account-ratio-contract': 5,
};

const WINDOW_MS = 2000;
const limits: Record<string, number> = { ...okxPer2S, other: 10 };
const budgetOf = (path: string): string => (path in okxPer2S ? path : 'other');

export const okxRules: VenueRules = {
  exchange: 'okx',
  name: exchangeNames.okx,
  budgets: Object.fromEntries(
    Object.entries(limits).map(([path, limit]) => [
      path,
      { capacity: ownShare(limit), windowMs: WINDOW_MS + ARRIVAL_SPREAD_MS },
    ]),
  ),
  cost: (path) => ({ budget: budgetOf(path), cost: 1 }),
  // OKX sends no header with a count: its error is the only statement, that the window of this path is used up by all at our address.
  usage({ body }, path, { nowMs }) {
    const budget = budgetOf(path);
    const isUsedUp = readField(body, 'code') === '50011';
    return isUsedUp ? { budget, used: limits[budget] ?? 0, sinceMs: nowMs - WINDOW_MS } : undefined;
  },
  judge(status, body) {
    const code = readField(body, 'code');
    if (code === '50011' || code === '50061') return { kind: 'rateLimited' };
    if (status === 200 && code === '0' && Array.isArray(readField(body, 'data'))) return { kind: 'good' };
    if (code === '51001') return { kind: 'symbolUnknown' };
    if (typeof code === 'string' && /^5[0-9]{4}$/.test(code) && !/^5000[01]$/.test(code)) {
      return { kind: 'refused', detail: readText(readField(body, 'msg')) };
    }
    return { kind: 'broken', detail: `HTTP ${status}` };
  },
  quietMs: (status) => (status === 403 ? 5 * MINUTE_MS : status === 418 ? 2 * MINUTE_MS : 2000),
};
