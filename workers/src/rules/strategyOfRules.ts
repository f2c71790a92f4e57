import type { IntervalName } from '@sextant/engine-as/abi/intervals.ts';
import type { Strategy } from '@sextant/engine-as/abi/strategy.ts';
import { ok, type Result } from '../core/result.ts';
import { compileRules, exitsOf, type RuleSet } from './compileRules.ts';
import type { RuleProblem } from './problems.ts';

/** A strategy of own rules: the part of it that decides is its text. */
export type OwnRules = Pick<Strategy, 'intervals'> & { rules: string };

/**
 * The strategy of a text: its exits and longer intervals are those of the text, with the text's own parameter values. It has no votes;
 * its signal of -1, 0 or 1 is its score.
 * @param interval of the candles that decide
 */
export function strategyOfRules(text: string, interval: IntervalName): Result<Strategy, RuleProblem[]> {
  const compiled = compileRules(text, { interval });
  if (!compiled.ok) return compiled;
  const { program } = compiled.value;
  return ok({
    ...exitsOf(compiled.value),
    intervals: [interval, ...program.intervals].map((name) => ({ interval: name, weight: 1 })),
    weights: {},
    entryThreshold: 1,
    rules: text,
  });
}

/** The last text compiled: every symbol of a portfolio and every step of a slider compile the same one. */
let last: { text: string; interval: IntervalName | undefined; set: RuleSet } | undefined;

/** Compiled rules of a text that may be wrong. The last one is cached. */
export function compiledRules({ rules, intervals: [base] }: OwnRules): Result<RuleSet, RuleProblem[]> {
  const interval = base?.interval;
  if (last?.text === rules && last.interval === interval) return ok(last.set);
  const compiled = compileRules(rules, interval === undefined ? {} : { interval });
  if (compiled.ok) last = { text: rules, interval, set: compiled.value };
  return compiled;
}

/** Compiled rules of a strategy. @throws Error on a text that was not checked */
export function ruleSetOf(own: OwnRules): RuleSet {
  const compiled = compiledRules(own);
  if (!compiled.ok) throw new Error(problemText(compiled.error[0]));
  return compiled.value;
}

export const isOwnRules = <T extends { rules?: string }>(strategy: T): strategy is T & { rules: string } =>
  strategy.rules !== undefined;

/** `line 2, column 7: unknown name; use rsi`. */
export const problemText = (problem: RuleProblem | undefined): string =>
  problem === undefined
    ? 'the rules do not compile'
    : `line ${problem.line}, column ${problem.column}: ${problem.message}; ${problem.fix}`;
