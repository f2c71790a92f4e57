import { venueFees } from '@sextant/engine-as/abi/costs.ts';
import type { ExchangeId } from '../market/port.ts';

/** Default taker fees, from the dated table of backtests. */
export const takerFeesOf = (
  given: { readonly [E in ExchangeId]?: number | undefined } = {},
): Record<ExchangeId, number> => ({
  binance: given.binance ?? venueFees.binance.takerFeeFraction,
  bybit: given.bybit ?? venueFees.bybit.takerFeeFraction,
  okx: given.okx ?? venueFees.okx.takerFeeFraction,
});
