import { type CostName, costParameters, type CostRow, costRows } from '@sextant/engine-as/abi/costParameters.ts';
import {
  type ClassicOptional,
  type ClassicRequired,
  classicRows,
  type NumbersOf,
  type ParameterBounds,
  parameterRows,
  type RunParameter,
  runParameters,
  type RunPart,
} from '@sextant/engine-as/abi/runParameters.ts';
import { z } from 'zod';

/** Schemas of the numbers of engine-as/abi/runParameters.ts and costParameters.ts. */

/** One schema for equal bounds, so that the API document can name it. */
const raised = new Map<string, z.ZodNumber>();

export function numberWithin({ min, max, isOpen, isInteger, isRaised }: ParameterBounds): z.ZodNumber {
  const base: z.ZodNumber = isInteger === true ? z.int() : z.number();
  if (isRaised !== true) return (isOpen === true ? base.gt(min) : base.min(min)).max(max);
  const key = `${min} ${max} ${isInteger}`;
  const schema = raised.get(key) ?? base.max(max).overwrite((value) => Math.max(min, value));
  raised.set(key, schema);
  return schema;
}

/** Fields of some parts of a strategy. */
export function strategyShape<P extends RunPart>(...parts: P[]): NumberShape<NumbersOf<P>> {
  const rows = parameterRows.filter(({ exit }) => (parts as RunPart[]).includes(exit));
  const fields = rows.map((row) => {
    const text = row.isRaised === true ? `${row.text} ${row.min} when less.` : row.text;
    const schema = numberWithin(row).meta({ description: text });
    return [row.field, row.isLater === true ? schema.exactOptional() : schema] as const;
  });
  return Object.fromEntries(fields) as NumberShape<NumbersOf<P>>;
}

type NumberShape<Numbers> = {
  [K in keyof Numbers]-?: undefined extends Numbers[K] ? z.ZodExactOptional<z.ZodNumber> : z.ZodNumber;
};

/** A level of a strategy, by its mode. */
export const numberOf = (name: keyof typeof runParameters): z.ZodNumber => {
  const row: RunParameter = runParameters[name];
  return numberWithin(row).meta({ description: row.text });
};

const classicFields = (part: 'params' | 'trailing', isOptional: boolean) =>
  classicRows
    .filter(({ classic }) => classic.part === part && (classic.isOptional === true) === isOptional)
    .map(({ classic: { wire, sent, text }, isInteger, isRaised, default: standard }) => ({
      wire,
      schema: numberWithin({ ...sent, isInteger: isInteger === true, isRaised: isRaised === true }),
      meta: text === undefined ? {} : { description: text },
      standard,
    }));

/** Fields of Classic that have a default. */
export const requiredShape = <P extends 'params' | 'trailing'>(
  part: P,
): ClassicRequired<P, 'wire', z.ZodDefault<z.ZodNumber>> =>
  Object.fromEntries(
    classicFields(part, false).map(
      ({ wire, schema, meta, standard }) => [wire, schema.default(standard).meta(meta)] as const,
    ),
  );

/** The others. */
export const optionalShape = <P extends 'params' | 'trailing'>(
  part: P,
): ClassicOptional<P, 'wire', z.ZodOptional<z.ZodNumber>> =>
  Object.fromEntries(
    classicFields(part, true).map(({ wire, schema, meta }) => [wire, schema.optional().meta(meta)] as const),
  );

/** A cost that must be there. */
export const costNumber = (name: CostName): z.ZodNumber => costWithin(costParameters[name].sent);

const costWithin = ({ min, max }: CostRow['sent']): z.ZodNumber =>
  max === undefined ? z.number().min(min) : z.number().min(min).max(max);

const withText = <Schema extends z.ZodType>(schema: Schema, { text }: CostRow): Schema =>
  text === undefined ? schema : schema.meta({ description: text });

/** Fields of some costs, each with its default. */
export const defaultCostShape = <K extends CostName>(
  isTaken: (row: CostRow) => boolean,
): Record<K, z.ZodDefault<z.ZodNumber>> =>
  Object.fromEntries(
    costRows.filter(isTaken).map((row) => [row.name, withText(costWithin(row.sent).default(row.default ?? 0), row)]),
  ) as Record<K, z.ZodDefault<z.ZodNumber>>;

/** Fields of some costs that may be absent. */
export const optionalCostShape = <K extends CostName>(
  isTaken: (row: CostRow) => boolean,
): Record<K, z.ZodOptional<z.ZodNumber>> =>
  Object.fromEntries(
    costRows.filter(isTaken).map((row) => [row.name, withText(costWithin(row.sent).optional(), row)]),
  ) as Record<K, z.ZodOptional<z.ZodNumber>>;
