/** Contract of the task `spread`: buying a coin by the asks of one exchange and selling it by the bids of another. */

/** Price per coin and coins of each level in turn, best first: f64[2 * levels]. */
export type BookSide = Float64Array;

export interface SpreadLeg {
  /** Fraction of the notional. */
  takerFeeFraction: number;
  /** Fraction that longs pay at each funding; null: unknown, no funding is charged. */
  fundingRate: number | null;
  /** Hours until the next funding; negative or null: no funding is charged. */
  hoursToFunding: number | null;
  /** Null: unknown. Then only the next funding is counted, and none for the break-even. */
  fundingIntervalHours: number | null;
}

export interface SpreadTerms {
  buy: SpreadLeg;
  sell: SpreadLeg;
  /** Hours until both legs are closed. */
  holdHours: number;
  /** Coins: the step that both exchanges accept; 0: not rounded. */
  quantityStep: number;
  minNotionalUsdt: number;
}

export interface SpreadInput {
  asks: BookSide;
  bids: BookSide;
  terms: SpreadTerms;
  /** USDT of the bought leg; one result each. */
  notionals: readonly number[];
}

/** One pair of legs at one size. Fractions: 0.002 is 0.2 %. Formulas: docs/arbitrage.md. */
export interface SizedSpread {
  /** Coins of each leg; 0: no trade is possible at this size. */
  quantity: number;
  buyNotionalUsdt: number;
  sellNotionalUsdt: number;
  buyPrice: number;
  sellPrice: number;
  buyWorstPrice: number;
  sellWorstPrice: number;
  buySlippageFraction: number;
  sellSlippageFraction: number;
  worstLeg: 'buy' | 'sell' | 'none';
  grossUsdt: number;
  grossFraction: number;
  feesInUsdt: number;
  feesOutUsdt: number;
  /** Positive is paid, negative is received. The net includes only paid funding. */
  fundingUsdt: number;
  netUsdt: number;
  netFraction: number;
  /** Hours of received funding that cover the loss; null: never. */
  breakEvenHours: number | null;
  /** Both books hold the whole notional. */
  isFilled: boolean;
}

export interface SpreadResult {
  /** In the order of `notionals`. */
  sizes: SizedSpread[];
  /** At the size with the highest net; null when no size has a positive one. */
  best: SizedSpread | null;
}
