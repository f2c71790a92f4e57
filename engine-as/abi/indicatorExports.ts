/** The one door to every indicator. Kinds are in abi/indicatorKinds.ts; parameters and outputs in the order of abi/registry.ts. */
export interface IndicatorExports {
  /**
   * @param kind    KIND_* of abi/indicatorKinds.ts
   * @param columns address of i32[6]: the addresses of time, open, high, low, close, volume (f64[length] each)
   * @param params  f64[], the registry entry's parameters in order
   * @param out     f64[outputs * stride]: output k of candle i is at out + 8 * (k * stride + i), stride >= length;
   *                NaN before the warm-up, defined and finite from there on
   * @param state   0 for a whole series; else f64[INDICATOR_STATE_LENGTH], cleared before the first call: each later call
   *                with a longer series computes only the new candles, and the result is the same bit for bit
   * @returns       a status of abi/status.ts; a bad parameter leaves `out` and `state` untouched, after running out of
   *          memory both must be given up
   */
  indicator(
    kind: number,
    columns: number,
    length: number,
    params: number,
    out: number,
    stride: number,
    state: number,
  ): number;
}
