import { useEffect } from 'react';
import { snapshot, subscribe } from 'valtio';
import { messageOf } from '../../api/failure.ts';
import { warmEngine } from '../../engine/enginePool.ts';
import { type LabRequest, labRequest, takeLabRequest } from '../../state/labRequest.ts';
import { createLatestTask } from '../../state/latestTask.ts';
import { navigation, openPage, setOpened } from '../../state/navigation.ts';
import { toastRejection } from '../../state/toasts.ts';
import { onUserReset } from '../../state/userReset.ts';
import { type Draft, draft, noteAutomatic, type Run, runState } from './backtestState.ts';
import { keepLive, startLive } from './live/liveSettings.ts';
import { chooseRules, chosenOf } from './own/chosenRules.ts';
import { storeOwn } from './own/ownRules.ts';
import { isRunnable } from './own/textState.ts';
import { isOnScreen, loadAndRun, rerun } from './runner.ts';
import { startSaving } from './saveLater.ts';
import { restoreBacktest, restoreForms } from './savedState.ts';

/**
 * Runs again whenever a parameter, a cost or the scored window changes, as long as candles are loaded. @returns a function that stops it
 */
function startLiveRerun(): () => void {
  const again = () => {
    // A text with an error leaves the last result on screen.
    if (runState.loaded !== null && isRunnable() && !isOnScreen()) void rerun();
  };
  const stops = [subscribe(draft.params, again), subscribe(draft.costs, again)];
  const textOf = () => {
    const { csvScored, strategy, live, rules, fineData } = draft;
    const chosen = strategy === 'live' ? live : strategy === 'own' ? rules : null;
    return JSON.stringify([csvScored, fineData, strategy, chosen]);
  };
  let before = textOf();
  stops.push(
    subscribe(draft, () => {
      const text = textOf();
      if (text === before) return;
      before = text;
      keepLive(snapshot(draft).live);
      storeOwn(draft.rules);
      again();
    }),
  );
  return () => stops.forEach((stop) => stop());
}

/** Delay, so that the screen renders first. */
const WARM_DELAY_MS = 300;
let isRestoreTried = false;
onUserReset(() => {
  isRestoreTried = false;
});

/** Runs the setup as it is, unless a run is on screen or on its way. */
async function runSetup(): Promise<void> {
  if (runState.run !== null || runState.phase.name !== 'idle') return;
  const untouched = JSON.stringify(draft);
  const isNewest = await loadAndRun();
  const run = runState.run as Run | null;
  // Not a run that the user requested, or of what the user changed, meanwhile.
  if (isNewest && run !== null && JSON.stringify(draft) === untouched) noteAutomatic(run);
}

/** Restores the last backtest; without one the setup is run. Nothing is left empty when the saved one cannot be read. */
async function restoreOrRun(): Promise<void> {
  const isPromised = navigation.isRunPromised;
  navigation.isRunPromised = false;
  try {
    await restoreBacktest();
  } finally {
    await runSetup().finally(() => {
      runState.isOpening = false;
    });
  }
  if (isPromised && runState.run !== null) openPage('backtest', 'results');
}

/** Runs the rules of the scanner on the market of a signal. */
async function runRequest(options: LabRequest): Promise<void> {
  const { symbol, interval, tuning, longer, riskFraction, leverage, strategy } = options;
  // A market that was chosen before and still waits is an older request.
  marketTask.cancel();
  const market = { source: 'exchange', symbol, interval, window: 'count', strategy: 'live' } satisfies Partial<Draft>;
  Object.assign(draft, market);
  Object.assign(draft.live, startLive(), { tuning: tuning === null ? null : { ...tuning }, longer });
  draft.live.exits.sizing.riskFraction = riskFraction;
  if (strategy !== null) chooseRules(chosenOf(strategy.name, strategy.value));
  draft.costs.leverage = leverage;
  keepLive(snapshot(draft).live);
  await loadAndRun();
}

/** Ends when the last backtest, or its forms, are restored. */
let restoring: Promise<unknown> = Promise.resolve();
const marketTask = createLatestTask();

/** Runs the setup on another market. Before the first run of a visit the saved setup takes its place, so that only its market changes. */
async function runMarket(symbol: string): Promise<void> {
  // A saved run of the address would replace the market.
  setOpened('run', null);
  if (!isRestoreTried) {
    isRestoreTried = true;
    restoring = restoreForms().catch(reportUnrestored);
  }
  await marketTask.run({
    work: () => restoring,
    onDone: () => {
      const change = { source: 'exchange', symbol } as const;
      void loadAndRun({ change, onLoaded: () => Object.assign(draft, change), isRecentEnough: true }).finally(() => {
        runState.isOpening = false;
      });
    },
  });
}

/** Runs what another part of the page requested. @returns whether there was a request */
function runRequested(): boolean {
  const requested = takeLabRequest();
  if (requested?.kind === 'market') void runMarket(requested.symbol);
  if (requested?.kind === 'rules') {
    isRestoreTried = true;
    runState.isOpening = false;
    void runRequest(requested.options);
  }
  return requested !== null;
}

function reportUnrestored(failure: unknown): void {
  // The next visit to the tab retries.
  isRestoreTried = false;
  toastRejection(messageOf(failure, 'The saved backtest did not load'), failure);
}

/** While the tab is open: restores the last backtest once, runs requests and changes at once, and saves results after a delay. */
export function useBacktestSession(): void {
  useEffect(() => {
    if (!runRequested() && navigation.opened.run === null && isRestoreTried) void runSetup();
    // A saved run of the address takes the place of the last backtest.
    if (navigation.opened.run !== null) isRestoreTried = true;
    if (!isRestoreTried) {
      isRestoreTried = true;
      restoring = restoreOrRun().catch(reportUnrestored);
    }
    const warming = setTimeout(warmEngine, WARM_DELAY_MS);
    const stops = [subscribe(labRequest, () => void runRequested()), startLiveRerun(), startSaving()];
    return () => {
      clearTimeout(warming);
      stops.forEach((stop) => stop());
    };
  }, []);
}
