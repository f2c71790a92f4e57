/** Kernels of assembly/honesty and assembly/random. Addresses and counts are plain numbers, seeds are unsigned 64-bit bigints. */
export interface HonestyExports {
  randomDraw(key: bigint, index: bigint): bigint;
  randomUniforms(seed: bigint, stream: bigint, from: bigint, count: number, out: number): void;

  normalCdf(x: number): number;
  normalQuantile(probability: number): number;

  /** Expected best of N skill-less trials, in standard deviations; the published approximation, and the integral itself. */
  expectedMaximum(trialCount: number): number;
  expectedMaximumExact(trialCount: number): number;
  maximumQuantile(trialCount: number, probability: number): number;
  minimumBacktestYears(trialCount: number, annualSharpe: number): number;

  sharpeStandardError(sharpe: number, count: number, skewness: number, kurtosis: number): number;
  probabilisticSharpe(sharpe: number, benchmark: number, count: number, skewness: number, kurtosis: number): number;
  deflatedBenchmark(trialCount: number, trialVariance: number): number;
  deflatedSharpe(
    sharpe: number,
    count: number,
    skewness: number,
    kurtosis: number,
    trialCount: number,
    trialVariance: number,
  ): number;
  minimumTrackRecord(sharpe: number, benchmark: number, skewness: number, kurtosis: number, confidence: number): number;

  /** @param out f64[4]: mean, sample deviation, skewness, kurtosis */
  moments(values: number, length: number, out: number): void;
  /**
   * @param returns f64[trialCount * length], one column after the other
   * @param sharpes f64[trialCount], written; @param row f64[length], scratch
   * @param out     f64[3]: mean of the Sharpes, their sample variance, mean correlation of the trials; at least 4 wide
   */
  trialTable(returns: number, trialCount: number, length: number, sharpes: number, row: number, out: number): void;

  /** @param sums, squares f64[blockCount * trialCount + 1], written but for the last */
  cscvBlocks(
    returns: number,
    trialCount: number,
    length: number,
    blockCount: number,
    sums: number,
    squares: number,
  ): void;
  /**
   * @param blockCount even, 2..CSCV_BLOCK_MAX
   * @param scratch    f64[2 * trialCount + 4]
   * @param out        f64[3 * choices] or 0: Sharpe inside, Sharpe outside, relative rank outside of the best inside
   * @returns          probability of overfitting
   */
  cscvOverfit(
    sums: number,
    squares: number,
    trialCount: number,
    blockCount: number,
    rowsPerBlock: number,
    scratch: number,
    out: number,
  ): number;
  /** Sharpes with the luck taken out, f64[trialCount]; the statistics are trialTable's. */
  shrinkSharpes(
    sharpes: number,
    trialCount: number,
    length: number,
    meanSharpe: number,
    variance: number,
    correlation: number,
    out: number,
  ): void;
  /**
   * @param sharpes f64[trialCount]: Sharpe of each trial in the resampled histories
   * @param scratch f64[(chunkCount + 3) * blockCount * trialCount + 3 * trialCount + 8]
   * @param out     f64[resampleCount]
   */
  cscvBand(
    returns: number,
    trialCount: number,
    length: number,
    blockCount: number,
    chunkCount: number,
    sharpes: number,
    resampleCount: number,
    seed: bigint,
    scratch: number,
    out: number,
  ): void;

  /**
   * Best Sharpe of each of `resampleCount` worlds without skill; see assembly/honesty/realityCheck.ts.
   * @param scratch f64[trialCount * ceil(length / blockLength) + trialCount + 4]; @param out f64[resampleCount]
   */
  bestByLuck(
    returns: number,
    trialCount: number,
    length: number,
    blockLength: number,
    resampleCount: number,
    seed: bigint,
    scratch: number,
    out: number,
  ): void;

  /** See assembly/honesty/bootstrap.ts: finals and drawdowns are f64[pathCount], fan f64[checkpointCount * pathCount]. */
  equityBootstrap(
    changes: number,
    length: number,
    initialEquity: number,
    blockLength: number,
    pathCount: number,
    seed: bigint,
    checkpointCount: number,
    finals: number,
    drawdowns: number,
    fan: number,
  ): void;

  /** See assembly/honesty/resampleCandles.ts: `columns` and `out` are i32[6] of addresses. */
  resampleCandles(columns: number, count: number, blockLength: number, seed: bigint, path: number, out: number): void;

  breakEvenFee(grossPnl: number, funding: number, turnover: number): number;
  plateauScore(best: number, neighbour: number, ordinary: number): number;
  simulatedPValue(atLeastAsGoodCount: number, simulationCount: number): number;

  sortAscending(values: number, length: number): void;
  quantileOfSorted(values: number, length: number, probability: number): number;
}
