import { withoutUndefined } from '../../core/withoutUndefined.ts';
import { ATR_PERIOD, TRAILING_MULTIPLE } from '@sextant/engine-as/abi/defaults.ts';
import { strategyFields } from '@sextant/engine-as/abi/strategy.ts';
import { z } from 'zod';
import type { StrategyParams } from '../backtest.ts';
import { classicBounds, classicDefaults, defaultWeights, type VoteId, voteIds } from './defaults.ts';

/**
 * Strategy parameters as JSON. The names are the specification's: `slPct`, `tpPct`, `callbackPct`, `stepPct` and
 * `activationPct` hold FRACTIONS; protocol/backtest.ts has the names used inside.
 */

const isTenth = (weight: number): boolean => Math.abs(weight * 10 - Math.round(weight * 10)) < 1e-9;
const numberOf = (name: keyof typeof classicBounds): z.ZodNumber =>
  z.number().min(classicBounds[name].min).max(classicBounds[name].max);
const Weight = numberOf('weight').refine(isTenth, 'must be a multiple of 0.1');

export const WeightsWire = z.strictObject(
  Object.fromEntries(voteIds.map((id) => [id, Weight.default(defaultWeights[id])])) as Record<
    VoteId,
    z.ZodDefault<typeof Weight>
  >,
);

/** Values below 1 are raised to 1, not rejected: the shortest average true range is that of one candle. */
export const AtrPeriodWire = z
  .int()
  .max(strategyFields.atrPeriod.max)
  .overwrite((period) => Math.max(strategyFields.atrPeriod.min, period));

const { trailing } = classicDefaults;
export const TrailingWire = z.strictObject({
  enabled: z.boolean().default(trailing.enabled),
  callbackPct: numberOf('callbackFraction')
    .default(trailing.callbackFraction)
    .meta({ description: 'Fraction: 0.005 is 0.5 %.' }),
  stepPct: numberOf('stepFraction').default(trailing.stepFraction).meta({ description: 'Fraction: 0.0025 is 0.25 %.' }),
  mode: z.enum(['percent', 'atr']).optional().meta({ description: 'percent when absent.' }),
  atrMultiplier: z
    .number()
    .min(0.5)
    .max(100)
    .optional()
    .meta({ description: `${TRAILING_MULTIPLE} when absent.` }),
  atrPeriod: AtrPeriodWire.optional().meta({ description: `Candles, 1 when less; ${ATR_PERIOD} when absent.` }),
  activationPct: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .meta({ description: 'Profit that starts the trailing, a fraction.' }),
});

export const StrategyParamsWire = z.strictObject({
  weights: WeightsWire.prefault({}),
  entryThreshold: z.number().gt(0).max(1).default(classicDefaults.entryThreshold),
  slPct: numberOf('stopLossFraction')
    .default(classicDefaults.stopLossFraction)
    .meta({ description: 'Stop distance, a fraction: 0.02 is 2 %.' }),
  tpPct: numberOf('takeProfitFraction')
    .default(classicDefaults.takeProfitFraction)
    .meta({ description: 'Target distance, a fraction.' }),
  trailing: TrailingWire.prefault({}),
  holdingBarsMax: z
    .int()
    .min(0)
    .max(1e9)
    .optional()
    .meta({ description: 'Longest time in a trade, candles; 0: none.' }),
});

export type StrategyParamsJson = z.output<typeof StrategyParamsWire>;

export function paramsFromWire({ slPct, tpPct, trailing, ...rest }: StrategyParamsJson): StrategyParams {
  const { callbackPct, stepPct, activationPct, ...mode } = trailing;
  const fractions = { callbackFraction: callbackPct, stepFraction: stepPct, activationFraction: activationPct };
  return withoutUndefined({
    ...rest,
    stopLossFraction: slPct,
    takeProfitFraction: tpPct,
    trailing: withoutUndefined({ ...mode, ...fractions }),
  });
}
