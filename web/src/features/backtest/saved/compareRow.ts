import type { SavedRun } from '../../../api/types.ts';
import type { RatedDefinition } from '../results/allFigures.ts';
import { fractionToPercent } from '../params.ts';
import { formatPercent } from '../../../format/number.ts';

export interface CompareRow {
  name: string;
  left: string;
  right: string;
  isDifferent: boolean;
  definition?: RatedDefinition;
  /** Which of the two did better, where the figure has a better side and both have it. */
  better?: 'left' | 'right';
}

export type Value = string | number | boolean | null | undefined;

/** One thing that is compared: how it is read of a run and how it is written. */
export interface Line {
  name: string;
  read: (run: SavedRun) => Value;
  format: (value: number) => string;
  /** In full, for two numbers that look the same and are not. */
  exact?: (value: number) => string;
  /** Left out while both are the same. */
  isDetail?: boolean;
  /** What stands where there is no number. */
  absent?: string | ((run: SavedRun) => string);
  /** What stands where the run was kept without it. */
  unkept?: string;
  definition?: RatedDefinition;
}

export const percent = {
  format: (value: number) => formatPercent(value),
  exact: (value: number) => `${fractionToPercent(value)}\u00a0%`,
};

function betterOf(a: Value, b: Value, side: RatedDefinition['better']): Pick<CompareRow, 'better'> {
  if (side === undefined || typeof a !== 'number' || typeof b !== 'number' || a === b) return {};
  return { better: a > b === (side === 'higher') ? 'left' : 'right' };
}

/** Two texts; in full where two different numbers would read the same. */
export function rowOf(left: SavedRun, right: SavedRun, line: Line): CompareRow {
  const { name, read, format, exact = String, absent = 'none', unkept = 'not kept', definition } = line;
  const [a, b] = [read(left), read(right)];
  const textOf = (run: SavedRun, value: Value, write: (number: number) => string): string => {
    if (value === undefined) return unkept;
    if (value === null) return typeof absent === 'string' ? absent : absent(run);
    return typeof value === 'number' ? write(value) : String(value);
  };
  const isDifferent = !Object.is(a, b);
  const isHidden = isDifferent && textOf(left, a, format) === textOf(right, b, format);
  const write = isHidden ? exact : format;
  return {
    name,
    left: textOf(left, a, write),
    right: textOf(right, b, write),
    isDifferent,
    ...(definition === undefined ? {} : { definition, ...betterOf(a, b, definition.better) }),
  };
}
