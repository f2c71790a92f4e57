/** The one door to every candlestick pattern. Kinds are in abi/patternKinds.ts, definitions in abi/patterns.ts. */
export interface PatternExports {
  /**
   * @param kind        PATTERN_*
   * @param columns     address of i32[6]: the addresses of time, open, high, low, close, volume (f64[length] each)
   * @param penetration share of a body, 0..PENETRATION_MAX; ignored by patterns without it
   * @param out         i16[length]: at the candle that completes the pattern 100 (bullish) or -100 (bearish), 80 or -80 for a
   *                    weaker form, 200 or -200 for a confirmation; 0 elsewhere
   * @returns           STATUS_OK, STATUS_BAD_PARAMETER or STATUS_OUT_OF_MEMORY
   */
  pattern(kind: number, columns: number, length: number, penetration: number, out: number): number;
}
