import type { VenueId } from '@sextant/engine-as/abi/costs.ts';
import type { TaskProgress } from '@sextant/workers/src/protocol/taskResult.ts';
import { LAB_LOADED } from '@sextant/workers/src/protocol/wire/defaults.ts';
import { dequal } from 'dequal';
import { ref, snapshot } from 'valtio';
import type { LoadedCandles } from '../../api/candles.ts';
import { messageOf } from '../../api/failure.ts';
import { warmQuickBacktest } from '../../engine/quickBacktest.ts';
import { toastRejection } from '../../state/toasts.ts';
import { createLatestTask } from '../../state/latestTask.ts';
import { onUserReset } from '../../state/userReset.ts';
import { type Draft, draft, keepRun, type Run, runState, sendRunEvent } from './backtestState.ts';
import { feesOf } from './costs.ts';
import { loadContract } from './history.ts';
import { loadMinutes, problemOf } from './minutes.ts';
import { type ChosenRules, chosenRules, openedOf } from './own/chosenRules.ts';
import { paramsText } from './params.ts';
import { backtestInputOf, isFine } from './run/input.ts';
import { type Match, runOnceWith, settled } from './run/settled.ts';
import {
  applyFileRules,
  fileCandles,
  type Form,
  hasRules,
  type Loading,
  loadForm,
  recentOf,
  type SavedWindow,
  withRules,
} from './run/setupCandles.ts';
import { countRun, markOf } from './trialCounts.ts';

export const FAILED = 'Backtest failed';
/** A rerun on the same candles is announced only after this: each announcement renders, and a slider starts dozens of runs. */
const QUIET_MS = 100;
const RUN_FAILED = 'the result is missing. Try again.';

/** A slider may be moved, and run, while the candles of another setup are still loading. */
const loadTask = createLatestTask();
const runTask = createLatestTask();
/** Loads minutes needed by the run on screen. */
const minutesTask = createLatestTask();
/** Loads contract rules for candles that are here, after another exchange was chosen. */
const rulesTask = createLatestTask();
const fileRulesTask = createLatestTask();
/** The run in progress; a caller that requests another run waits for its result. */
let running: Promise<void> | undefined;
let isRequestedAgain = false;

// A result that arrives after a change of user must not be shown to the next one.
onUserReset(() => cancelRun());

interface LoadOptions {
  saved?: SavedWindow | undefined;
  /** Changes of the setup, applied once the candles are loaded. */
  change?: Partial<Form>;
  /** Puts the change into the draft, just before the run. */
  onLoaded?: () => void;
  /** Candles of this visit serve while no newer one has closed, without a request. */
  isRecentEnough?: boolean;
}

/** Number of calls of `loadAndRun`. */
let loadCount = 0;

/**
 * Loads the candles of the setup, then runs. The candles of a file are already loaded.
 * @returns whether it was the newest call to its end: a call that a newer one replaced may end with the run of that one
 */
export async function loadAndRun(options: LoadOptions = {}): Promise<boolean> {
  const count = ++loadCount;
  await loadThenRun(options);
  return count === loadCount;
}

async function loadThenRun({ saved, change, onLoaded, isRecentEnough }: LoadOptions): Promise<void> {
  const form: Form = { ...snapshot(draft), ...change };
  if (form.source === 'csv') return rerunOnFile();
  const recent = isRecentEnough === true ? recentOf(form) : undefined;
  if (recent !== undefined) {
    cancelRun();
    onLoaded?.();
    runState.loaded = ref(recent);
    return rerun();
  }
  try {
    await runOn((loading) => loadForm(form, loading, saved), onLoaded);
  } catch (failure) {
    showError(messageOf(failure, RUN_FAILED));
  }
}

function rerunOnFile(): Promise<void> {
  const file = fileCandles();
  // Candles of an exchange on their way would replace those of the file.
  if (file !== null && (file !== runState.loaded || runState.phase.name === 'loading')) {
    cancelRun();
    runState.loaded = ref(file);
  }
  return rerun();
}

