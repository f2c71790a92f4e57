import { subscribe } from 'valtio';
import { draft, runState } from './backtestState.ts';
import { isOnScreen, rerun } from './runner.ts';

/** Runs again whenever a parameter, a cost or the scored window changes, as long as there are candles. @returns ends it */
export function startLiveRerun(): () => void {
  const again = () => {
    if (runState.loaded !== null && !isOnScreen()) void rerun();
  };
  const stops = [subscribe(draft.params, again), subscribe(draft.costs, again)];
  let scored = draft.csvScored;
  stops.push(
    subscribe(draft, () => {
      if (draft.csvScored === scored) return;
      scored = draft.csvScored;
      again();
    }),
  );
  return () => stops.forEach((stop) => stop());
}
