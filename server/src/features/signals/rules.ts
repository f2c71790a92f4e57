import type { Strategy } from '@sextant/engine-as/abi/strategy.ts';
import type { EnsembleTimeframe } from '@sextant/workers/src/protocolEnsemble.ts';
import { timeframesOf as timeframesOfSteps, type TuningWeights } from '@sextant/workers/src/signalRules.ts';
import { tunableVotes } from '@sextant/engine-as/abi/liveWeights.ts';
import { z } from 'zod';
import { intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import type { LoadedSeries } from './candles.ts';

export const tuningIds = tunableVotes;

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

/** The base first, then each longer interval. */
export const timeframesOf = (series: readonly LoadedSeries[], strategy?: Strategy): EnsembleTimeframe[] =>
  timeframesOfSteps(
    series.map(({ interval, candles }) => ({ interval, stepMs: intervalMs[interval], candles })),
    strategy,
  );
