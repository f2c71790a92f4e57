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
  const compiled = compiledText(text, interval);
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

/** Texts compiled lately: every symbol of a portfolio, step of a slider, row of a list and close of an alert's candle compiles the same ones. */
const compiledLately = new Map<string, RuleSet>();
const COMPILED_MAX = 500;

/** Compiled rules of a text that may be wrong; without an interval any longer one may be used. */
function compiledText(text: string, interval: IntervalName | undefined): Result<RuleSet, RuleProblem[]> {
  const key = `${interval ?? ''} ${text}`;
  const known = compiledLately.get(key);
  if (known !== undefined) return ok(known);
  const compiled = compileRules(text, interval === undefined ? {} : { interval });
  if (!compiled.ok) return compiled;
  compiledLately.set(key, compiled.value);
  const [oldest] = compiledLately.keys();
  if (compiledLately.size > COMPILED_MAX && oldest !== undefined) compiledLately.delete(oldest);
  return compiled;
}

/** Compiled rules of a strategy whose text may be wrong. */
export const compiledRules = ({ rules, intervals: [base] }: OwnRules): Result<RuleSet, RuleProblem[]> =>
  compiledText(rules, base?.interval);

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
