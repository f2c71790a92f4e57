import { searchTargets } from '@sextant/engine-as/abi/searchTargets.ts';
import { fail, type TaskResult } from '../../protocol/taskResult.ts';
import type { OptimizeInput, WalkForwardInput, Window } from '../../protocol/optimize.ts';
import { ENGINE_SAMPLES_MAX, foldsBounds, leftOutBounds, TRAIN_BARS_MIN } from '../../protocol/wire/defaults.ts';
import { validateMarket } from '../backtest.ts';
import { validateStrategyInput } from '../backtestStrategy.ts';
import { rejectDeadMarket } from '../notTrading.ts';
import { check, firstFailure, validateParams } from '../validateParams.ts';
import type { SetEvaluator } from './setEvaluator.ts';
import { isOwnRules } from '../../rules/strategyOfRules.ts';
import { checkOwnRules, ownSpaceOf } from './ownSpace.ts';
import { strategyInputOf } from './rulesSpace.ts';
import { setLengthOf } from './space.ts';
import { ok } from '../../core/result.ts';

/** Sets of one call: its result holds all their columns. */
export const PART_MAX = 1_000_000;

const fine = ok(null);

export function validateOptimize(input: OptimizeInput): TaskResult<null> {
  const { samples, seed, target } = input;
  const from = input.part?.from ?? 0;
  const count = input.part?.count ?? samples;
  return firstFailure([
    () => validateMarket(input),
    () => validateSet(input),
    () => check('samples', samples, { min: 1, max: ENGINE_SAMPLES_MAX }, true),
    () => check('seed', seed, { min: 0, max: Number.MAX_SAFE_INTEGER }, true),
    () => check('part.from', from, { min: 0, max: samples - 1 }, true),
    () => check('part.count', count, { min: 1, max: samples - from }, true),
    () => checkPart(input, count),
    () =>
      Object.hasOwn(searchTargets, target)
        ? fine
        : bad('target', `is ${target}, known are ${Object.keys(searchTargets).join(', ')}`),
    () => (input.walkForward === undefined ? fine : validateWalkForward(input.walkForward)),
  ]);
}

/** The parameters of Classic, or the rules with everything they read. */
function validateSet(input: OptimizeInput): TaskResult<null> {
  const { rules, params } = input;
  if (rules === undefined) return firstFailure([() => validateParams(params), () => rejectAtr(input)]);
  const valid = validateStrategyInput(strategyInputOf(input, rules));
  const { strategy } = rules;
  if (valid.ok && isOwnRules(strategy)) return checkOwnRules({ ...rules, strategy });
  const field = valid.ok ? undefined : valid.error.field;
  if (valid.ok || field === undefined || !rulesFields.some((name) => field.startsWith(name))) return valid;
  return fail(valid.error.code, valid.error.message.replace(field, `rules.${field}`), `rules.${field}`);
}

const rulesFields = ['strategy', 'context', 'news'];

function rejectAtr({ params: { trailing } }: OptimizeInput): TaskResult<null> {
  if (!trailing.enabled || trailing.mode !== 'atr') return fine;
  return bad(
    'params.trailing.mode',
    'is atr: the optimiser varies the percent trailing stop only, so set it to percent',
  );
}

/** Validates the part of a search that one call runs: a whole search or a chunk of it, a generation, or its last step. */
function checkPart(input: OptimizeInput, count: number): TaskResult<null> {
  const { bestOfParts, generation, finalist, marked, samples } = input;
  if (generation !== undefined) {
    const { draw, from, count: sets } = generation;
    return firstFailure([
      () => check('generation.count', sets, { min: 1, max: PART_MAX }, true),
      () => check('generation.from', from, { min: 0, max: draw.count - sets }, true),
    ]);
  }
  if (marked !== undefined) {
    const sets = marked.length / setLengthOf(input);
    return firstFailure([
      () => check('marked.length', sets, { min: 1, max: PART_MAX }, true),
      () => checkValues(input, 'marked', marked),
    ]);
  }
  if (finalist !== undefined) {
    const length = setLengthOf(input);
    return firstFailure([
      () => check('finalist.set.length', finalist.set.length, { min: length, max: length }, true),
      () => checkValues(input, 'finalist.set', finalist.set),
    ]);
  }
  return bestOfParts === undefined ? checkSize(count) : checkIndices(bestOfParts, samples);
}

/** Sets of own rules lie on the grid of their ranges. */
function checkValues({ rules }: OptimizeInput, field: string, sets: Float64Array): TaskResult<null> {
  if (rules === undefined || !isOwnRules(rules.strategy)) return fine;
  const wrong = ownSpaceOf(rules.strategy).placesOf(sets).indexOf(-1);
  return wrong < 0 ? fine : bad(field, `has ${sets[wrong]}, which is no value of the ranges of the rules`);
}

function checkSize(count: number): TaskResult<null> {
  return count <= PART_MAX ? fine : bad('samples', `are ${count} in one call, at most ${PART_MAX}: use part`);
}

function checkIndices(indices: readonly number[], samples: number): TaskResult<null> {
  if (indices.length === 0 || indices.length > 1000) {
    return bad('bestOfParts', `holds ${indices.length} indices, needs 1 to 1000`);
  }
  return firstFailure(
    indices.map((index, i) => () => check(`bestOfParts[${i}]`, index, { min: 0, max: samples - 1 }, true)),
  );
}

function validateWalkForward({ folds, purgeBars, embargoBars }: WalkForwardInput): TaskResult<null> {
  return firstFailure([
    () => check('walkForward.folds', folds, foldsBounds, true),
    () => check('walkForward.purgeBars', purgeBars, leftOutBounds, true),
    () => check('walkForward.embargoBars', embargoBars, leftOutBounds, true),
  ]);
}

/** The candles the search may use, or why they are too few. */
export function trainWindow(
  { candles, scoredCount, trainOn = 'earlier', rules }: OptimizeInput,
  evaluator: SetEvaluator,
): TaskResult<Window> {
  const { count, firstDefined } = evaluator;
  const scoredStart = count - scoredCount;
  const window = trainOn === 'earlier' ? { start: firstDefined, end: scoredStart } : { start: scoredStart, end: count };
  const bars = window.end - Math.max(window.start, firstDefined);
  if (bars >= TRAIN_BARS_MIN) return ok(window);
  // Votes that need movement never count on a dead market: more candles would not help.
  const dead = rejectDeadMarket(candles, 'candles');
  if (dead !== undefined) return dead;
  const where =
    trainOn === 'earlier' ? `between the warm-up (${firstDefined}) and the scored window` : 'in the scored window';
  const fix =
    trainOn === 'earlier' ? "load more, score fewer, or search on the scored window (trainOn 'scored')" : 'load more';
  const message = `candles: the search has ${Math.max(bars, 0)} ${where}, needs ${TRAIN_BARS_MIN}: ${fix}${shorterWarmUp(rules)}`;
  return fail('too_short', message, 'candles');
}

function shorterWarmUp(rules: OptimizeInput['rules']): string {
  if (rules === undefined) return '';
  return isOwnRules(rules.strategy)
    ? ', or shorten the longest period of the rules'
    : ', or leave out the slowest votes (a range from 0 to 0)';
}

function bad(field: string, text: string): TaskResult<never> {
  return fail('bad_input', `${field} ${text}`, field);
}
