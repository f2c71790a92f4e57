import type { Statistic } from '@sextant/engine-as/abi/metrics.ts';
import { z } from 'zod';
import { closeReasons, type FieldKind, type FieldsOf, sides } from '../fields.ts';

/** Schemas of the tables of ../fields.ts. */

const count = z.int().min(0);

export const StatisticWire = z
  .object({
    value: z.number().nullable(),
    count,
    standardError: z.number().optional(),
    reason: z.string().optional(),
  })
  .meta({ description: 'A statistic over `count` days, or null with the reason why there is none.' });

const schemas = {
  text: z.string(),
  count,
  number: z.number(),
  'number or null': z.number().nullable(),
  flag: z.boolean(),
  side: z.enum(sides),
  'close reason': z.enum(closeReasons),
  // The engine's type also says which fields of a statistic come together.
  statistic: StatisticWire as unknown as z.ZodType<Statistic>,
} as const satisfies Record<FieldKind, z.ZodType>;

type Shape<Fields> = { [Name in keyof Fields]: z.ZodType<Fields[Name]> };

/** A schema for each field of a table. */
export const shapeOf = <Table extends Readonly<Record<string, FieldKind>>>(fields: Table): Shape<FieldsOf<Table>> =>
  Object.fromEntries(Object.entries(fields).map(([name, kind]) => [name, schemas[kind]])) as Shape<FieldsOf<Table>>;
