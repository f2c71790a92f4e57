import { venueIds } from '@sextant/engine-as/abi/costs.ts';
import type { Strategy } from '@sextant/engine-as/abi/strategy.ts';
import { isOwnRules } from '@sextant/workers/src/rules/strategyOfRules.ts';
import { snapshot } from 'valtio';
import { api, dataOf } from '../../api/client.ts';
import { isSameData } from '../../api/candles.ts';
import type { SavedState, SavedStateBody } from '../../api/types.ts';
import { isUnreachable, messageOf } from '../../api/failure.ts';
import { serverClock } from '../../api/serverClock.ts';
import { formatCount } from '../../format/number.ts';
import { toast, toastRejection } from '../../state/toasts.ts';
import { readSaved, save } from '../../state/storage.ts';
import { createUnsaved } from '../../state/unsaved.ts';
import { onUserReset } from '../../state/userReset.ts';
import { draft, forgetRun, countOf, type Run, runState, type SetupInterval } from './backtestState.ts';
import { intervals } from '@sextant/engine-as/abi/intervals.ts';
import { openSavedCsv } from './csvStore.ts';
import { accountTuning } from './live/liveRun.ts';
import { settingsOfRun } from './live/liveSettings.ts';
import { type ChosenRules, chooseRules } from './own/chosenRules.ts';
import { paramsFromJson, paramsToJson } from './params.ts';
import type { SavedWindow } from './run/setupCandles.ts';
import { cancelRun, loadAndRun } from './runner.ts';
import { costsOf, restoreCosts } from './savedCosts.ts';
import { daysOf } from './setup/dateRange.ts';
import { cancelSearch } from './search/runSearch.ts';
import { deleteStoredSearch, restoreStoredSearch } from './search/storedSearch.ts';
import { forgetSearch, restoreSearch, samplesOf, searchDraft, searchState } from './search/searchState.ts';
import { looksOn, markOf, raiseCounts, trialsOn } from './trialCounts.ts';

const RESTORED = 'Backtest restored';

/** The stored part of a run: its source, its parameters and its headline figures, without its curves. */
export function stateOf({
  loaded,
  params,
  strategy,
  opened,
  costs,
  scoredCount,
  fineData,
  result,
}: Run): SavedStateBody {
  const { summary, hashes } = result;
  const { time } = loaded.candles;
  const endMs = (time.at(-1) ?? 0) + loaded.intervalMs;
  const days = loaded.scoredFromMs === undefined ? undefined : daysOf(loaded.scoredFromMs, endMs);
  return {
    // A file has no symbol: the one selected before it stays, and `label` names the file.
    symbol: loaded.source === 'csv' ? draft.symbol : loaded.label,
    interval: loaded.interval,
    params: paramsToJson(params),
    strategy: strategy ?? null,
    optimize: optimizeOf(),
    metrics: {
      source: loaded.source,
      label: loaded.label.slice(0, 200),
      end_time: endMs,
      loaded_candles: time.length,
      scored_candles: scoredCount,
      scored: draft.csvScored,
      data_hash: hashes.data,
      result_hash: hashes.result,
      history: draft.historyCount,
      ...(days === undefined ? {} : { range_from: days.from, range_to: days.to }),
      fee_venue: draft.feeVenue,
      ...(fineData ? { fine_data: true } : {}),
      ...(opened === undefined ? {} : { rules_name: opened.name, rules_version: opened.version }),
      ...countedOf(loaded, hashes.data),
      ...costsOf(costs),
      pnl: summary.netPnl,
      winRate: summary.winRate,
      trades: summary.tradeCount,
      maxDrawdown: summary.maxDrawdownFraction,
    },
  };
}

/** Counts behind the honesty figures, so that they are the same after a reload and in another browser. */
function countedOf(loaded: Run['loaded'], dataHash: string): Record<string, number | string> {
  const data = markOf(loaded, dataHash);
  const { run: search } = searchState;
  const counted = { trials: trialsOn(data), looks: looksOn(data) };
  // Both may have loaded the candles, when the symbol was changed just before.
  if (search === null || !isSameData(search.loaded, loaded)) return counted;
  const { trialCount, best } = search.result;
  // A search uses no longer intervals: its data hash differs from that of a run of rules.
  return { ...counted, search_sets: trialCount, search_data: best.scored.hashes.data };
}

/** The current search form. */
function optimizeOf(): NonNullable<SavedStateBody['optimize']> {
  const { target, seed, trainOn, isRefined, walkForward } = searchDraft;
  return { samples: samplesOf(searchDraft), target, seed, trainOn, refine: isRefined, walkForward };
}

/** Saves and deletions are sent one after the other: of two concurrent requests the older might finish last. */
let ended: Promise<unknown> = Promise.resolve();
function inTurn(request: () => Promise<unknown>): Promise<void> {
  const turn = ended.then(request);
  ended = turn.catch(() => undefined);
  return turn.then(() => undefined);
}

interface UnsavedRun {
  /** By the server's clock, epoch ms. */
  atMs: number;
  body: SavedStateBody;
}

