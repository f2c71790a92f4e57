// Long because loading, running and settling share the requested and the shown state.
import { venueFacts, type VenueId } from '@sextant/engine-as/abi/costs.ts';
import { withoutUndefined } from '@sextant/workers/src/core/withoutUndefined.ts';
import { SETTLE_ROUNDS_MAX } from '@sextant/workers/src/candles/minutes.ts';
import { unknownContract, withContract } from '@sextant/workers/src/candles/contract.ts';
import type { BacktestInput, BacktestResult, Candles, Costs } from '@sextant/workers/src/protocol/backtest.ts';
import type { TaskProgress } from '@sextant/workers/src/protocol/taskResult.ts';
import { LAB_LOADED } from '@sextant/workers/src/protocol/wire/defaults.ts';
import { dequal } from 'dequal';
import { ref, snapshot } from 'valtio';
import type { LoadedCandles } from '../../api/candles.ts';
import { serverClock } from '../../api/serverClock.ts';
import { messageOf, WordedError } from '../../api/failure.ts';
import { readResult, runEngineTask } from '../../engine/enginePool.ts';
import { quickBacktest, warmQuickBacktest } from '../../engine/quickBacktest.ts';
import { formatDuration } from '../../format/time.ts';
import { toast, toastRejection } from '../../state/toasts.ts';
import { createLatestTask } from '../../state/latestTask.ts';
import { onUserReset } from '../../state/userReset.ts';
import {
  type Draft,
  draft,
  keepRun,
  plannedWindow,
  rangeOf,
  type Run,
  runState,
  scoredCountOf,
  type WindowForm,
} from './backtestState.ts';
import { candlesOfFile } from './csv/candlesOfFile.ts';
import { feesOf } from './costs.ts';
import { countFrom, loadContract, loadFromExchange, withCount, withScored } from './history.ts';
import { loadMinutes, openMinutes, problemOf, runOnKnown } from './minutes.ts';
import { type RulesOfRun, runRules } from './live/liveRun.ts';
import { type ChosenRules, chosenRules, openedOf } from './own/chosenRules.ts';
import { paramsText } from './params.ts';
import { createRecentCandles } from './recentCandles.ts';
import { countRun, markOf } from './trialCounts.ts';

export const FAILED = 'Backtest failed';
const DEADLINE_MS = 60_000;
/** A rerun on the same candles is announced only after this: each announcement renders, and a slider starts dozens of runs. */
const QUIET_MS = 100;
const RUN_FAILED = 'the result is missing. Try again.';

/** The setup selects a file, and none is loaded. */
class MissingFile extends WordedError {
  constructor() {
    super('drop a CSV file first');
    this.name = 'MissingFile';
  }
}

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

/** The candles of a saved run: the same ones, however much later it is opened. */
export interface SavedWindow {
  /** Close of the last candle, epoch ms. */
  endTimeMs: number;
  /** Absent in states saved by older versions. */
  counts?: { loaded: number; scored: number };
}

interface LoadOptions {
  saved?: SavedWindow | undefined;
  /** Changes of the setup, applied once the candles are loaded. */
  change?: Partial<Form>;
  /** Puts the change into the draft, just before the run. */
  onLoaded?: () => void;
  /** Candles of this visit serve while no newer one has closed, without a request. */
  isRecentEnough?: boolean;
}

/** Loads the candles of the setup, then runs. The candles of a file are already loaded. */
export async function loadAndRun({ saved, change, onLoaded, isRecentEnough }: LoadOptions = {}): Promise<void> {
  const form: Form = { ...snapshot(draft), ...change };
  if (form.source === 'csv') return rerunOnFile();
  const requested = windowText(form);
  const recent = isRecentEnough === true ? recentOf(form) : undefined;
  if (recent !== undefined) {
    cancelRun();
    runState.loaded = ref(recent);
    return rerun();
  }
  try {
    await runOn(async (loading) => {
      const loaded = await (saved === undefined
        ? loadFromExchange(options(loading, form))
        : loadSaved(form, saved, loading));
      // Fewer candles than requested, without a network: the next search loads again.
      if (loaded.isOffline !== true) loadedFor.set(loaded, requested);
      if (saved === undefined) recentCandles.note(setupText(form), loaded);
      return loaded;
    }, onLoaded);
  } catch (failure) {
    showError(messageOf(failure, RUN_FAILED));
  }
}

const recentCandles = createRecentCandles(() => serverClock.now());
onUserReset(recentCandles.clear);

