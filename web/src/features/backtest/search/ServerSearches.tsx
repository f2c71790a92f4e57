import type {
  OptimizeInput,
  OptimizeResult,
  SearchedRules,
  WalkForwardResult,
} from '@sextant/workers/src/protocolOptimize.ts';
import { serverSamplesMax, setCostOf } from '@sextant/workers/src/tasks/optimize/setCost.ts';
import { strategyVersion } from '@sextant/workers/src/wire/strategy.ts';
import { unpackTrials } from '@sextant/workers/src/wire/trialColumns.ts';
import { CloudUpload, FolderOpen, Square } from 'lucide-react';
import { useState } from 'react';
import { snapshot, useSnapshot } from 'valtio';
import type { LoadedCandles } from '../../../api/candles.ts';
import { messageOf } from '../../../api/failure.ts';
import {
  fetchSearch,
  fetchTrials,
  isOpenSearch,
  orderSearch,
  useCancelSearch,
  useOrderSearch,
  useSearches,
} from '../../../api/searches.ts';
import type { SearchHead, ServerSearch } from '../../../api/types.ts';
import { describeTaskError, enginePool } from '../../../engine/enginePool.ts';
import { formatCount, formatFixed } from '../../../format/number.ts';
import { openPage } from '../../../state/navigation.ts';
import { toastRefusal } from '../../../state/toasts.ts';
import { Notice } from '../../../ui/Notice.tsx';
import { ErrorState } from '../../../ui/Panel.tsx';
import { Time } from '../../../ui/Time.tsx';
import { draft, plannedWindow, runState } from '../backtestState.ts';
import { hashNames } from '../hashes.ts';
import { paramsFromJson, type ParamsJson } from '../params.ts';
import { backtestInputOf, isFine, loadCandles } from '../runner.ts';
import { loadRules } from '../live/liveRun.ts';
import { isOfThisForm, NotOpened, restoreCandles, restoreSetup, rulesOfSaved } from '../saved/restoreSetup.ts';
import { countSearchOnce, markOf, noteTried } from '../trialCounts.ts';
import { runBodyOf } from '../verify.ts';
import { rulesRangesFrom } from './rulesRanges.ts';
import { searchedRules, showSearch, walkForwardDefaults } from './runSearch.ts';
import { withoutOnServer } from './minutesOfSearch.ts';
import { restoreSearch, samplesOf, type SearchDraft, searchDraft, type SearchRun } from './searchState.ts';
import { trainOnOf } from './trainWindow.ts';
import { trialsOf } from './trials.ts';

const DEADLINE_MS = 120_000;

/** Gives the search of the form to the server, which goes on with it when this page is closed. @returns its id */
async function startServerSearch(): Promise<string> {
  const loading = untold();
  const loaded = await loadCandles(loading);
  const { params, costs, scoredCount } = backtestInputOf(loaded);
  const form = structuredClone(snapshot(searchDraft)) as SearchDraft;
  const rules = draft.strategy === 'live' ? await searchedRules(loaded, form, loading.signal) : undefined;
  const { target, seed, isRefined: refine, isGuided: guide, walkForward } = form;
  const trainOn = trainOnOf(searchDraft, draft);
  const plan = walkForward === 'off' ? {} : { walkForward: { kind: walkForward, ...walkForwardDefaults } };
  const ranges = rules?.space === undefined ? {} : { rulesSpace: rules.space };
  const optimize = { samples: samplesOf(form), target, seed, trainOn, refine, guide, ...plan, ...ranges };
  const run = { loaded, params, costs, scoredCount, fineData: isFine(loaded) };
  const named = rules === undefined ? run : { ...run, strategy: rules.strategy, context: rules.context };
  return orderSearch({ ...runBodyOf(named), optimize: { ...optimize, space: {} } });
}

/**
 * Shows a finished search of the server as if it had run here: its candles are loaded, each set is drawn again from the seed, and
 * the best is run in this browser, whose hashes must be those of the server.
 * @throws NotOpened when nothing was kept or the candles are others, ApiFailure when the server cannot be asked
 */
async function openServerSearch(id: string): Promise<void> {
  const search = await fetchSearch(id);
  const { request, result } = search;
  if (request === null || result === null) throw new NotOpened('of this search only the best set was kept');
  if (Object.keys(request.optimize.space).length > 0 || !isOfThisForm(request))
    throw new NotOpened('it was started through the API with ranges this page does not support');
  const [bytes, restored] = await Promise.all([
    fetchTrials(id),
    restoreCandles(search.interval, request.setup, result.best.hashes.data, untold()),
  ]);
  const rules = await rulesIn(request, restored.loaded);
  const run = await searchRunOf(search, { loaded: restored.loaded, rules, bytes });
  // All at once: a half-restored form could be run.
  restoreSetup(request.setup, restored);
  restoreSearch(formOf(request));
  // Searches from before there was a guide do not say.
  searchDraft.isGuided = (request.optimize as Partial<Request['optimize']>).guide ?? false;
  if (rules !== undefined) searchDraft.rulesSpace = rulesRangesFrom(rules.strategy, rules.space ?? {});
  showSearch(run);
}

