import type { OptimizeInput, OptimizeResult } from '@sextant/workers/src/protocol/optimize.ts';
import { ok } from '@sextant/workers/src/core/result.ts';
import { serverSamplesMax, setCostIn } from '@sextant/workers/src/tasks/optimize/setCost.ts';
import { hashTrials, type TrialFigures } from '@sextant/workers/src/tasks/optimize/trialsHash.ts';
import { optimizeToWire, optionsFromWire, rulesSpaceFromWire } from '@sextant/workers/src/protocol/wire/optimize.ts';
import type { z } from 'zod';
import { type Outcome, reject } from '../../../platform/errors.ts';
import { without } from '../../../platform/without.ts';
import type { LoadedRun, RunBody } from '../loadRun.ts';
import type { SearchResult } from './contract.ts';
import type { SettledMinutes } from './storedMinutes.ts';

export type SearchOptions = NonNullable<RunBody['optimize']>;
export type SearchResultWire = z.output<typeof SearchResult>;

/** The task of a whole search over the parameters or rules of the run, the same as a browser sends to its engine. */
export function searchInputOf(
  { input, rules }: Pick<LoadedRun, 'input' | 'rules'>,
  options: SearchOptions,
): OptimizeInput {
  const search = { ...input, ...optionsFromWire(options) };
  return rules === undefined ? search : { ...search, rules: { ...rules, ...rulesSpaceFromWire(options.rulesSpace) } };
}

/** Rejects a search above the work limit: sets times candles, a set of rules weighted by its cost. */
export function checkWork(input: OptimizeInput): Outcome<null> {
  const candleCount = input.candles.time.length;
  const most = serverSamplesMax(candleCount, setCostIn(input));
  if (input.samples <= most) return ok(null);
  const sets = input.rules === undefined ? '' : ' of this strategy';
  const message = `optimize.samples ${input.samples}: at most ${most}${sets} with ${candleCount} candles`;
  return reject('validation_failed', message, { field: 'optimize.samples' });
}

/** Removes `unknownBars`, used only to load minutes; those of the walk-forward are shown. */
export function withoutUnknown(result: OptimizeResult): OptimizeResult {
  const { best, ...rest } = without(result, 'unknownBars');
  return { ...rest, ...(best === undefined ? {} : { best: without(best, 'unknownBars') }) };
}

export const minutesWire = ({
  opens,
  absentCount,
  beyondCount,
  problem,
}: SettledMinutes): NonNullable<SearchResultWire['minutes']> => ({
  candles: opens.length,
  absent: absentCount,
  beyond: beyondCount,
  problem,
});

/**
 * The response of a search without the figures of each set, which would be most of it and follow from the seed. Their hash
 * shows whether another run of the same search had the same result.
 * @param input the search
 * @param last the whole search, or the step that joined its chunks
 * @param samples figures of every sample, in order
 */
export function searchResultOf(
  input: Pick<OptimizeInput, 'costs'>,
  last: OptimizeResult,
  samples: readonly TrialFigures[],
): SearchResultWire {
  const wire = optimizeToWire(last, input) as SearchResultWire & Record<'trials' | 'refined' | 'from', unknown>;
  return { ...without(wire, 'trials', 'refined', 'from'), trialsHash: hashTrials(samples, last.refined) };
}
