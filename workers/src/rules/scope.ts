import type { IntervalName } from '@sextant/engine-as/abi/intervals.ts';
import * as abi from '@sextant/engine-as/abi/ruleProgram.ts';
import {
  boundsOf,
  type Checked,
  foldOperation,
  isQuantity,
  isTimeless,
  operationForm,
  type Quantity,
  type RuleParameter,
} from './checked.ts';
import { type Problems, quote, type Span } from './problems.ts';
import type { RuleType } from './vocabulary.ts';

/** What the names of a text mean, and where problems go. Functions that return undefined have reported why. */
export interface Scope {
  text: string;
  errors: Problems;
  warnings: Problems;
  parameters: RuleParameter[];
  /** By name, in the order of the text; undefined when the definition has an error. */
  names: Map<string, Checked | undefined>;
  /** Names defined anywhere, for one that is used before its line. */
  later: ReadonlySet<string>;
  used: Set<string>;
  base: IntervalName;
  frames: Set<IntervalName>;
  isInFrame: boolean;
}

export const FRAMES_MAX = abi.RULE_FRAMES_MAX - 1;

export const textOf = ({ text }: Scope, { start, end }: Span): string => text.slice(start, end);

export function fail({ errors }: Scope, at: Span, message: string, fix: string | (() => string)): undefined {
  errors.report(at, message, fix);
  return undefined;
}

export const constant = (value: number, type: RuleType, at: Span): Checked => ({
  type,
  unit: 'none',
  at,
  form: { kind: 'constant', value },
});

interface Operation {
  op: number;
  operands: Checked[];
  quantity?: Quantity;
  occurrence?: number;
  lookBack?: number;
}

/** An operation, or its value when every operand is a constant. */
export function operation(
  scope: Scope,
  result: Pick<Checked, 'type' | 'unit' | 'range' | 'at'>,
  { lookBack = 0, ...rest }: Operation,
): Checked | undefined {
  const value = foldOperation(rest.op, rest.operands);
  if (value !== undefined) {
    if (Number.isFinite(value)) return constant(value, result.type, result.at);
    const fix = 'write a number that can be calculated';
    fail(scope, result.at, `${quote(textOf(scope, result.at))} has no value`, fix);
    return;
  }
  return withBase({ ...result, form: operationForm({ ...rest, lookBack }) }, rest.operands);
}

/** `checked` with the first part of `parts` that exists on the base interval only. */
export function withBase(checked: Checked, parts: readonly Checked[]): Checked {
  const baseOnly = parts.find((one) => one.baseOnly !== undefined)?.baseOnly;
  return baseOnly === undefined ? checked : { ...checked, baseOnly };
}

/** `checked` when it has the type. */
export function ofType(scope: Scope, checked: Checked | undefined, type: RuleType): Checked | undefined {
  if (checked === undefined || checked.type === type) return checked;
  const shown = textOf(scope, checked.at);
  const [message, fix] =
    type === 'number'
      ? ['is a condition where a number is needed', `write if(${shown}, 1, 0)`]
      : ['is a number where a condition is needed', `compare it: ${shown} > 0`];
  fail(scope, checked.at, `${quote(shown)} ${message}`, fix);
  return;
}

/** A whole number of candles: a constant or a parameter itself. */
export function checkCount(
  scope: Scope,
  checked: Checked,
  { from, to, isInteger = true }: { from: number; to: number; isInteger?: boolean },
  what: string,
): { quantity: Quantity; most: number } | undefined {
  const { form, at } = checked;
  const shown = quote(textOf(scope, at));
  if (!isQuantity(form)) {
    const fix = isTimeless(checked)
      ? 'give the result its own parameter: n = 20 [5..50 step 1]'
      : 'write a number or the name of a parameter';
    fail(scope, at, `${shown} is not a fixed number: ${what} is the same at every candle`, fix);
    return;
  }
  const parameter = form.kind === 'parameter' ? scope.parameters[form.index] : undefined;
  const values = boundsOf(form, scope.parameters);
  const wrong = values.find((value) => !(value >= from && value <= to) || (isInteger && !Number.isInteger(value)));
  const isPartStep = isInteger && parameter !== undefined && !Number.isInteger(parameter.step);
  if (wrong !== undefined || isPartStep) {
    const result = wrong === undefined ? `has a step of ${parameter?.step}` : `is ${wrong}`;
    const kind = isInteger ? 'a whole number' : 'a number';
    const where = parameter === undefined ? '' : ' in all of its range';
    fail(scope, at, `${what} ${result}`, `use ${kind} from ${from} to ${to}${where}`);
    return;
  }
  return { quantity: form, most: Math.max(...values) };
}
