import { PRICE_POLL_MS, usePrices } from './market.ts';

/** Prices for positions and orders, which need those of their own exchange: undefined when another one's are shown instead. */
export function useOwnPrices(symbols: readonly string[], pollMs = PRICE_POLL_MS) {
  const { data } = usePrices(symbols, pollMs);
  return data?.exchange === 'binance' ? data : undefined;
}
