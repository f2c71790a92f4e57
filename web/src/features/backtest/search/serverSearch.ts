import { joinColumns } from '@sextant/workers/src/candles/candleColumns.ts';
import { withoutUndefined } from '@sextant/workers/src/core/withoutUndefined.ts';
import { SEARCH_MINUTES_WAIT_MS } from '@sextant/workers/src/candles/minutes.ts';
import type { Candles } from '@sextant/workers/src/protocol/backtest.ts';
import type {
  OptimizeInput,
  OptimizeResult,
  OptimizeSpace,
  SearchedRules,
  WalkForwardResult,
} from '@sextant/workers/src/protocol/optimize.ts';
import { spaceFromWire, spaceToWire } from '@sextant/workers/src/protocol/wire/optimize.ts';
import { strategyVersion } from '@sextant/workers/src/protocol/wire/strategy.ts';
import { unpackTrials } from '@sextant/workers/src/protocol/wire/trialColumns.ts';
import { snapshot } from 'valtio';
import type { LoadedCandles } from '../../../api/candles.ts';
import { fetchSearch, fetchTrials, orderSearch } from '../../../api/searches.ts';
import type { ServerSearch } from '../../../api/types.ts';
import { describeTaskError, enginePool } from '../../../engine/enginePool.ts';
import { createLatestTask } from '../../../state/latestTask.ts';
import { toast } from '../../../state/toasts.ts';
import { draft } from '../backtestState.ts';
import { hashNames } from '../hashes.ts';
import { loadChosen } from '../live/liveRun.ts';
import { canHaveMinutes, minuteLoader } from '../minutes.ts';
import { paramsFromJson } from '../params.ts';
import { backtestInputOf, isFine } from '../run/input.ts';
import { loadCandles, type Loading } from '../run/setupCandles.ts';
import {
  isOfThisForm,
  NotOpened,
  restoreCandles,
  type Restored,
  restoreSetup,
  rulesOfSaved,
} from '../saved/restoreSetup.ts';
import { searchText } from './setText.ts';
import { saveSubject } from '../honesty/subject.ts';
import { countSearchOnce, markOf, noteTried } from '../trialCounts.ts';
import { runBodyOf } from '../verify.ts';
import { minutesOnServer } from './minutesOfSearch.ts';
import { rulesRangesFrom } from './rulesRanges.ts';
import { kindOf, noteSetup, searchedRules, showSearch } from './runSearch.ts';
import {
  rangeNames,
  restoreSearch,
  samplesOf,
  type SearchDraft,
  searchDraft,
  type SearchRun,
  type SearchSpace,
  walkForwardPlan,
} from './searchState.ts';
import { checkEarlier, trainOnOf } from './trainWindow.ts';
import { trialsOf } from './trials.ts';

const DEADLINE_MS = 120_000;

/** Without cancel and progress: the button waits for the result. */
const withoutProgress = () => ({ signal: new AbortController().signal, onProgress: () => undefined });

/** Sends the form's search to the server, which continues when this page is closed. @returns its id */
export async function startServerSearch(): Promise<string> {
  const loading = withoutProgress();
  const loaded = await loadCandles(loading);
  const { params, costs, scoredCount } = backtestInputOf(loaded);
  const form = structuredClone(snapshot(searchDraft)) as SearchDraft;
  const rules = await searchedRules(loaded, form, loading.signal);
  const { target, seed, isRefined: refine, isGuided: guide, walkForward } = form;
  const trainOn = trainOnOf(searchDraft, draft);
  checkEarlier({ trainOn, strategy: draft.strategy }, loaded, scoredCount);
  const ranges = rules?.space === undefined ? {} : { rulesSpace: rules.space };
  const optimize = {
    samples: samplesOf(form),
    target,
    seed,
    trainOn,
    refine,
    guide,
    ...walkForwardPlan(walkForward),
    ...ranges,
  };
  const run = { loaded, params, costs, scoredCount, fineData: isFine(loaded) };
  const named = rules === undefined ? run : { ...run, strategy: rules.strategy, context: rules.context };
  const body = runBodyOf(named);
  // A long history is sent as candles; the server loads its minutes by symbol.
  const minutes =
    body.symbol === undefined && named.fineData && canHaveMinutes(loaded) ? { minutesOf: loaded.label } : {};
  // Ranges of rules are another field: those of Classic would be rejected beside them.
  const space = rules === undefined ? spaceToWire(form.space) : {};
  return orderSearch({ ...body, ...minutes, optimize: { ...optimize, space } });
}

