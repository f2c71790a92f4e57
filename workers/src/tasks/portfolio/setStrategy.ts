import type { Strategy } from '@sextant/engine-as/abi/strategy.ts';
import { ok } from '../../core/result.ts';
import type { PortfolioSet } from '../../protocol/portfolio.ts';
import { fail, type TaskResult } from '../../protocol/taskResult.ts';
import { isRanged, type RuleParameter } from '../../rules/checked.ts';
import { compiledRules, isOwnRules } from '../../rules/strategyOfRules.ts';
import { hasExitsOfText, rangedOf, unpackOwn } from '../optimize/ownSpace.ts';

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
  const set = rangedOf(strategy).map(({ name, value }) => values[name] ?? value);
  return { ...strategy, ...unpackOwn(set, strategy), entryThreshold: strategy.entryThreshold };
}

/** Rejects values that name no parameter with a range, or lie outside it. */
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
    const { from, to } = parameter;
    // A value of the text itself lies in its range too.
    if (!(value >= from && value <= to)) return bad(field, `must be from ${from} to ${to}`);
  }
  return ok(null);
}
