import type { WalkForwardResult } from '@sextant/workers/src/protocolOptimize.ts';
import { proxy, ref, useSnapshot } from 'valtio';
import { messageOf } from '../../../api/failure.ts';
import { runEngineTask } from '../../../engine/enginePool.ts';
import { createLatestTask } from '../../../state/latestTask.ts';
import { onUserReset } from '../../../state/userReset.ts';
import type { SearchRun } from './searchState.ts';

const DEADLINE_MS = 240_000;
/** The best set is painted first: the cores are its own until then. */
const AFTER_PAINT_MS = 100;

interface WalkForwardState {
  of: SearchRun | null;
  result: WalkForwardResult | null;
  error: string | null;
}

const startState = (): WalkForwardState => ({ of: null, result: null, error: null });
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
    work: (signal) => runEngineTask('walkForward', run.input, { signal, deadlineMs: DEADLINE_MS }),
    onDone: (result) => {
      walkForwardState.result = ref(result);
    },
    onFailed: (failure) => {
      walkForwardState.error = messageOf(failure, 'The walk-forward test failed. Try again.');
    },
  });
}

/** `none`: the search was not asked to walk forward. */
export type WalkForward =
  { status: 'none' | 'running' } | { status: 'result'; result: WalkForwardResult } | { status: 'error'; error: string };

/** The state of the walk-forward of a search: a server search brings it with its result, a local one gets it a moment later. */
export function useWalkForward(run: SearchRun | null): WalkForward {
  const { of, result, error } = useSnapshot(walkForwardState);
  if (run === null) return { status: 'none' };
  if (run.result.walkForward !== undefined) return { status: 'result', result: run.result.walkForward };
  if (run.input.walkForward === undefined) return { status: 'none' };
  if (of !== run) return { status: 'running' };
  if (error !== null) return { status: 'error', error };
  return result === null ? { status: 'running' } : { status: 'result', result: result as WalkForwardResult };
}
