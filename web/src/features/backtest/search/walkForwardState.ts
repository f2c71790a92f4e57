import type { WalkForwardResult } from '@sextant/workers/src/protocolOptimize.ts';
import { proxy, ref, useSnapshot } from 'valtio';
import { messageOf } from '../../../api/failure.ts';
import { enginePool } from '../../../engine/enginePool.ts';
import { onUserReset } from '../../../state/userReset.ts';
import { textOf } from '../runner.ts';
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

let cancel: AbortController | undefined;
onUserReset(() => {
  cancel?.abort();
  Object.assign(walkForwardState, startState());
});

/** Walks a search forward once its best is on screen, when it asks for that. A newer one takes its place. */
export function walkForwardLater(run: SearchRun): void {
  cancel?.abort();
  Object.assign(walkForwardState, { ...startState(), of: ref(run) });
  if (run.input.walkForward === undefined || run.result.walkForward !== undefined) return;
  const mine = new AbortController();
  cancel = mine;
  setTimeout(() => void walk(run, mine.signal), AFTER_PAINT_MS);
}

async function walk(run: SearchRun, signal: AbortSignal): Promise<void> {
  try {
    const pool = await enginePool();
    const outcome = await pool.run('walkForward', run.input, { signal, deadlineMs: DEADLINE_MS });
    if (signal.aborted) return;
    if (outcome.ok) walkForwardState.result = ref(outcome.value);
    else walkForwardState.error = textOf(outcome.error);
  } catch (failure) {
    if (!signal.aborted) walkForwardState.error = messageOf(failure, 'The walk-forward test failed. Try again.');
  }
}

/** `none`: the search was not asked to walk forward. */
export type WalkForward =
  { status: 'none' | 'running' } | { status: 'result'; result: WalkForwardResult } | { status: 'error'; error: string };

/** How the walk-forward of a search stands: some have it with their result, others get it a moment later. */
export function useWalkForward(run: SearchRun | null): WalkForward {
  const { of, result, error } = useSnapshot(walkForwardState);
  if (run === null) return { status: 'none' };
  if (run.result.walkForward !== undefined) return { status: 'result', result: run.result.walkForward };
  if (run.input.walkForward === undefined) return { status: 'none' };
  if (of !== run) return { status: 'running' };
  if (error !== null) return { status: 'error', error };
  return result === null ? { status: 'running' } : { status: 'result', result: result as WalkForwardResult };
}
