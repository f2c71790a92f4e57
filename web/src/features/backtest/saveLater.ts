import { subscribe } from 'valtio';
import { isUnreachable, messageOf } from '../../api/failure.ts';
import { toast } from '../../state/toasts.ts';
import { onUserReset } from '../../state/userReset.ts';
import { type Run, runState } from './backtestState.ts';
import { keepCsv } from './csvStore.ts';
import { saveState } from './savedState.ts';
import { writeKeptSearch } from './search/keptSearch.ts';

const SAVE_DELAY_MS = 1000;

/** The run that was last given to the server, and whether it could not be reached: both outlive a visit to another tab. */
let taken: Run | null = null;
let waiting: Run | null = null;
onUserReset(() => {
  taken = null;
  waiting = null;
});

async function save(run: Run): Promise<void> {
  try {
    if (run.loaded.source === 'csv') await keepCsv(run);
    await writeKeptSearch(run.loaded);
    await saveState(run);
    waiting = null;
  } catch (failure) {
    const isAway = isUnreachable(failure);
    if (!isAway) toast(messageOf(failure, 'The backtest could not be saved'), 'error');
    else if (waiting === null) toast('Not saved yet: the server did not answer. It is saved when the network is back.');
    waiting = isAway ? run : null;
  }
}

/**
 * Saves a result a moment after it came. Without a network it says so once, and saves the newest when the network is back.
 * @returns ends it
 */
export function startSaving(delayMs = SAVE_DELAY_MS): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const takeNow = () => {
    clearTimeout(timer);
    taken = runState.run;
    if (taken !== null) void save(taken);
  };
  const soon = () => {
    clearTimeout(timer);
    if (runState.run === null) taken = null;
    else if (runState.run !== taken) timer = setTimeout(takeNow, delayMs);
  };
  const back = () => {
    if (waiting !== null) takeNow();
  };
  const stop = subscribe(runState, soon);
  window.addEventListener('online', back);
  soon();
  return () => {
    stop();
    window.removeEventListener('online', back);
    clearTimeout(timer);
    if (runState.run !== null && runState.run !== taken) takeNow();
  };
}
