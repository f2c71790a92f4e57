import { z } from 'zod';
import {
  contributionFields,
  monthFields,
  regimeFields,
  regimes,
  skipFields,
  summaryFields,
} from '../portfolioFigures.ts';
import { shapeOf } from './fieldSchemas.ts';

/** Schemas of the figures of an account over many symbols. */

export const PortfolioSkipsWire = z.object(shapeOf(skipFields));

export const PortfolioSummaryWire = z.object({
  ...shapeOf(summaryFields),
  turnover: z.number().meta({ description: 'Notional of all fills, USDT.' }),
  turnoverRatio: z.number().meta({ description: 'Turnover over the mean equity.' }),
});

export const contributionShape = { ...shapeOf(contributionFields), skips: PortfolioSkipsWire };
export const monthShape = shapeOf(monthFields);
export const regimeShape = { regime: z.enum(regimes), ...shapeOf(regimeFields) };