const unsavedRun = createUnsaved<UnsavedRun>('unsavedBacktest');
/** The last run that the server has: read while it cannot be reached. */
const LAST = 'lastBacktest';
onUserReset(() => save(LAST, null));

/** Remembers a run in this browser until the server has it. */
export function noteUnsaved(run: Run): { body: SavedStateBody; confirm: () => void } {
  const body = stateOf(run);
  return { body, confirm: unsavedRun.note({ atMs: serverClock.now(), body }) };
}

/** Saves a run, even while the page is closing; skips a run cleared before its turn. */
export function saveState(run: Run): Promise<void> {
  const { body, confirm } = noteUnsaved(run);
  return inTurn(async () => {
    try {
      if (runState.run !== null) {
        await dataOf(api.PUT('/api/backtest/state', { body, keepalive: true }));
        save(LAST, JSON.stringify(body));
      }
      confirm();
    } catch (failure) {
      // A rejected state would be rejected again.
      if (!isUnreachable(failure)) confirm();
      throw failure;
    }
  });
}

/** Hash of a cleared result, until the server has deleted it: a reload in between must not restore it. */
const CLEARED = 'clearedBacktest';
onUserReset(() => save(CLEARED, null));

function deleteState(): Promise<void> {
  return inTurn(async () => {
    await dataOf(api.DELETE('/api/backtest/state', { keepalive: true }));
    save(CLEARED, null);
  });
}
const notDeleted = (failure: unknown): void =>
  toastRejection(messageOf(failure, 'The saved backtest was not deleted'), failure);

/** Skipped when a newer run was saved over the state to delete. */
function deleteLater(): void {
  if (runState.run === null) deleteState().catch(notDeleted);
}
onUserReset(() => window.removeEventListener('online', deleteLater));

/** Clears the run here and on the server, or on the server once the network is back. */
export async function clearBacktest(): Promise<void> {
  if (runState.run !== null) save(CLEARED, runState.run.result.hashes.result);
  unsavedRun.forget();
  save(LAST, null);
  cancelRun();
  cancelSearch();
  forgetRun();
  forgetSearch();
  void deleteStoredSearch();
  draft.source = 'exchange';
  try {
    await deleteState();
  } catch (failure) {
    if (!isUnreachable(failure)) {
      save(CLEARED, null);
      notDeleted(failure);
      return;
    }
    window.addEventListener('online', deleteLater, { once: true });
    toast('Cleared here. The server copy is cleared when you reconnect.');
  }
}

/**
 * Restores the saved backtest. Loads the same window of candles, so the result is bit-identical; the rows of a file are stored only in this
 * browser.
 * @returns false when nothing is saved
 */
export async function restoreBacktest(): Promise<boolean> {
  const restored = await restoreForms();
  if (restored === null) return false;
  const { interval, metrics } = restored;
  const put = choiceText();
  const isRestored = metrics.source === 'csv' ? await restoreCsv(metrics) : await restoreExchange(interval, metrics);
  if (isRestored) {
    await restoreTrials(metrics, put === choiceText());
    toast(RESTORED, 'success');
  }
  return isRestored;
}

/** Puts the saved setup, rules and search into the forms. @returns null when nothing is saved, or the user was faster */
export async function restoreForms(): Promise<{ interval: SetupInterval | undefined; metrics: Metrics } | null> {
  const untouched = JSON.stringify(draft);
  const untouchedSearch = JSON.stringify(searchDraft);
  const saved = await readState();
  // Changes the user made during the request are newer than the saved state.
  const isTouched = runState.phase.name !== 'idle' || JSON.stringify(draft) !== untouched;
  if (saved === null || isTouched) return null;
  const { state, chosen, metrics } = saved;
  const cleared = readSaved(CLEARED);
  if (cleared !== null && cleared === metrics.result_hash) {
    deleteState().catch(notDeleted);
    return null;
  }
  if (state.optimize !== null && JSON.stringify(searchDraft) === untouchedSearch) restoreSearch(state.optimize);
  const interval = restoreSetup(state);
  chooseRules(chosen);
  return { interval, metrics };
}

/** The account's state; without a network the last one of this browser. @throws ApiFailure when there is neither */
async function fetchState(): Promise<SavedState | null> {
  try {
    return (await dataOf(api.GET('/api/backtest/state'))).state;
  } catch (failure) {
    if (!isUnreachable(failure)) throw failure;
    if (unsavedRun.read() !== null) return null;
    const last = readSaved(LAST);
    if (last === null) throw failure;
    return { ...(JSON.parse(last) as SavedState), updated_at: new Date(serverClock.now()).toISOString() };
  }
}

/** The saved screen, with the settings of its rules when it shows a run of rules. */
async function readState(): Promise<{ state: SavedState; chosen: ChosenRules | null; metrics: Metrics } | null> {
  const stored = await fetchState();
  const state = newestOf(stored);
  if (state === null) return null;
  const metrics = state.metrics ?? {};
  const chosen = state.strategy === null ? null : await chosenOfState(state.strategy, metrics);
  return { state, chosen, metrics };
}

