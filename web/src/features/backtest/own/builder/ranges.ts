import { indicatorEntry } from '@sextant/engine-as/abi/registry.ts';
import * as abi from '@sextant/engine-as/abi/ruleProgram.ts';
import { setsOfRanges } from '@sextant/workers/src/rules/checked.ts';
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
  const sets = setsOfRanges(
    parameters.flatMap(({ name, value, range }) =>
      range === undefined ? [] : [{ name, value, ...range, count: stepsIn(range.to - range.from, range.step) + 1 }],
    ),
  );
  return Math.floor(abi.RULE_SETS_MAX / sets);
}

/**
 * A definition that gives a number a name and a range of up to 16 values about it, fewer where the text has many sets.
 * @param wanted name; a figure is added where a text has it
 * @param bounds of the field; `step` is the smallest one
 * @returns undefined where the text or the field has no room for two values, or not for this one
 */
export function newRange(
  wanted: string,
  value: number,
  { min, max, step: unit }: { min: number; max: number; step: number },
  { names, parameters }: Known,
): { name: string; definition: string } | undefined {
  const isWithin = value >= min && value <= max;
  if (!isWithin) return undefined;
  const most = valuesLeft(parameters);
  const first = tidy(Math.max(unit, stepsIn(Math.abs(value) / 10, unit) * unit));
  const below = Math.min(RANGE_BELOW, stepsIn(value - min, first));
  const above = Math.min(RANGE_ABOVE, stepsIn(max - value, first));
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

/** As fine as a field shows. */
export const STEP_MIN = 1e-6;

/**
 * Smallest step of a number that a value is compared with: a tenth of its decade, 1e-6 to 1.
 * @param isWhole the value is a whole number, such as an hour
 */
export function numberStep(value: number, isWhole: boolean): number {
  if (isWhole || value === 0) return 1;
  const decade = Number(value.toExponential().split('e')[1]);
  return Math.min(1, Math.max(STEP_MIN, tidy(10 ** (decade - 1))));
}

interface Bounds {
  min: number;
  max: number;
}

/** Least and greatest value of a number or a parameter as it is written; undefined for another name. */
function boundsOf(text: string, parameters: readonly Parameter[]): Bounds | undefined {
  const value = Number(text);
  if (Number.isFinite(value)) return { min: value, max: value };
  const parameter = parameters.find(({ name }) => name === text);
  return parameter && { min: parameter.range?.from ?? parameter.value, max: parameter.range?.to ?? parameter.value };
}

/** Every value of the parameter is one that the field takes; one without decimals takes whole numbers. */
export function fitsField({ value, range }: Parameter, { min, max, decimals }: Bounds & { decimals: number }): boolean {
  const { from, to, step } = range ?? { from: value, to: value, step: 0 };
  const isWhole = [value, from, to, step].every(Number.isInteger);
  return from >= min && to <= max && (decimals > 0 || isWhole);
}

/** Bounds of a parameter of an indicator, narrowed by a rule between it and the values of the others; `max` below `min` where none is left. */
export function boundsInOrder(
  id: string,
  values: readonly string[],
  i: number,
  parameters: readonly Parameter[],
): Bounds {
  const entry = indicatorEntry(id);
  const own = entry?.parameters[i];
  if (entry === undefined || own === undefined) throw new Error(`${id} has no parameter ${i}`);
  const { check } = entry;
  const others = values.map((value) => boundsOf(value, parameters));
  const isKnown = others.every((each, at) => at === i || each !== undefined);
  if (check === undefined || !isKnown || !own.isInteger) return { min: own.min, max: own.max };
  const named = (end: 'min' | 'max', value: number) =>
    Object.fromEntries(entry.parameters.map(({ name }, at) => [name, at === i ? value : (others[at]?.[end] ?? 0)]));
  const isAllowed = (value: number) => (['min', 'max'] as const).every((end) => check(named(end, value)) === undefined);
  let [min, max] = [own.min, own.max];
  while (min <= max && !isAllowed(min)) min++;
  while (max > min && !isAllowed(max)) max--;
  return min > max ? { min: own.min, max: own.min - 1 } : { min, max };
}
