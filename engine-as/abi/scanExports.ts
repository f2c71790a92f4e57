/** Exports of assembly/scan. Addresses and counts are plain numbers. */
export interface ScanExports {
  /**
   * The thirteen backtest votes of the last candle alone, the same bits as votes() gives for it.
   * @param columns address of i32[6]: the addresses of time, open, high, low, close, volume (f64[length] each)
   * @param votes   i8[13], written; 0 for a vote that is not defined yet
   * @param isLive  u8[13], written; 1 for a vote that is
   * @returns       STATUS_OK, STATUS_BAD_PARAMETER without a candle, STATUS_OUT_OF_MEMORY
   */
  lastVotes(columns: number, length: number, votes: number, isLive: number): number;

  /**
   * lastVotes() of two series of the same length at about half the price, with the same bits.
   * @param votes  i8[26], written: thirteen of series `one`, then thirteen of series `two`; `isLive` u8[26] likewise
   */
  lastVotesOfTwo(one: number, two: number, length: number, votes: number, isLive: number): number;
  /**
   * The streaming states with which lastVotesOfTwo() leaves the last candles to the kernels: what the tests compare with the
   * kernels' own.
   * @param length at least PAIR_LENGTH_MIN
   * @param states f64[2 * STATES_SIZE], written: of each series RSI, MACD, ADX, Supertrend and OBV one after the other
   *               (3, 6, 5, 7 and 2 values, the first of each the number of candles it has seen), then scratch
   * @param planes f64[3 * PAIR_LENGTH_MIN], scratch
   */
  pairStates(one: number, two: number, length: number, states: number, planes: number): number;
}
