import { TASK_CANDLES_MAX } from '../limits.ts';
import { z } from 'zod';
import type { BacktestInput } from '../protocol.ts';
import { CandlesWire, candlesFromWire } from './candles.ts';
import { numberColumn } from './column.ts';
import { CostsWire, costsFromWire } from './costs.ts';
import { paramsFromWire, StrategyParamsWire } from './strategyParams.ts';

/** The JSON form of a backtest, as the public API and the command line take it. */

const MarkColumn = numberColumn({ countMax: TASK_CANDLES_MAX });
export const MarkPricesWire = z.strictObject({
  open: MarkColumn,
  high: MarkColumn,
  low: MarkColumn,
});

export const BacktestRequestWire = z.strictObject({
  candles: CandlesWire,
  params: StrategyParamsWire.prefault({}),
  costs: CostsWire.prefault({}),
  scored: z
    .int()
    .min(1)
    .optional()
    .meta({ description: 'Trades may open on the last so many candles; all when absent.' }),
  markPrices: MarkPricesWire.optional().meta({ description: 'Of the candles: they trigger liquidation.' }),
  fineCandles: CandlesWire.optional().meta({
    description: 'Finer candles that settle which of stop and target came first.',
  }),
});

export function backtestFromWire(wire: z.output<typeof BacktestRequestWire>): BacktestInput {
  const { markPrices, fineCandles } = wire;
  const input: BacktestInput = {
    candles: candlesFromWire(wire.candles),
    params: paramsFromWire(wire.params),
    costs: costsFromWire(wire.costs),
    scoredCount: wire.scored ?? wire.candles.time.length,
  };
  if (fineCandles !== undefined) input.fineCandles = candlesFromWire(fineCandles);
  if (markPrices !== undefined) {
    const { open, high, low } = markPrices;
    input.markPrices = { open: Float64Array.from(open), high: Float64Array.from(high), low: Float64Array.from(low) };
  }
  return input;
}
