/** The exchanges of the product, in the order they are offered. */
export const venueIds = ['binance', 'bybit', 'okx'] as const;
export type VenueId = (typeof venueIds)[number];

/**
 * Fees of USDT perpetuals in the lowest tier, fractions of the notional; the form shows the source of each beside its name
 * (web/src/format/feeSources.ts). The defaults of the product are those of Binance.
 */
export const venueFees = {
  binance: { takerFeeFraction: 0.0005, makerFeeFraction: 0.0002 },
  bybit: { takerFeeFraction: 0.00055, makerFeeFraction: 0.0002 },
  okx: { takerFeeFraction: 0.0005, makerFeeFraction: 0.0002 },
} as const satisfies Record<VenueId, object>;

/** Expected slippage of a market order: fraction of the price at the time of the decision. */
export const SLIPPAGE = 0.0001;
/** The same for a stop, which fills in a moving market: charged by a backtest unless it is edited, and assumed by the size of a position. */
export const STOP_SLIPPAGE = 0.0002;

/**
 * The size of a fill moves its price by this many volatilities of a candle times the root of its share of the turnover, and an entry takes
 * this share of the turnover of a candle at most: what runs on candles of an exchange have unless they say otherwise. How the two were
 * chosen: docs/simulator.md, section 12.
 */
export const IMPACT_COEFFICIENT = 1;
export const TURNOVER_SHARE_MAX = 0.1;

/** Maintenance margin where no tier of the venue is known, fraction of the notional. */
export const MAINTENANCE_MARGIN = 0.005;
/** Highest leverage that any venue of the product grants. */
export const LEVERAGE_MAX = 125;
