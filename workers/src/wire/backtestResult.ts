import { metricText } from '@sextant/engine-as/abi/metrics.ts';
import { z } from 'zod';
import type { BacktestResult, BacktestSummary, Trade } from '../protocol.ts';
import type { BacktestAnalysis } from '../protocolAnalysis.ts';
import { columnToWire } from './candles.ts';
import { type StrategyParamsJson, StrategyParamsWire } from './strategyParams.ts';

const count = z.int().min(0);

export const StatisticWire = z
  .object({
    value: z.number().nullable(),
    count,
    standardError: z.number().optional(),
    reason: z.string().optional(),
  })
  .meta({ description: 'A statistic over `count` days, or null with the reason why there is none.' });

export const TradeWire = z.object({
  side: z.enum(['LONG', 'SHORT']),
  entryIndex: count,
  exitIndex: count,
  entryTimeMs: z.number(),
  exitTimeMs: z.number(),
  entryPrice: z.number(),
  exitPrice: z.number(),
  quantity: z.number(),
  closeReason: z.enum(['TP', 'SL', 'LIQ', 'END', 'TIME']),
  grossPnl: z.number(),
  fees: z.number(),
  funding: z.number(),
  slippage: z.number(),
  netPnl: z.number(),
  returnOnMargin: z.number(),
  isAmbiguous: z.boolean(),
  adverseExcursionFraction: z.number(),
  favourableExcursionFraction: z.number(),
  stopLossPrice: z.number(),
  takeProfitPrice: z.number(),
  liquidationPrice: z.number().nullable(),
  margin: z.number(),
});

/** The schema with the figure's definition from the engine's registry. */
const of = <T extends z.ZodType>(field: keyof BacktestSummary | keyof BacktestAnalysis, schema: T): T =>
  schema.meta({ description: metricText(field) });

const summaryShape = {
  loadedCount: count,
  scoredCount: count,
  tradeCount: of('tradeCount', count),
  longCount: count,
  shortCount: count,
  forcedCloseCount: of('forcedCloseCount', count),
  liquidationCount: of('liquidationCount', count),
  skippedSignalCount: of('skippedSignalCount', count),
  droppedSignalCount: of('droppedSignalCount', count),
  droppedSignals: z.object({ noVolume: count, tooSmall: count, marginShort: count }).meta({
    description:
      'Why signals were not filled: no volume, below the minimum size, equity left does not cover the smallest order.',
  }),
  stopBeyondLiquidationCount: count,
  netPnl: of('netPnl', z.number()),
  grossPnl: of('grossPnl', z.number()),
  fees: of('fees', z.number()),
  funding: of('funding', z.number()),
  slippage: of('slippage', z.number()),
  isFundingKnown: z.boolean(),
  winRate: of('winRate', z.number().nullable()),
  maxDrawdownFraction: of('maxDrawdownFraction', z.number()),
  profitFactor: of('profitFactor', z.number().nullable()),
  expectancy: of('expectancy', z.number().nullable()),
  exposureFraction: of('exposureFraction', z.number()),
  sharpe: of('sharpe', StatisticWire),
  sortino: of('sortino', StatisticWire),
  pessimisticNetPnl: of('pessimisticNetPnl', z.number()),
  optimisticNetPnl: of('optimisticNetPnl', z.number()),
  ambiguousFraction: of('ambiguousFraction', z.number()),
  buyAndHoldFraction: of('buyAndHoldFraction', z.number()),
  ruinIndex: of('ruinIndex', count.nullable()),
  gapCount: of('gapCount', count),
  missingCandleCount: of('missingCandleCount', count),
} satisfies Record<keyof BacktestSummary, z.ZodType>;

const perhaps = (field: keyof BacktestAnalysis) => of(field, z.number().nullable());

const analysisShape = {
  dayCount: count.meta({ description: 'UTC days with a scored candle; the daily figures rest on them.' }),
  annualReturnFraction: perhaps('annualReturnFraction'),
  marketChangeFraction: of('marketChangeFraction', z.number()),
  alphaFraction: perhaps('alphaFraction'),
  beta: perhaps('beta'),
  bestDayFraction: perhaps('bestDayFraction'),
  worstDayFraction: perhaps('worstDayFraction'),
  wonDayCount: of('wonDayCount', count.nullable()),
  flatDayCount: of('flatDayCount', count.nullable()),
  lostDayCount: of('lostDayCount', count.nullable()),
  calmar: perhaps('calmar'),
  omega: perhaps('omega'),
  maxDrawdownUsdt: of('maxDrawdownUsdt', z.number()),
  longestUnderwaterCandles: of('longestUnderwaterCandles', count),
  underwaterFraction: of('underwaterFraction', z.number()),
  winRateLong: perhaps('winRateLong'),
  winRateShort: perhaps('winRateShort'),
  averageWin: perhaps('averageWin'),
  averageLoss: perhaps('averageLoss'),
  payoffRatio: perhaps('payoffRatio'),
  expectancyRatio: perhaps('expectancyRatio'),
  bestTrade: perhaps('bestTrade'),
  worstTrade: perhaps('worstTrade'),
  winsInARow: of('winsInARow', count),
  lossesInARow: of('lossesInARow', count),
  candlesHeldByWinners: perhaps('candlesHeldByWinners'),
  candlesHeldByLosers: perhaps('candlesHeldByLosers'),
  sqn: perhaps('sqn'),
  meanPValue: perhaps('meanPValue'),
  kellyFraction: perhaps('kellyFraction'),
} satisfies Record<keyof BacktestAnalysis, z.ZodType>;

/** The specified fields first (`trades` is the count, `maxDrawdown` a fraction), then everything else there is to know. */
export const BacktestResultWire = z.object({
  pnl: z.number().meta({ description: 'Net USDT after fees and funding; the same as `netPnl`.' }),
  trades: count.meta({ description: 'Number of trades; the trades themselves are in `tradeList`.' }),
  maxDrawdown: z.number().meta({ description: 'Largest fall of mark-to-market equity from its peak, a fraction.' }),
  bestParams: StrategyParamsWire.meta({ description: 'The parameters of this result.' }),
  ...summaryShape,
  ...analysisShape,
  tradeList: z.array(TradeWire),
  equity: z.array(z.number()).meta({ description: 'Mark-to-market equity at the close of each scored candle, USDT.' }),
  score: z
    .array(z.number().nullable())
    .meta({ description: 'Score of each scored candle, null while a vote warms up.' }),
  hashes: z
    .object({ engine: z.string(), data: z.string(), params: z.string(), result: z.string() })
    .meta({ description: 'SHA-256 of the engine file, the input columns, the parameters with costs, and the result.' }),
});

/** Wire form: the schema's shape with the types of the protocol. */
export interface BacktestJson extends BacktestSummary, BacktestAnalysis {
  pnl: number;
  trades: number;
  maxDrawdown: number;
  bestParams: StrategyParamsJson;
  tradeList: Trade[];
  equity: number[];
  score: (number | null)[];
  hashes: BacktestResult['hashes'];
}

export function backtestToWire(result: BacktestResult, params: StrategyParamsJson): BacktestJson {
  const { summary, analysis, trades, equity, score, hashes } = result;
  return {
    pnl: summary.netPnl,
    trades: summary.tradeCount,
    maxDrawdown: summary.maxDrawdownFraction,
    bestParams: params,
    ...summary,
    ...analysis,
    tradeList: trades,
    equity: Array.from(equity),
    score: columnToWire(score),
    hashes,
  };
}
