import { venueFees } from '@sextant/engine-as/abi/costs.ts';
import type { ExchangeId } from '../market/port.ts';

/** Taker fees by default: the dated table that backtests charge by. */
export const takerFeesOf = (
  given: { readonly [E in ExchangeId]?: number | undefined } = {},
): Record<ExchangeId, number> => ({
  binance: given.binance ?? venueFees.binance.takerFeeFraction,
  bybit: given.bybit ?? venueFees.bybit.takerFeeFraction,
  okx: given.okx ?? venueFees.okx.takerFeeFraction,
});
