import { subscribe } from 'valtio';
import { subscribeKey } from 'valtio/utils';
import { isUnreachable, messageOf } from '../../api/failure.ts';
import { toast, toastRejection } from '../../state/toasts.ts';
import { onUserReset } from '../../state/userReset.ts';
import { isAutomatic, type Run, runState } from './backtestState.ts';
import { keepCsv } from './csvStore.ts';
import { noteUnsaved, saveState } from './savedState.ts';
import { writeStoredSearch } from './search/storedSearch.ts';
import { type SearchRun, searchState } from './search/searchState.ts';

const SAVE_DELAY_MS = 1000;

/** The run last sent to the server, and the one that could not be sent: both outlive a visit to another tab. */
let taken: Run | null = null;
let takenSearch: SearchRun | null = null;
let waiting: Run | null = null;
onUserReset(() => {
  taken = null;
  takenSearch = null;
  waiting = null;
});

/** A finished search must be saved too: its trials belong to the run on screen. */
const isTaken = (): boolean => {
  const { run } = runState;
  return (run === taken || isAutomatic(run)) && searchState.run === takenSearch;
};

/** True for a result on screen that the server has not been given. */
const isWaiting = (): boolean => runState.run !== null && !isTaken();

function take(): void {
  taken = runState.run;
  takenSearch = searchState.run;
}

async function save(run: Run): Promise<void> {
  // The page may be closed before the rows of a file and the search are stored.
  noteUnsaved(run);
  try {
    if (run.loaded.source === 'csv') await keepCsv(run);
    await writeStoredSearch(run.loaded);
    await saveState(run);
    waiting = null;
  } catch (failure) {
    const isAway = isUnreachable(failure);
    if (!isAway) toastRejection(messageOf(failure, 'The backtest was not saved'), failure);
    else if (waiting === null) toast('Offline: your backtest is saved when you reconnect.');
    waiting = isAway ? run : null;
  }
}

/**
 * Saves a result after a delay, or when the page is closed before that. Without a network it says so once, and saves the newest when the
 * network is back.
 * @returns a function that stops it
 */
export function startSaving(delayMs = SAVE_DELAY_MS): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const takeNow = () => {
    clearTimeout(timer);
    if (waiting === null && isTaken()) return;
    take();
    if (taken !== null) void save(taken);
  };
  const soon = () => {
    clearTimeout(timer);
    if (runState.run === null) taken = null;
    else if (!isTaken()) timer = setTimeout(takeNow, delayMs);
  };
  const back = () => {
    if (waiting !== null) takeNow();
  };
  // Browser storage takes longer than a closing page has: the rows of a file and the search are not stored then.
  const leave = () => {
    if (!isWaiting()) return;
    clearTimeout(timer);
    take();
    if (taken !== null) saveState(taken).catch(() => undefined);
  };
  const stops = [subscribe(runState, soon), subscribeKey(searchState, 'run', soon)];
  window.addEventListener('online', back);
  window.addEventListener('pagehide', leave);
  soon();
  return () => {
    stops.forEach((stop) => stop());
    window.removeEventListener('online', back);
    window.removeEventListener('pagehide', leave);
    clearTimeout(timer);
    if (isWaiting()) takeNow();
  };
}