/**
 * Loads candles, then runs on them, as one cancellable task that a newer run replaces.
 * @param onLoaded writes the setup of the candles into the draft, just before the run
 * @returns whether a run took place
 * @throws what `load` throws, with the previous state restored
 */
export async function runOn(
  load: (loading: Loading) => Promise<LoadedCandles>,
  onLoaded?: () => void,
): Promise<boolean> {
  cancelRun();
  sendRunEvent({ kind: 'load' });
  const isLoaded = await loadTask.run({
    work: (signal) =>
      load({
        signal,
        onProgress: (done, total) => {
          if (!signal.aborted && total > LAB_LOADED) sendRunEvent({ kind: 'candlesCounted', count: { done, total } });
        },
      }),
    onDone: (loaded) => {
      onLoaded?.();
      runState.loaded = ref(loaded);
      sendRunEvent({ kind: 'loaded' });
    },
    onFailed: (failure) => {
      cancelRun();
      throw failure;
    },
  });
  if (isLoaded) await rerun();
  return isLoaded;
}

/** A run beside the one on screen, without minutes. @throws as runRules */
export async function runBeside(
  loaded: LoadedCandles,
  { form, chosen, signal }: { form: Draft; chosen: ChosenRules | null; signal: AbortSignal },
): Promise<Run> {
  const input = backtestInputOf(loaded, form);
  const { params, costs, scoredCount } = input;
  const result = await runOnceWith(input, chosen, { loaded, signal })(undefined);
  return { loaded, params, costs, scoredCount, fineData: isFine(loaded, form), ...result };
}

/**
 * Runs again on the loaded candles. Called at each change of a parameter: during a run only the newest request is queued, so a slider never
 * queues more than one run.
 */
export function rerun(): Promise<void> {
  isRequestedAgain = true;
  running ??= runWhileRequested().finally(() => (running = undefined));
  return running;
}

/** The run on screen once no other is in progress; null when there is none. */
export async function newestRun(): Promise<Run | null> {
  await running;
  return runState.run;
}

async function runWhileRequested(): Promise<void> {
  while (isRequestedAgain) {
    isRequestedAgain = false;
    await runOnce();
  }
}

/** Whether the run on screen equals a run of the draft, as after a search that put its best set on the sliders. */
export function isOnScreen(): boolean {
  const { run, loaded, phase } = runState;
  // A run of rules is quickly made again.
  if (draft.strategy !== 'classic' || run?.strategy !== undefined) return false;
  if (run === null || run.loaded !== loaded || phase.name !== 'result' || running !== undefined) return false;
  // First what a slider changes: the input of a run is a copy of the draft.
  if (paramsText(draft.params) !== paramsText(run.params)) return false;
  const { costs, scoredCount } = backtestInputOf(loaded);
  if (run.fineData !== isFine(loaded)) return false;
  const isSameCosts =
    Object.keys(costs).length === Object.keys(run.costs).length &&
    Object.entries(costs).every(
      ([key, value]) => key === 'rulesOf' || dequal(value, run.costs[key as keyof typeof costs]),
    );
  return isSameCosts && scoredCount === run.scoredCount;
}

/** Stops a running worker or the loading of candles; the previous result stays. */
export function cancelRun(): void {
  loadTask.cancel();
  runTask.cancel();
  minutesTask.cancel();
  rulesTask.cancel();
  isRequestedAgain = false;
  runState.settling = 0;
  sendRunEvent({ kind: 'cancel', hasRun: runState.run !== null });
}

/** Candles that had a result: another run on them is shown at once, and its missing minutes follow. */
const shown = new WeakSet<LoadedCandles>();

