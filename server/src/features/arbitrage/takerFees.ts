import { byVenue } from '@sextant/workers/src/core/byVenue.ts';
import { venueFees } from '@sextant/engine-as/abi/costs.ts';
import type { ExchangeId } from '../market/port.ts';

/** Default taker fees, from the dated table of backtests. */
export const takerFeesOf = (
  given: { readonly [E in ExchangeId]?: number | undefined } = {},
): Record<ExchangeId, number> => byVenue((venue) => given[venue] ?? venueFees[venue].takerFeeFraction);
