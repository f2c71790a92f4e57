import { withoutUndefined } from '../../core/withoutUndefined.ts';
import { runParameters } from '@sextant/engine-as/abi/runParameters.ts';
import { z } from 'zod';
import type { StrategyParams } from '../backtest.ts';
import { renamed } from '../classicNumbers.ts';
import { classicDefaults, defaultWeights, type VoteId, voteIds, weightBounds } from './defaults.ts';
import { numberWithin, optionalShape, requiredShape } from './numberSchemas.ts';

/**
 * Strategy parameters as JSON. The names are the specification's: those that end in `Pct` hold FRACTIONS;
 * engine-as/abi/runParameters.ts has them with the names used inside.
 */

const isTenth = (weight: number): boolean => Math.abs(weight * 10 - Math.round(weight * 10)) < 1e-9;
const Weight = z.number().min(weightBounds.min).max(weightBounds.max).refine(isTenth, 'must be a multiple of 0.1');

export const WeightsWire = z.strictObject(
  Object.fromEntries(voteIds.map((id) => [id, Weight.default(defaultWeights[id])])) as Record<
    VoteId,
    z.ZodDefault<typeof Weight>
  >,
);

/** Values below 1 are raised to 1, not rejected: the shortest average true range is that of one candle. */
export const AtrPeriodWire = numberWithin(runParameters.atrPeriod);

export const TrailingWire = z.strictObject({
  enabled: z.boolean().default(classicDefaults.trailing.enabled),
  ...requiredShape('trailing'),
  mode: z.enum(['percent', 'atr']).optional().meta({ description: 'percent when absent.' }),
  ...optionalShape('trailing'),
});

export const StrategyParamsWire = z.strictObject({
  weights: WeightsWire.prefault({}),
  ...requiredShape('params'),
  trailing: TrailingWire.prefault({}),
  ...optionalShape('params'),
});

export type StrategyParamsJson = z.output<typeof StrategyParamsWire>;

export function paramsFromWire({ weights, trailing, ...numbers }: StrategyParamsJson): StrategyParams {
  const { enabled, mode } = trailing;
  return {
    weights,
    ...renamed('params', 'field', numbers),
    trailing: { ...withoutUndefined({ enabled, mode }), ...renamed('trailing', 'field', trailing) },
  };
}

export function paramsToWire({ weights, trailing, ...numbers }: StrategyParams): StrategyParamsJson {
  const { enabled, mode } = trailing;
  return {
    weights: weights as StrategyParamsJson['weights'],
    ...renamed('params', 'wire', numbers),
    trailing: { ...withoutUndefined({ enabled, mode }), ...renamed('trailing', 'wire', trailing) },
  };
}
