import { fail, type TaskResult } from '../../protocol/taskResult.ts';
import type { NumberRange } from '../../protocol/optimize.ts';
import { ok } from '../../core/result.ts';

export function checkRange(name: string, { min, max }: NumberRange, bounds: NumberRange): TaskResult<null> {
  const isInside = min >= bounds.min && max <= bounds.max && min <= max; // false for NaN
  if (isInside) return ok(null);
  const text = `is ${min}..${max}, must lie within ${bounds.min}..${bounds.max} with min <= max`;
  return fail('bad_input', `${name} ${text}`, name);
}

/** A row of the space in grid steps. */
export const rowOf = ({ min, max }: NumberRange, perUnit: number, divisor: number): number[] => [
  Math.round(min * perUnit),
  Math.round(max * perUnit),
  divisor,
];
