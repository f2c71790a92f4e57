import type { StrategyParams } from '@sextant/workers/src/protocol.ts';
import type { WalkForwardResult } from '@sextant/workers/src/protocolOptimize.ts';
import { setOf } from '@sextant/workers/src/tasks/optimize/parameters.ts';
import { unpackSet } from '@sextant/workers/src/tasks/optimize/space.ts';
import { FileDown } from 'lucide-react';
import { useDeferredValue, useState } from 'react';
import { ref, snapshot, useSnapshot } from 'valtio';
import { messageOf } from '../../../api/failure.ts';
import { formatCount, formatFixed, formatMoney } from '../../../format/number.ts';
import { formatUtc } from '../../../format/time.ts';
import { toastRefusal } from '../../../state/toasts.ts';
import { DefinedTerm, type Definition } from '../../../ui/Hint.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { Panel } from '../../../ui/Panel.tsx';
import { ScrollSideways } from '../../../ui/ScrollSideways.tsx';
import { TabPanel, Tabs, useTabsId } from '../../../ui/Tabs.tsx';
import { downloadBlob } from '../../../ui/download.ts';
import { draft, runState } from '../backtestState.ts';
import { paramsText } from '../params.ts';
import { fileNameOf } from '../results/ExportButtons.tsx';
import { markOf, noteTried } from '../trialCounts.ts';
import { TrialMapView } from './TrialMapView.tsx';
import { SearchComparison } from './SearchComparison.tsx';
import { trialName, TrialTable } from './TrialTable.tsx';
import { trialsCsv, trialsJson } from './exportTrials.ts';
import { targetNames } from './searchDefinitions.ts';
import { type SearchRun, searchState } from './searchState.ts';
import { useWalkForward, type WalkForward } from './walkForwardState.ts';

/** Sample 0 of every search is the set that was on the sliders before it. */
const OWN_TRIAL = 0;

const paramsOfTrial = ({ trials, input }: SearchRun, trial: number): StrategyParams =>
  unpackSet(setOf(trials.sets, trial), structuredClone(input.params));

/**
 * Puts the parameters of one trial on the sliders; the live run shows what they give on the scored window. The set that was there
 * is kept, unless it is the one that was applied before.
 */
function applyTrial(run: SearchRun, trial: number): void {
  const { loaded, result } = run;
  if (runState.loaded !== loaded) runState.loaded = ref(loaded);
  const params = paramsOfTrial(run, trial);
  noteTried(markOf(loaded, result.best.scored.hashes.data), params);
  const { strategy, params: former } = snapshot(draft);
  const { own } = searchState;
  const isApplied = own !== null && strategy === 'classic' && paramsText(former) === own.appliedText;
  searchState.own = {
    ...(isApplied ? snapshot(own) : structuredClone({ strategy, params: former })),
    appliedText: paramsText(params),
  };
  draft.strategy = 'classic';
  Object.assign(draft.params, params);
}

/** Back to what was on the sliders before a set was applied; of a search that was kept over a reload, before the search. */
function restoreOwn(run: SearchRun): void {
  const { own } = searchState;
  const { strategy, params } =
    own === null ? { strategy: 'classic' as const, params: paramsOfTrial(run, OWN_TRIAL) } : snapshot(own);
  searchState.own = null;
  Object.assign(draft.params, structuredClone(params));
  draft.strategy = strategy;
}

/** Which set is on the sliders. One that was moved since is no trial. */
function useInForce(run: SearchRun, best: number) {
  const { strategy, params } = useSnapshot(draft);
  const { own } = useSnapshot(searchState);
  const isInForce = (trial: number) =>
    strategy === 'classic' && paramsText(params) === paramsText(paramsOfTrial(run, trial));
  const isStart = isInForce(OWN_TRIAL);
  const other: 'own' | 'other' = own === null || isStart ? 'own' : 'other';
  return {
    isInForce,
    inForce: isInForce(best) ? ('best' as const) : other,
    isBackPossible: own !== null || (isInForce(best) && !isStart),
  };
}

