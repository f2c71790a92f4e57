import type { Statistic } from '@sextant/engine-as/abi/metrics.ts';
import { z } from 'zod';
import {
  contributionFields,
  type FieldKind,
  type FieldsOf,
  monthFields,
  regimeFields,
  regimes,
  skipFields,
  summaryFields,
} from '../portfolioFigures.ts';
import { StatisticWire } from './backtestResult.ts';

/** Schemas of the figures of an account over many symbols. */

const schemas = {
  text: z.string(),
  count: z.int().min(0),
  number: z.number(),
  'number or null': z.number().nullable(),
  // The engine's type also says which fields of a statistic come together.
  statistic: StatisticWire as unknown as z.ZodType<Statistic>,
} as const satisfies Record<FieldKind, z.ZodType>;

const shapeOf = <Table extends Readonly<Record<string, FieldKind>>>(
  fields: Table,
): { [Field in keyof FieldsOf<Table>]: z.ZodType<FieldsOf<Table>[Field]> } =>
  Object.fromEntries(Object.entries(fields).map(([name, kind]) => [name, schemas[kind]])) as {
    [Field in keyof FieldsOf<Table>]: z.ZodType<FieldsOf<Table>[Field]>;
  };

export const PortfolioSkipsWire = z.object(shapeOf(skipFields));

export const PortfolioSummaryWire = z.object({
  ...shapeOf(summaryFields),
  turnover: z.number().meta({ description: 'Notional of all fills, USDT.' }),
  turnoverRatio: z.number().meta({ description: 'Turnover over the mean equity.' }),
});

export const contributionShape = { ...shapeOf(contributionFields), skips: PortfolioSkipsWire };
export const monthShape = shapeOf(monthFields);
export const regimeShape = { regime: z.enum(regimes), ...shapeOf(regimeFields) };
