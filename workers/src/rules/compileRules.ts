import { type IntervalName, intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import * as abi from '@sextant/engine-as/abi/ruleProgram.ts';
import type { StrategyExits } from '@sextant/engine-as/abi/strategy.ts';
import { failWith, ok, type Result } from '../core/result.ts';
import { checkExpression } from './check.ts';
import { boundsOf, type Checked, type RuleParameter, setsOfRanges } from './checked.ts';
import { emitProgram, type RuleProgram } from './emit.ts';
import { checkExits, exitsFor, type RuleExits } from './exits.ts';
import { parseRules } from './parseRules.ts';
import { createProblems, quote, type RuleProblem } from './problems.ts';
import { fail, ofType, type Scope } from './scope.ts';
import type { ConditionKind, ExitStatement, Statement } from './syntax.ts';

/** Longest text, in UTF-16 units. */
export const RULES_TEXT_MAX = 4000;
/** Most names of a text, parameters included. */
export const NAMES_MAX = 64;

/** A text that can be run: plain data, which may be sent to a worker. */
export interface RuleSet {
  text: string;
  /** In the order of the text; `valueParameters` of the program and exitsOf count them so. Fixed ones are constants of the program. */
  parameters: RuleParameter[];
  /** Sets that a search over its ranges can try: `setsOfRanges`. */
  setCount: number;
  program: RuleProgram;
  exits: RuleExits;
  lookBack: RuleLookBack;
  warnings: RuleProblem[];
}

export interface RuleLookBack {
  /** Candles of the base before the first decision, those of the exits' average true range included. */
  base: number;
  /** Candles of each longer interval, in the order of `program.intervals`. */
  longer: number[];
}

/**
 * Checks and compiles a text.
 * @param interval of the candles that decide; longer intervals of the text must be longer than it
 * @returns the errors in order of position, PROBLEMS_MAX at most
 */
export function compileRules(
  text: string,
  { interval = '1m' }: { interval?: IntervalName } = {},
): Result<RuleSet, RuleProblem[]> {
  const errors = createProblems(text);
  const warnings = createProblems(text);
  if (text.length > RULES_TEXT_MAX) {
    const fix = `shorten it to ${RULES_TEXT_MAX} characters`;
    errors.report({ start: RULES_TEXT_MAX, end: text.length }, `the text has ${text.length} characters`, fix);
    return failWith(errors.list());
  }
  const statements = parseRules(text, errors);
  const scope = scopeOf(text, statements, { errors, warnings, interval });
  const conditions = checkStatements(scope, statements);
  const { long, short } = conditions;
  const direction = short === undefined ? 'long' : long === undefined ? 'short' : 'both';
  const exits = checkExits(scope, statements.filter(isExit), direction);
  const setCount = checkSets(scope, statements);
  requireEntry(scope, statements);
  if (exits === undefined || errors.count() > 0) return failWith(errors.list());
  const intervals = [...scope.frames].sort((a, b) => intervalMs[a] - intervalMs[b]);
  const program = emitProgram(scope, conditions, intervals);
  if (program === undefined) return failWith(errors.list());
  warnUnused(scope, statements);
  const lookBack = lookBackOf(program, exits, scope.parameters);
  return ok({ text, parameters: scope.parameters, setCount, program, exits, lookBack, warnings: warnings.list() });
}

/** The exits of one set. @param values of every parameter, in order; absent: those of the text */
export const exitsOf = (
  { exits, parameters }: Pick<RuleSet, 'exits' | 'parameters'>,
  values: readonly number[] = parameters.map(({ value }) => value),
): StrategyExits => exitsFor(exits, values);

const isExit = (statement: Statement): statement is ExitStatement =>
  statement.kind !== 'parameter' && statement.kind !== 'value' && statement.kind !== 'condition';

function scopeOf(
  text: string,
  statements: readonly Statement[],
  { errors, warnings, interval }: Pick<Scope, 'errors' | 'warnings'> & { interval: IntervalName },
): Scope {
  const defined = statements.flatMap((one) => (one.kind === 'parameter' || one.kind === 'value' ? [one.name] : []));
  return {
    text,
    errors,
    warnings,
    parameters: [],
    names: new Map(),
    later: new Set(defined),
    used: new Set(),
    base: interval,
    frames: new Set(),
    isInFrame: false,
  };
}

const conditionWords: Record<ConditionKind, string> = {
  long: 'long when',
  short: 'short when',
  exitLong: 'exit long when',
  exitShort: 'exit short when',
};

function checkStatements(scope: Scope, statements: readonly Statement[]): Partial<Record<ConditionKind, Checked>> {
  const conditions: Partial<Record<ConditionKind, Checked>> = {};
  const lines = new Map<string, number>();
  for (const statement of statements) {
    if (statement.kind === 'parameter') define(scope, statement, checkParameter(scope, statement));
    if (statement.kind === 'value') define(scope, statement, statement.of && checkExpression(scope, statement.of));
    if (statement.kind !== 'condition') continue;
    const { side, of, at } = statement;
    const line = lines.get(side);
    if (line !== undefined) {
      const fix = `join both with or: ${conditionWords[side]} (...) or (...)`;
      fail(scope, at, `\`${conditionWords[side]}\` stands in line ${line} already`, fix);
    } else lines.set(side, lineOf(scope.text, at.start));
    const checked = of && ofType(scope, checkExpression(scope, of), 'condition');
    if (checked !== undefined) conditions[side] ??= checked;
  }
  return conditions;
}

const lineOf = (text: string, start: number): number => text.slice(0, start).split(/\r\n?|\n/).length;

type Definition = Extract<Statement, { kind: 'parameter' | 'value' }>;

function define(scope: Scope, { name, nameAt }: Definition, checked: Checked | undefined): void {
  if (scope.names.has(name)) {
    fail(scope, nameAt, `${quote(name)} has a value already`, `use another name, such as ${name}_2`);
    return;
  }
  if (scope.names.size === NAMES_MAX)
    fail(scope, nameAt, `more than ${NAMES_MAX} names`, 'write some of them where they are used');
  scope.names.set(name, checked);
}

function checkParameter(scope: Scope, statement: Extract<Statement, { kind: 'parameter' }>): Checked | undefined {
  const { name, nameAt, value, range } = statement;
  const plain = { type: 'number', unit: 'none', at: nameAt } as const;
  if (range === undefined) {
    scope.parameters.push({ name, value, from: value, to: value, step: 0, count: 1 });
    return { ...plain, form: { kind: 'constant', value } };
  }
  const { from, to, step, at } = range;
  const failRange = (message: string, fix: string): undefined => fail(scope, at, message, fix);
  if (!(from < to)) {
    failRange('the range ends below its start', `write [${to}..${from} step ${Math.abs(step) || 1}]`);
    return;
  }
  if (!(step > 0)) {
    failRange(`the step is ${step}`, `use a step above 0, such as ${(to - from) / 10}`);
    return;
  }
  if (value < from || value > to) {
    failRange(`${value} is outside the range`, `write a number from ${from} to ${to} before it`);
    return;
  }
  // Rounding of (0.3 - 0.1) / 0.1 must not lose the last value.
  const count = Math.floor((to - from) / step + 1e-9) + 1;
  if (count > abi.RULE_SETS_MAX) {
    failSets(scope, at, count);
    return;
  }
  const index = scope.parameters.push({ name, value, from, to, step, count }) - 1;
  return { ...plain, form: { kind: 'parameter', index } };
}

function failSets(scope: Scope, at: Statement['at'], count: number): undefined {
  const most = abi.RULE_SETS_MAX.toLocaleString('en-US');
  fail(
    scope,
    at,
    `the ranges have ${count.toLocaleString('en-US')} sets`,
    `use larger steps: at most ${most} sets in all`,
  );
}

/** @returns sets of all ranges */
function checkSets(scope: Scope, statements: readonly Statement[]): number {
  const ranges = statements.flatMap((one) => (one.kind === 'parameter' && one.range !== undefined ? [one.range] : []));
  const extra = ranges[abi.RULE_PARAMETERS_MAX];
  if (extra !== undefined) {
    const count = ranges.length - abi.RULE_PARAMETERS_MAX;
    const fix = count === 1 ? 'remove one of the ranges' : `remove ${count} of the ranges`;
    fail(scope, extra.at, `${ranges.length} parameters have a range, at most ${abi.RULE_PARAMETERS_MAX} may`, fix);
  }
  const setCount = setsOfRanges(scope.parameters);
  const last = ranges.at(-1);
  if (last !== undefined && setCount > abi.RULE_SETS_MAX) failSets(scope, last.at, setCount);
  return setCount;
}

function requireEntry(scope: Scope, statements: readonly Statement[]): void {
  if (statements.some((one) => one.kind === 'condition' && (one.side === 'long' || one.side === 'short'))) return;
  // An entry that has a syntax error is reported there.
  if (/\b(long|short|buy|sell|enter|when)\b/i.test(scope.text) && scope.errors.count() > 0) return;
  const end = { start: scope.text.length, end: scope.text.length };
  fail(scope, end, 'nothing opens a position', 'add a line: long when rsi(14) < 30');
}

function warnUnused({ warnings, used }: Scope, statements: readonly Statement[]): void {
  for (const statement of statements) {
    if (statement.kind !== 'parameter' && statement.kind !== 'value') continue;
    if (used.has(statement.name)) continue;
    warnings.report(statement.nameAt, `${quote(statement.name)} is not used`, 'remove its line or use it');
  }
}

function lookBackOf(
  { lookBacks: [base = 0, ...longer] }: RuleProgram,
  exits: RuleExits,
  parameters: readonly RuleParameter[],
): RuleLookBack {
  const levels = [exits.stop.mode, exits.target.mode, exits.trailing.mode];
  const [, , period] = boundsOf(exits.atrPeriod, parameters);
  return { base: levels.includes('atr') ? Math.max(base, period) : base, longer };
}
