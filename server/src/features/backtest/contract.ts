import { CostsWire } from '@sextant/workers/src/protocol/wire/costs.ts';
import { walkForwardDefaults, walkForwardKinds } from '@sextant/workers/src/protocol/wire/defaults.ts';
import { searchFields } from '@sextant/workers/src/protocol/wire/optimize.ts';
import { StoredStrategyWire, StrategyWire } from '@sextant/workers/src/protocol/wire/strategy.ts';
import { StrategyParamsWire } from '@sextant/workers/src/protocol/wire/strategyParams.ts';
import { SAVED_NAME_MAX } from '@sextant/workers/src/core/limits.ts';
import { z } from 'zod';
import { Text } from '../../platform/contract.ts';
import { IntervalName, SymbolName } from '../market/contract.ts';

/** Saved backtests and the saved screen state. runContract.ts is the contract of a run. */

export const OptimizeSettings = z
  .strictObject({
    ...searchFields,
    walkForward: z.enum(['off', ...walkForwardKinds]).default(walkForwardDefaults.kind),
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
  strategy: StrategyWire.nullable().default(null).meta({
    description: 'The rules of the run; null: a run of `params`.',
  }),
  optimize: OptimizeSettings.nullable().default(null),
  metrics: Metrics.nullable().default(null),
});

/** The symbol as saved: responses are not parsed like requests. */
export const SavedState = SavedStateBody.extend({
  symbol: z.string(),
  strategy: StoredStrategyWire.nullable()
    .default(null)
    .meta({ description: 'The rules of the run; null: a run of `params`.' }),
  updated_at: z.iso.datetime(),
});

export const SavedStateResponse = z.object({
  state: SavedState.nullable().meta({ description: 'null when nothing is saved.' }),
});

export const BacktestSetup = z
  .object({
    exchange: z.string().nullable(),
    label: z.string().nullable().meta({ description: 'The symbol, or the name of your candles.' }),
    end_time: z.number().meta({ description: 'Epoch ms at which the last candle closed.' }),
    loaded: z.int(),
    scored: z.int(),
    costs: CostsWire.omit({ funding: true }),
    fineData: z.boolean().optional().meta({
      description: 'Run with mark prices and minute candles. Absent in older runs.',
    }),
    isRange: z.boolean().optional().meta({ description: 'True: the scored candles were selected by date.' }),
  })
  .meta({ description: 'Input to repeat the run.' });

export const Hashes = z.object({ engine: z.string(), data: z.string(), params: z.string(), result: z.string() });

export const SavedRun = z.object({
  id: z.uuid(),
  name: z.string(),
  created_at: z.iso.datetime(),
  symbol: z.string(),
  interval: z.string(),
  params: StrategyParamsWire,
  setup: BacktestSetup,
  best: z.record(z.string(), Metric),
  strategy: StoredStrategyWire.nullable().meta({
    description: 'The rules of the run; `params` is then ignored. null: a run of `params`.',
  }),
  equity: z.array(z.number()).meta({ description: 'At most 240 evenly spaced values of the scored window, USDT.' }),
  hashes: Hashes,
});
export const SavedRunsResponse = z.object({
  runs: z.array(SavedRun).meta({ description: 'Named runs, newest first.' }),
});
export const RunId = z.strictObject({ id: z.uuid() });
export const RunName = Text.min(1).max(SAVED_NAME_MAX);
export const RenameRunBody = z.strictObject({ name: RunName });

export const LastBacktestResponse = z.object({
  backtest: z
    .object({
      id: z.uuid(),
      created_at: z.iso.datetime(),
      symbol: z.string(),
      interval: z.string(),
      params: StrategyParamsWire,
      result: z.object({ best: z.record(z.string(), Metric) }),
      hashes: Hashes,
    })
    .nullable()
    .meta({ description: 'The newest run on the server; null before the first.' }),
});