const setupText = (form: Form): string => [form.symbol, form.interval, form.feeVenue, windowText(form)].join(' ');

/** Candles of the setup from this visit, while no newer one has closed. */
function recentOf(form: Form): LoadedCandles | undefined {
  const range = rangeOf(form);
  return recentCandles.read(setupText(form), range?.ok === true ? range.value.untilMs : undefined);
}

async function loadSaved(form: Form, { endTimeMs, counts }: SavedWindow, loading: Loading): Promise<LoadedCandles> {
  if (counts === undefined) return loadFromExchange({ ...options(loading, form), endTimeMs });
  const { symbol, interval, feeVenue: venue, window } = form;
  const loaded = await loadFromExchange({ symbol, interval, venue, count: counts.loaded, endTimeMs, ...loading });
  return window === 'range' ? withScored(loaded, counts.scored) : withCount(loaded, counts.scored);
}

/** The file in the setup: the last run may have used an exchange. */
function fileCandles(): LoadedCandles | null {
  const { loaded, csv } = runState;
  if (csv === null || loaded?.candles === csv.parsed.candles) return csv && loaded;
  return candlesOfFile(csv.fileName, csv.parsed);
}

function rerunOnFile(): Promise<void> {
  const file = fileCandles();
  if (file !== null && file !== runState.loaded) {
    cancelRun();
    runState.loaded = ref(file);
  }
  return rerun();
}

/** Abort signal and progress callback. */
export interface Loading {
  signal: AbortSignal;
  onProgress: (done: number, total: number) => void;
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
  runState.status = 'running';
  runState.error = null;
  const isLoaded = await loadTask.run({
    work: (signal) =>
      load({
        signal,
        onProgress: (done, total) => {
          if (!signal.aborted && total > LAB_LOADED) runState.loading = { done, total };
        },
      }),
    onDone: (loaded) => {
      onLoaded?.();
      runState.loaded = ref(loaded);
      runState.loading = null;
    },
    onFailed: (failure) => {
      cancelRun();
      throw failure;
    },
  });
  if (isLoaded) await rerun();
  return isLoaded;
}

/** The candles of the setup: those on screen when they match, otherwise fetched. @throws ApiFailure */
export async function loadCandles(loading: Loading): Promise<LoadedCandles> {
  const { loaded } = runState;
  const { source, symbol, interval } = draft;
  if (source === 'csv') {
    const file = fileCandles();
    if (file !== null) return withRules(file, loading.signal);
    throw new MissingFile();
  }
  const isThere = loaded?.source === 'exchange' && loaded.label === symbol && loaded.interval === interval;
  return withRules(isThere && hasWindow(loaded) ? loaded : await loadFromExchange(options(loading)), loading.signal);
}

/** The window requested when these were loaded. */
const loadedFor = new WeakMap<LoadedCandles, string>();

const windowText = ({ window, range, historyCount }: Pick<WindowForm, 'window' | 'range' | 'historyCount'>): string =>
  window === 'range' ? `${range.from} ${range.to}` : String(historyCount);

/** Whether the candles match the window in the setup. A market younger than the window matches with all its candles. */
function hasWindow(loaded: LoadedCandles): boolean {
  if (loadedFor.get(loaded) === windowText(draft)) return true;
  if (draft.window === 'range' || loaded.scoredFromMs !== undefined) return false;
  const count = Number(loadedFor.get(loaded) ?? loaded.candles.time.length);
  return count >= draft.historyCount;
}

/** The part of the setup that identifies candles. */
type Form = WindowForm & Pick<Draft, 'symbol' | 'feeVenue'>;

