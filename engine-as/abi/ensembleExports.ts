/** Addresses and lengths are plain numbers; functions that can fail return a status of abi/status.ts. */
export interface EnsembleExports {
  /**
   * The last candle of another interval that was closed when each base candle closed, or -1 when there is
   * none or it closed more than STALE_STEPS of its steps before.
   * @param baseTime  f64[baseLength], open times in epoch ms; a candle closes `baseStepMs` after its open
   * @param otherTime f64[otherLength], likewise with `otherStepMs`
   * @param index     i32[baseLength]
   */
  asOf(
    baseTime: number,
    baseLength: number,
    baseStepMs: number,
    otherTime: number,
    otherLength: number,
    otherStepMs: number,
    index: number,
  ): void;
  /**
   * score[i] = sum over timeframes and votes of timeframe weight x vote weight x vote, over the sum of the products of both
   * weights, without their signs. NaN before every weighted vote of every weighted timeframe is defined; 0 when nothing has a weight.
   * @param timeframes i32[count * TIMEFRAME_LENGTH], see abi/ensemble.ts
   * @param weights    i32[ENSEMBLE_VOTE_COUNT], units -WEIGHT_UNITS_MAX..WEIGHT_UNITS_MAX
   * @param news       i8[length], the outside vote of each base candle or NEWS_SILENT; 0: there is none at all
   * @param score      f64[length]
   * @param live       i32[length], weighted votes defined at the candle over all timeframes; 0 when not wanted
   */
  ensembleScore(
    timeframes: number,
    count: number,
    length: number,
    weights: number,
    news: number,
    score: number,
    live: number,
  ): number;
  /**
   * Integer parts of the score at one candle: parts[t * ENSEMBLE_VOTE_COUNT + k] over the returned denominator is what vote k
   * of timeframe t adds. They sum to the score's numerator exactly. An undefined vote adds 0.
   * @returns the denominator; 0 when nothing has a weight
   */
  ensembleParts(
    timeframes: number,
    count: number,
    candle: number,
    weights: number,
    news: number,
    parts: number,
  ): number;
  /**
   * Effective number of independent votes over candles [from, to): (sum w^2)^2 / sum of w_i^2 w_j^2 r_ij^2, r_ij = sum v_i v_j / sqrt(sum
   * v_i^2 * sum v_j^2). n equal weights that are never active together give n, n copies of one vote give 1; a vote without any opinion does
   * not count.
   */
  effectiveVotes(votes: number, stride: number, from: number, to: number, weights: number): number;
  /**
   * Direction, confidence, levels, risk and horizon of one score.
   * @param options     f64[OPTION_LENGTH]
   * @param calibration f64[2 * calibrationCount]: raw and calibrated confidence, both ascending; none means identity
   * @param out         f64[SIGNAL_LENGTH]
   */
  signal(
    score: number,
    price: number,
    atr: number,
    options: number,
    calibration: number,
    calibrationCount: number,
    out: number,
  ): void;
}