async function runOnce(): Promise<void> {
  const loaded = await ruledCandles();
  if (loaded === null) return;
  const isRerun = shown.has(loaded);
  if (!isRerun) announce();
  const announcing = isRerun ? setTimeout(announce, QUIET_MS) : undefined;
  const input = backtestInputOf(loaded);
  const fineData = isFine(loaded);
  const chosen = chosenRules();
  // The minutes requested for the previous run are useless to this one, or already cached.
  minutesTask.cancel();
  await runTask.run({
    work: async (signal): Promise<Match> => {
      const once = runOnceWith(input, chosen, { loaded, signal, ...(isRerun ? {} : { onProgress }) });
      return settled(loaded, { once, signal, isWaitedFor: !isRerun });
    },
    onDone: ({ missing, ...result }) => {
      runState.settling = 0;
      const { params, costs, scoredCount } = input;
      const run: Run = { loaded, params, costs, scoredCount, fineData, ...result };
      const opened = openedOf(chosen);
      if (opened !== undefined) run.opened = opened;
      keepRun(run);
      shown.add(loaded);
      countRun(markOf(loaded, result.result.hashes.data), result.strategy ?? params);
      if (result.strategy === undefined) warmQuickBacktest(input);
      if (missing.length > 0 && run.minutesProblem === undefined) settleSoon(run, missing);
    },
    onFailed: (failure) => {
      runState.settling = 0;
      showError(messageOf(failure, RUN_FAILED));
    },
  });
  clearTimeout(announcing);
}

/**
 * The candles to run on, under the rules of the exchange in the setup; null when there are none, or when their rules could not be loaded,
 * which is shown as the failure of the run.
 */
async function ruledCandles(): Promise<LoadedCandles | null> {
  const { loaded } = runState;
  if (loaded === null || hasRules(loaded)) return loaded;
  announce();
  await rulesTask.run({
    work: (signal) => withRules(loaded, signal),
    onDone: (ruled) => {
      if (runState.loaded === loaded) runState.loaded = ref(ruled);
    },
    onFailed: (failure) => {
      showError(messageOf(failure, RUN_FAILED));
      // Changes during the load are run with the next attempt.
      if (runState.loaded === loaded) isRequestedAgain = false;
    },
  });
  const current = runState.loaded;
  return current !== null && hasRules(current) ? current : null;
}

const onProgress = ({ done, total }: TaskProgress): void => sendRunEvent({ kind: 'progress', count: { done, total } });

/** Without a change for this long, a slider is at rest. */
const REST_MS = 400;

/** Fetches the minutes needed by a slider's run once the slider rests, then runs again. */
function settleSoon(run: Run, missing: readonly number[]): void {
  const { loaded } = run;
  runState.settling = missing.length;
  void minutesTask.run({
    delayMs: REST_MS,
    work: (signal) => loadMinutes(loaded, missing, { signal }),
    // The run with these minutes ends the settling.
    onDone: () => {
      if (runState.loaded === loaded) void rerun();
      else runState.settling = 0;
    },
    onFailed: (failure) => {
      runState.settling = 0;
      if (runState.run === run) runState.run = ref({ ...run, minutesProblem: problemOf(failure) });
    },
  });
}

const announce = (): void => sendRunEvent({ kind: 'run' });

/** Applies fees, liquidation formula and contract rules of another exchange. */
export async function chooseVenue(venue: VenueId): Promise<void> {
  const { loaded } = runState;
  draft.feeVenue = venue;
  Object.assign(draft.costs, feesOf(venue));
  if (loaded === null) return;
  rulesTask.cancel();
  // The candles of an older saved run are under no rules.
  if (loaded.source === 'exchange' && loaded.contract === undefined)
    runState.loaded = ref({ ...loaded, contract: null });
  await rerun();
}

/** Puts a file under the rules of a symbol, or under none. */
export async function chooseFileRules(symbol: string | null): Promise<void> {
  fileRulesTask.cancel();
  if (symbol === null) {
    runState.fileContract = null;
    if (runState.loaded !== null) await rerun();
    return;
  }
  await fileRulesTask.run({
    work: async (signal) => applyFileRules(symbol, await loadContract(symbol, draft.feeVenue, signal), signal),
    onDone: () => {
      if (runState.loaded !== null) void rerun();
    },
    onFailed: (failure) =>
      toastRejection(messageOf(failure, `Contract rules of ${symbol} did not load. Try again.`), failure),
  });
}

function showError(detail: string): void {
  sendRunEvent({ kind: 'failed', message: detail === '' ? FAILED : `${FAILED}: ${detail}` });
}
