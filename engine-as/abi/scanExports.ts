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
}