type Request = NonNullable<ServerSearch['request']>;
type Result = NonNullable<ServerSearch['result']>;

/** Without cancel and progress: the button waits for the result. */
const untold = () => ({ signal: new AbortController().signal, onProgress: () => undefined });

const formOf = ({ optimize: { samples, target, seed, trainOn, refine, walkForward } }: Request) => ({
  samples,
  target,
  seed,
  trainOn,
  refine,
  walkForward: walkForward?.kind ?? ('off' as const),
});

/** The rules of a search over rules, with the candles of their longer intervals. @throws NotOpened when this page cannot have those */
async function rulesIn(
  { strategy, optimize: { rulesSpace } }: Request,
  loaded: LoadedCandles,
): Promise<SearchedRules | undefined> {
  if (strategy === undefined) return undefined;
  const rules = await loadRules(loaded, await rulesOfSaved('Rules of the search', strategy), untold().signal);
  if (strategyVersion(rules.strategy) !== strategyVersion(strategy))
    throw new NotOpened('its longer intervals were sent with it, and this page does not have their candles');
  return rulesSpace === undefined ? rules : { ...rules, space: rulesSpace };
}

/** All but the walk-forward, which is not walked again: what the server found is shown. */
function inputOf(
  { params, optimize, setup }: Request,
  { candles, funding, marks }: LoadedCandles,
  rules: SearchedRules | undefined,
): OptimizeInput {
  const { samples, target, seed, trainOn, refine, guide } = optimize;
  const costs = { ...(setup.costs as OptimizeInput['costs']), ...(funding === null ? {} : { funding }) };
  return {
    candles,
    costs,
    params: paramsFromJson(params),
    scoredCount: setup.scored,
    ...(setup.fineData === true && marks ? { markPrices: marks.prices } : {}),
    samples,
    target,
    seed,
    trainOn,
    refine,
    guide,
    ...(rules === undefined ? {} : { rules }),
  };
}

interface Opened {
  loaded: LoadedCandles;
  rules: SearchedRules | undefined;
  /** Figures of every set. */
  bytes: Uint8Array;
}

