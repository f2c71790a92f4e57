import type { Strategy } from '@sextant/engine-as/abi/strategy.ts';
import { ok } from '../../core/result.ts';
import type { PortfolioSet } from '../../protocol/portfolio.ts';
import { fail, type TaskResult } from '../../protocol/taskResult.ts';
import { isRanged, isValueOf, type RuleParameter } from '../../rules/checked.ts';
import { RULES_TEXT_MAX } from '../../rules/compileRules.ts';
import { compiledRules, isOwnRules, ruleSetOf } from '../../rules/strategyOfRules.ts';
import { hasExitsOfText, rangedOf, searchedTextMax, textOfSet, unpackOwn } from '../optimize/ownSpace.ts';

/**
 * Parameters of own rules that a set may change: those with a range, in the order of the text. None for votes, for a text that does not
 * compile, and for a strategy whose exits are not those of its text.
 */
export function searchedParameters(strategy: Strategy): RuleParameter[] {
  const parameters = rangedIfCompiled(strategy);
  return parameters.length === 0 || hasOtherExits(strategy) ? [] : parameters;
}

function rangedIfCompiled(strategy: Strategy): RuleParameter[] {
  if (!isOwnRules(strategy)) return [];
  const compiled = compiledRules(strategy);
  return compiled.ok ? compiled.value.parameters.filter(isRanged) : [];
}

/** Whether the ranges of own rules are left out of a search, because the strategy has other exits than its text. */
export const hasOtherExits = (strategy: Strategy): boolean =>
  isOwnRules(strategy) && rangedIfCompiled(strategy).length > 0 && !hasExitsOfText(strategy);

/**
 * The strategy of a set: other levels of votes, or the text of own rules with other values and the exits that it has then.
 * @param set one that `checkValues` accepts
 */
export function strategyOfSet(strategy: Strategy, { strategy: levels, values }: PortfolioSet): Strategy {
  if (values === undefined || !isOwnRules(strategy)) return { ...strategy, ...levels };
  const set = setOfValues(rangedOf(strategy), values);
  return { ...strategy, ...unpackOwn(set, strategy), entryThreshold: strategy.entryThreshold };
}

/**
 * Names the signals of a set: sets of the same name have equal signals and differ in exits and limits alone. Own rules decide by the
 * parameters that their program reads; the votes of other strategies are the same for every set.
 */
export function signalNames(strategy: Strategy): (set: PortfolioSet) => string {
  if (!isOwnRules(strategy)) return () => '';
  const { parameters, program } = ruleSetOf(strategy);
  const deciding = parameters.filter((_, index) => program.valueParameters.includes(index));
  return ({ values = {} }) => setOfValues(deciding, values).join(' ');
}

/** Values of every parameter: the named ones, else those of the text. A name may be that of a property that every object has. */
const setOfValues = (parameters: readonly RuleParameter[], values: Readonly<Record<string, number>>): number[] =>
  parameters.map(({ name, value }) => (Object.hasOwn(values, name) ? (values[name] ?? value) : value));

/** Rejects values that name no parameter with a range, or are none of its values, and those that make the text too long. */
export function checkValues(strategy: Strategy, values: Record<string, number> | undefined): TaskResult<null> {
  if (values === undefined) return ok(null);
  const bad = (field: string, text: string): TaskResult<null> => fail('bad_input', `${field} ${text}`, field);
  if (!isOwnRules(strategy)) return bad('values', 'must be absent: they are those of own rules');
  if (!hasExitsOfText(strategy)) return bad('values', 'must be absent: the strategy has other exits than its rules');
  const parameters = searchedParameters(strategy);
  for (const [name, value] of Object.entries(values)) {
    const field = `values.${name}`;
    const parameter = parameters.find((each) => each.name === name);
    if (parameter === undefined) {
      const names = parameters.map((each) => each.name).join(', ');
      return bad(field, `is no parameter with a range: ${names === '' ? 'the rules have none' : `use ${names}`}`);
    }
    const { from, to, step } = parameter;
    if (!isValueOf(parameter, value)) return bad(field, `must be from ${from} to ${to} in steps of ${step}`);
  }
  if (strategy.rules.length <= searchedTextMax(parameters.length)) return ok(null);
  const { length } = textOfSet(setOfValues(parameters, values), strategy);
  return length <= RULES_TEXT_MAX
    ? ok(null)
    : bad('values', `make the rules ${length} characters long, at most ${RULES_TEXT_MAX}: shorten the text`);
}
