import type { VenueId } from '@sextant/engine-as/abi/costs.ts';

/** Exchanges as screens and messages name them. */
export const exchangeNames = { binance: 'Binance', bybit: 'Bybit', okx: 'OKX' } as const satisfies Record<
  VenueId,
  string
>;