async function searchRunOf(search: ServerSearch, { loaded, rules, bytes }: Opened): Promise<SearchRun> {
  const { request, result } = search as { request: Request; result: Result };
  const columns = unpackTrials(bytes);
  const { samples } = request.optimize;
  const known = { samples: columns.value.slice(0, samples), refined: columns.value.slice(samples) };
  const input = inputOf(request, loaded, rules);
  const pool = await enginePool();
  const outcome = await pool.run('optimize', { ...input, known, withSets: true }, { deadlineMs: DEADLINE_MS });
  if (!outcome.ok) throw new NotOpened(describeTaskError(outcome.error));
  const { best, sets } = outcome.value;
  const different = hashNames.filter((name) => best?.scored.hashes[name] !== result.best.hashes[name]);
  if (best === undefined || sets === undefined || different.length > 0)
    throw new NotOpened(`this browser gets another ${different.join(', ')} than the server for the best set`);
  const data = markOf(loaded, best.scored.hashes.data);
  noteTried(data, best.strategy ?? best.params);
  const found: OptimizeResult = { ...outcome.value, best };
  const walkForward = result.walkForward && walkForwardOf(result.walkForward);
  return {
    loaded,
    input,
    trials: trialsOf(columns, sets, samples),
    minutes: { kind: 'without', why: withoutOnServer(loaded, request.setup.fineData === true) },
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

/** Deep searches on the server: what is under way, also from before a reload, and results to open. */
export function ServerSearches() {
  const { data: searches = [], error, refetch } = useSearches();
  if (searches.length === 0 && error === null) return null;
  return (
    <section aria-label="Searches on the server" className="flex flex-col gap-2 border-t border-line pt-3">
      <h2 className="font-semibold">On the server</h2>
      {error !== null && (
        <ErrorState
          failure={error}
          text={messageOf(error, 'The searches could not be read.')}
          onRetry={() => void refetch()}
        />
      )}
      <ul className="flex flex-col gap-2">
        {searches.map((search) => (
          <Row key={search.search_id} search={search} />
        ))}
      </ul>
    </section>
  );
}

function Row({ search }: { search: SearchHead }) {
  const { label, symbol, interval, kind, samples, created_at: createdAt, status, failure } = search;
  return (
    <li data-status={status} className="flex flex-col gap-1.5 rounded border border-line p-2 text-label tabular-nums">
      <div className="flex flex-wrap items-baseline justify-between gap-x-2">
        <span className="min-w-0 font-medium wrap-anywhere">
          {label ?? symbol} {interval}, {formatCount(samples)} samples{kind === 'rules' ? ' of rules' : ''}
        </span>
        <span className="shrink-0 text-muted">
          <Time at={createdAt} />
        </span>
      </div>
      {isOpenSearch(search) && <Progress search={search} />}
      {status === 'done' && <Done search={search} />}
      {status === 'cancelled' && <span className="text-muted">Cancelled at {formatCount(search.done)} samples.</span>}
      {status === 'failed' && <Notice tone="error">Search failed: {failure}</Notice>}
    </li>
  );
}

/** Measured over the whole time since the first part was taken up. */
const rateOf = ({ done, elapsed_ms: elapsedMs }: SearchHead): string =>
  elapsedMs === null || elapsedMs <= 0 || done === 0
    ? ''
    : `, ${formatCount(Math.round(done / (elapsedMs / 1000)))} sets a second`;

function Progress({ search }: { search: SearchHead }) {
  const cancel = useCancelSearch();
  const { search_id: id, status, done, samples } = search;
  const words =
    status === 'queued'
      ? 'Waiting for its turn'
      : done === samples
        ? `All ${formatCount(samples)} samples have run; the best is refined and checked`
        : `${formatCount(done)} of ${formatCount(samples)} samples${rateOf(search)}`;
  return (
    <>
      <progress className="h-1.5 w-full" aria-label="Samples run on the server" value={done} max={samples} />
      <div className="flex items-center justify-between gap-2">
        <span className="text-muted">{words}</span>
        <button
          type="button"
          className="btn btn-small"
          disabled={cancel.isPending}
          onClick={() =>
            cancel.mutate(id, {
              onError: (failure) => toastRefusal(messageOf(failure, 'It could not be cancelled'), failure),
            })
          }
        >
          <Square size={12} aria-hidden="true" /> Cancel on the server
        </button>
      </div>
    </>
  );
}

function Done({ search }: { search: SearchHead }) {
  const [state, setState] = useState<{ isOpening: boolean; error: string | null }>({ isOpening: false, error: null });
  const open = async () => {
    setState({ isOpening: true, error: null });
    try {
      await openServerSearch(search.search_id);
      openPage('backtest', 'results');
      setState({ isOpening: false, error: null });
    } catch (failure) {
      setState({ isOpening: false, error: messageOf(failure, 'The search could not be opened. Try again.') });
    }
  };
  return (
    <>
      <div className="flex items-center justify-between gap-2">
        <span className="text-muted">
          Done{search.elapsed_ms !== null && ` in ${formatFixed(search.elapsed_ms / 1000, 1)} s`}
        </span>
        <button type="button" className="btn btn-small" disabled={state.isOpening} onClick={() => void open()}>
          <FolderOpen size={14} aria-hidden="true" /> {state.isOpening ? 'Opening…' : 'Open result'}
        </button>
      </div>
      {state.error !== null && <Notice tone="error">Not opened: {state.error}</Notice>}
    </>
  );
}

/** Samples that the server takes of the search of the form; undefined while the setup names no candles. */
function useServerMax(): { most: number; candleCount: number } | undefined {
  const form = useSnapshot(draft);
  const { csv } = useSnapshot(runState);
  const planned = plannedWindow(form, csv?.parsed.candles.time.length);
  if (planned === undefined) return undefined;
  const cost = setCostOf(form.strategy === 'live' ? 'rules' : 'classic');
  return { most: serverSamplesMax(planned.loaded, cost), candleCount: planned.loaded };
}

/** Hands the search of the form over. Each start is a search of its own, so the button rests until the answer is there. */
export function ServerStart({ samples }: { samples: number }) {
  const order = useOrderSearch(startServerSearch);
  const server = useServerMax();
  const isTooLarge = server !== undefined && samples > server.most;
  return (
    <div className="flex flex-col gap-2">
      {order.error !== null && <Notice tone="error">Not started: {messageOf(order.error, String(order.error))}</Notice>}
      {isTooLarge && (
        <Notice tone="warn">
          On {formatCount(server.candleCount)} candles the server takes {formatCount(server.most)} sets of this strategy
          at most. Try fewer sets or fewer candles, or search in this browser.
        </Notice>
      )}
      <button
        type="button"
        className="btn btn-primary"
        disabled={order.isPending || isTooLarge}
        onClick={() => order.mutate()}
      >
        <CloudUpload size={14} aria-hidden="true" />{' '}
        {order.isPending ? 'Handing over…' : `Start on the server, ${formatCount(samples)} sets`}
      </button>
    </div>
  );
}
