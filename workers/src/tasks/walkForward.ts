import type { Engine } from '../engine/engine.ts';
import { fail, type TaskResult } from '../protocol/taskResult.ts';
import type { OptimizeInput, WalkForwardResult } from '../protocol/optimize.ts';
import { prepareSearch } from './optimize.ts';
import { runWalkForward } from './optimize/walkForward.ts';
import { ok } from '../core/result.ts';

/** The `walkForward` part of `optimize` for the same input, without the search: the same bits. */
export function walkForward(engine: Engine, input: OptimizeInput): TaskResult<WalkForwardResult> {
  if (input.walkForward === undefined)
    return fail('bad_input', 'walkForward is missing: it takes kind, folds, purgeBars and embargoBars', 'walkForward');
  const prepared = prepareSearch(engine, input);
  if (!prepared.ok) return prepared;
  const result = runWalkForward(prepared.value, input, input.walkForward);
  return ok(input.withUnknown === true ? { ...result, unknownBars: prepared.value.evaluator.unknownBars() } : result);
}
