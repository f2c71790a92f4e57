import { useEffect } from 'react';
import { subscribe } from 'valtio';
import { messageOf } from '../../api/failure.ts';
import { warmEngine } from '../../engine/enginePool.ts';
import { toast } from '../../state/toasts.ts';
import { onUserReset } from '../../state/userReset.ts';
import { type Run, runState } from './backtestState.ts';
import { keepCsv } from './csvStore.ts';
import { startLiveRerun } from './liveRerun.ts';
import { restoreBacktest, saveState } from './savedState.ts';

const SAVE_DELAY_MS = 1000;
/** The screen itself comes first. */
const WARM_DELAY_MS = 300;
let isRestoreTried = false;
onUserReset(() => {
  isRestoreTried = false;
});

/** While the tab is open: the last backtest is brought back once, changes run at once, and results are saved a moment later. */
export function useBacktestSession(): void {
  useEffect(() => {
    if (!isRestoreTried) {
      isRestoreTried = true;
      restoreBacktest().catch((failure: unknown) =>
        toast(messageOf(failure, 'The saved backtest could not be read'), 'error'),
      );
    }
    const warming = setTimeout(warmEngine, WARM_DELAY_MS);
    const stopRerun = startLiveRerun();
    const stopSaving = startSaving();
    return () => {
      clearTimeout(warming);
      stopRerun();
      stopSaving();
    };
  }, []);
}

function startSaving(): () => void {
  let saved: Run | null = runState.run;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const save = async (run: Run) => {
    saved = run;
    if (run.loaded.source === 'csv') await keepCsv(run);
    await saveState(run);
  };
  const stop = subscribe(runState, () => {
    const { run } = runState;
    clearTimeout(timer);
    if (run === null) saved = null;
    if (run === null || run === saved) return;
    timer = setTimeout(() => {
      save(run).catch((failure: unknown) => toast(messageOf(failure, 'The backtest could not be saved'), 'error'));
    }, SAVE_DELAY_MS);
  });
  return () => {
    clearTimeout(timer);
    stop();
  };
}
