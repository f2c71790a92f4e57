import { venueIds } from '@sextant/engine-as/abi/costs.ts';
import type { ExchangeId, Market } from './port.ts';

/**
 * Prices to show on a page: when an exchange does not serve the region of this server, those of another one for the symbols that it
 * has; `exchange` of the result names it. Not for fills and stops, which need the prices of their own exchange.
 */
export function createShownPrices(
  market: Pick<Market, 'prices'>,
  isRegionBlocked: (exchange: ExchangeId) => boolean,
): Market['prices'] {
  return async (request) => {
    const { exchange = 'binance' } = request;
    const own = isRegionBlocked(exchange) ? undefined : await market.prices(request);
    // The first request learns that the region is blocked.
    if (own?.ok === true || !isRegionBlocked(exchange)) return own ?? market.prices(request);
    for (const other of venueIds) {
      if (other === exchange || isRegionBlocked(other)) continue;
      const prices = await market.prices({ ...request, exchange: other });
      if (!prices.ok || prices.value.value.length === 0) continue;
      // Whether the symbol trades is known for the other exchange only.
      const missing = prices.value.missing.map(({ symbol }) => ({ symbol, why: 'no_price' as const }));
      return { ok: true, value: { ...prices.value, missing } };
    }
    return market.prices(request);
  };
}
