import { z } from 'zod';

/**
 * The JSON form of a backtest, as the public API and the command line take it. Wire names are the specification's
 * (`slPct`, `tpPct`, `callbackPct`, `stepPct` hold FRACTIONS); protocol.ts has the names used inside.
 */

/** The 13 backtest weights with their defaults (BT-022), in the engine's vote order. */
export const defaultWeights = {
  rsi: 1.5,
  macd: 1.5,
  boll: 1.2,
  adx: 1,
  supertrend: 1.2,
  vwap: 1,
  mfi: 1,
  obv: 0.8,
  cci: 0.8,
  donchian: 0.6,
  ichimoku: 1,
  stochrsi: 0.8,
  fib: 0.6,
} as const;

export type VoteId = keyof typeof defaultWeights;
export const voteIds = Object.keys(defaultWeights) as VoteId[];

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
});

export const StrategyParamsWire = z.strictObject({
  weights: WeightsWire.prefault({}),
  entryThreshold: z.number().gt(0).max(1).default(0.08),
  slPct: z.number().min(0.001).max(0.1).default(0.02).meta({ description: 'Stop distance, a fraction: 0.02 is 2 %.' }),
  tpPct: z.number().min(0.001).max(0.2).default(0.04).meta({ description: 'Target distance, a fraction.' }),
  trailing: TrailingWire.prefault({}),
});