/** Candles of a setup, for a run beside the one on screen. @throws ApiFailure, WordedError for an invalid setup */
export async function loadSetup(form: Form, loading: Loading): Promise<LoadedCandles> {
  return recentOf(form) ?? loadFromExchange(options(loading, form));
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

/** Options of the load for the setup; a long history reports its progress. @throws WordedError with the message of the invalid field */
function options(loading: Loading, form: Form = draft) {
  const { symbol, interval, historyCount, feeVenue: venue } = form;
  const range = rangeOf(form);
  const { loaded: count, scored: scoredMax } = plannedWindow(form) ?? { loaded: historyCount, scored: undefined };
  if (range === undefined) return { symbol, interval, venue, count, scoredMax, endTimeMs: undefined, ...loading };
  if (!range.ok) throw new WordedError(range.error.message);
  const { fromMs: scoredFromMs, untilMs: endTimeMs } = range.value;
  return { symbol, interval, venue, count, scoredFromMs, endTimeMs, ...loading };
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
  const { run, loaded, status } = runState;
  // A run of rules is quickly made again.
  if (draft.strategy !== 'classic' || run?.strategy !== undefined) return false;
  if (run === null || run.loaded !== loaded || status !== 'result' || running !== undefined) return false;
  const { params, costs, scoredCount } = backtestInputOf(loaded);
  if (run.fineData !== isFine(loaded)) return false;
  const isSameCosts =
    Object.keys(costs).length === Object.keys(run.costs).length &&
    Object.entries(costs).every(
      ([key, value]) => key === 'rulesOf' || dequal(value, run.costs[key as keyof typeof costs]),
    );
  return isSameCosts && scoredCount === run.scoredCount && paramsText(params) === paramsText(run.params);
}

/** Stops a running worker or the loading of candles; the previous result stays. */
export function cancelRun(): void {
  loadTask.cancel();
  runTask.cancel();
  minutesTask.cancel();
  rulesTask.cancel();
  isRequestedAgain = false;
  Object.assign(runState, { settling: 0, progress: null, loading: null, minutes: null });
  if (runState.status === 'running') runState.status = runState.run === null ? 'idle' : 'result';
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

/** Whether the rules of these candles are those of the exchange in the setup. */
function hasRules({ source, contract, rulesVenue }: LoadedCandles): boolean {
  const { fileContract } = runState;
  if (source === 'csv') return fileContract === null || fileContract.exchange === draft.feeVenue;
  return contract === undefined || rulesVenue === draft.feeVenue;
}

/** The candles under the rules of the exchange in the setup. @throws ApiFailure when these cannot be loaded, AbortError when cancelled */
async function withRules(loaded: LoadedCandles, signal: AbortSignal): Promise<LoadedCandles> {
  if (hasRules(loaded)) return loaded;
  const { feeVenue } = draft;
  if (loaded.source === 'csv') {
    const { symbol } = runState.fileContract ?? {};
    if (symbol !== undefined) applyFileRules(symbol, await loadContract(symbol, feeVenue, signal), signal);
    return loaded;
  }
  const ruled = withoutUndefined({ ...loaded, ...(await loadContract(loaded.label, feeVenue, signal)) });
  const window = loadedFor.get(loaded);
  if (window !== undefined) loadedFor.set(ruled, window);
  return ruled;
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

function onProgress(progress: TaskProgress): void {
  runState.progress = { ...progress };
}

type Match = Partial<RulesOfRun> &
  Pick<Run, 'result' | 'tookMs'> &
  Partial<Pick<Run, 'minutes' | 'minutesProblem'>> & {
    /** Candles whose minutes were not fetched yet. */
    missing: number[];
  };

interface Work {
  loaded: LoadedCandles;
  signal: AbortSignal;
  onProgress?: (progress: TaskProgress) => void;
}

type RunOnce = (minutes: Candles | undefined) => Promise<Partial<RulesOfRun> & Pick<Run, 'result' | 'tookMs'>>;

/** The run of the draft with some minutes: rules, or parameters. */
function runOnceWith(input: BacktestInput, chosen: ChosenRules | null, work: Work): RunOnce {
  const { loaded, signal } = work;
  return async (minutes) => {
    const startedAt = performance.now();
    const result = await engineRun(minutes);
    return { ...result, tookMs: performance.now() - startedAt };
  };

  async function engineRun(minutes: Candles | undefined): Promise<Partial<RulesOfRun> & { result: BacktestResult }> {
    const whole: BacktestInput = minutes === undefined ? input : { ...input, fineCandles: minutes };
    if (chosen !== null) {
      const { params: _unused, ...market } = whole;
      return runRules(loaded, chosen, market, signal);
    }
    const report = (progress: TaskProgress) => {
      if (!signal.aborted) work.onProgress?.(progress);
    };
    const reported = work.onProgress === undefined ? {} : { onProgress: report };
    const quick = quickBacktest(whole);
    if (quick !== undefined) return { result: readResult(quick) };
    return { result: await runEngineTask('backtest', whole, { signal, deadlineMs: DEADLINE_MS, ...reported }) };
  }
}

/** A run waits this long for its minutes, then continues without them. */
const MINUTES_WAIT_MS = 20_000;

interface SettleOptions {
  once: RunOnce;
  signal: AbortSignal;
  /** Minutes that are not here are fetched before the result is shown; a slider does not wait. */
  isWaitedFor: boolean;
}

/** Runs with the cached minutes, fetches the missing ones, and runs again. */
async function settled(loaded: LoadedCandles, { once, signal, isWaitedFor }: SettleOptions): Promise<Match> {
  if (!isFine(loaded)) return { ...(await once(undefined)), missing: [] };
  await openMinutes(loaded);
  let rest: Partial<RulesOfRun> & Pick<Run, 'tookMs'> = { tookMs: 0 };
  const run = async (minutes: Candles | undefined): Promise<BacktestResult> => {
    const { result, ...others } = await once(minutes);
    rest = others;
    return result;
  };
  // A load of a single request ends too soon for a progress bar to be read.
  const report = (done: number, total: number) => {
    if (!signal.aborted && done < total) runState.minutes = { done, total };
  };
  for (let round = 0; ; round++) {
    const { minutes, ...result } = await runOnKnown(loaded, run);
    const whole = { ...rest, ...result, ...withoutUndefined({ minutes }) };
    if (!isWaitedFor || result.missing.length === 0 || round === SETTLE_ROUNDS_MAX) return whole;
    try {
      const deadline = AbortSignal.timeout(MINUTES_WAIT_MS);
      await loadMinutes(loaded, result.missing, { signal: AbortSignal.any([signal, deadline]), onProgress: report });
    } catch (failure) {
      if (signal.aborted) throw failure;
      return { ...whole, minutesProblem: problemOf(failure) };
    } finally {
      if (!signal.aborted) runState.minutes = null;
    }
  }
}

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
      if (runState.run === run) keepRun({ ...run, minutesProblem: problemOf(failure) });
    },
  });
}

