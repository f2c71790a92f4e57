import type { HonestyResult } from '../../src/protocol/honesty.ts';
import type { TaskResult } from '../../src/protocol/taskResult.ts';
import { runTask, type TaskEngine } from '../../src/tasks/index.ts';
import { defaultCosts, defaultWeights } from '../../src/protocol/wire/defaults.ts';
import { market } from './markets.ts';

/**
 * The panel of a search at the product's defaults: 1,200 candles of 15 minutes, the last 500 scored and
 * the search on those before, 50 samples of the whole ranges, refinement, target pnl, default costs.
 */
export function levelAtDefaults(
  engine: TaskEngine,
  seed: number,
  options: { trend?: number } = {},
): HonestyResult['reading']['level'] {
  const search = {
    candles: market(1200, seed, options),
    params: {
      weights: { ...defaultWeights },
      entryThreshold: 0.08,
      stopLossFraction: 0.02,
      takeProfitFraction: 0.04,
      trailing: { enabled: false, callbackFraction: 0.005, stepFraction: 0.0025 },
    },
    costs: { ...defaultCosts },
    scoredCount: 500,
    samples: 50,
    target: 'pnl' as const,
    seed,
  };
  const result = runTask(engine, { name: 'honesty', input: { kind: 'search', search } }) as TaskResult<HonestyResult>;
  if (!result.ok) throw new Error(result.error.message);
  return result.value.reading.level;
}