/**
 * Shows a finished server search as if it had run here: loads its candles, draws each set again from the seed, and runs the best set in
 * this browser, whose hashes must equal those of the server.
 * @returns false when another opening, setup or user took its place meanwhile: nothing is changed then
 * @throws NotOpened when only the best set was stored or the candles differ, ApiFailure when the server cannot be reached
 */
export async function openServerSearch(id: string): Promise<boolean> {
  const { isStillSetup } = noteSetup();
  let isShown = false;
  await opening.run({
    work: (signal) => loadServerSearch(id, { signal, onProgress: () => undefined }),
    onDone: (found) => {
      isShown = isStillSetup();
      if (isShown) show(found);
      else toast('Another market was chosen meanwhile. Open the result again to see it.');
    },
  });
  return isShown;
}

/** Only the newest opening counts, and none of the user before. */
const opening = createLatestTask();

interface Found extends Opened {
  search: Done;
  restored: Restored;
  input: OptimizeInput;
  /** With the sets, run again here. */
  match: OptimizeResult & { best: NonNullable<OptimizeResult['best']> };
  trials: SearchRun['trials'];
}

async function loadServerSearch(id: string, loading: Loading): Promise<Found> {
  const search = await fetchSearch(id);
  if (!isDone(search)) throw new NotOpened('only the best set of this search is stored');
  const { request, result } = search;
  if (!isSpaceOfThisForm(spaceFromWire(request.optimize.space)) || !isOfThisForm(request))
    throw new NotOpened('it uses API ranges this page does not support');
  const [bytes, restored] = await Promise.all([
    fetchTrials(id),
    restoreCandles(search.interval, request.setup, result.best.hashes.data, loading),
  ]);
  const { loaded } = restored;
  const opened = { loaded, rules: await rulesIn(request, loaded, loading.signal), bytes };
  return { search, restored, ...opened, ...(await repeated(search, opened, loading.signal)) };
}

/** All at once: a half-restored form could be run. */
function show(found: Found): void {
  const { search, restored, rules } = found;
  const { request } = search;
  const run = searchRunOf(found);
  restoreSetup(request.setup, restored);
  restoreSearch(formOf(request));
  // Searches from before guided sampling do not store it.
  searchDraft.isGuided = (request.optimize as Partial<Request['optimize']>).guide ?? false;
  if (rules === undefined) searchDraft.space = spaceFromWire(request.optimize.space);
  else searchDraft.rulesSpace = rulesRangesFrom(rules.strategy, rules.space ?? {});
  showSearch(run);
}

type Request = NonNullable<ServerSearch['request']>;
type Result = NonNullable<ServerSearch['result']>;
type Done = ServerSearch & { request: Request; result: Result };

const isDone = (search: ServerSearch): search is Done => search.request !== null && search.result !== null;

const formOf = ({ optimize: { samples, target, seed, trainOn, refine, walkForward } }: Request) => ({
  samples,
  target,
  seed,
  trainOn,
  refine,
  walkForward: walkForward?.kind ?? ('off' as const),
});

/** The form narrows ranges one by one. The API can also fix the trailing and the kinds of sets. */
const isSpaceOfThisForm = (space: Partial<OptimizeSpace>): space is SearchSpace =>
  Object.keys(space).every((name) => name === 'weights' || rangeNames.some((each) => each === name));

/** The rules of a search over rules, with the candles of their longer intervals. @throws NotOpened when this page cannot load those */
async function rulesIn(
  { strategy, optimize: { rulesSpace } }: Request,
  loaded: LoadedCandles,
  signal: AbortSignal,
): Promise<SearchedRules | undefined> {
  if (strategy === undefined) return undefined;
  const rules = await loadChosen(loaded, await rulesOfSaved('Rules of the search', strategy), signal);
  if (strategyVersion(rules.strategy) !== strategyVersion(strategy))
    throw new NotOpened('this page does not have the candles of its longer intervals');
  return rulesSpace === undefined ? rules : { ...rules, space: rulesSpace };
}

