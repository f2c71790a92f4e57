import * as abi from '@sextant/engine-as/abi/analysis.ts';
import type { BacktestAnalysis } from '../protocolAnalysis.ts';

/** @param values f64[ANALYSIS_LENGTH]; NaN is how the engine says "there is none" */
export function readAnalysis(values: Float64Array): BacktestAnalysis {
  const always = (slot: number): number => values[slot] ?? Number.NaN;
  const perhaps = (slot: number): number | null => (Number.isNaN(always(slot)) ? null : always(slot));
  return {
    dayCount: always(abi.ANALYSIS_DAY_COUNT),
    annualReturnFraction: perhaps(abi.ANALYSIS_ANNUAL_RETURN),
    marketChangeFraction: always(abi.ANALYSIS_MARKET_CHANGE),
    alphaFraction: perhaps(abi.ANALYSIS_ALPHA),
    beta: perhaps(abi.ANALYSIS_BETA),
    bestDayFraction: perhaps(abi.ANALYSIS_BEST_DAY),
    worstDayFraction: perhaps(abi.ANALYSIS_WORST_DAY),
    wonDayCount: perhaps(abi.ANALYSIS_WON_DAY_COUNT),
    flatDayCount: perhaps(abi.ANALYSIS_FLAT_DAY_COUNT),
    lostDayCount: perhaps(abi.ANALYSIS_LOST_DAY_COUNT),
    calmar: perhaps(abi.ANALYSIS_CALMAR),
    omega: perhaps(abi.ANALYSIS_OMEGA),
    maxDrawdownUsdt: always(abi.ANALYSIS_MAX_DRAWDOWN_USDT),
    longestUnderwaterCandles: always(abi.ANALYSIS_LONGEST_UNDERWATER),
    underwaterFraction: always(abi.ANALYSIS_UNDERWATER_FRACTION),
    winRateLong: perhaps(abi.ANALYSIS_WIN_RATE_LONG),
    winRateShort: perhaps(abi.ANALYSIS_WIN_RATE_SHORT),
    averageWin: perhaps(abi.ANALYSIS_AVERAGE_WIN),
    averageLoss: perhaps(abi.ANALYSIS_AVERAGE_LOSS),
    payoffRatio: perhaps(abi.ANALYSIS_PAYOFF),
    expectancyRatio: perhaps(abi.ANALYSIS_EXPECTANCY_RATIO),
    bestTrade: perhaps(abi.ANALYSIS_BEST_TRADE),
    worstTrade: perhaps(abi.ANALYSIS_WORST_TRADE),
    winsInARow: always(abi.ANALYSIS_WINS_IN_A_ROW),
    lossesInARow: always(abi.ANALYSIS_LOSSES_IN_A_ROW),
    candlesHeldByWinners: perhaps(abi.ANALYSIS_CANDLES_WON),
    candlesHeldByLosers: perhaps(abi.ANALYSIS_CANDLES_LOST),
    sqn: perhaps(abi.ANALYSIS_SQN),
    meanPValue: perhaps(abi.ANALYSIS_MEAN_P_VALUE),
    kellyFraction: perhaps(abi.ANALYSIS_KELLY),
  };
}
