import type { IntervalName } from '@sextant/engine-as/abi/intervals.ts';
import type { IndicatorEntry } from '@sextant/engine-as/abi/registryTypes.ts';
import * as abi from '@sextant/engine-as/abi/ruleProgram.ts';
import type { Span } from './problems.ts';
import type { RuleType, RuleUnit } from './vocabulary.ts';

/** A checked expression: names are resolved, arguments are in order, constants are folded. Shared where a name is used twice. */
export interface Checked {
  type: RuleType;
  unit: RuleUnit;
  /** Least and greatest value, where the language knows them. */
  range?: readonly [number, number];
  /** Part of it that exists on the base interval only. */
  baseOnly?: string;
  at: Span;
  form: Form;
}

/** A number that an instruction reads from the values of a program. */
export type Quantity = { kind: 'constant'; value: number } | { kind: 'parameter'; index: number };

export type Form =
  | Quantity
  /** Input column RULE_*. */
  | { kind: 'input'; input: number }
  | {
      kind: 'operation';
      op: number;
      operands: Checked[];
      quantity?: Quantity;
      occurrence?: number;
      lookBack: number;
      /** Has no candle in it. Stored: names share their forms, so a walk would double with each name. */
      isTimeless: boolean;
    }
  | {
      kind: 'indicator';
      entry: IndicatorEntry;
      output: number;
      source?: Checked;
      /** In the order of the kernel. */
      parameters: Quantity[];
      lookBack: number;
    }
  | { kind: 'frame'; interval: IntervalName; of: Checked };

export interface RuleParameter {
  name: string;
  value: number;
  /** A fixed parameter has from = to = value, step 0 and count 1. */
  from: number;
  to: number;
  step: number;
  /** Values of its grid: from, from + step, ... up to `to`. */
  count: number;
}

export const isRanged = ({ step }: RuleParameter): boolean => step > 0;

/** Value `index` of a parameter's grid, without the rounding of repeated steps: 0.1, 0.2, 0.3. */
export const gridValue = ({ from, step }: RuleParameter, index: number): number =>
  Number((from + index * step).toPrecision(12));

/** Index of the grid's value that is nearest. */
export const nearestIndex = ({ from, step, count }: RuleParameter, value: number): number =>
  step > 0 ? Math.min(Math.max(Math.round((value - from) / step), 0), count - 1) : 0;

/** Whether the text's own value is one of the grid. */
export const isOnGrid = (parameter: RuleParameter): boolean =>
  gridValue(parameter, nearestIndex(parameter, parameter.value)) === parameter.value;

/** A value of the grid of a parameter, or the text's own, which may lie beside it. */
export const isValueOf = (parameter: RuleParameter, value: number): boolean =>
  value === parameter.value || value === gridValue(parameter, nearestIndex(parameter, value));

/** Sets of all ranges: those of the grid, with the text's own values where they lie beside it. 1 without a range. */
export const setsOfRanges = (parameters: readonly RuleParameter[]): number =>
  parameters
    .filter(isRanged)
    .reduce((product, parameter) => product * (parameter.count + (isOnGrid(parameter) ? 0 : 1)), 1);

/** Its least, present and greatest value. */
export function boundsOf(quantity: Quantity, parameters: readonly RuleParameter[]): readonly [number, number, number] {
  if (quantity.kind === 'constant') return [quantity.value, quantity.value, quantity.value];
  const parameter = parameters[quantity.index];
  if (parameter === undefined) throw new Error(`parameter ${quantity.index} is not declared`);
  return [parameter.from, parameter.value, parameter.to];
}

export const isQuantity = (form: Form): form is Quantity => form.kind === 'constant' || form.kind === 'parameter';

/** Has no candle in it: a constant, a parameter, or arithmetic of them. */
export const isTimeless = ({ form }: Checked): boolean =>
  isQuantity(form) || (form.kind === 'operation' && form.isTimeless);

type Operation = Extract<Form, { kind: 'operation' }>;

/** An operation on checked operands: the one place that makes them. */
export function operationForm(parts: Omit<Operation, 'kind' | 'isTimeless'>): Operation {
  const isFixed = parts.lookBack === 0 && parts.op !== abi.OP_BARSSINCE && parts.operands.every(isTimeless);
  return { kind: 'operation', ...parts, isTimeless: isFixed };
}

/** The operations whose result follows from the operands of one candle; NaN is undefined. Exactly the definitions of abi/ruleProgram.ts. */
const pointwise: Partial<Record<number, (a: number, b: number, c: number) => number>> = {
  [abi.OP_ADD]: (a, b) => a + b,
  [abi.OP_SUB]: (a, b) => a - b,
  [abi.OP_MUL]: (a, b) => a * b,
  [abi.OP_DIV]: (a, b) => (b === 0 ? Number.NaN : a / b),
  [abi.OP_NEG]: (a) => -a,
  [abi.OP_ABS]: Math.abs,
  [abi.OP_MIN]: (a, b) => Math.min(a, b),
  [abi.OP_MAX]: (a, b) => Math.max(a, b),
  [abi.OP_SQRT]: Math.sqrt,
  [abi.OP_FLOOR]: Math.floor,
  [abi.OP_CEIL]: Math.ceil,
  [abi.OP_ROUND]: (a) => Math.floor(a + 0.5),
  [abi.OP_SIGN]: (a) => (a > 0 ? 1 : a < 0 ? -1 : 0),
  [abi.OP_LT]: (a, b) => Number(a < b),
  [abi.OP_LE]: (a, b) => Number(a <= b),
  [abi.OP_GT]: (a, b) => Number(a > b),
  [abi.OP_GE]: (a, b) => Number(a >= b),
  [abi.OP_EQ]: (a, b) => Number(a === b),
  [abi.OP_NE]: (a, b) => Number(a !== b),
  [abi.OP_AND]: (a, b) => Number(a !== 0 && b !== 0),
  [abi.OP_OR]: (a, b) => Number(a !== 0 || b !== 0),
  [abi.OP_NOT]: (a) => Number(a === 0),
  [abi.OP_IF]: (a, b, c) => (a === 0 ? c : b),
  [abi.OP_NZ]: (a) => a,
};

/** Value of an operation over constants; undefined when an operand is none, or candles matter. No constant is NaN. */
export function foldOperation(op: number, operands: readonly Checked[]): number | undefined {
  const values = operands.map(({ form }) => (form.kind === 'constant' ? form.value : undefined));
  if (!values.every((value) => value !== undefined)) return undefined;
  const [a = 0, b = 0, c = 0] = values;
  return pointwise[op]?.(a, b, c);
}
