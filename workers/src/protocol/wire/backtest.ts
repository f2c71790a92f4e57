import { intervals } from '@sextant/engine-as/abi/intervals.ts';
import { STRATEGY_INTERVALS_MAX } from '@sextant/engine-as/abi/strategy.ts';
import { TASK_CANDLES_MAX } from '../../core/limits.ts';
import { z } from 'zod';
import type { BacktestInput } from '../backtest.ts';
import type { StrategyInput } from '../strategy.ts';
import { CandlesWire, candlesFromWire } from './candles.ts';
import { checkContext } from './checkContext.ts';
import { numberColumn } from './column.ts';
import { type CostsWire, costsFromWire, TaskCostsWire } from './costs.ts';
import { takeRules } from './ownRules.ts';
import { RulesText, StrategyWire } from './strategy.ts';
import { paramsFromWire, StrategyParamsWire } from './strategyParams.ts';

/** The JSON form of a backtest, as the public API and the command line take it. */

const MarkColumn = numberColumn({ countMax: TASK_CANDLES_MAX });
export const MarkPricesWire = z.strictObject({
  open: MarkColumn,
  high: MarkColumn,
  low: MarkColumn,
});

/** Optional data of a run, and of every run of a search, beside its candles. */
const detailShape = {
  markPrices: MarkPricesWire.optional().meta({ description: 'Mark prices of the candles: they trigger liquidation.' }),
  fineCandles: CandlesWire.optional().meta({
    description: 'Finer candles that settle which of stop and target came first.',
  }),
};
type DetailWire = z.output<z.ZodObject<typeof detailShape>>;

/** Rules that run instead of the parameters, with the data they read beside the candles. */
const strategyShape = {
  strategy: StrategyWire.optional().meta({ description: 'Rules instead of `params`, which then say nothing.' }),
  context: z
    .array(CandlesWire)
    .max(STRATEGY_INTERVALS_MAX - 1)
    .optional()
    .meta({ description: 'Candles of each longer interval of `strategy` or `rules`, the shortest first.' }),
  rules: RulesText.optional(),
  interval: z
    .enum(intervals)
    .optional()
    .meta({ description: 'Interval of the candles, for `rules`; the shortest step between two of them when absent.' }),
  news: z
    .array(z.int().min(-1).max(1))
    .max(TASK_CANDLES_MAX)
    .optional()
    .meta({ description: 'What the news said at the close of each candle: -1, 1, or 0 where they had no say.' }),
};

/** The rules of a request with the data they read; undefined for a request with parameters. */
export function rulesFromWire({
  strategy,
  context = [],
  news,
}: z.output<z.ZodObject<typeof strategyShape>>): Pick<StrategyInput, 'strategy' | 'context' | 'news'> | undefined {
  if (strategy === undefined) return undefined;
  const rules = { strategy, context: context.map(candlesFromWire) };
  return news === undefined ? rules : { ...rules, news: Int8Array.from(news) };
}

/** Shared fields of a run and a search: the candles, a strategy, trading costs, and finer data. */
export const runShape = {
  candles: CandlesWire,
  params: StrategyParamsWire.prefault({}),
  ...strategyShape,
  costs: TaskCostsWire.prefault({}),
  ...detailShape,
};

export const BacktestRequestWire = z
  .strictObject({
    ...runShape,
    scored: z
      .int()
      .min(1)
      .optional()
      .meta({ description: 'Trades may open on the last so many candles; all when absent.' }),
  })
  .check(takeRules)
  .check(checkContext);

/** @param wire with costs that may come from an older run, without a model of liquidity */
export function backtestFromWire(
  wire: Omit<z.output<typeof BacktestRequestWire>, 'costs'> & { costs: z.output<typeof CostsWire> },
): BacktestInput {
  return {
    candles: candlesFromWire(wire.candles),
    params: paramsFromWire(wire.params),
    costs: costsFromWire(wire.costs),
    scoredCount: wire.scored ?? wire.candles.time.length,
    ...detailFromWire(wire),
  };
}

export function detailFromWire({
  markPrices,
  fineCandles,
}: DetailWire): Pick<BacktestInput, 'markPrices' | 'fineCandles'> {
  const detail: Pick<BacktestInput, 'markPrices' | 'fineCandles'> = {};
  if (fineCandles !== undefined) detail.fineCandles = candlesFromWire(fineCandles);
  if (markPrices !== undefined) {
    const { open, high, low } = markPrices;
    detail.markPrices = { open: Float64Array.from(open), high: Float64Array.from(high), low: Float64Array.from(low) };
  }
  return detail;
}
