import { searchTargets } from '@sextant/engine-as/abi/searchTargets.ts';
import { RESULT_LENGTH, RESULT_VALUE } from '@sextant/engine-as/abi/optimize.ts';
import { ruleSlot } from '@sextant/engine-as/abi/records.ts';
import * as abi from '@sextant/engine-as/abi/ruleProgram.ts';
import { parameterRows } from '@sextant/engine-as/abi/runParameters.ts';
import { withNumbers } from '@sextant/engine-as/abi/strategyNumbers.ts';
import { ok } from '../core/result.ts';
import type { Engine } from '../engine/engine.ts';
import type { RulesSweepInput, RulesSweepResult } from '../protocol/rules.ts';
import { fail, type TaskProgress, type TaskResult } from '../protocol/taskResult.ts';
import { backtestRules, validateRulesInput } from './backtestRules.ts';
import { inArena } from './honesty/kernels.ts';
import { gridSize, inputOfSet, setCountOf, setsOf, valuesOf } from './ownRules/sets.ts';
import { pushSweep, reserveRoom, runSweep, SWEEP_CHUNK } from './ownRules/sweep.ts';
import { firstFailure } from './validateParams.ts';

/**
 * Own rules under every set of a grid of parameter values, or a sample of it. Columns that depend on fewer parameters are computed once
 * for each of their values. Each set is equal to its backtest, to the bit.
 */
export function optimizeRules(
  engine: Engine,
  engineHash: string,
  input: RulesSweepInput,
  onProgress?: (progress: TaskProgress) => void,
): TaskResult<RulesSweepResult> {
  const valid = validateSweep(input);
  if (!valid.ok) return valid;
  const sets = setsOf(input);
  const count = setCountOf(input);
  // A leverage or a program that cannot run is reported by the backtest.
  const first = inArena(engine, () => backtestRules(engine, engineHash, inputOfSet(input, valuesOf(input, sets, 0))));
  if (!first.ok) return first;
  const ran = inArena(engine, () => runAll(engine, input, { sets, count }, onProgress));
  if (!ran.ok) return ran;
  const results = ran.value;
  const index = bestOf(results, count);
  if (index < 0) return ok({ setCount: count, sets, results, best: null });
  const values = valuesOf(input, sets, index);
  const exits = exitsOfSet(input, index);
  const best = inArena(engine, () => backtestRules(engine, engineHash, inputOfSet(input, values, exits)));
  return best.ok ? ok({ setCount: count, sets, results, best: { index, values, result: best.value } }) : best;
}

function runAll(
  engine: Engine,
  input: RulesSweepInput,
  { sets, count }: { sets: Int32Array; count: number },
  onProgress?: (progress: TaskProgress) => void,
): TaskResult<Float64Array> {
  const pushed = pushSweep(engine, input);
  if (!pushed.ok) return pushed;
  const { parameterCount, exitCount } = pushed.value;
  const end = pushed.value.count;
  const window = { start: end - input.scoredCount, end };
  const room = reserveRoom(pushed.value, Math.min(count, SWEEP_CHUNK));
  const results = new Float64Array(count * RESULT_LENGTH);
  for (let from = 0; from < count; from += SWEEP_CHUNK) {
    const length = Math.min(SWEEP_CHUNK, count - from);
    runSweep(pushed.value, room, {
      window,
      target: searchTargets[input.target].code,
      sets: sets.subarray(from * parameterCount, (from + length) * parameterCount),
      ...(input.varying && { exits: input.varying.rows.subarray(from * exitCount, (from + length) * exitCount) }),
      count: length,
    });
    const rows = engine.f64View(room.resultsAt, length * RESULT_LENGTH);
    for (let field = 0; field < RESULT_LENGTH; field++)
      results.set(rows.subarray(field * length, (field + 1) * length), field * count + from);
    onProgress?.({ done: from + length, total: count });
  }
  return ok(results);
}

/** The set with the largest value, the first of equals; -1 when the target ranks none. */
function bestOf(results: Float64Array, count: number): number {
  let best = -1;
  let most = -Infinity;
  for (let i = 0; i < count; i++) {
    const value = results[RESULT_VALUE * count + i] ?? -Infinity;
    if (value > most) [best, most] = [i, value];
  }
  return best;
}

/** Exits with the levels that the set's own rules have. */
function exitsOfSet({ exits, varying }: RulesSweepInput, index: number): RulesSweepInput['exits'] {
  if (varying === undefined) return exits;
  const ruleOf = (name: keyof typeof ruleSlot, otherwise: number): number => {
    const k = varying.slots.indexOf(ruleSlot[name]);
    return k < 0 ? otherwise : (varying.rows[index * varying.slots.length + k] ?? otherwise);
  };
  return withNumbers(exits, ({ slot }, value) => (slot === null ? value : ruleOf(slot, value)));
}

/** Rules that a set may decide: the numbers of its exits, not their modes. */
const decidedBySets: readonly number[] = parameterRows.flatMap(({ exit, slot }) =>
  exit === 'entry' || slot === null ? [] : [ruleSlot[slot]],
);

export function validateSweep(input: RulesSweepInput): TaskResult<null> {
  const { parameters, valueParameters, program, varying, samples } = input;
  const expect = (isSo: boolean, field: string, text: string) => (): TaskResult<null> =>
    isSo ? ok(null) : fail('bad_input', `${field} ${text}`, field);
  const count = setCountOf(input);
  const lengths = parameters.every(
    ({ values }) => values.length > 0 && values.every((value) => Number.isFinite(value)),
  );
  return firstFailure([
    () => validateRulesInput(input),
    expect(parameters.length <= abi.RULE_PARAMETERS_MAX, 'parameters', `are more than ${abi.RULE_PARAMETERS_MAX}`),
    expect(lengths, 'parameters', 'need at least one finite value each'),
    expect(samples === undefined || (Number.isInteger(samples) && samples > 0), 'samples', 'must be a whole number'),
    expect(
      count <= abi.RULE_SETS_MAX,
      'parameters',
      `make ${gridSize(input)} sets, at most ${abi.RULE_SETS_MAX}: use larger steps, or a sample`,
    ),
    expect(valueParameters.length === program.values.length, 'valueParameters', 'must be one for each value'),
    expect(
      valueParameters.every((p) => p >= -1 && p < parameters.length),
      'valueParameters',
      'name a parameter that does not exist',
    ),
    expect(
      varying === undefined || varying.rows.length === count * varying.slots.length,
      'varying',
      `must have rows for ${count} sets`,
    ),
    expect(
      varying === undefined || varying.slots.every((slot) => decidedBySets.includes(slot)),
      'varying',
      'may change the numbers of the exits only',
    ),
  ]);
}
