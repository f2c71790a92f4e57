import { liveWeights, tunableVotes } from '@sextant/engine-as/abi/liveWeights.ts';
import type { EnsembleTimeframe } from '@sextant/workers/src/protocolEnsemble.ts';
import type { SignalsInput, SignalSizing } from '@sextant/workers/src/protocolSignals.ts';
import { z } from 'zod';
import { intervalMs } from '../market/intervals.ts';
import type { LoadedSeries } from './candles.ts';

/** The rules every signal of the product is made by. docs/signals.md is their text. */

export const signalIntervals = ['15m', '1h', '4h'] as const;
export type SignalInterval = (typeof signalIntervals)[number];

/** Least |score| that is a direction. */
const THRESHOLD = 0.08;
/** A longer interval beside the base speaks half as loud. */
const CONTEXT_WEIGHT = 0.5;
/** Candles over which agreement between votes is measured. */
const REDUNDANCY_COUNT = 200;
/** Stop two average true ranges away, target four; by percent where there is no average yet. */
const LEVELS = { mode: 'atr', stopAtr: 2, targetAtr: 4, stopFraction: 0.02, targetFraction: 0.04 } as const;

export type TuningWeights = Record<(typeof tunableVotes)[number], number>;
export const tuningIds = tunableVotes;
export const neutralTuning = Object.fromEntries(tunableVotes.map((id) => [id, 1])) as TuningWeights;

const isTwentieth = (value: number): boolean => Math.abs(value * 20 - Math.round(value * 20)) < 1e-9;
/** A factor on the weight of one vote. */
export const TuningWeight = z
  .number()
  .min(0.5, 'must be at least 0.5')
  .max(1.5, 'must be at most 1.5')
  .refine(isTwentieth, 'must be in steps of 0.05');
export const Tuning = z
  .strictObject(
    Object.fromEntries(tunableVotes.map((id) => [id, TuningWeight])) as Record<
      keyof TuningWeights,
      typeof TuningWeight
    >,
  )
  .meta({
    description: 'Factors on the weights of the live ensemble, 0.5 to 1.5 in steps of 0.05; 1 changes nothing.',
  });

export const rulesOf = (tuning: TuningWeights): SignalsInput['rules'] => ({
  weights: liveWeights,
  tuning,
  threshold: THRESHOLD,
  levels: LEVELS,
  redundancyCount: REDUNDANCY_COUNT,
});

export const sizingOf = (
  given: Pick<SignalSizing, 'balanceUsdt' | 'leverage' | 'riskTolerance' | 'isDynamicRisk'>,
): SignalSizing => ({
  ...given,
  // Where no tier of the venue is known: 0.5 % maintenance, taker fees of 0.05 %, a stop that slips by 0.05 %.
  maintenanceMarginFraction: 0.005,
  takerFeeFraction: 0.0005,
  stopSlippageFraction: 0.0005,
});

/** The base first, then each longer interval. */
export function timeframesOf(series: readonly LoadedSeries[]): EnsembleTimeframe[] {
  const sorted = [...series].sort((a, b) => intervalMs[a.interval] - intervalMs[b.interval]);
  return sorted.map(({ interval, candles }, i) => ({
    interval,
    stepMs: intervalMs[interval],
    candles,
    weight: i === 0 ? 1 : CONTEXT_WEIGHT,
  }));
}
