import { ARRIVAL_SPREAD_MS, MINUTE, ownShare, readField, readText, type VenueRules } from '../rules.ts';

export const bybitRules: VenueRules = {
  exchange: 'bybit',
  name: 'Bybit',
  budgets: { requests: { capacity: ownShare(600), windowMs: 5000 + ARRIVAL_SPREAD_MS } },
  cost: () => ({ budget: 'requests', cost: 1 }),
  judge(status, body, path, query) {
    const code = readField(body, 'retCode');
    if (code === 10006 || code === 10018) return { kind: 'rateLimited' };
    if (status === 200 && code === 0 && Array.isArray(readField(readField(body, 'result'), 'list'))) {
      const symbol = readField(readField(body, 'result'), 'symbol');
      const isOther = path === '/v5/market/kline' && symbol !== query.get('symbol');
      return isOther ? { kind: 'broken', detail: `an answer about ${readText(symbol)}` } : { kind: 'good' };
    }
    if (code === 10001 && /symbol/i.test(readText(readField(body, 'retMsg')))) return { kind: 'symbolUnknown' };
    if (typeof code === 'number' && code !== 0) return { kind: 'refused', detail: readText(readField(body, 'retMsg')) };
    return { kind: 'broken', detail: `HTTP ${status}` };
  },
  // Their documentation asks for ten minutes after 403 "access too frequent".
  quietMs: (status) => (status === 403 ? 10 * MINUTE : status === 418 ? 2 * MINUTE : 5000),
};
