/** Position sizes (assembly/simulate/sizing.ts). Money in quote currency, quantities in base units rounded to 4 decimals. */
export interface SizingExports {
  /** Size of a scanner's automatic position: base x risk multiplier x leverage / entry. */
  scanQuantity(base: number, riskMultiplier: number, leverage: number, entryPrice: number): number;
  /** Size of a position by risk: balance x risk fraction x leverage / price; also of a chart position with its own fraction. */
  riskQuantity(balance: number, riskFraction: number, leverage: number, price: number): number;
  /** Fraction of the balance a trade may use: 0.5 %, 1 %, 2 %, times 0.8 when `isDynamic` is not 0; NaN for no such level. */
  tradeRiskFraction(level: number, isDynamic: number): number;
  /**
   * The dynamic fraction once trades have closed: below ADAPTIVE_CLOSES_MIN of them `tradeRiskFraction(level, 1)`, else
   * moved from there towards `riskMax` or `riskMin` by how the last closes went, and held between both.
   * @param results   f64[count], net PnL of the closed trades, oldest first; only the sign counts
   * @param lookback  how many of the newest are looked at
   * @param smoothing weight of the newest close in the running mean of +1, 0 and -1, which starts at 0
   * Why: docs/simulator.md, "Dynamic risk".
   */
  adaptiveRiskFraction(
    level: number,
    results: number,
    count: number,
    lookback: number,
    smoothing: number,
    riskMin: number,
    riskMax: number,
  ): number;
  /** The same for a chart position: scaled by the chart's risk score (0..10). */
  chartRiskFraction(level: number, riskScore: number): number;
  /** Net loss of a position that is stopped, > 0: price distance with stop slippage, and taker fees on both fills. */
  lossAtStop(
    side: number,
    entryPrice: number,
    stopPrice: number,
    quantity: number,
    takerFee: number,
    stopSlippage: number,
  ): number;
}
