import type { EditableCosts } from '../costs.ts';

/** Whose fee schedule the form starts from. */
export const venues = ['binance', 'bybit', 'okx'] as const;
export type Venue = (typeof venues)[number];

interface Schedule {
  name: string;
  /** The tier of an account without turnover, in the venue's own word. */
  tier: string;
  takerFeeFraction: number;
  makerFeeFraction: number;
}

/**
 * Fees of USDT perpetuals in the lowest tier, before discounts, as the exchanges publish them. Binance and OKX agree with ccxt 4.5.84;
 * for Bybit ccxt only has a fallback (0.06 and 0.01 %), the published VIP 0 is 0.055 and 0.02 %.
 */
export const venueFees: Record<Venue, Schedule> = {
  binance: { name: 'Binance', tier: 'VIP 0', takerFeeFraction: 0.0005, makerFeeFraction: 0.0002 },
  bybit: { name: 'Bybit', tier: 'VIP 0', takerFeeFraction: 0.00055, makerFeeFraction: 0.0002 },
  okx: { name: 'OKX', tier: 'Lv 1', takerFeeFraction: 0.0005, makerFeeFraction: 0.0002 },
};

export const feesOf = (venue: Venue): Pick<EditableCosts, 'takerFeeFraction' | 'makerFeeFraction'> => {
  const { takerFeeFraction, makerFeeFraction } = venueFees[venue];
  return { takerFeeFraction, makerFeeFraction };
};
