import * as abi from '@sextant/engine-as/abi/ruleProgram.ts';
import type { ParameterRange } from '@sextant/workers/src/rules/syntax.ts';

/** A number with a name; its range is what a search varies. */
export interface Parameter {
  name: string;
  value: number;
  range?: Omit<ParameterRange, 'at'>;
}

/** Names that a text defines, and those that are numbers. */
export interface Known {
  names: readonly string[];
  parameters: readonly Parameter[];
}

/** Values of a new range below and above its number. */
const RANGE_BELOW = 5;
const RANGE_ABOVE = 10;

const tidy = (value: number): number => Number(value.toFixed(6));

/** Whole steps in a distance; rounding must not lose the last one. */
const stepsIn = (distance: number, step: number): number => Math.floor(distance / step + 1e-9);

/** Values that another range of the text may have. */
function valuesLeft(parameters: readonly Parameter[]): number {
  const ranges = parameters.flatMap(({ range }) => range ?? []);
  if (ranges.length >= abi.RULE_PARAMETERS_MAX) return 0;
  const sets = ranges.reduce((product, { from, to, step }) => product * (stepsIn(to - from, step) + 1), 1);
  return Math.floor(abi.RULE_SETS_MAX / sets);
}

/**
 * A definition that gives a number a name and a range of up to 16 values about it, fewer where the text has many sets.
 * @param wanted name; a figure is added where a text has it
 * @param bounds of the field; `step` is the smallest one
 * @returns undefined where the text or the field has no room for two values
 */
export function newRange(
  wanted: string,
  value: number,
  { min, max, step: unit }: { min: number; max: number; step: number },
  { names, parameters }: Known,
): { name: string; definition: string } | undefined {
  const most = valuesLeft(parameters);
  const first = tidy(Math.max(unit, stepsIn(Math.abs(value) / 10, unit) * unit));
  const below = Math.max(0, Math.min(RANGE_BELOW, stepsIn(value - min, first)));
  const above = Math.max(0, Math.min(RANGE_ABOVE, stepsIn(max - value, first)));
  // A larger step stays within the ends of the first one.
  for (let factor = 1; factor <= RANGE_ABOVE; factor++) {
    const [down, up] = [Math.floor(below / factor), Math.floor(above / factor)];
    if (down + up + 1 < 2) return undefined;
    if (down + up + 1 > most) continue;
    const step = tidy(first * factor);
    const name = freeName(wanted, names);
    const range = `[${tidy(value - step * down)}..${tidy(value + step * up)} step ${step}]`;
    return { name, definition: `${name} = ${value} ${range}` };
  }
  return undefined;
}

function freeName(wanted: string, taken: readonly string[]): string {
  let name = wanted;
  for (let i = 2; taken.includes(name); i++) name = `${wanted}${i}`;
  return name;
}
