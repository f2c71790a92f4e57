import { WEIGHT_UNITS } from '@sextant/engine-as/abi/ensemble.ts';
import { intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import { runParameters } from '@sextant/engine-as/abi/runParameters.ts';
import {
  type Strategy,
  type StrategyExits,
  STRATEGY_INTERVALS_MAX,
  STRATEGY_WEIGHT_MAX,
} from '@sextant/engine-as/abi/strategy.ts';
import { exitNumbers, strategyPath } from '@sextant/engine-as/abi/strategyNumbers.ts';
import { fail, type TaskResult } from '../../protocol/taskResult.ts';
import { ok } from '../../core/result.ts';
import { compileRules } from '../../rules/compileRules.ts';
import { isOwnRules, problemText } from '../../rules/strategyOfRules.ts';
import { validateParameters, validateSteps } from '../ensemble/validate.ts';
import { check, firstFailure } from '../validateParams.ts';

/** Every number within the bounds of the registry; the words are checked by their types at the border. */
export function validateStrategyValue(strategy: Strategy): TaskResult<null> {
  const { weights } = strategy;
  if (isOwnRules(strategy)) return validateOwnRules(strategy);
  const range = { min: -STRATEGY_WEIGHT_MAX, max: STRATEGY_WEIGHT_MAX, step: 1 / WEIGHT_UNITS };
  return firstFailure([
    () => validateIntervals(strategy),
    () => validateSteps(weights, 'strategy.weights', range),
    () => validateParameters(strategy.parameters, 'strategy.parameters'),
    () => check('strategy.entryThreshold', strategy.entryThreshold, runParameters.entryThreshold),
    () => validateExits(strategy, 'strategy'),
  ]);
}

function validateOwnRules(strategy: Strategy & { rules: string }): TaskResult<null> {
  const intervals = validateIntervals(strategy);
  if (!intervals.ok) return intervals;
  const compiled = compileRules(strategy.rules, { interval: strategy.intervals[0]?.interval ?? '1m' });
  if (!compiled.ok) return fail('bad_input', `strategy.rules ${problemText(compiled.error[0])}`, 'strategy.rules');
  const longer = strategy.intervals.slice(1).map(({ interval }) => interval);
  const own = compiled.value.program.intervals;
  return longer.length === own.length && own.every((name, i) => name === longer[i])
    ? validateExits(strategy, 'strategy')
    : fail(
        'bad_input',
        `strategy.intervals must be those of its rules: ${own.join(', ') || 'the base alone'}`,
        'strategy.intervals',
      );
}

/** @param at path of the exits in the input */
export function validateExits(exits: StrategyExits, at: string): TaskResult<null> {
  return firstFailure(
    exitNumbers(exits).map(
      ({ row, value }) =>
        () =>
          check(`${at}.${strategyPath(row)}`, value, row, row.isInteger),
    ),
  );
}

function validateIntervals({ intervals }: Strategy): TaskResult<null> {
  const field = 'strategy.intervals';
  if (intervals.length < 1 || intervals.length > STRATEGY_INTERVALS_MAX) {
    const message = `${field} holds ${intervals.length}, needs 1 to ${STRATEGY_INTERVALS_MAX}`;
    return fail('bad_input', message, field);
  }
  for (const [t, { interval, weight }] of intervals.entries()) {
    const weighed = validateSteps({ weight }, `${field}[${t}]`, { min: 0, max: 10, step: 0.1 });
    if (!weighed.ok) return weighed;
    const before = intervals[t - 1]?.interval;
    if (before !== undefined && intervalMs[interval] <= intervalMs[before]) {
      return fail('bad_input', `${field}[${t}].interval ${interval} must be longer than ${before}`, field);
    }
  }
  return ok(null);
}
