import { type FiguresOf, figuresOf, type MetricEntry, metricText } from '@sextant/engine-as/abi/metrics.ts';
import { z } from 'zod';
import type { StrategySizing } from '@sextant/engine-as/abi/strategy.ts';
import { countLargestOrders, type CutSizes, findCutSizes } from '../cutSizes.ts';
import type { BacktestAnalysis, BacktestResult, BacktestSummary, Costs, Trade } from '../backtest.ts';
import { droppedFields, hashFields, tradeFields } from '../fields.ts';
import { columnToWire } from './candles.ts';
import { shapeOf, StatisticWire } from './fieldSchemas.ts';
import { type StrategyParamsJson, StrategyParamsWire } from './strategyParams.ts';

const count = z.int().min(0);

export const TradeWire = z.object(shapeOf(tradeFields));

function figureWire({ kind, unit, isWhole, notEnoughData }: MetricEntry): z.ZodType {
  if (kind === 'statistic') return StatisticWire;
  if (kind === 'flag') return z.boolean();
  const number = unit === 'count' || unit === 'index' || isWhole ? count : z.number();
  return notEnoughData === undefined ? number : number.nullable();
}

type Shape<F> = { [K in keyof F]: z.ZodType<F[K]> };

/** The figures of a record with their definitions, both from the engine's registry. */
const figuresShape = <R extends 'summary' | 'analysis'>(record: R): Shape<FiguresOf<R>> =>
  Object.fromEntries(
    figuresOf(record).map((entry) => [entry.field, figureWire(entry).meta({ description: metricText(entry) })]),
  ) as Shape<FiguresOf<R>>;

/** The specified fields first (`trades` is the count, `maxDrawdown` a fraction), then all further fields. */
export const BacktestResultWire = z.object({
  pnl: z.number().meta({ description: 'Net USDT after fees and funding; the same as `netPnl`.' }),
  trades: count.meta({ description: 'Number of trades; the trades themselves are in `tradeList`.' }),
  maxDrawdown: z.number().meta({ description: 'Largest fall of mark-to-market equity from its peak, a fraction.' }),
  bestParams: StrategyParamsWire.meta({ description: 'The parameters of this result.' }),
  ...figuresShape('summary'),
  droppedSignals: z.object(shapeOf(droppedFields)).meta({
    description:
      'Why signals were not filled: no volume, below the minimum size, equity left does not cover the smallest order.',
  }),
  ...figuresShape('analysis'),
  largestOrders: count.meta({
    description: 'Trades with the largest market order of the exchange (`maxQuantity`), which the settings may exceed.',
  }),
  sizesCut: z.object({ count, fromMs: z.number() }).nullable().meta({
    description:
      'Trades that are smaller than set because the account could not pay for more, and when the first was opened (epoch ms); null: none.',
  }),
  tradeList: z.array(TradeWire),
  equity: z.array(z.number()).meta({ description: 'Mark-to-market equity at the close of each scored candle, USDT.' }),
  score: z
    .array(z.number().nullable())
    .meta({ description: 'Score of each scored candle, null while a vote warms up.' }),
  hashes: z
    .object(shapeOf(hashFields))
    .meta({ description: 'SHA-256 of the engine file, the input columns, the parameters with costs, and the result.' }),
});

/** Wire form: the schema's shape with the types of the protocol. */
export interface BacktestJson extends BacktestSummary, BacktestAnalysis {
  pnl: number;
  trades: number;
  maxDrawdown: number;
  bestParams: StrategyParamsJson;
  largestOrders: number;
  sizesCut: CutSizes | null;
  tradeList: Trade[];
  equity: number[];
  score: (number | null)[];
  hashes: BacktestResult['hashes'];
}

/** Inputs of position sizing: the costs of the run, and the sizing of its rules where it has any. */
export interface SizedBy {
  costs: Costs;
  strategy?: { sizing: StrategySizing } | undefined;
}

export function backtestToWire(
  result: BacktestResult,
  params: StrategyParamsJson,
  { costs, strategy }: SizedBy,
): BacktestJson {
  const { mode = 'fixed', isCompounding = false } = strategy?.sizing ?? {};
  const { summary, analysis, trades, equity, score, hashes } = result;
  return {
    pnl: summary.netPnl,
    trades: summary.tradeCount,
    maxDrawdown: summary.maxDrawdownFraction,
    bestParams: params,
    ...summary,
    ...analysis,
    largestOrders: countLargestOrders(trades, costs),
    sizesCut: findCutSizes(trades, costs, { isByRisk: mode === 'risk', isCompounding }),
    tradeList: trades,
    equity: Array.from(equity),
    score: columnToWire(score),
    hashes,
  };
}
