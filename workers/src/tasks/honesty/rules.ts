import type { TaskResult } from '../../protocol/taskResult.ts';
import type { RulesRun } from '../../protocol/honesty.ts';
import type { Engine } from '../../engine/engine.ts';
import { ok } from '../../core/result.ts';
import { scoreWhole, validateStrategyInput } from '../backtestStrategy.ts';
import type { RandomEntries } from '../optimize/setEvaluator.ts';
import { runRandomEntriesOn } from '../optimize/rulesEvaluator.ts';
import { firstScored, pushRulesMarket, runScored } from '../strategy/market.ts';
import type { Shown } from './strategy.ts';

/** A run of rules on its scored candles, in the form that the figures read. */
export function showRules(engine: Engine, run: RulesRun['run']): TaskResult<Shown> {
  const valid = validateStrategyInput(run);
  if (!valid.ok) return valid;
  const market = pushRulesMarket(engine, run);
  const { strategy, costs, scoredCount } = run;
  const window = { start: market.count - scoredCount, end: market.count };
  const scored = scoreWhole(market, run);
  if (!scored.ok) return scored;
  const single = runScored(market, strategy, window);
  if (!single.ok) return single;
  const firstDecision = firstScored(market, strategy.weights);
  const runRandomEntries = (entries: RandomEntries): Float64Array =>
    runRandomEntriesOn(market, strategy, window, entries);
  return ok({ engine, costs, window, single: single.value, firstDecision, runRandomEntries });
}
