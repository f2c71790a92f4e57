import type { BacktestInput } from '@sextant/workers/src/protocol.ts';
import type { OptimizeInput, OptimizeResult } from '@sextant/workers/src/protocolOptimize.ts';
import { hashTrials, type TrialFigures } from '@sextant/workers/src/tasks/optimize/trialsHash.ts';
import { optimizeToWire, optionsFromWire } from '@sextant/workers/src/wire/optimize.ts';
import type { z } from 'zod';
import { without } from '../../../platform/without.ts';
import type { RunBody } from '../loadRun.ts';
import type { SearchResult } from './contract.ts';

export type SearchOptions = NonNullable<RunBody['optimize']>;
export type SearchResultWire = z.output<typeof SearchResult>;

/** The task of a whole search: the same that a browser gives to its own engine. */
export const searchInputOf = (input: BacktestInput, options: SearchOptions): OptimizeInput => ({
  ...input,
  ...optionsFromWire(options),
});

/**
 * The answer of a search without the figures of each set: they would be most of it, and follow from the seed. Their hash says
 * whether another run of the same search gave the same.
 * @param last the whole search, or the step that joined its chunks
 * @param samples figures of every sample, in order
 */
export function searchResultOf(last: OptimizeResult, samples: readonly TrialFigures[]): SearchResultWire {
  const wire = optimizeToWire(last) as SearchResultWire & Record<'trials' | 'refined' | 'from', unknown>;
  return { ...without(wire, 'trials', 'refined', 'from'), trialsHash: hashTrials(samples, last.refined) };
}
