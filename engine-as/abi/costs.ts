import { LIQUIDATION_BINANCE, LIQUIDATION_BYBIT, LIQUIDATION_OKX } from './backtest.ts';

/** The exchanges of the product, in the order they are offered. */
export const venueIds = ['binance', 'bybit', 'okx'] as const;
export type VenueId = (typeof venueIds)[number];

/** Fees of USDT perpetuals in the lowest tier, fractions of the notional, before discounts. The product's defaults are those of Binance. */
export const venueFees = {
  binance: { takerFeeFraction: 0.0005, makerFeeFraction: 0.0002 },
  bybit: { takerFeeFraction: 0.00055, makerFeeFraction: 0.0002 },
  okx: { takerFeeFraction: 0.0005, makerFeeFraction: 0.0002 },
} as const satisfies Record<VenueId, object>;

/** The day on which every fee source below was read. */
export const FEES_READ_ON = '2026-11-22';

interface VenueFacts {
  /** As screens and messages name it. */
  name: string;
  /** Formula of the engine that liquidates its positions. */
  liquidationModel: number;
  /** The tier of an account without turnover, in the venue's own word. */
  tier: string;
  /** Where its fees were read. No exchange includes them in its public market data; those of ccxt 4.5.84 are constants of that library. */
  feeSource: string;
}

/** Name, liquidation formula and other facts of each exchange besides its fees. */
export const venueFacts = {
  binance: {
    name: 'Binance',
    liquidationModel: LIQUIDATION_BINANCE,
    tier: 'VIP 0',
    feeSource: 'ccxt 4.5.84 and published regular-tier tables, not checked at Binance',
  },
  bybit: {
    name: 'Bybit',
    liquidationModel: LIQUIDATION_BYBIT,
    tier: 'VIP 0',
    feeSource: 'Bybit help centre, Trading Fee Structure, perpetual and futures contracts',
  },
  okx: {
    name: 'OKX',
    liquidationModel: LIQUIDATION_OKX,
    tier: 'Lv 1',
    feeSource: 'ccxt 4.5.84 and published Lv 1 descriptions, not checked at OKX',
  },
} as const satisfies Record<VenueId, VenueFacts>;

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
