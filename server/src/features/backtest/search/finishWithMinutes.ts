import { intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import type { EnginePool } from '@sextant/workers/src/protocol/tasks.ts';
import type { OptimizeInput, OptimizeResult } from '@sextant/workers/src/protocol/optimize.ts';
import {
  requestedBars,
  inputWithMinutes,
  givenMinutes,
  joinKnown,
  nextOpens,
} from '@sextant/workers/src/tasks/optimize/settleSearch.ts';
import { finishOnPool, walkOnPool } from '@sextant/workers/src/tasks/optimize/onPool.ts';
import { without } from '../../../platform/without.ts';
import type { StoredMinutes, SettledMinutes } from './storedMinutes.ts';

export interface MinuteSearch {
  engine: EnginePool;
  input: OptimizeInput;
  minutes: StoredMinutes;
  /** The samples ran without minutes, only to find out which are needed. */
  isDraft: boolean;
  /** The best samples of all chunks, and the unresolved candles of any sample. */
  samples: { indices: number[]; unknownBars: number[] };
  signal: AbortSignal;
}

/** The search needs more minutes first: those of the candles in `next.wanted`. */
interface Waiting {
  next: StoredMinutes;
}

interface Settled {
  minutes: StoredMinutes & { settled: SettledMinutes };
  last: OptimizeResult;
}

/**
 * Runs the steps after the samples of a search with minutes: stages and best set, then the walk-forward, each until it needs no more
 * minutes, as a page does with `settleSearch`. Returns the whole result, or the minutes to load before the next call.
 * @throws SearchFailure
 */
export async function finishWithMinutes(
  search: MinuteSearch,
): Promise<{ last: OptimizeResult; settled: SettledMinutes } | Waiting> {
  const { input, minutes } = search;
  const { settled } = minutes;
  const stages = settled === null ? await settleStages(search) : { minutes: { ...minutes, settled }, last: undefined };
  if ('next' in stages) return stages;
  const stored = stages.minutes;
  const walked = await walkWith(search, stored);
  if ('next' in walked) return walked;
  // The minutes of the samples and stages, not those of the walk-forward.
  const had = new Map(stored.settled.opens.map((openMs) => [openMs, stored.known.get(openMs) ?? null]));
  const last = stages.last ?? (await finish(search, inputWithMinutes(input, joinKnown(had))));
  // Reported when only the walk-forward lacks minutes.
  const problem = stored.settled.problem ?? stored.problem;
  return { last: { ...last, ...walked }, settled: { ...stored.settled, problem } };
}

/** Refinement and the best set, with the minutes loaded so far. */
const finish = ({ engine, samples, signal }: MinuteSearch, input: OptimizeInput): Promise<OptimizeResult> =>
  finishOnPool(engine, without(input, 'walkForward'), samples.indices, { signal });

async function settleStages(search: MinuteSearch): Promise<Settled | Waiting> {
  const { input, minutes, isDraft } = search;
  const requesting = inputWithMinutes(input, joinKnown(minutes.known));
  if (isDraft) {
    const drafted = await searchAfter(search, { ...requesting, refine: false });
    if (drafted.wanted.length > 0) return { next: { ...minutes, wanted: drafted.wanted } };
  }
  const { last, unknownBars, wanted } = await searchAfter(search, requesting);
  if (wanted.length > 0) return { next: { ...minutes, wanted } };
  const { fineCandles: _stored, ...settled } = givenMinutes(input.candles, unknownBars, minutes);
  // The walk-forward starts with the loaded minutes and a new count of rounds.
  const known = new Map([...minutes.known].filter(([, each]) => each !== null));
  return { minutes: { ...minutes, known, rounds: 0, settled }, last };
}

/** Runs the stages after the samples. Returns their result and the candles whose minutes to load next. */
async function searchAfter(
  search: MinuteSearch,
  requesting: OptimizeInput,
): Promise<{ last: OptimizeResult; unknownBars: readonly number[]; wanted: number[] }> {
  const { engine, samples, signal } = search;
  const last = await finish(search, requesting);
  const open = [...new Set([...samples.unknownBars, ...(last.unknownBars ?? [])])];
  const requested = await requestedBars(engine, requesting, { unknownBars: open, last }, { signal });
  return { last, unknownBars: requested.unknownBars, wanted: wantedBy(search.minutes, requesting, requested) };
}

async function walkWith(
  { engine, input, signal }: MinuteSearch,
  minutes: StoredMinutes,
): Promise<Pick<OptimizeResult, 'walkForward'> | Waiting> {
  if (input.walkForward === undefined) return {};
  const walkForward = await walkOnPool(engine, inputWithMinutes(input, joinKnown(minutes.known)), { signal });
  const wanted = wantedBy(minutes, input, { unknownBars: walkForward.unknownBars ?? [] });
  return wanted.length > 0 ? { next: { ...minutes, wanted } } : { walkForward };
}

const wantedBy = (
  minutes: StoredMinutes,
  { candles }: Pick<OptimizeInput, 'candles'>,
  requested: Parameters<typeof nextOpens>[1],
): number[] => nextOpens({ candles, intervalMs: intervalMs[minutes.market.interval] }, requested, minutes);
