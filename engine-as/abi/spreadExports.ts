/** Exports of assembly/arbitrage; records in abi/records.ts. A book is f64[2 * count]: price per coin and coins, best first. */
export interface SpreadExports {
  /**
   * Buying by the asks of one exchange and selling by the bids of another, at the notional of the terms.
   * @param terms f64[SPREAD_TERMS_LENGTH]
   * @param out   f64[SPREAD_LENGTH], written
   * @returns     STATUS_OK, STATUS_BAD_PARAMETER for a book that is not sorted or has a price or size that is not positive
   */
  spreadAt(asks: number, askCount: number, bids: number, bidCount: number, terms: number, out: number): number;
  /** The same at the size with the highest net; quantity 0 when no size has a positive one. */
  bestSpread(asks: number, askCount: number, bids: number, bidCount: number, terms: number, out: number): number;
}
