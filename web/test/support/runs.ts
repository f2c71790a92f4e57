import type { BacktestSummary, Trade } from '@sextant/workers/src/protocol/backtest.ts';
import type { BacktestAnalysis } from '@sextant/workers/src/protocol/backtest.ts';
import type { Run } from '../../src/features/backtest/backtestState.ts';
import { startCosts } from '../../src/features/backtest/costs.ts';
import { defaultParams } from '../../src/features/backtest/params.ts';

/** A summary without trades; a test sets the fields it needs. */
export function summaryOf(change: Partial<BacktestSummary> = {}): BacktestSummary {
  const none = { value: null, count: 0, reason: 'needs 30 days' };
  return {
    loadedCount: 1200,
    scoredCount: 500,
    tradeCount: 0,
    longCount: 0,
    shortCount: 0,
    forcedCloseCount: 0,
    liquidationCount: 0,
    skippedSignalCount: 0,
    droppedSignalCount: 0,
    stopBeyondLiquidationCount: 0,
    droppedSignals: { noVolume: 0, tooSmall: 0, marginShort: 0 },
    ruinIndex: null,
    gapCount: 0,
    missingCandleCount: 0,
    netPnl: 0,
    grossPnl: 0,
    fees: 0,
    funding: 0,
    slippage: 0,
    isFundingKnown: true,
    winRate: null,
    maxDrawdownFraction: 0,
    profitFactor: null,
    expectancy: null,
    exposureFraction: 0,
    sharpe: none,
    sortino: none,
    pessimisticNetPnl: 0,
    optimisticNetPnl: 0,
    ambiguousFraction: 0,
    buyAndHoldFraction: 0,
    ...change,
  };
}

/** The figures of a run without trades on 22 days. */
export function analysisOf(change: Partial<BacktestAnalysis> = {}): BacktestAnalysis {
  return {
    dayCount: 22,
    annualReturnFraction: null,
    marketChangeFraction: 0,
    alphaFraction: null,
    beta: null,
    bestDayFraction: 0,
    worstDayFraction: 0,
    wonDayCount: 0,
    flatDayCount: 22,
    lostDayCount: 0,
    calmar: null,
    omega: null,
    maxDrawdownUsdt: 0,
    intrabarDrawdownFraction: 0,
    longestUnderwaterCandles: 0,
    underwaterFraction: 0,
    winRateLong: null,
    winRateShort: null,
    averageWin: null,
    averageLoss: null,
    payoffRatio: null,
    expectancyRatio: null,
    bestTrade: null,
    worstTrade: null,
    winsInARow: 0,
    lossesInARow: 0,
    candlesHeldByWinners: null,
    candlesHeldByLosers: null,
    sqn: null,
    meanPValue: null,
    kellyFraction: null,
    turnoverShareLargest: null,
    turnoverShareMedian: null,
    largeFillTradeCount: 0,
    limitedEntryCount: 0,
    ...change,
  };
}

export function tradeOf(change: Partial<Trade> = {}): Trade {
  return {
    side: 'LONG',
    entryIndex: 10,
    exitIndex: 12,
    entryTimeMs: 36e6,
    exitTimeMs: 432e5,
    closeReason: 'TP',
    entryPrice: 100,
    exitPrice: 104,
    quantity: 10,
    grossPnl: 40,
    fees: 1,
    funding: 0,
    slippage: 0,
    netPnl: 39,
    returnOnMargin: 0.39,
    isAmbiguous: false,
    adverseExcursionFraction: 0,
    favourableExcursionFraction: 0.04,
    stopLossPrice: 98,
    takeProfitPrice: 104,
    liquidationPrice: 90.5,
    margin: 100,
    ...change,
  };
}

/** A run of 1,200 hourly candles that end with 2025, with the hashes `a`, `b`, `c` and `d`. */
export function runOf({
  label = 'BTCUSDT',
  summary = summaryOf(),
  analysis = analysisOf(),
  trades = [] as Trade[],
  source = 'exchange' as 'exchange' | 'csv',
}): Run {
  const count = 1200;
  const time = Float64Array.from({ length: count }, (_, i) => Date.UTC(2026, 0, 1) - (count - i) * 3_600_000);
  const flat = new Float64Array(count).fill(100);
  const hash = (letter: string) => letter.repeat(64);
  return {
    loaded: {
      candles: { time, open: flat, high: flat, low: flat, close: flat, volume: flat },
      label,
      interval: '1h',
      intervalMs: 3_600_000,
      source,
      exchange: source === 'csv' ? null : 'binance',
      funding: null,
    },
    params: defaultParams(),
    costs: startCosts(),
    scoredCount: 500,
    fineData: false,
    tookMs: 1,
    result: {
      summary,
      analysis,
      trades,
      equity: new Float64Array(500).fill(10_000),
      score: new Float64Array(500),
      hashes: { engine: hash('a'), data: hash('b'), params: hash('c'), result: hash('d') },
      askedBars: [],
      unknownBars: [],
    },
  };
}
