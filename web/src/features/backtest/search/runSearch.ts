import type { EnginePool, TaskError } from '@sextant/workers/src/protocol.ts';
import type { OptimizeInput, OptimizeResult } from '@sextant/workers/src/protocolOptimize.ts';
import { bestOfParts } from '@sextant/workers/src/tasks/optimize/parts.ts';
import { ref, snapshot } from 'valtio';
import { ApiFailure } from '../../../api/failure.ts';
import { enginePool } from '../../../engine/enginePool.ts';
import { onUserReset } from '../../../state/userReset.ts';
import { draft, keepRun, runState } from '../backtestState.ts';
import { backtestInputOf, FAILED, loadCandles, MissingFile, textOf } from '../runner.ts';
import { countTrials, markOf, noteTried } from '../trialCounts.ts';
import { keepSearch, samplesOf, searchDraft, type SearchRun, searchState } from './searchState.ts';
import { joinTrials } from './trials.ts';

/** Sets of one chunk: long enough to pay for its way to the worker, short enough for a smooth bar. */
const CHUNK = 4000;
/** Above this many the search is cut up and spread over the workers. */
const WHOLE_MAX = 2000;
const DEADLINE_MS = 120_000;
const walkForwardDefaults = { folds: 4, purgeBars: 24, embargoBars: 12 };

let cancel: AbortController | undefined;
onUserReset(() => cancelSearch());

/** Ends a search under way; what was found before stays. */
export function cancelSearch(): void {
  cancel?.abort();
  cancel = undefined;
  searchState.progress = null;
  if (searchState.status === 'running') searchState.status = searchState.run === null ? 'idle' : 'result';
}

/** A failure of the engine that the person can act on. */
class SearchFailure extends Error {
  override name = 'SearchFailure';
}

const failureOf = (error: TaskError): SearchFailure => new SearchFailure(textOf(error));

/** Loads the candles when they are not there, searches, and shows the best set as the run on screen. */
export async function runSearch(): Promise<void> {
  cancelSearch();
  const mine = new AbortController();
  cancel = mine;
  const samples = samplesOf(searchDraft);
  Object.assign(searchState, { status: 'running', error: null, progress: { done: 0, total: samples } });
  try {
    const run = await search(mine.signal);
    if (!mine.signal.aborted) showBest(run);
  } catch (failure) {
    if (mine.signal.aborted) return;
    const isKnown = [SearchFailure, ApiFailure, MissingFile].some((kind) => failure instanceof kind);
    const detail = isKnown ? (failure as Error).message : String(failure);
    Object.assign(searchState, { status: 'error', progress: null, error: `${FAILED}: ${detail}` });
  }
}

async function search(signal: AbortSignal): Promise<SearchRun> {
  const loaded = await loadCandles(signal);
  const pool = await enginePool();
  const { params, costs, candles, scoredCount } = backtestInputOf(loaded);
  const { target, seed, trainOn, isRefined, walkForward } = snapshot(searchDraft);
  const input: OptimizeInput = {
    ...{ candles, params, costs, scoredCount, target, seed, trainOn },
    samples: samplesOf(searchDraft),
    refine: isRefined,
    ...(walkForward === 'off' ? {} : { walkForward: { kind: walkForward, ...walkForwardDefaults } }),
  };
  const startedAt = performance.now();
  const { parts, last } = await searchParts(pool, input, signal);
  const tookMs = performance.now() - startedAt;
  const { best } = last;
  if (best === undefined) throw new SearchFailure('the search gave no best set');
  const result = { ...last, best };
  const data = markOf(loaded, best.scored.hashes.data);
  const earlierTrialCount = countTrials(data, result.trialCount);
  noteTried(data, best.params);
  return { loaded, input, result, trials: joinTrials(parts, last), earlierTrialCount, tookMs };
}

interface Found {
  parts: OptimizeResult[];
  last: OptimizeResult;
}

async function searchParts(pool: EnginePool, input: OptimizeInput, signal: AbortSignal): Promise<Found> {
  const ask = async (more: Partial<OptimizeInput>, onDone?: (done: number) => void): Promise<OptimizeResult> => {
    const outcome = await pool.run(
      'optimize',
      { ...input, ...more, withSets: true },
      {
        signal,
        deadlineMs: DEADLINE_MS,
        ...(onDone && { onProgress: ({ done }) => onDone(done) }),
      },
    );
    if (!outcome.ok) throw failureOf(outcome.error);
    return outcome.value;
  };
  const show = (done: number) => {
    if (!signal.aborted) searchState.progress = { done, total: input.samples };
  };
  if (input.samples <= WHOLE_MAX) {
    const whole = await ask({}, show);
    return { parts: [whole], last: whole };
  }
  let done = 0;
  const starts = Array.from({ length: Math.ceil(input.samples / CHUNK) }, (_, chunk) => chunk * CHUNK);
  const parts = await Promise.all(
    starts.map(async (from) => {
      const count = Math.min(CHUNK, input.samples - from);
      const part = await ask({ part: { from, count } });
      done += count;
      show(done);
      return part;
    }),
  );
  return { parts, last: await ask({ bestOfParts: bestOfParts(parts) }) };
}

/** The best set becomes the run on screen, and its parameters the ones that the sliders hold. */
function showBest(run: SearchRun): void {
  keepSearch(run);
  const { params, scored } = run.result.best;
  runState.loaded = ref(run.loaded);
  const { costs, scoredCount } = run.input;
  keepRun({ loaded: run.loaded, params, costs, scoredCount, result: scored, tookMs: run.tookMs });
  // Into the same object: what runs again at each change listens to it.
  Object.assign(draft.params, structuredClone(params));
}
