import { monitorEventLoopDelay } from 'node:perf_hooks';
import { addObserver, createTimer } from '../../../platform/observe.ts';
import { type FinishedCall, type WatchFigures, watchReportMs } from './watchFigures.ts';

/** Calls that are reported at once; more are not measured, so that a report stays small. */
const callsMax = 2000;
const nanosecondsPerSecond = 1e9;

/** Reports the figures of this thread every few seconds. @returns stops it */
export function reportWatchFigures(
  read: () => Pick<WatchFigures, 'dataAtMs' | 'silentTopics' | 'budgets'>,
  send: (figures: WatchFigures) => void,
): () => void {
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  let calls: FinishedCall[] = [];
  const removeObserver = addObserver(
    createTimer(({ name }, outcome, seconds) => {
      if (calls.length < callsMax) calls.push([name, outcome, seconds]);
    }),
  );
  const report = (): void => {
    send({ ...read(), lagSeconds: delay.percentile(99) / nanosecondsPerSecond, calls });
    calls = [];
    delay.reset();
  };
  const timer = setInterval(report, watchReportMs);
  timer.unref();
  report();
  return () => {
    clearInterval(timer);
    removeObserver();
    delay.disable();
  };
}
