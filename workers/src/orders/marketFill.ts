import { SLIPPAGE } from '@sextant/engine-as/abi/costs.ts';
import { roundAgainst } from '../positions/sizing.ts';

/** Prices of one moment, quote currency; null: the exchange did not send it. */
export interface FillQuote {
  last: number;
  bid: number | null;
  ask: number | null;
}

/** Half of the distance between bid and ask; 0 where one is unknown. */
const halfSpread = ({ bid, ask }: FillQuote): number => (bid === null || ask === null ? 0 : Math.max(0, ask - bid) / 2);

/**
 * Where a market order fills: the last price, half the spread, and the slippage that a backtest charges a market order unless it is
 * edited, on the tick that is worse for its owner. Without a spread it is the fill of the simulator for an order at that open.
 * @param side LONG buys, SHORT sells
 */
export function marketFill(side: 'LONG' | 'SHORT', quote: FillQuote, tickSize: number): number {
  const sign = side === 'LONG' ? 1 : -1;
  return roundAgainst((quote.last + sign * halfSpread(quote)) * (1 + sign * SLIPPAGE), tickSize, sign);
}
