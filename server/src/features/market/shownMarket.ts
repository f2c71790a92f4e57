import { venueIds } from '@sextant/engine-as/abi/costs.ts';
import { ok } from '@sextant/workers/src/core/result.ts';
import type { Outcome } from '../../platform/errors.ts';
import type { ExchangeId, Market } from './port.ts';

export type ShownMarket = Pick<Market, 'prices' | 'symbols'>;

/**
 * Lists and prices to show on a page: when an exchange does not serve the region of this server, those of another one; `exchange` of the
 * result names it. Not for fills and stops, which need the prices of their own exchange.
 */
export function createShownMarket(
  market: ShownMarket,
  isRegionBlocked: (exchange: ExchangeId) => boolean,
): ShownMarket {
  async function read<T>(
    wanted: ExchangeId,
    readFrom: (exchange: ExchangeId) => Promise<Outcome<T>>,
    isUsable: (value: T) => boolean,
  ): Promise<Outcome<T>> {
    const own = isRegionBlocked(wanted) ? undefined : await readFrom(wanted);
    // The first request learns that the region is blocked.
    if (own !== undefined && (own.ok || !isRegionBlocked(wanted))) return own;
    for (const other of venueIds) {
      if (other === wanted || isRegionBlocked(other)) continue;
      const result = await readFrom(other);
      if (result.ok && isUsable(result.value)) return result;
    }
    return own ?? readFrom(wanted);
  }

  return {
    symbols: ({ exchange = 'binance', ...request } = {}) =>
      read(
        exchange,
        (each) => market.symbols({ ...request, exchange: each }),
        ({ value }) => value.length > 0,
      ),
    async prices({ exchange = 'binance', ...request }) {
      const prices = await read(
        exchange,
        (each) => market.prices({ ...request, exchange: each }),
        ({ value }) => value.length > 0,
      );
      if (!prices.ok || prices.value.exchange === exchange) return prices;
      // Whether a symbol trades is known for the other exchange only.
      const missing = prices.value.missing.map(({ symbol }) => ({ symbol, why: 'no_price' as const }));
      return ok({ ...prices.value, missing });
    },
  };
}
