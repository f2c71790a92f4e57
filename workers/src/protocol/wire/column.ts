import { withoutUndefined } from '../../core/withoutUndefined.ts';
import { z } from 'zod';

export interface ColumnRules {
  countMin?: number;
  countMax: number;
  description?: string;
}

/**
 * An array of finite numbers, checked in one pass that stops at the first wrong value. An array of `z.number()` makes an issue
 * of each wrong value: a body of a million of them would hold the thread for seconds and fill its memory.
 */
export function numberColumn({ countMin = 0, countMax, description }: ColumnRules) {
  return z
    .unknown()
    .superRefine((value, context) => {
      const problem = problemOf(value, countMin, countMax);
      if (problem !== undefined) context.addIssue({ code: 'custom', input: undefined, ...problem });
    })
    .transform((value) => value as number[])
    .meta({
      type: 'array',
      items: { type: 'number' },
      ...(countMin > 0 ? { minItems: countMin } : {}),
      maxItems: countMax,
      ...withoutUndefined({ description }),
    });
}

function problemOf(
  value: unknown,
  countMin: number,
  countMax: number,
): { path: number[]; message: string } | undefined {
  if (!Array.isArray(value)) return { path: [], message: 'must be an array of numbers' };
  const column = value as unknown[];
  if (column.length < countMin) return { path: [], message: `has ${column.length} values, needs at least ${countMin}` };
  if (column.length > countMax) return { path: [], message: `has ${column.length} values, at most ${countMax}` };
  const wrong = column.findIndex((each) => !Number.isFinite(each));
  return wrong < 0 ? undefined : { path: [wrong], message: 'must be a finite number' };
}
