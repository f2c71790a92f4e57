import { type ParameterRow, parameterRows, partOf, type RunPart } from './runParameters.ts';
import type { StrategyExits } from './strategy.ts';

// Reads and writes the numbers of runParameters.ts in a strategy, whatever they are called there. Not compiled to WASM.

type Numbers = Record<string, number | undefined>;

const objectOf = (exit: RunPart): (typeof partOf)[keyof typeof partOf] | undefined =>
  exit in partOf ? partOf[exit as keyof typeof partOf] : undefined;

/** The object that holds a number. The table is the only one that names its fields. */
function holderOf(strategy: object, { exit }: ParameterRow): Numbers {
  const part = objectOf(exit);
  return (part === undefined ? strategy : (strategy as Record<string, unknown>)[part]) as Numbers;
}

/** Path of a number in a strategy: `trailing.stepFraction`. */
export function strategyPath({ exit, field }: ParameterRow): string {
  const part = objectOf(exit);
  return part === undefined ? field : `${part}.${field}`;
}

/** Undefined: a level in another mode has another number. */
export const strategyNumber = (strategy: Readonly<Partial<StrategyExits>>, row: ParameterRow): number | undefined =>
  holderOf(strategy, row)[row.field] ?? (row.isLater === true ? row.default : undefined);

/** Changes a number in place. @param strategy the object that holds it is changed too */
export function setStrategyNumber(strategy: StrategyExits, row: ParameterRow, value: number): void {
  holderOf(strategy, row)[row.field] = value;
}

/** A level has the number of its mode alone; a trailing stop and a size have those of every mode. */
const isOfMode = (exits: Readonly<StrategyExits>, { exit, mode }: ParameterRow): boolean =>
  exit === 'stop' || exit === 'target' ? exits[exit].mode === mode : exit !== 'entry';

/** The numbers of the exits of a strategy: not the entry threshold, not a level in another mode. NaN where one is missing. */
export const exitNumbers = (exits: Readonly<StrategyExits>): { row: ParameterRow; value: number }[] =>
  parameterRows
    .filter((row) => isOfMode(exits, row))
    .map((row) => ({ row, value: strategyNumber(exits, row) ?? Number.NaN }));

/** A copy of exits with other numbers. */
export function withNumbers(
  exits: StrategyExits,
  valueOf: (row: ParameterRow, value: number) => number,
): StrategyExits {
  const changed = structuredClone(exits);
  for (const { row, value } of exitNumbers(exits)) setStrategyNumber(changed, row, valueOf(row, value));
  return changed;
}

/** A strategy without later numbers that have their default: what its version is computed of. */
export function withoutLaterDefaults<S extends object>(strategy: S): S {
  const later = parameterRows.filter(
    (row) => row.isLater === true && holderOf(strategy, row)[row.field] === row.default,
  );
  if (later.length === 0) return strategy;
  const rest = structuredClone(strategy);
  for (const row of later) Reflect.deleteProperty(holderOf(rest, row), row.field);
  return rest;
}
