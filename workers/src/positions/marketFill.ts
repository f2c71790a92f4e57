import { SLIPPAGE } from '@sextant/engine-as/abi/costs.ts';
import { roundAgainst } from './sizing.ts';

/** Prices of one moment, quote currency; null: the exchange did not send it. */
export interface FillQuote {
  last: number;
  bid: number | null;
  ask: number | null;
}

/** A price of the market at the moment of a fill, before the costs of the order. */
export interface FillMarket {
  /** Last price, or the level or open that a candle decided by; quote currency. */
  price: number;
  /** Half of the distance between bid and ask that the fill paid, quote currency; null: it was not measured. */
  halfSpread: number | null;
}

/** A fill with the price that it started from. */
export interface MarketFill {
  price: number;
  market: FillMarket;
}

/** Half of the distance between bid and ask; null where one is unknown, 0 in a crossed book. */
export const halfSpreadOf = ({ bid, ask }: Pick<FillQuote, 'bid' | 'ask'>): number | null =>
  bid === null || ask === null ? null : Number((Math.max(0, ask - bid) / 2).toPrecision(SPREAD_DIGITS));

/** Significant digits of a spread: a difference of two decimals leaves noise behind them. */
const SPREAD_DIGITS = 12;

/** `halfSpread` and a fraction of slippage as one fraction of `price`, for an order that buys (1) or sells (-1). */
export const slippageWith = (halfSpread: number, price: number, fraction: number, sign: 1 | -1): number =>
  sign * ((1 + (sign * halfSpread) / price) * (1 + sign * fraction) - 1);

/**
 * Where a market order fills: the last price, half the spread, and the slippage that a backtest charges a market order unless it is
 * edited, on the tick that is worse for its owner. Without a spread it is the fill of the simulator for an order at that open.
 * @param side LONG buys, SHORT sells
 */
export function marketFill(side: 'LONG' | 'SHORT', quote: FillQuote, tickSize: number): number {
  const sign = side === 'LONG' ? 1 : -1;
  return roundAgainst((quote.last + sign * (halfSpreadOf(quote) ?? 0)) * (1 + sign * SLIPPAGE), tickSize, sign);
}

/** The same with its costs. */
export const pricedFill = (side: 'LONG' | 'SHORT', quote: FillQuote, tickSize: number): MarketFill => ({
  price: marketFill(side, quote, tickSize),
  market: { price: quote.last, halfSpread: halfSpreadOf(quote) },
});

/** What closes a position: a long is sold, a short is bought back. */
export const closingSide = (side: 'LONG' | 'SHORT'): 'LONG' | 'SHORT' => (side === 'LONG' ? 'SHORT' : 'LONG');
