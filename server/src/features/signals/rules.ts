import type { Strategy } from '@sextant/engine-as/abi/strategy.ts';
import type { EnsembleTimeframe } from '@sextant/workers/src/protocol/ensemble.ts';
import {
  timeframesOf as timeframesOfSteps,
  TUNING_STEPS,
  tuningBounds,
  type TuningWeights,
} from '@sextant/workers/src/signals/signalRules.ts';
import { tunableVotes } from '@sextant/engine-as/abi/liveWeights.ts';
import { z } from 'zod';
import { intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import type { LoadedSeries } from './candles.ts';

export const tuningIds = tunableVotes;

const isStep = (value: number): boolean => Math.abs(value * TUNING_STEPS - Math.round(value * TUNING_STEPS)) < 1e-9;
const { min, max, step } = tuningBounds;
/** Factor on the weight of one vote. */
export const TuningWeight = z
  .number()
  .min(min, `must be at least ${min}`)
  .max(max, `must be at most ${max}`)
  .refine(isStep, `must be in steps of ${step}`);
export const Tuning = z
  .strictObject(
    Object.fromEntries(tunableVotes.map((id) => [id, TuningWeight])) as Record<
      keyof TuningWeights,
      typeof TuningWeight
    >,
  )
  .meta({
    description: `Factors on the weights of the live ensemble, ${min} to ${max} in steps of ${step}; 1 is neutral.`,
  });

/** The base first, then each longer interval. */
export const timeframesOf = (series: readonly LoadedSeries[], strategy?: Strategy): EnsembleTimeframe[] =>
  timeframesOfSteps(
    series.map(({ interval, candles }) => ({ interval, stepMs: intervalMs[interval], candles })),
    strategy,
  );