type ViewId = 'map' | 'table' | 'walkForward';

export function bestTrialOf({ result, trials }: SearchRun): number {
  const { kind, index } = result.best.origin;
  return kind === 'sample' ? index : trials.sampleCount + index;
}

/** All trials of the last search: as a map, as a table, and what walking forward gave. */
export function SearchPanel({ run }: { run: SearchRun }) {
  const { result } = run;
  const id = useTabsId();
  const [view, setView] = useState<ViewId>('map');
  const [chosen, setChosen] = useState<number | null>(null);
  const best = bestTrialOf(run);
  const walking = useWalkForward(run);
  // The best set is painted first, all of them in the frames that follow.
  const isDrawn = useDeferredValue(true, false);
  const { isInForce, inForce, isBackPossible } = useInForce(run, best);
  const trial = chosen ?? best;
  const select = (next: number) => {
    setChosen(next);
    applyTrial(run, next);
  };
  const views: { id: ViewId; label: string }[] = [
    { id: 'map', label: 'Map' },
    { id: 'table', label: 'Table' },
    ...(walking.status === 'none' ? [] : [{ id: 'walkForward' as const, label: 'Walk-forward' }]),
  ];
  const shared = { run, best, selected: isInForce(trial) ? trial : null, onSelect: select };
  return (
    <Panel
      title={`Search, ${formatCount(result.trialCount)} sets by ${targetNames[result.target]}`}
      aside={
        <span className="flex items-center gap-2">
          <span className="max-md:hidden">seed {result.seed}</span>
          <TrialExport run={run} />
        </span>
      }
      bodyClassName=""
    >
      <div className="flex flex-wrap items-center justify-between gap-2 border-b border-line px-1">
        <Tabs label="Search results" items={views} active={view} idBase={id} onSelect={setView} className="h-9" />
        <span className="px-2 text-label text-muted">Best: {trialName(run.trials, best)}</span>
      </div>
      <SearchFacts run={run} />
      <SearchComparison
        run={run}
        inForce={inForce}
        onApply={() => select(best)}
        onBack={isBackPossible ? () => restoreOwn(run) : null}
      />
      {result.best.reason !== undefined && <p className="px-3 pt-2 text-label text-warn">{result.best.reason}</p>}
      <TabPanel idBase={id} id={view}>
        {!isDrawn && <div aria-busy="true" className="skeleton m-3 h-96" />}
        {isDrawn && view === 'map' && <TrialMapView {...shared} />}
        {isDrawn && view === 'table' && <TrialTable {...shared} />}
        {isDrawn && view === 'walkForward' && <WalkForwardPage run={run} walking={walking} />}
      </TabPanel>
    </Panel>
  );
}

function WalkForwardPage({ run, walking }: { run: SearchRun; walking: WalkForward }) {
  if (walking.status === 'result') return <WalkForwardView run={run} walkForward={walking.result} />;
  if (walking.status === 'error')
    return <Notice tone="error">The walk-forward could not be computed: {walking.error}</Notice>;
  return (
    <p aria-busy="true" className="p-3 text-label text-muted">
      Walking forward: each of the later windows is searched anew.
    </p>
  );
}

function SearchFacts({ run: { result, tookMs, input, ranOn } }: { run: SearchRun }) {
  const where = input.trainOn === 'scored' ? 'scored candles, the ones shown' : 'candles before the scored window';
  return (
    <p className="px-3 pt-2 text-label text-muted tabular-nums" data-testid="search-facts" data-seed={input.seed}>
      {formatCount(result.trialCount)} sets on {formatCount(result.train.end - result.train.start)} {where}, in{' '}
      {formatFixed(tookMs, 0)} ms {ranOn === 'server' ? 'on the server' : 'in this browser'}:{' '}
      {formatCount(result.trialCount / (tookMs / 1000))} sets a second. {formatCount(input.samples)} were drawn,{' '}
      {formatCount(result.trialCount - input.samples)} added around the best; all of them count as trials.
    </p>
  );
}

