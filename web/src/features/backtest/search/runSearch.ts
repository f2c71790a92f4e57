import { withoutUndefined } from '@sextant/workers/src/core/withoutUndefined.ts';
import type { OptimizeInput, SearchedRules } from '@sextant/workers/src/protocol/optimize.ts';
import { SearchFailure } from '@sextant/workers/src/tasks/optimize/onPool.ts';
import { LAB_LOADED } from '@sextant/workers/src/protocol/wire/defaults.ts';
import { ref, snapshot } from 'valtio';
import { messageOf } from '../../../api/failure.ts';
import { describeTaskError, enginePool } from '../../../engine/enginePool.ts';
import { createLatestTask } from '../../../state/latestTask.ts';
import { toast } from '../../../state/toasts.ts';
import { onUserReset } from '../../../state/userReset.ts';
import { isSameData, type LoadedCandles } from '../../../api/candles.ts';
import { loadChosen } from '../live/liveRun.ts';
import { chosenRules } from '../own/chosenRules.ts';
import { type Draft, draft, runState } from '../backtestState.ts';
import { backtestInputOf, isFine } from '../run/input.ts';
import { loadCandles } from '../run/setupCandles.ts';
import { FAILED, rerun } from '../runner.ts';
import { countSearch, markOf, noteTried, type SetKind } from '../trialCounts.ts';
import { rulesSpaceOf } from './rulesRanges.ts';
import { noteFinished } from './searchCautions.ts';
import { searchText } from './setText.ts';
import { searchWithMinutes } from './minutesOfSearch.ts';
import {
  asideState,
  keepSearch,
  samplesOf,
  searchDraft,
  type SearchDraft,
  type SearchRun,
  type SearchSetup,
  searchState,
  walkForwardPlan,
} from './searchState.ts';
import { checkEarlier, trainOnOf } from './trainWindow.ts';
import { joinTrials } from './trials.ts';

const task = createLatestTask();
onUserReset(() => cancelSearch());

/** Stops a running search; the previous result stays. */
export function cancelSearch(): void {
  task.cancel();
  if (searchState.status === 'running') endWithout();
  else Object.assign(searchState, { progress: null, loading: null, minutes: null });
}

/**
 * Loads the candles when needed, searches, and shows the result beside the set on the sliders.
 * @returns whether a result is shown: not when the setup is on another market by then
 */
export async function runSearch(): Promise<boolean> {
  cancelSearch();
  const samples = samplesOf(searchDraft);
  const { isStillSetup, setup } = noteSetup();
  let isShown = false;
  Object.assign(searchState, { status: 'running', error: null, progress: { done: 0, total: samples } });
  await task.run({
    work: search,
    onDone: (run) => {
      isShown = isStillSetup();
      if (isShown) showSearch(run);
      else keepAside(run, setup);
    },
    onFailed: (failure) =>
      Object.assign(searchState, {
        status: 'error',
        progress: null,
        loading: null,
        minutes: null,
        error: `${FAILED}: ${detailOf(failure)}`,
      }),
  });
  return isShown;
}

/** @returns the setup, and whether it still selects the candles that it selects now */
export function noteSetup(): { isStillSetup: () => boolean; setup: SearchSetup } {
  const candlesOf = ({ source, symbol, interval, window, range, historyCount }: Draft) =>
    source === 'csv'
      ? [runState.csv]
      : [symbol, interval, ...(window === 'range' ? [range.from, range.to] : [historyCount])];
  const noted = candlesOf(draft);
  const isStillSetup = (): boolean => {
    const now = candlesOf(draft);
    return now.length === noted.length && now.every((each, i) => each === noted[i]);
  };
  const { source, symbol, interval, window, range, historyCount } = draft;
  return { isStillSetup, setup: { source, symbol, interval, window, range: { ...range }, historyCount } };
}

/** A search that ends under another setup leaves that on screen, with its own search. */
export function keepAside(run: SearchRun, setup: SearchSetup): void {
  noteFinished(run);
  if (searchState.status === 'running') endWithout();
  asideState.search = ref({ run, setup });
  toast(`Search of ${run.loaded.label} is done. Open it under Optimization.`, 'success');
}

