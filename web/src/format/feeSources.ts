import { type VenueId, venueIds } from '@sextant/engine-as/abi/costs.ts';
import { exchangeNames } from '@sextant/workers/src/core/exchangeNames.ts';

/** Exchanges with a known fee schedule: all of them. */
export const venues = venueIds;
export type Venue = VenueId;

interface Schedule {
  name: string;
  /** The tier of an account without turnover, in the venue's own word. */
  tier: string;
  /** Where its two fees (engine-as/abi/costs.ts) were read. */
  source: string;
}

/** The day on which every source below was read again. */
export const feesReadOn = '2026-11-22';

/**
 * Fees of USDT perpetuals in the lowest tier, before discounts. No exchange includes them in its public market data: ccxt's values beside
 * each market (4.5.84) are constants of that library, so nothing newer than this table can be fetched. For Bybit those constants are a
 * fallback (0.06 and 0.01 %) that its own page contradicts.
 */
export const schedules: Record<Venue, Schedule> = {
  binance: {
    name: exchangeNames.binance,
    tier: 'VIP 0',
    source: 'ccxt 4.5.84 and published regular-tier tables, not checked at Binance',
  },
  bybit: {
    name: exchangeNames.bybit,
    tier: 'VIP 0',
    source: 'Bybit help centre, Trading Fee Structure, perpetual and futures contracts',
  },
  okx: {
    name: exchangeNames.okx,
    tier: 'Lv 1',
    source: 'ccxt 4.5.84 and published Lv 1 descriptions, not checked at OKX',
  },
};