/** An older save of the same page may reach the server after the newer run was noted. */
const OWN_SAVES_MS = 60_000;

/** The run this browser has not saved yet, or the account's state when another browser saved that later. */
function newestOf(stored: SavedState | null): SavedState | null {
  const unsaved = unsavedRun.read();
  if (unsaved === null) return stored;
  if (stored !== null && Date.parse(stored.updated_at) > unsaved.atMs + OWN_SAVES_MS) return stored;
  // The API accepts a partial state; `stateOf` returns a complete one.
  return { ...(unsaved.body as SavedState), updated_at: new Date(unsaved.atMs).toISOString() };
}

/** The current choices that define a run. */
function choiceText(): string {
  const { strategy, params, live, rules, costs } = draft;
  return JSON.stringify([strategy, params, live, rules, costs]);
}

/** The form that reproduces the rules of the run. */
async function chosenOfState(strategy: Strategy, metrics: Metrics): Promise<ChosenRules> {
  const { rules_name: name, rules_version: version } = metrics;
  const opened = typeof name === 'string' && typeof version === 'string' ? { name, version } : null;
  if (isOwnRules(strategy)) return { kind: 'own', own: { text: strategy.rules, opened } };
  const isOfScanner = opened === null || opened.version === '';
  const tuning = isOfScanner ? await accountTuning() : {};
  const { live: stored } = snapshot(draft);
  return { kind: 'live', settings: settingsOfRun(strategy, { opened, tuning, stored: structuredClone(stored) }) };
}

/** Puts a saved state into the form. @returns the interval, unless this version does not have it */
function restoreSetup({ params, symbol, interval: name, metrics }: SavedState): SetupInterval | undefined {
  Object.assign(draft.params, paramsFromJson(params));
  draft.symbol = symbol;
  const interval = intervals.find((each) => each === name);
  if (interval !== undefined) draft.interval = interval;
  draft.csvScored = metrics?.scored === 'all' ? 'all' : 'window';
  draft.historyCount = countOf(metrics?.history);
  // A run saved before mark prices and minutes existed is repeated without them.
  draft.fineData = metrics?.source === 'csv' || metrics?.fine_data === true;
  const { range_from: from, range_to: to } = metrics ?? {};
  const isRange = typeof from === 'string' && typeof to === 'string';
  draft.window = isRange ? 'range' : 'count';
  if (isRange) draft.range = { from, to };
  draft.feeVenue = venueIds.find((venue) => venue === metrics?.fee_venue) ?? 'binance';
  restoreCosts(metrics ?? {});
  return interval;
}

function windowOf({
  end_time: endTimeMs,
  loaded_candles: loaded,
  scored_candles: scored,
}: Metrics): SavedWindow | undefined {
  if (typeof endTimeMs !== 'number') return undefined;
  const isCounted = typeof loaded === 'number' && typeof scored === 'number';
  return { endTimeMs, ...(isCounted ? { counts: { loaded, scored } } : {}) };
}

async function restoreExchange(interval: SetupInterval | undefined, metrics: Metrics): Promise<boolean> {
  if (interval === undefined) return false;
  draft.source = 'exchange';
  await loadAndRun({ saved: windowOf(metrics) });
  return runState.run !== null;
}

/**
 * Restores the trials behind the run and its search; reports what could not be restored.
 * @param isUntouched false when something was changed while the candles were loading: then the run is not the saved one
 */
async function restoreTrials(metrics: Metrics, isUntouched: boolean): Promise<void> {
  const { trials, looks, search_sets, search_data, data_hash, result_hash } = metrics;
  const { run } = runState;
  if (run === null) return;
  const { hashes } = run.result;
  if (typeof trials === 'number' && typeof looks === 'number')
    raiseCounts(markOf(run.loaded, hashes.data), { trials, looks });
  const isSame = hashes.data === data_hash && hashes.result === result_hash;
  const searched = hashes.data === data_hash && typeof search_data === 'string' ? search_data : hashes.data;
  const hasSearch = await restoreStoredSearch(run.loaded, searched);
  if (!isUntouched) return;
  if (typeof data_hash === 'string' && !isSame)
    runState.partial = `Partly restored: ${hashes.data === data_hash ? 'the engine changed, and so did the result' : 'the candles or fundings changed, and so did the result'}.`;
  else if (typeof search_sets === 'number' && !hasSearch)
    runState.partial = `Partly restored: the search map and table (${formatCount(search_sets)} sets) are in the browser that searched. Honesty counts them here.`;
}

type Metrics = NonNullable<SavedState['metrics']>;

async function restoreCsv(metrics: Metrics): Promise<boolean> {
  const isOpen = typeof metrics.data_hash === 'string' && (await openSavedCsv(metrics.data_hash));
  if (isOpen) return true;
  const name = typeof metrics.label === 'string' ? metrics.label : 'the file';
  toast(`Parameters restored. Drop ${name} again to see its result.`);
  return false;
}
