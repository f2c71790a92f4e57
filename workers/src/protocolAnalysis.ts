/**
 * Further figures of a run, from its trades, its equity and its candles; null where there is none. They follow from what the
 * result's hash covers and are not in it. What each means: engine-as/abi/metrics.ts, by field.
 */
export interface BacktestAnalysis {
  /** UTC days with a scored candle; the daily figures rest on them. */
  dayCount: number;
  annualReturnFraction: number | null;
  marketChangeFraction: number;
  alphaFraction: number | null;
  beta: number | null;
  bestDayFraction: number | null;
  worstDayFraction: number | null;
  wonDayCount: number | null;
  flatDayCount: number | null;
  lostDayCount: number | null;
  calmar: number | null;
  omega: number | null;
  maxDrawdownUsdt: number;
  longestUnderwaterCandles: number;
  underwaterFraction: number;
  winRateLong: number | null;
  winRateShort: number | null;
  averageWin: number | null;
  /** Below 0. */
  averageLoss: number | null;
  payoffRatio: number | null;
  expectancyRatio: number | null;
  bestTrade: number | null;
  worstTrade: number | null;
  winsInARow: number;
  lossesInARow: number;
  candlesHeldByWinners: number | null;
  candlesHeldByLosers: number | null;
  sqn: number | null;
  meanPValue: number | null;
  kellyFraction: number | null;
}
