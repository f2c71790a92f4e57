import type { MonteCarloResult } from '@sextant/workers/src/protocolMonteCarlo.ts';
import { proxy, ref } from 'valtio';
import { messageOf } from '../../../api/failure.ts';
import { enginePool } from '../../../engine/enginePool.ts';
import { onUserReset } from '../../../state/userReset.ts';
import type { Run } from '../backtestState.ts';
import { textOf } from '../runner.ts';

export const MARKET_COUNT = 200;
/** Shown with the result: whoever runs it again gets the same markets. */
export const SEED = 1;
const DEADLINE_MS = 240_000;

interface MonteCarloState {
  /** The run whose markets were made, or are being made. */
  of: Run | null;
  result: MonteCarloResult | null;
  doneCount: number | null;
  error: string | null;
}

const startState = (): MonteCarloState => ({ of: null, result: null, doneCount: null, error: null });
export const monteCarloState = proxy<MonteCarloState>(startState());

let cancel: AbortController | undefined;
onUserReset(() => forgetMarkets());

/** Ends a run under way and forgets what was found. */
export function forgetMarkets(): void {
  cancel?.abort();
  cancel = undefined;
  Object.assign(monteCarloState, startState());
}

/** Tries the rules of a run on markets that are made of its candles. A newer wish takes the place of one under way. */
export async function tryOtherMarkets(run: Run): Promise<void> {
  forgetMarkets();
  const mine = new AbortController();
  cancel = mine;
  Object.assign(monteCarloState, { of: ref(run), doneCount: 0 });
  const { loaded, params, costs, scoredCount } = run;
  const input = { run: { candles: loaded.candles, params, costs, scoredCount }, seed: SEED, marketCount: MARKET_COUNT };
  try {
    const pool = await enginePool();
    const outcome = await pool.run('monteCarlo', input, {
      signal: mine.signal,
      deadlineMs: DEADLINE_MS,
      onProgress: ({ done }) => {
        // The last message may come after the answer.
        if (!mine.signal.aborted && monteCarloState.doneCount !== null) monteCarloState.doneCount = done;
      },
    });
    if (mine.signal.aborted) return;
    if (outcome.ok) monteCarloState.result = ref(outcome.value);
    else monteCarloState.error = textOf(outcome.error);
  } catch (failure) {
    if (!mine.signal.aborted)
      monteCarloState.error = messageOf(failure, 'The Monte Carlo paths could not be computed. Try again.');
  } finally {
    if (!mine.signal.aborted) monteCarloState.doneCount = null;
  }
}
