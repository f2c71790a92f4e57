import type { OptimizeInput, OptimizeResult, WalkForwardResult } from '@sextant/workers/src/protocolOptimize.ts';
import { unpackTrials } from '@sextant/workers/src/wire/trialColumns.ts';
import { snapshot } from 'valtio';
import type { LoadedCandles } from '../../../api/candles.ts';
import { fetchSearch, fetchTrials, orderSearch } from '../../../api/searches.ts';
import type { ServerSearch } from '../../../api/types.ts';
import { enginePool } from '../../../engine/enginePool.ts';
import { hashNames } from '../hashes.ts';
import { type ParamsJson, paramsFromJson } from '../params.ts';
import { draft } from '../backtestState.ts';
import { backtestInputOf, loadCandles, textOf } from '../runner.ts';
import { isOfThisForm, NotOpened, restoreCandles, restoreSetup } from '../saved/restoreSetup.ts';
import { restoreSearch } from './restoreSearch.ts';
import { countSearchOnce, markOf, noteTried } from '../trialCounts.ts';
import { runBodyOf } from '../verify.ts';
import { showBest, walkForwardDefaults } from './runSearch.ts';
import { samplesOf, searchDraft, type SearchRun } from './searchState.ts';
import { trainOnOf } from './trainWindow.ts';
import { trialsOf } from './trials.ts';

const DEADLINE_MS = 120_000;

/** Gives the search of the form to the server, which goes on with it when this page is closed. @returns its id */
export async function startServerSearch(): Promise<string> {
  const loaded = await loadCandles(untold());
  const { params, costs, scoredCount } = backtestInputOf(loaded);
  const { target, seed, isRefined: refine, walkForward } = snapshot(searchDraft);
  const trainOn = trainOnOf(searchDraft, draft);
  const plan = walkForward === 'off' ? {} : { walkForward: { kind: walkForward, ...walkForwardDefaults } };
  const optimize = { samples: samplesOf(searchDraft), target, seed, trainOn, refine, ...plan };
  return orderSearch({ ...runBodyOf({ loaded, params, costs, scoredCount }), optimize: { ...optimize, space: {} } });
}

/**
 * Shows a finished search of the server as if it had run here: its candles are loaded, each set is drawn again from the seed, and
 * the best is run in this browser, whose hashes must be those of the server.
 * @throws NotOpened when nothing was kept or the candles are others, ApiFailure when the server cannot be asked
 */
export async function openServerSearch(id: string): Promise<void> {
  const search = await fetchSearch(id);
  const { request, result } = search;
  if (request === null || result === null) throw new NotOpened('of this search only the best set was kept');
  if (Object.keys(request.optimize.space).length > 0 || !isOfThisForm(request))
    throw new NotOpened('it was started through the API with ranges this page does not support');
  const [bytes, restored] = await Promise.all([
    fetchTrials(id),
    restoreCandles(search.interval, request.setup, result.best.hashes.data, untold()),
  ]);
  const run = await searchRunOf(search, restored.loaded, bytes);
  // All at once: a form that is half another search's would be run as it stands.
  restoreSetup(request.setup, restored);
  restoreSearch(formOf(request));
  showBest(run);
}

type Request = NonNullable<ServerSearch['request']>;
type Result = NonNullable<ServerSearch['result']>;

/** Neither cancelled nor followed: the button that asked waits. */
const untold = () => ({ signal: new AbortController().signal, onProgress: () => undefined });

const formOf = ({ optimize: { samples, target, seed, trainOn, refine, walkForward } }: Request) => ({
  samples,
  target,
  seed,
  trainOn,
  refine,
  walkForward: walkForward?.kind ?? ('off' as const),
});

/** All but the walk-forward, which is not walked again: what the server found is shown. */
function inputOf({ params, optimize, setup }: Request, { candles, funding }: LoadedCandles): OptimizeInput {
  const { samples, target, seed, trainOn, refine } = optimize;
  const costs = { ...(setup.costs as OptimizeInput['costs']), ...(funding === null ? {} : { funding }) };
  return {
    candles,
    costs,
    params: paramsFromJson(params),
    scoredCount: setup.scored,
    samples,
    target,
    seed,
    trainOn,
    refine,
  };
}

async function searchRunOf(search: ServerSearch, loaded: LoadedCandles, bytes: Uint8Array): Promise<SearchRun> {
  const { request, result } = search as { request: Request; result: Result };
  const columns = unpackTrials(bytes);
  const { samples } = request.optimize;
  const known = { samples: columns.value.slice(0, samples), refined: columns.value.slice(samples) };
  const input = inputOf(request, loaded);
  const pool = await enginePool();
  const outcome = await pool.run('optimize', { ...input, known, withSets: true }, { deadlineMs: DEADLINE_MS });
  if (!outcome.ok) throw new NotOpened(textOf(outcome.error));
  const { best, sets } = outcome.value;
  const different = hashNames.filter((name) => best?.scored.hashes[name] !== result.best.hashes[name]);
  if (best === undefined || sets === undefined || different.length > 0)
    throw new NotOpened(`this browser gets another ${different.join(', ')} than the server for the best set`);
  const data = markOf(loaded, best.scored.hashes.data);
  noteTried(data, best.params);
  const found: OptimizeResult = { ...outcome.value, best };
  const walkForward = result.walkForward && walkForwardOf(result.walkForward);
  return {
    loaded,
    input,
    trials: trialsOf(columns, sets, samples),
    ranOn: 'server',
    result: { ...found, best, ...(walkForward === undefined ? {} : { walkForward }) },
    before: countSearchOnce(search.search_id, data, result.trialCount, input.trainOn ?? 'earlier'),
    tookMs: search.elapsed_ms ?? 0,
  };
}

const walkForwardOf = ({ folds, ...rest }: NonNullable<Result['walkForward']>): WalkForwardResult => ({
  ...(rest as Omit<WalkForwardResult, 'folds'>),
  folds: folds.map((fold) => ({ ...fold, params: paramsFromJson(fold.params as ParamsJson) })),
});
