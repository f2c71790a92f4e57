import { useDeferredValue } from 'react';
import { useSnapshot } from 'valtio';
import { runState } from './backtestState.ts';

/**
 * Candles whose minutes are on their way to the run on screen. As late as the run itself, which is rendered deferred: at 0 the run
 * beside it has them.
 */
export const useSettling = (): number => useDeferredValue(useSnapshot(runState).settling);