/** Shows the search aside, under its own setup. */
export function openAside(): void {
  const { search: aside } = asideState;
  if (aside === null) return;
  asideState.search = null;
  Object.assign(draft, aside.setup);
  showSearch(aside.run);
}

/** Ends a search without a result: the one before, if any, is shown again. */
function endWithout(): void {
  Object.assign(searchState, { progress: null, loading: null, minutes: null });
  searchState.status = searchState.run === null ? 'idle' : 'result';
}

/** The message of the failure, when it helps the user. */
function detailOf(failure: unknown): string {
  if (failure instanceof SearchFailure) return describeTaskError(failure.error);
  return messageOf(failure, 'the search stopped. Try again.');
}

async function search(signal: AbortSignal): Promise<SearchRun> {
  const onProgress = (done: number, total: number) => {
    if (!signal.aborted && total > LAB_LOADED) searchState.loading = { done, total };
  };
  const loaded = await loadCandles({ signal, onProgress });
  if (!signal.aborted) searchState.loading = null;
  const pool = await enginePool();
  const { params, costs, candles, scoredCount, markPrices } = backtestInputOf(loaded);
  const form = structuredClone(snapshot(searchDraft)) as SearchDraft;
  const { target, seed, isRefined, isGuided, space, walkForward } = form;
  const rules = await searchedRules(loaded, form, signal);
  const trainOn = trainOnOf(searchDraft, draft);
  checkEarlier({ trainOn, strategy: draft.strategy }, loaded, scoredCount);
  const input: OptimizeInput = {
    candles,
    params,
    costs,
    scoredCount,
    ...withoutUndefined({ markPrices }),
    target,
    seed,
    trainOn,
    samples: samplesOf(form),
    refine: isRefined,
    guide: isGuided,
    ...withoutUndefined({ rules }),
    ...(rules !== undefined || Object.keys(space).length === 0 ? {} : { space }),
    ...walkForwardPlan(walkForward),
  };
  const plan = { loaded, isFine: isFine(loaded), input: withoutWalk(input) };
  const match = await searchWithMinutes(pool, plan, {
    signal,
    onDone: (done) => {
      if (!signal.aborted) searchState.progress = { done, total: input.samples };
    },
  });
  const { searched } = match;
  const { last } = searched;
  const { best } = last;
  if (best === undefined) throw new Error('the search found no best set');
  const result = { ...last, best };
  const data = markOf(loaded, best.scored.hashes.data);
  const before = countSearch(data, { trialCount: result.trialCount, trainOn, kind: kindOf(input) }, searchText(input));
  noteTried(data, best.strategy ?? best.params);
  const trials = await joinTrials(searched);
  const { minutes, tookMs } = match;
  const walk = input.walkForward === undefined ? {} : { walkForward: input.walkForward };
  return { loaded, input: { ...match.input, ...walk }, result, trials, before, minutes, ranOn: 'browser', tookMs };
}

export const kindOf = ({ rules }: Pick<OptimizeInput, 'rules'>): SetKind => (rules === undefined ? 'classic' : 'rules');

/**
 * The rules of the form with the candles that they read, and the ranges for the ways that their exits are measured in; own rules have their
 * ranges in the text. Undefined for Classic.
 */
export async function searchedRules(
  loaded: LoadedCandles,
  { rulesSpace }: Pick<SearchDraft, 'rulesSpace'>,
  signal: AbortSignal,
): Promise<SearchedRules | undefined> {
  const chosen = chosenRules();
  if (chosen === null) return undefined;
  const rules = await loadChosen(loaded, chosen, signal);
  if (chosen.kind === 'own') return rules;
  const space = rulesSpaceOf(rules.strategy, rulesSpace);
  return { ...rules, ...(Object.keys(space).length === 0 ? {} : { space }) };
}

/** Walk-forward searches each window again: the best set does not wait for it. */
function withoutWalk(input: OptimizeInput): OptimizeInput {
  const alone = { ...input };
  delete alone.walkForward;
  return alone;
}

/** Shows the search with its best set. The set on the sliders stays, and is run when its candles are new. */
export function showSearch(run: SearchRun): void {
  noteFinished(run);
  keepSearch(run);
  if (runState.run !== null && isSameData(runState.run.loaded, run.loaded)) return;
  runState.loaded = ref(run.loaded);
  void rerun();
}
