/** Exports of assembly/simulate and assembly/backtest; layouts in abi/records.ts. Addresses are plain numbers. */
export interface BacktestExports {
  /**
   * Runs one set of rules over the scored candles, pessimistic and, when a bar was ambiguous, optimistic too.
   * @param frame i32[FRAME_LENGTH]
   * @returns STATUS_OK, STATUS_BAD_PARAMETER, STATUS_OUT_OF_MEMORY or STATUS_LEVERAGE_TOO_HIGH
   * Trades are reserved in the arena and stay there until the host resets it.
   */
  backtest(frame: number): number;
  /**
   * Further figures of the run that `backtest` has just completed on this frame; figures in abi/metrics.ts.
   * @param out f64[ANALYSIS_LENGTH]
   * @returns STATUS_OK or STATUS_OUT_OF_MEMORY
   */
  analyse(frame: number, out: number): number;
  /** P(T >= t) of Student's t distribution; `freedom` is whole and >= 1. */
  studentTail(t: number, freedom: number): number;
  /**
   * Opens a position at a price; see assembly/simulate/open.ts.
   * @param available equity that may become margin and pay the entry fee; Infinity: no limit here
   * @param range     average true range of the deciding bar, for ATR levels; NaN: none
   * @param impact    slippage per root of the notional, see `Bar`; 0: none
   * @param entryMax  largest notional; Infinity: no limit
   * @returns OPEN_*
   */
  openPosition(
    rules: number,
    tiers: number,
    tierCount: number,
    position: number,
    side: number,
    time: number,
    price: number,
    available: number,
    range: number,
    impact: number,
    entryMax: number,
  ): number;
  /** Takes an open position through one bar; see assembly/simulate/step.ts. @returns CLOSE_* */
  stepPosition(rules: number, position: number, bar: number, parts: number, partCount: number): number;
  /** Break-even and trailing after a completed bar, of which only `atr` is read; see assembly/simulate/trailing.ts. */
  moveStop(rules: number, position: number, bar: number): void;
  /**
   * Closes an open position at a price the caller saw (by hand, or at the end).
   * @param impact slippage per root of the notional, see `Bar`; 0: none
   * @returns the CLOSE_* that was booked: a fill that would lose more than the margin is CLOSE_LIQUIDATION
   */
  closePosition(rules: number, position: number, time: number, price: number, reason: number, impact: number): number;
  /** Formulas of the three venues on their own; see assembly/simulate/liquidation.ts. */
  liquidationBinance(
    side: number,
    entry: number,
    quantity: number,
    margin: number,
    rate: number,
    amount: number,
  ): number;
  liquidationBybit(side: number, entry: number, quantity: number, margin: number, rate: number, amount: number): number;
  liquidationOkx(side: number, entry: number, quantity: number, margin: number, rate: number, takerFee: number): number;
  /** The price under the rules' model, with the tier table at its fixed point; NaN when there is none. */
  liquidationPrice(
    rules: number,
    tiers: number,
    tierCount: number,
    side: number,
    entry: number,
    quantity: number,
    margin: number,
  ): number;
  leverageMax(tiers: number, tierCount: number, notional: number): number;
}
