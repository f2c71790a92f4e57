/** Exports of assembly/optimize; layouts in abi/optimize.ts. Addresses and counts are plain numbers, seeds unsigned bigints. */
export interface OptimizeExports {
  /**
   * Prepares one symbol for many parameter sets.
   * @param frame  i32[FRAME_LENGTH] as for backtest(), without ATR; its rules are shared by all sets
   * @param votes  i8[13 * voteStride]; first i32[13], as votes() writes them
   * @param market i32[MARKET_LENGTH], written; its pointers stay valid in the arena
   * @returns      STATUS_OK or STATUS_OUT_OF_MEMORY
   */
  optimizePrepare(frame: number, votes: number, voteStride: number, first: number, market: number): number;
  /** Set `index` of the search `seed` into `set`, as long as the space says; index 0 is `current`. */
  sampleSet(seed: bigint, index: bigint, space: number, current: number, set: number): void;
  /** A set near `base`: each parameter moves with chance `share` by at most `reach` of its range. */
  mutateSet(seed: bigint, index: bigint, space: number, base: number, share: number, reach: number, set: number): void;
  /** Samples from .. from + count - 1 into `sets`, one after the other. */
  sampleSets(seed: bigint, from: bigint, count: number, space: number, current: number, sets: number): void;
  /** Sets from .. from + count - 1 of a generation with `perBase` sets near each of the bases; draws start at `first`. */
  mutateSets(
    seed: bigint,
    first: bigint,
    from: number,
    count: number,
    space: number,
    bases: number,
    perBase: number,
    share: number,
    reach: number,
    sets: number,
  ): void;
  /** Sets from .. from + count - 1 of a generation of CMA-ES: mean + factor x normal numbers, in grid steps. */
  guideSets(
    seed: bigint,
    first: bigint,
    from: number,
    count: number,
    space: number,
    base: number,
    slots: number,
    dimension: number,
    mean: number,
    factor: number,
    sets: number,
  ): void;
  /** One-parameter neighbours of `base`, room for two sets per slot. @returns how many */
  neighbourSets(space: number, base: number, sets: number): number;
  /**
   * Runs samples from .. from + count - 1 on candles [start, end).
   * @param results f64[RESULT_LENGTH * count], column after column
   */
  optimizeSamples(
    market: number,
    seed: bigint,
    from: bigint,
    count: number,
    space: number,
    current: number,
    start: number,
    end: number,
    target: number,
    results: number,
  ): void;
  /** Runs given sets; equity is f64[(end - start) * count] or 0. */
  optimizeSets(
    market: number,
    sets: number,
    count: number,
    start: number,
    end: number,
    target: number,
    results: number,
    equity: number,
  ): void;
  /** Net PnL of `runCount` runs with entries by dice and the exits of `set`, into f64[runCount]. */
  randomEntries(
    market: number,
    set: number,
    start: number,
    end: number,
    entryChance: number,
    longShare: number,
    runCount: number,
    seed: bigint,
    nets: number,
  ): void;
  /**
   * Prepares a market of rules for many sets.
   * @param market i32[RULES_MARKET_LENGTH] with frame, count, rows, rowCount, news, weights and trailingMode written; the frame's
   *               equity has room for every candle, its `atr` and `range` are those that any set may need
   * @returns      STATUS_OK, STATUS_OUT_OF_MEMORY or STATUS_BAD_PARAMETER
   */
  rulesPrepare(market: number): number;
  /** `optimizeSamples` on a market of rules. @returns STATUS_OK or STATUS_OUT_OF_MEMORY */
  rulesSamples(
    market: number,
    seed: bigint,
    from: bigint,
    count: number,
    space: number,
    current: number,
    start: number,
    end: number,
    target: number,
    results: number,
  ): number;
  /** `optimizeSets` on a market of rules. @returns STATUS_OK or STATUS_OUT_OF_MEMORY */
  rulesSets(
    market: number,
    sets: number,
    count: number,
    start: number,
    end: number,
    target: number,
    results: number,
    equity: number,
  ): number;
  /** The score of every candle in [start, end) under the weights of a set, into the frame's score column. */
  rulesScore(market: number, set: number, start: number, end: number): void;
}