/** Whether a run on these candles uses mark prices and minutes, as far as available. */
export const isFine = (loaded: LoadedCandles, form: Pick<Draft, 'fineData'> = draft): boolean =>
  form.fineData && loaded.source === 'exchange';

function announce(): void {
  runState.status = 'running';
  runState.progress = null;
}

/** Costs under the rules of the exchange that was chosen: its contract, and its formula where it does not list the symbol. */
function ruledCosts(loaded: LoadedCandles, { costs, feeVenue }: Readonly<Pick<Draft, 'costs' | 'feeVenue'>>): Costs {
  const contract = loaded.source === 'csv' ? runState.fileContract : loaded.contract;
  const funded = loaded.funding === null ? { ...costs } : { ...costs, funding: loaded.funding };
  if (contract) return withContract(funded, contract);
  // Also without rules a run on exchange candles keeps to the limits of unknown tiers.
  if (contract === null && loaded.source === 'exchange')
    return withContract(funded, unknownContract(feeVenue, loaded.label));
  return feeVenue === 'binance' ? funded : { ...funded, liquidationModel: feeVenue };
}

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

type LoadedRules = Awaited<ReturnType<typeof loadContract>>;

function applyFileRules(
  symbol: string,
  { contract, rulesVenue, rulesStoredAtMs }: LoadedRules,
  signal: AbortSignal,
): void {
  signal.throwIfAborted();
  runState.fileContract = contract === null ? null : ref(contract);
  const { name } = venueFacts[rulesVenue];
  if (contract === null) toast(`${name} does not list ${symbol}.`);
  else if (rulesStoredAtMs !== undefined)
    toast(`Offline: rules of ${symbol} on ${name} are ${formatDuration(Date.now() - rulesStoredAtMs)} old.`);
}

/** The draft as engine input: plain copies, because a proxy cannot be sent to a worker. */
export function backtestInputOf(loaded: LoadedCandles, form = snapshot(draft) as Readonly<Draft>): BacktestInput {
  const { params, csvScored } = form;
  const { source, candles, marks } = loaded;
  return {
    candles,
    ...(isFine(loaded, form) && marks ? { markPrices: marks.prices } : {}),
    params: structuredClone(params),
    costs: ruledCosts(loaded, form),
    scoredCount:
      loaded.scoredFromMs === undefined
        ? (loaded.scoredCount ?? scoredCountOf({ source, csvScored }, candles.time.length))
        : countFrom(candles, loaded.scoredFromMs),
  };
}

function showError(detail: string): void {
  runState.status = 'error';
  runState.error = detail === '' ? FAILED : `${FAILED}: ${detail}`;
  Object.assign(runState, { progress: null, loading: null, minutes: null });
}
