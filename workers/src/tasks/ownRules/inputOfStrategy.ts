import type { RulesInput } from '../../protocol/rules.ts';
import type { StrategyInput } from '../../protocol/strategy.ts';
import { type OwnRules, ruleSetOf } from '../../rules/strategyOfRules.ts';

/** The input of a strategy of own rules as the task of compiled rules takes it. Its exits are those of the strategy. */
export function rulesInputOf({ strategy, ...run }: StrategyInput & { strategy: OwnRules }): RulesInput {
  const [base] = strategy.intervals;
  if (base === undefined) throw new Error('validateStrategyValue lets no empty list through');
  return { ...run, interval: base.interval, program: ruleSetOf(strategy).program, exits: strategy };
}