const kinds = [
  { name: 'Sets CSV', ending: 'csv', write: trialsCsv },
  { name: 'Sets JSON', ending: 'json', write: trialsJson },
] as const;

/** Every set of the search as a file, with its figures and its parameters in full. */
function TrialExport({ run }: { run: SearchRun }) {
  const [writing, setWriting] = useState<string | null>(null);
  const save = async ({ ending, write }: (typeof kinds)[number]) => {
    setWriting(ending);
    try {
      downloadBlob(`${fileNameOf(run)}-seed-${run.result.seed}-sets.${ending}`, await write(run));
    } catch (failure) {
      toastRefusal(messageOf(failure, 'The file could not be written'), failure);
    } finally {
      setWriting(null);
    }
  };
  return (
    <span className="flex gap-1">
      {kinds.map((kind) => (
        <button
          key={kind.ending}
          type="button"
          className="btn btn-ghost btn-small"
          disabled={writing !== null}
          onClick={() => void save(kind)}
        >
          <FileDown size={14} aria-hidden="true" /> {writing === kind.ending ? 'Writing…' : kind.name}
        </button>
      ))}
    </span>
  );
}

const efficiencyDefinition: Definition = {
  topic: 'walkForwardEfficiency',
  name: 'Walk-forward efficiency',
  meaning:
    'Mean result per candle of the test windows over that of the trainings they were chosen on. 1 keeps everything, 0 nothing, below 0 loses.',
  formula: 'mean test PnL per candle / mean training PnL per candle',
  example: 'Training +0.50 a candle, test +0.20: 0.40.',
};

const tone = (value: number): string => (value > 0 ? 'text-up' : value < 0 ? 'text-down' : '');

/** What each later window gave to the set that was found before it. */
function WalkForwardView({ run, walkForward }: { run: SearchRun; walkForward: WalkForwardResult }) {
  const { folds, efficiency, reason, profitableFoldCount, testNetPnl } = walkForward;
  const { time } = run.loaded.candles;
  return (
    <div className="flex flex-col gap-2 p-3 text-label tabular-nums">
      <p className="text-body">
        <DefinedTerm definition={efficiencyDefinition} />{' '}
        <strong>
          {efficiency === null ? `not given: ${reason ?? 'too little data'}` : formatFixed(efficiency, 2)}
        </strong>
        , {formatCount(profitableFoldCount)} of {formatCount(folds.length)} windows with a gain, together{' '}
        <strong className={tone(testNetPnl)}>{formatMoney(testNetPnl, true)} USDT</strong>
      </p>
      <ScrollSideways label="Windows of the walk-forward">
        <table className="table w-full min-w-150">
          <thead>
            <tr>
              <th scope="col" className="lead">
                Test window, UTC
              </th>
              <th scope="col">Candles</th>
              <th scope="col">Training, USDT a candle</th>
              <th scope="col">Test, USDT a candle</th>
              <th scope="col">Trades</th>
              <th scope="col">Net PnL, USDT</th>
            </tr>
          </thead>
          <tbody>
            {folds.map(({ test, trainPnlPerBar, testPnlPerBar, testTradeCount, testNetPnl: netPnl }) => (
              <tr key={test.start}>
                <td className="lead">{formatUtc(time[test.start] ?? Number.NaN)}</td>
                <td>{formatCount(test.end - test.start)}</td>
                <td>{formatFixed(trainPnlPerBar, 3)}</td>
                <td>{formatFixed(testPnlPerBar, 3)}</td>
                <td>{formatCount(testTradeCount)}</td>
                <td className={tone(netPnl)}>{formatMoney(netPnl, true)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollSideways>
    </div>
  );
}
