/** Exports of assembly/portfolio; layouts in abi/records.ts, rules in docs/portfolio.md. Addresses are plain numbers. */
export interface PortfolioExports {
  /**
   * Reserves scratch and writes what no set of rules changes: fundings and liquidity of each symbol.
   * @param portfolio i32[PORTFOLIO_LENGTH]; the rules of each frame are set, with scoredCount as the number of its candles on the clock
   * @returns STATUS_OK, STATUS_BAD_PARAMETER, STATUS_OUT_OF_MEMORY or STATUS_LEVERAGE_TOO_HIGH with the frame in `failed`
   */
  portfolioPrepare(portfolio: number): number;
  /**
   * One run of a prepared portfolio. Scores and the rules apart from costs of funding and liquidity may have changed since.
   * @returns STATUS_OK or STATUS_OUT_OF_MEMORY. Trades are reserved in the arena and stay there until the host releases it.
   */
  portfolioRun(portfolio: number): number;
  /**
   * Drawdown, trade totals and daily ratios of an account.
   * @param times   f64[length], epoch ms; `equity` belongs to the closes
   * @param trades  Trade records, one after the other
   * @param summary f64[SUMMARY_LENGTH] with netPnl and tradeCount set; the other figures of trades and days are written
   * @returns STATUS_OK or STATUS_OUT_OF_MEMORY
   */
  accountFigures(
    times: number,
    equity: number,
    length: number,
    initialEquity: number,
    trades: number,
    tradeCount: number,
    summary: number,
  ): number;
}
