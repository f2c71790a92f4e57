import { SEARCH_MINUTES_WAIT_MS } from '@sextant/workers/src/candles/minutes.ts';
import type { OptimizeInput, WalkForwardResult } from '@sextant/workers/src/protocol/optimize.ts';
import { inputWithMinutes, settleSearch } from '@sextant/workers/src/tasks/optimize/settleSearch.ts';
import { proxy, ref, useSnapshot } from 'valtio';
import { messageOf } from '../../../api/failure.ts';
import { runEngineTask } from '../../../engine/enginePool.ts';
import { createLatestTask } from '../../../state/latestTask.ts';
import { onUserReset } from '../../../state/userReset.ts';
import { knownMinutes, minuteLoader } from '../minutes.ts';
import type { SearchRun } from './searchState.ts';

const DEADLINE_MS = 240_000;
/** The best set is painted first and has all cores until then. */
const AFTER_PAINT_MS = 100;

interface WalkForwardState {
  of: SearchRun | null;
  result: WalkForwardResult | null;
  /** Why minutes needed by its windows are missing. */
  minutesProblem: string | null;
  error: string | null;
}

const startState = (): WalkForwardState => ({ of: null, result: null, minutesProblem: null, error: null });
const walkForwardState = proxy<WalkForwardState>(startState());

const task = createLatestTask();
onUserReset(() => Object.assign(walkForwardState, startState()));

/** Runs the walk-forward of a search, if it has one, once its best set is on screen. A newer search replaces it. */
export function walkForwardLater(run: SearchRun): void {
  task.cancel();
  Object.assign(walkForwardState, { ...startState(), of: ref(run) });
  if (run.input.walkForward === undefined || run.result.walkForward !== undefined) return;
  void task.run({
    delayMs: AFTER_PAINT_MS,
    work: (signal) => walk(run, signal),
    onDone: ({ result, problem }) => {
      Object.assign(walkForwardState, { result: ref(result), minutesProblem: problem });
    },
    onFailed: (failure) => {
      walkForwardState.error = messageOf(failure, 'The walk-forward test failed. Try again.');
    },
  });
}

/** Uses the minutes of the search and loads those its windows need; a search without minutes walks without. */
async function walk(
  { loaded, input, minutes }: SearchRun,
  signal: AbortSignal,
): Promise<{ result: WalkForwardResult; problem: string | null }> {
  const walkOn = (wanted: OptimizeInput) => runEngineTask('walkForward', wanted, { signal, deadlineMs: DEADLINE_MS });
  if (minutes.kind === 'without' || minutes.problem !== null) return { result: await walkOn(input), problem: null };
  const known = knownMinutes(loaded);
  const walked = await settleSearch({
    ...loaded,
    known: new Map(minutes.opens.map((openMs) => [openMs, known.get(openMs) ?? null])),
    load: minuteLoader(loaded, { signal, deadlineMs: SEARCH_MINUTES_WAIT_MS }),
    run: async (fineCandles) => {
      const result = await walkOn(inputWithMinutes(input, fineCandles));
      return { value: result, unknownBars: result.unknownBars ?? [] };
    },
  });
  return { result: walked.value, problem: walked.minutes.problem };
}

/** `none`: the search has no walk-forward. */
export type WalkForward =
  | { status: 'none' | 'running' }
  | { status: 'result'; result: WalkForwardResult; minutesProblem: string | null }
  | { status: 'error'; error: string };

/** Walk-forward of a search: a server search includes it in its result, a local one computes it a moment later. */
export function useWalkForward(run: SearchRun | null): WalkForward {
  const { of, result, minutesProblem, error } = useSnapshot(walkForwardState);
  if (run === null) return { status: 'none' };
  if (run.result.walkForward !== undefined)
    return { status: 'result', result: run.result.walkForward, minutesProblem: null };
  if (run.input.walkForward === undefined) return { status: 'none' };
  if (of !== run) return { status: 'running' };
  if (error !== null) return { status: 'error', error };
  if (result === null) return { status: 'running' };
  return { status: 'result', result: result as WalkForwardResult, minutesProblem };
}
