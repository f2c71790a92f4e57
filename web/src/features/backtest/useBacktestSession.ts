import { useEffect } from 'react';
import { messageOf } from '../../api/failure.ts';
import { warmEngine } from '../../engine/enginePool.ts';
import { navigation, openPage } from '../../state/navigation.ts';
import { toast } from '../../state/toasts.ts';
import { onUserReset } from '../../state/userReset.ts';
import { runState } from './backtestState.ts';
import { startLiveRerun } from './liveRerun.ts';
import { loadAndRun } from './runner.ts';
import { restoreBacktest } from './savedState.ts';
import { startSaving } from './saveLater.ts';

/** The screen itself comes first. */
const WARM_DELAY_MS = 300;
let isRestoreTried = false;
onUserReset(() => {
  isRestoreTried = false;
});

/** Brings the last backtest back; who came by a call to action and has none gets one with the setup as it stands. */
async function restoreOrRun(): Promise<void> {
  const isRestored = await restoreBacktest();
  const isPromised = navigation.isRunPromised;
  navigation.isRunPromised = false;
  if (!isPromised) return;
  if (!isRestored && runState.status === 'idle') await loadAndRun();
  if (runState.run !== null) openPage('backtest', 'results');
}

/** While the tab is open: the last backtest is brought back once, changes run at once, and results are saved a moment later. */
export function useBacktestSession(): void {
  useEffect(() => {
    if (!isRestoreTried) {
      isRestoreTried = true;
      restoreOrRun().catch((failure: unknown) => {
        // The next visit to the tab asks again.
        isRestoreTried = false;
        toast(messageOf(failure, 'The saved backtest could not be read'), 'error');
      });
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
