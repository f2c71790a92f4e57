import { type ClassicNumbers, type ClassicParameterRow, classicRows } from '@sextant/engine-as/abi/runParameters.ts';
import type { StrategyParams } from './backtest.ts';

/** Reads and writes the numbers of engine-as/abi/runParameters.ts in a set of Classic, whatever they are called there. */

type Numbers = Record<string, number | undefined>;

const classicHolder = (params: object, { part }: ClassicParameterRow['classic']): Numbers =>
  (part === 'params' ? params : (params as Record<string, unknown>)[part]) as Numbers;

/** Path of a number in a set of Classic: `trailing.stepFraction`. */
export const classicPath = ({ classic: { part, field } }: ClassicParameterRow): string =>
  part === 'params' ? field : `${part}.${field}`;

/** Undefined: it is optional and absent. */
export const classicNumber = (params: Readonly<StrategyParams>, { classic }: ClassicParameterRow): number | undefined =>
  classicHolder(params, classic)[classic.field];

/** The same of parameters as JSON. */
export const classicSent = (params: object, { classic }: ClassicParameterRow): number | undefined =>
  classicHolder(params, classic)[classic.wire];

/** Changes a number in place; an optional one that is 0 is left out. */
export function setClassicNumber(params: StrategyParams, { classic }: ClassicParameterRow, value: number): void {
  const holder = classicHolder(params, classic);
  if (value === 0 && classic.isOptional === true) Reflect.deleteProperty(holder, classic.field);
  else holder[classic.field] = value;
}

/** The numbers of an object under their other names; absent ones stay absent. @param rows all of the table when absent */
export function renamed<P extends 'params' | 'trailing', To extends 'field' | 'wire'>(
  part: P,
  to: To,
  values: object,
  rows: readonly ClassicParameterRow[] = classicRows,
): ClassicNumbers<P, To> {
  const from = to === 'wire' ? 'field' : 'wire';
  const pairs = rows
    .filter(({ classic }) => classic.part === part)
    .map(({ classic }) => [classic[to], (values as Numbers)[classic[from]]] as const)
    .filter(([, value]) => value !== undefined);
  return Object.fromEntries(pairs) as ClassicNumbers<P, To>;
}
