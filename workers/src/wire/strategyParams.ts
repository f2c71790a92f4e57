import { z } from 'zod';
import type { StrategyParams } from '../protocol.ts';
import { withoutUndefined } from './costs.ts';
import { defaultWeights, type VoteId, voteIds } from './defaults.ts';

/**
 * Strategy parameters as JSON. The names are the specification's: `slPct`, `tpPct`, `callbackPct`, `stepPct` and
 * `activationPct` hold FRACTIONS; protocol.ts has the names used inside.
 */

const isTenth = (weight: number): boolean => Math.abs(weight * 10 - Math.round(weight * 10)) < 1e-9;
const Weight = z.number().min(0).max(2).refine(isTenth, 'must be a multiple of 0.1');

export const WeightsWire = z.strictObject(
  Object.fromEntries(voteIds.map((id) => [id, Weight.default(defaultWeights[id])])) as Record<
    VoteId,
    z.ZodDefault<typeof Weight>
  >,
);

export const TrailingWire = z.strictObject({
  enabled: z.boolean().default(false),
  callbackPct: z.number().min(0.0005).max(0.2).default(0.005).meta({ description: 'Fraction: 0.005 is 0.5 %.' }),
  stepPct: z.number().min(0).max(0.2).default(0.0025).meta({ description: 'Fraction: 0.0025 is 0.25 %.' }),
  mode: z.enum(['percent', 'atr']).optional().meta({ description: 'percent when absent.' }),
  atrMultiplier: z.number().min(0.5).max(100).optional().meta({ description: '2 when absent.' }),
  atrPeriod: z.int().min(1).max(1000).optional().meta({ description: 'Candles; 14 when absent.' }),
  activationPct: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .meta({ description: 'Profit that starts the trailing, a fraction.' }),
});

export const StrategyParamsWire = z.strictObject({
  weights: WeightsWire.prefault({}),
  entryThreshold: z.number().gt(0).max(1).default(0.08),
  slPct: z.number().min(0.001).max(0.1).default(0.02).meta({ description: 'Stop distance, a fraction: 0.02 is 2 %.' }),
  tpPct: z.number().min(0.001).max(0.2).default(0.04).meta({ description: 'Target distance, a fraction.' }),
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
  }) as StrategyParams;
}
