import { setOf } from '@sextant/workers/src/tasks/optimize/parameters.ts';
import { unpackSet } from '@sextant/workers/src/tasks/optimize/space.ts';
import { useDeferredValue, useState } from 'react';
import { useSnapshot } from 'valtio';
import { formatCount, formatFixed } from '../../../format/number.ts';
import { Notice } from '../../../ui/Notice.tsx';
import { Panel } from '../../../ui/Panel.tsx';
import { TabPanel, Tabs, useTabsId } from '../../../ui/Tabs.tsx';
import { draft } from '../backtestState.ts';
import { applyTrial, OWN_TRIAL } from './applyTrial.ts';
import { targetNames } from './searchDefinitions.ts';
import type { SearchRun } from './searchState.ts';
import { TrialExport } from './TrialExport.tsx';
import { TrialMapView } from './TrialMapView.tsx';
import { trialName, TrialTable } from './TrialTable.tsx';
import { type WalkForward, useWalkForward } from './walkForwardState.ts';
import { WalkForwardView } from './WalkForwardView.tsx';

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
  // A slider that was moved since shows a set that is no trial.
  const onSliders = JSON.stringify(useSnapshot(draft).params);
  const trial = chosen ?? best;
  const isOnSliders = JSON.stringify(unpackSet(setOf(run.trials.sets, trial), run.input.params)) === onSliders;
  const select = (next: number) => {
    setChosen(next);
    applyTrial(run, next);
  };
  const views: { id: ViewId; label: string }[] = [
    { id: 'map', label: 'Map' },
    { id: 'table', label: 'Table' },
    ...(walking.status === 'none' ? [] : [{ id: 'walkForward' as const, label: 'Walk-forward' }]),
  ];
  const shared = { run, best, selected: isOnSliders ? trial : null, onSelect: select };
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
        <div className="flex gap-2 px-2">
          <button type="button" className="btn btn-small" onClick={() => select(best)}>
            Best: {trialName(run.trials, best)}
          </button>
          <button type="button" className="btn btn-small" onClick={() => select(OWN_TRIAL)}>
            Back to my set
          </button>
        </div>
      </div>
      <SearchFacts run={run} />
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
      {formatCount(result.trialCount / (tookMs / 1000))} sets a second.
    </p>
  );
}
