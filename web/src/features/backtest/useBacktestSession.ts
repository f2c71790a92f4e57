import { useEffect } from 'react';
import { messageOf } from '../../api/failure.ts';
import { warmEngine } from '../../engine/enginePool.ts';
import { toast } from '../../state/toasts.ts';
import { onUserReset } from '../../state/userReset.ts';
import { startLiveRerun } from './liveRerun.ts';
import { restoreBacktest } from './savedState.ts';
import { startSaving } from './saveLater.ts';

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
      restoreBacktest().catch((failure: unknown) => {
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