/** All inputs but the walk-forward, which is not repeated: the server's result is shown. */
function inputOf(
  { params, optimize, setup, markPricesProblem }: Request,
  { candles, funding, marks }: LoadedCandles,
  rules: SearchedRules | undefined,
): OptimizeInput {
  const { samples, target, seed, trainOn, refine, guide, space } = optimize;
  const costs = { ...(setup.costs as OptimizeInput['costs']), ...(funding === null ? {} : { funding }) };
  return {
    candles,
    costs,
    params: paramsFromJson(params),
    scoredCount: setup.scored,
    ...(setup.fineData === true && marks && markPricesProblem === undefined ? { markPrices: marks.prices } : {}),
    samples,
    target,
    seed,
    trainOn,
    refine,
    guide,
    ...(rules === undefined ? { space: spaceFromWire(space) } : { rules }),
  };
}

/** The minutes that every set had on the server. @throws NotOpened when they cannot be loaded here */
async function minutesIn(
  { minutes }: Result,
  loaded: LoadedCandles,
  signal: AbortSignal,
): Promise<Candles | undefined> {
  const { opens = [] } = minutes ?? {};
  if (opens.length === 0) return undefined;
  const load = minuteLoader(loaded, { signal, deadlineMs: SEARCH_MINUTES_WAIT_MS });
  const { found, problem } = await load(opens);
  if (problem !== null) throw new NotOpened(`its 1-minute data did not load. ${problem}`);
  const parts = opens.flatMap((openMs) => found.get(openMs) ?? []);
  if (parts.length < opens.length) throw new NotOpened('the exchange no longer has all its 1-minute data');
  return joinColumns(parts);
}

interface Opened {
  loaded: LoadedCandles;
  rules: SearchedRules | undefined;
  /** Figures of every set. */
  bytes: Uint8Array;
}

/** Runs the best set here. @throws NotOpened when it differs from the server's */
async function repeated(
  { request, result }: Done,
  { loaded, rules, bytes }: Opened,
  signal: AbortSignal,
): Promise<Pick<Found, 'input' | 'match' | 'trials'>> {
  const columns = unpackTrials(bytes);
  const { samples } = request.optimize;
  const known = { samples: columns.value.slice(0, samples), refined: columns.value.slice(samples) };
  const fine = await minutesIn(result, loaded, signal);
  const input = { ...inputOf(request, loaded, rules), ...withoutUndefined({ fineCandles: fine }) };
  const pool = await enginePool();
  const outcome = await pool.run('optimize', { ...input, known, withSets: true }, { deadlineMs: DEADLINE_MS });
  if (!outcome.ok) throw new NotOpened(describeTaskError(outcome.error));
  const { best, sets } = outcome.value;
  const different = hashNames.filter((name) => best?.scored.hashes[name] !== result.best.hashes[name]);
  if (best === undefined || sets === undefined || different.length > 0)
    throw new NotOpened(`browser and server differ on the best set: ${different.join(', ')}`);
  return { input, match: { ...outcome.value, best }, trials: trialsOf(columns, sets, samples) };
}

function searchRunOf({ search, loaded, input, match, trials }: Found): SearchRun {
  const { request, result } = search;
  const { best } = match;
  const data = markOf(loaded, best.scored.hashes.data);
  noteTried(data, best.strategy ?? best.params);
  const walkForward = result.walkForward && walkForwardOf(result.walkForward);
  const size = { trialCount: result.trialCount, trainOn: input.trainOn ?? 'earlier', kind: kindOf(input) } as const;
  // The user opened the search: its verdict shows first, whatever set is on screen.
  saveSubject({ result: match }, 'best');
  return {
    loaded,
    input,
    trials,
    minutes: minutesOnServer(loaded, request.setup.fineData === true, result.minutes),
    ranOn: 'server',
    result: { ...match, ...withoutUndefined({ walkForward }) },
    before: countSearchOnce(search.search_id, data, size, searchText(input)),
    tookMs: search.elapsed_ms ?? 0,
  };
}

const walkForwardOf = ({ folds, ...rest }: NonNullable<Result['walkForward']>): WalkForwardResult => ({
  ...(rest as Omit<WalkForwardResult, 'folds'>),
  folds: folds.map((fold) => ({ ...fold, params: paramsFromJson(fold.params) })),
});
