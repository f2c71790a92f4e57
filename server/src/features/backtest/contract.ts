import { OptimizeTargetWire } from '@sextant/workers/src/wire/optimize.ts';
import { StrategyParamsWire } from '@sextant/workers/src/wire/strategyParams.ts';
import { z } from 'zod';
import { Text } from '../../platform/contract.ts';
import { IntervalName, SymbolName } from '../market/contract.ts';

/** Saved backtests and the saved screen state. The run itself has its contract in runContract.ts. */

export const OptimizeSettings = z
  .strictObject({
    samples: z.int().min(10).max(100_000).default(50),
    target: OptimizeTargetWire.default('pnl'),
    seed: z.int().min(0).default(1),
    trainOn: z.enum(['earlier', 'scored']).default('earlier'),
    refine: z.boolean().default(true),
    walkForward: z.enum(['off', 'anchored', 'rolling']).default('anchored'),
  })
  .meta({ description: 'Optimisation settings as last used.' });

const Metric = z.union([z.number(), Text.max(200), z.boolean(), z.null()]);
const Metrics = z
  .record(Text.max(40), Metric)
  .refine((metrics) => Object.keys(metrics).length <= 60, 'holds at most 60 figures')
  .meta({ description: 'Headline figures of the last run, by name.' });

export const SavedStateBody = z.strictObject({
  symbol: SymbolName,
  interval: IntervalName,
  params: StrategyParamsWire,
  optimize: OptimizeSettings.nullable().default(null),
  metrics: Metrics.nullable().default(null),
});

export const SavedState = SavedStateBody.extend({ updated_at: z.iso.datetime() });

export const SavedStateAnswer = z.object({
  state: SavedState.nullable().meta({ description: 'null when nothing is saved.' }),
});

export const LastBacktestAnswer = z.object({
  backtest: z
    .object({
      id: z.uuid(),
      created_at: z.iso.datetime(),
      symbol: z.string(),
      interval: z.string(),
      params: StrategyParamsWire,
      result: z.object({ best: z.record(z.string(), Metric) }),
      hashes: z.object({ engine: z.string(), data: z.string(), params: z.string(), result: z.string() }),
    })
    .nullable()
    .meta({ description: 'The newest run on the server; null before the first.' }),
});
