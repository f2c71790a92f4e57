/** The one door to every swing formation. Kinds are in abi/formationKinds.ts, definitions in abi/formations.ts. */
export interface FormationExports {
  /**
   * @param kind    FORMATION_*
   * @param columns address of i32[6]: the addresses of time, open, high, low, close, volume (f64[length] each)
   * @param out     i16[length]: at the candle that completes the formation 100 (bullish) or -100 (bearish); 0 elsewhere
   * @param anchors i32[length * ANCHORS_MAX]: at such a candle the candles that the formation is drawn through, as abi/formations.ts
   *                names them; -1 in places that are not used
   * @returns       STATUS_OK, STATUS_BAD_PARAMETER or STATUS_OUT_OF_MEMORY
   */
  formation(kind: number, columns: number, length: number, out: number, anchors: number): number;
}
